// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.ordering;

import io.github.dripfeed.observe.QueueFigures;
import io.github.dripfeed.view.ViewedQueue;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * The methods of both policy classes beyond YARN's interface.
 *
 * @param <S> the applications of the queue
 */
public interface StateAwarePolicy<S extends SchedulableEntity>
    extends QueueFigures.Source, ViewedQueue.Source {

  /** The delegate that implements the policy. */
  OrderingDelegate<S> ordering();

  /** The comparator by fair share; null under the order by submission. */
  default FairShareComparator share() {
    return null;
  }

  /**
   * Puts these applications before all others until their usage reaches the given amount, so that they
   * receive the containers that were preempted for them. Replaces all earlier amounts.
   *
   * @param owed the usage of each application, by {@link FairShareComparator#size}
   */
  default void owe(Map<S, Double> owed) {
    // Under the order by submission, the order itself ensures it.
  }

  @Override
  default QueueFigures figures() {
    return ordering();
  }

  @Override
  default ViewedQueue<?> viewed() {
    return ordering();
  }

  /** The delegate of the policy, or null if the policy is not state-aware. */
  static OrderingDelegate<?> orderingOf(Object policy) {
    return policy instanceof StateAwarePolicy ? ((StateAwarePolicy<?>) policy).ordering() : null;
  }
}
