// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.ordering.FairShareComparator;
import io.github.dripfeed.ordering.OrderingDelegate;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * A leaf queue that reclaims, with the ordering policy of its applications. Immutable.
 *
 * @param <S> the applications of the queue
 */
public final class ReclaimQueue<S extends SchedulableEntity> {

  private final CSQueue queue;
  private final OrderingDelegate<S> ordering;
  private final FairShareComparator fairShare;

  /** @param fairShare the comparator by fair share, or null where priority decides */
  public ReclaimQueue(CSQueue queue, OrderingDelegate<S> ordering, FairShareComparator fairShare) {
    this.queue = queue;
    this.ordering = ordering;
    this.fairShare = fairShare;
  }

  CSQueue queue() {
    return queue;
  }

  String path() {
    return queue.getQueuePath();
  }

  OrderingDelegate<S> ordering() {
    return ordering;
  }

  /** The comparator by fair share, or null where priority decides. */
  FairShareComparator fairShare() {
    return fairShare;
  }
}
