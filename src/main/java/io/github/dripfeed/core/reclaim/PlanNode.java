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
  private final Object what;
  private boolean open;
  /** The last search that checked the node. */
  int search;

  /**
   * @param free the unallocated resources, by resource type
   * @param open whether the node accepts new containers
   */
  public PlanNode(ResourceVector free, boolean open) {
    this(free, open, null);
  }

  /** @param what what it stands for */
  public PlanNode(ResourceVector free, boolean open, Object what) {
    this.free = new ResourceSum(free);
    this.open = open;
    this.what = what;
  }

  /** What it stands for. */
  public Object what() {
    return what;
  }

  /** The node accepts no containers from now on. */
  public void close() {
    open = false;
  }

  /** Adds resources that are, or will be, free. */
  public void frees(ResourceVector amounts) {
    free.add(amounts);
  }

  boolean isOpen() {
    return open;
  }
}
