// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;

/** A node of the plan's partition. Used by one thread. */
public final class PlanNode {

  final ResourceSum free;
  private final Object item;
  private boolean acceptsContainers;
  /** The number of the last search that tried the node. */
  int search;

  /**
   * @param free the unallocated resources, by resource type
   * @param acceptsContainers whether the node accepts new containers
   * @param item the caller's object for the node
   */
  public PlanNode(ResourceVector free, boolean acceptsContainers, Object item) {
    this.free = new ResourceSum(free);
    this.acceptsContainers = acceptsContainers;
    this.item = item;
  }

  /** The caller's object for the node. */
  public Object item() {
    return item;
  }

  /** The node accepts no more containers. */
  public void block() {
    acceptsContainers = false;
  }

  /** Adds resources that are free, or will be. */
  public void addFree(ResourceVector amounts) {
    free.add(amounts);
  }

  boolean acceptsContainers() {
    return acceptsContainers;
  }
}
