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

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;

/** A node on which the queue's applications hold containers, or could. Used by one thread. */
public final class PlanNode {

  final long[] free;
  final List<PreemptibleContainer> losable = new ArrayList<>();
  private final Object what;
  /** For whom it is reserved, if for anybody. */
  private PreemptibleContainer reservation;
  private boolean open;
  /** The last search that looked at it. */
  int search;

  /**
   * @param free what nobody holds, by type of resource
   * @param open whether new containers may be placed here at all
   */
  public PlanNode(long[] free, boolean open) {
    this(free, open, null);
  }

  /** @param what what it stands for */
  public PlanNode(long[] free, boolean open, Object what) {
    this.free = free.clone();
    this.open = open;
    this.what = what;
  }

  /** What it stands for. */
  public Object what() {
    return what;
  }

  /** Nobody may get a container here. */
  public void close() {
    open = false;
  }

  /** So much more is free, or will be. */
  public void frees(long[] amounts) {
    ResourceVector.add(free, amounts);
  }

  boolean isOpen() {
    return open;
  }

  void reserve(PreemptibleContainer holding) {
    reservation = holding;
  }

  /** The reservation that keeps all but its owner from it, or null. */
  PreemptibleContainer reservation() {
    return reservation == null || reservation.taken ? null : reservation;
  }

  /** Whether it is open to this one, if its own requests that come first let it. */
  boolean admits(PlanRequest request) {
    PreemptibleContainer keeper = reservation();
    return open && (keeper == null || keeper.owner == request.claimant) && request.reaches(this);
  }
}
