// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

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

  /** Whether priority comes before submission. */
  boolean isByPriority();

  /** Whether the queue is shared by weight, rather than in an order of submission or priority. */
  boolean isFair();

  /** Whether applications with few executors come before others of their priority. */
  boolean isNarrow();

  /** Whether applications of the queue get back what they deserve. */
  boolean reclaims();

  /** The name of the policy class, for messages. */
  String policyName();

  /** The properties in effect and their values, by name. */
  Map<String, String> settings();

  /** Those of them that differ from their defaults. */
  Map<String, String> changedSettings();

  /**
   * The number of accepted applications by what the first of their line waits for, as the monitor has found
   * it in its last round. To find it takes locks of YARN. For metrics.
   */
  Map<Wait, Integer> lastWaiting();

  /**
   * How long the application has waited for its driver that has waited longest of the accepted ones and of
   * those in YARN's list, in milliseconds: from its submission or the end of its previous attempt. 0 if
   * there is none. A later attempt counts once the monitor has seen it. For metrics.
   *
   * @param queue the queue of the policy
   */
  long longestWaitMillis(Queue queue);

  /** The number of accepted applications that wait because they were taken back. For metrics. */
  int backingOff();
}
