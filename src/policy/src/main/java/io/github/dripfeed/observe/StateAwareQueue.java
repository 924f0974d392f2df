// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.wire.Wire.Wait;
import io.github.dripfeed.yarn.QueueCompat;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * A state-aware queue, as metrics, views and rounds over several queues see it. Safe for use by any thread.
 *
 * <p>The methods that metrics call take no lock of YARN: Hadoop reads metrics under the lock of its metrics
 * system, for which YARN waits while it holds locks of queues and applications
 * (docs/design.md#metrics-are-read-under-a-lock).
 *
 * @param <S> the applications of the queue
 */
public interface StateAwareQueue<S extends SchedulableEntity> {

  /** A policy that has what is asked of its queue. */
  interface Source {

    StateAwareQueue<?> stateAwareQueue();
  }

  /** What the current policy of the queue tells; null if there is no queue or its policy is another one. */
  static StateAwareQueue<?> of(Queue queue) {
    Object policy = QueueCompat.orderingPolicy(queue);
    return policy instanceof Source ? ((Source) policy).stateAwareQueue() : null;
  }

  /** The order of its applications. */
  QueueOrder<S> order();

  /** What is configured for the queue. */
  PolicyConfiguration configuration();

  /** Whether priority comes before submission. */
  default boolean isByPriority() {
    return configuration().isByPriority();
  }

  /** Whether the queue is shared by weight, rather than in an order of submission or priority. */
  default boolean isFair() {
    return configuration().isFair();
  }

  /** Whether applications with few executors come before others of their priority. */
  default boolean isNarrow() {
    return configuration().isNarrow();
  }

  /** Whether applications of the queue get back what they deserve. */
  default boolean reclaims() {
    return configuration().reclaims();
  }

  /** The name of the policy class, for messages. */
  String policyName();

  /**
   * The number of accepted applications by what the first of their line waits for, as the monitor has found
   * it in its last round. To find it takes locks of YARN. For metrics.
   */
  Map<Wait, Integer> lastWaiting();

  /**
   * The longest time for which an application has waited for its driver, of those that the monitor has
   * found accepted or in YARN's list in its last round, in milliseconds: from its submission or the end of
   * its previous attempt. 0 if there is none. For metrics.
   */
  long longestWaitMillis();

  /** The number of accepted applications that wait because they were taken back. For metrics. */
  int backingOff();
}
