// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.headroom;

import io.github.dripfeed.core.headroom.DemandOutlook;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.QueueHeadroom;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/** The limits and the usage of a queue and its users, for the outlook on their demand. */
final class QueueRoom implements DemandOutlook.Room {

  private final CSQueue queue;
  private final QueueHeadroom headroom;
  private final ClusterUsage usage;

  QueueRoom(CSQueue queue, QueueHeadroom headroom, ClusterUsage usage) {
    this.queue = queue;
    this.headroom = headroom;
    this.usage = usage;
  }

  @Override
  public ResourceVector limit(String partition) {
    return headroom.free(partition).plus(headroom.used(partition));
  }

  @Override
  public ResourceVector used(String partition) {
    return headroom.used(partition);
  }

  @Override
  public ResourceVector limitOf(String user, String partition) {
    double fraction = headroom.userFraction();
    // The limit grows with the usage of the queue, up to that fraction of a full queue.
    return limit(partition).each(amount -> (long) (fraction * amount))
        .componentwiseMax(usage.userLimit(headroom, user, partition))
        .componentwiseMin(headroom.userCeiling(partition));
  }

  @Override
  public ResourceVector usedBy(String user, String partition) {
    return usage.usedBy(queue, user, partition);
  }
}
