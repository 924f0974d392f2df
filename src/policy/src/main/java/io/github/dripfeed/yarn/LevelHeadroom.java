// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import io.github.dripfeed.core.headroom.Headroom;
import io.github.dripfeed.core.resource.ResourceVector;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * The headroom of one level of the queue hierarchy: how much a queue may allocate below its own maximum.
 * The maximum of the root is the whole partition. Reservations count as used. Safe for use by any thread.
 */
public final class LevelHeadroom implements Headroom {

  private final CSQueue level;
  private final CountedResources types;

  public LevelHeadroom(CSQueue level, CountedResources types) {
    this.level = level;
    this.types = types;
  }

  @Override
  public boolean has(String partition, ResourceVector amounts) {
    return types.fits(amounts, maximum(partition), used(partition));
  }

  /** The headroom by resource type; negative where the queue uses more than its maximum. */
  public ResourceVector free(String partition) {
    return types.amounts(maximum(partition)).minus(types.amounts(used(partition)));
  }

  public Resource maximum(String partition) {
    return level.getQueueResourceQuotas().getEffectiveMaxResource(partition);
  }

  private Resource used(String partition) {
    return level.getQueueResourceUsage().getUsed(partition);
  }
}
