// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.ordering;

import io.github.dripfeed.observe.StateAwareQueue;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * The methods of both policy classes beyond YARN's interface.
 *
 * @param <S> the applications of the queue
 */
public interface StateAwarePolicy<S extends SchedulableEntity> extends StateAwareQueue.Source {

  /** The delegate that implements the policy. */
  @Override
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
}
