// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.yarn.QueueCompat;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * A state-aware queue, as reports and rounds over several queues see it. Safe for use by any thread.
 *
 * @param <S> the applications of the queue
 */
public interface StateAwareQueue<S extends SchedulableEntity> {

  /** A policy that has what is asked of its queue. */
  interface Source {

    StateAwareQueue<?> ordering();
  }

  /** What the current policy of the queue tells; null if there is no queue or its policy is another one. */
  static StateAwareQueue<?> of(Queue queue) {
    Object policy = QueueCompat.orderingPolicy(queue);
    return policy instanceof Source ? ((Source) policy).ordering() : null;
  }

  /** The order of its applications. */
  QueueOrder<S> order();

  /** What is configured for the queue. */
  PolicyConfiguration configuration();

  /** What the monitor has found in its last round; an empty queue before the first one. */
  QueueReport<S> report();

  /**
   * Called by the monitor, which has found that YARN's queue has this policy: brings the order up to date,
   * if it is time, and has a plan made.
   *
   * @param leaf YARN's queue
   * @return the time of the next visit; the largest number if the queue has no application
   */
  long visit(CSQueue leaf, CapacityScheduler scheduler, long now);

  /** Ends a round of the monitor, after all queues were visited and planned. */
  void endRound();
}
