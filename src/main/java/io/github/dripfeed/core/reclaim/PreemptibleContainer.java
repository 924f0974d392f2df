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

/** A container that its owner may lose, or a node that is reserved for it. Used by one thread. */
public final class PreemptibleContainer {

  final PlanApplication owner;
  final PlanNode node;
  final long[] size;
  /** Whether its owner was asked to give it back before. */
  final boolean asked;
  /** How many of its owner's are newer. */
  final int newer;
  private final boolean reservation;
  private final Object what;
  /** Whether the plan takes it, so far. */
  boolean taken;
  /** Whether it is taken for good, and no longer tried. */
  boolean gone;

  PreemptibleContainer(PlanApplication owner, PlanNode node, long[] size, boolean asked, int newer,
      boolean reservation,
      Object what) {
    this.owner = owner;
    this.node = node;
    this.size = size;
    this.asked = asked;
    this.newer = newer;
    this.reservation = reservation;
    this.what = what;
  }

  /** Whether nothing runs there yet: it counts as used, and nobody loses anything with it. */
  public boolean isReservation() {
    return reservation;
  }

  /** What it stands for. */
  public Object what() {
    return what;
  }
}
