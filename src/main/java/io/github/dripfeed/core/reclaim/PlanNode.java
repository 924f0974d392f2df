/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
