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

/** A request of an application for containers of one size. Used by one thread. */
final class PlanRequest {

  final PlanApplication claimant;
  final ResourceVector size;
  final Placement reach;
  /** The number of containers still pending while the plan is made. */
  long open;
  /** Whether the request cannot be met in this pass. */
  boolean hopeless;
  /** The index at which the node search of this pass starts; set by {@link PlacementState}. */
  NodeSearch.Cursor cursor;
  /** The same for placements after the locality delay. */
  int laterCursor;

  PlanRequest(PlanApplication claimant, ResourceVector size, long count, Placement reach) {
    this.claimant = claimant;
    this.size = size;
    this.open = count;
    this.reach = reach;
  }

  /** Whether the request would be placed on the node; earlier requests of the application come first. */
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

  /** Whether the request would be placed on the node, if it fits, after its locality delay. */
  boolean reachesLater(PlanNode node) {
    return reach.isLater(node) && !claimant.isAfterAnother(this);
  }

  /** Whether the answer of every node is the same for all requests like this one. */
  boolean isLikeOthers() {
    return reach.isAnywhere() && claimant.reservations.isEmpty() && !claimant.isAfterAnother(this);
  }
}
