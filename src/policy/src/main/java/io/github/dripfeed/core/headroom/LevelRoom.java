// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;

/**
 * The headroom of one level of the queue hierarchy in one partition: a leaf queue, a parent or the root.
 * All queues below it share it. It shrinks while a plan is made.
 */
public final class LevelRoom {

  private final String name;
  private final ResourceSum free;
  private final ResourceSum later;
  private final ResourceVector best;
  private final List<ResourceVector> kept = new ArrayList<>();

  /**
   * @param name the name of the queue, for messages
   * @param free the headroom below its maximum; negative where it uses more
   * @param progress the part of its usage that applications with executors hold
   * @param stuck the part of its usage that drivers without executors hold, of the queues that are planned
   */
  public LevelRoom(String name, ResourceVector free, ResourceAmounts progress, ResourceAmounts stuck) {
    this.name = name;
    this.free = new ResourceSum(free);
    this.later = new ResourceSum(free.plus(progress));
    this.best = free.plus(progress).plus(stuck);
  }

  String name() {
    return name;
  }

  /**
   * Room for these amounts must stay if all applications with executors end; of that what could be free at
   * best.
   */
  void keep(ResourceVector amounts) {
    ResourceVector need = amounts.componentwiseMin(best);
    if (kept.stream().noneMatch(need::fitsIn)) {
      kept.add(need);
    }
  }

  boolean has(ResourceVector size) {
    return size.fitsIn(free);
  }

  void take(ResourceVector size) {
    free.subtract(size);
  }

  void giveBack(ResourceVector size) {
    free.add(size);
  }

  /** Whether what must be kept is still there beside another driver without executors. */
  boolean keepsBeside(ResourceVector driver) {
    return kept.stream().allMatch(need -> need.plus(driver).fitsIn(later));
  }

  void addDriver(ResourceVector driver) {
    later.subtract(driver);
  }
}
