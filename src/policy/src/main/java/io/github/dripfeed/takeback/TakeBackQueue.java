// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.admission.QueueOrder;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * A queue whose starting applications may be taken back.
 *
 * @param <S> its applications
 */
public interface TakeBackQueue<S extends SchedulableEntity> {

  QueueOrder<S> order();

  /** The queue; null if its policy was replaced, or has no application. */
  CSQueue queue();

  /** Whether priority comes before submission. */
  boolean isByPriority();
}
