// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;

/** A node of the plan's partition on which containers may be placed. Used by one thread. */
public final class PlanNode {

  final ResourceSum free;
  private final ResourceVector total;
  private final Object item;
  private boolean blocked;
  /** The number of the last walk that tried the node. */
  int walk;

  /** @param item the caller's object for the node */
  public PlanNode(ResourceVector free, ResourceVector total, Object item) {
    this.free = new ResourceSum(free);
    this.total = total;
    this.item = item;
  }

  /** The caller's object for the node. */
  public Object item() {
    return item;
  }

  /** Whether a container of this size fits on the node when it is empty. */
  public boolean isLargeEnough(ResourceVector size) {
    return size.fitsIn(total);
  }

  /** The node is reserved for an application that is not part of the plan. */
  public void block() {
    blocked = true;
  }

  /** Adds resources that are free, or will be. */
  public void addFree(ResourceAmounts amounts) {
    free.add(amounts);
  }

  boolean isBlocked() {
    return blocked;
  }
}
