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

/** A container or a reservation that may be preempted. Used by one thread. */
public final class PreemptibleContainer {

  final PlanAccount owner;
  final PlanNode node;
  final ResourceVector size;
  /** Whether a preemption notice was sent for it. */
  final boolean asked;
  /** The number of newer containers of the same application. */
  final int newer;
  private final boolean reservation;
  private final Object what;
  /** Whether the plan preempts it so far. */
  boolean taken;
  /** Whether its preemption is final for this plan. */
  boolean gone;

  PreemptibleContainer(PlanAccount owner, PlanNode node, ResourceVector size, boolean asked, int newer,
      boolean reservation, Object what) {
    this.owner = owner;
    this.node = node;
    this.size = size;
    this.asked = asked;
    this.newer = newer;
    this.reservation = reservation;
    this.what = what;
  }

  /** Whether it is a reservation: it counts as used, but nothing runs in it. */
  public boolean isReservation() {
    return reservation;
  }

  /** What it stands for. */
  public Object what() {
    return what;
  }

  /** The plan preempts it. */
  void take() {
    taken = true;
    if (reservation) {
      owner.loseReservation(size);
    } else {
      owner.lose(size);
      node.free.add(size);
    }
  }

  /** The plan does not preempt it after all. */
  void giveBack() {
    taken = false;
    if (reservation) {
      owner.keepReservation(size);
    } else {
      owner.keep(size);
      node.free.subtract(size);
    }
  }
}
