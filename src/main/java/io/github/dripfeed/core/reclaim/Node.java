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

import io.github.dripfeed.core.Amounts;
import java.util.ArrayList;
import java.util.List;

/** A node on which the queue's applications hold containers, or could. Used by one thread. */
public final class Node {

  final long[] free;
  /** The only one that may get a container here, or null if all may. */
  Claimant reservedFor;
  final List<Holding> losable = new ArrayList<>();
  private boolean open;

  /**
   * @param free what nobody holds, by type of resource
   * @param open whether new containers may be placed here at all
   */
  public Node(long[] free, boolean open) {
    this.free = free.clone();
    this.open = open;
  }

  /** Nobody but this one may get a container here. */
  public void reserveFor(Claimant claimant) {
    reservedFor = claimant;
  }

  /** Nobody may get a container here. */
  public void close() {
    open = false;
  }

  /** So much more is free, or will be. */
  public void frees(long[] amounts) {
    Amounts.add(free, amounts);
  }

  boolean isOpen() {
    return open;
  }

  boolean admits(Request request) {
    return open && (reservedFor == null || reservedFor == request.claimant)
        && request.where.test(this);
  }
}
