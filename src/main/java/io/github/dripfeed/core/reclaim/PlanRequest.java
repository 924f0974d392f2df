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

/** Containers of one size that an application asks for. Used by one thread. */
final class PlanRequest {

  final PlanApplication claimant;
  final long[] size;
  final Placement reach;
  /** How many are still asked for, in the course of a plan. */
  long open;
  /** Whether nothing can be done for it any more in this pass. */
  boolean hopeless;
  /** From where on to look for room, in this pass; told by {@link PlacementState}. */
  NodeSearch.Cursor cursor;
  /** The same, for room that it gets in a while. */
  int laterCursor;

  PlanRequest(PlanApplication claimant, long[] size, long count, Placement reach) {
    this.claimant = claimant;
    this.size = size;
    this.open = count;
    this.reach = reach;
  }

  /** Whether it would be placed on the node: what its claimant asks for before this comes first. */
  boolean reaches(PlanNode node) {
    for (PlanRequest earlier : claimant.requests) {
      if (earlier == this) {
        return reach.at(node) == Placement.Answer.YES;
      }
      if (earlier.open > 0 && earlier.reach.at(node) != Placement.Answer.NEXT) {
        return false;
      }
    }
    return false;
  }

  /** Whether it would be placed on the node, if there is room, in a while. */
  boolean reachesLater(PlanNode node) {
    return reach.isLater(node) && !claimant.isAfterAnother(this);
  }

  /** Whether the answer of every node is the same for all requests like this one. */
  boolean isLikeOthers() {
    return reach.isAnywhere() && claimant.reservations.isEmpty() && !claimant.isAfterAnother(this);
  }
}
