/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
