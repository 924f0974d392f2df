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

  /** The index at which a node search starts; the request fits on no node before it. */
  static final class Cursor {
    int node;
    int freed;
  }

  final PlanAccount claimant;
  /** The request of the same application that comes before this one; null if this is the first. */
  private final PlanRequest earlier;
  final ResourceVector size;
  final Placement reach;
  /** The number of containers still pending while the plan is made. */
  long open;
  /** Whether the request cannot be met in this pass. */
  boolean hopeless;
  /** The index at which the node search of this pass starts; shared by equal requests. */
  Cursor cursor;
  /** The same for placements after the locality delay. */
  int laterCursor;

  PlanRequest(PlanAccount claimant, PlanRequest earlier, ResourceVector size, long count,
      Placement reach) {
    this.claimant = claimant;
    this.earlier = earlier;
    this.size = size;
    this.open = count;
    this.reach = reach;
  }

  /** Whether the request would be placed on the node; earlier requests of the application come first. */
  boolean reaches(PlanNode node) {
    for (PlanRequest other = earlier; other != null; other = other.earlier) {
      if (other.open > 0 && other.reach.at(node) != Placement.Answer.NEXT) {
        return false;
      }
    }
    return reach.at(node) == Placement.Answer.YES;
  }

  /** Whether the request would be placed on the node, if it fits, after its locality delay. */
  boolean reachesLater(PlanNode node) {
    return reach.isLater(node) && !isAfterAnother();
  }

  /** Whether the answer of every node is the same for all requests like this one. */
  boolean isLikeOthers() {
    return reach.isAnywhere() && !claimant.hasReserved() && !isAfterAnother();
  }

  /** Whether its application still asks for something else before this. */
  private boolean isAfterAnother() {
    for (PlanRequest other = earlier; other != null; other = other.earlier) {
      if (other.open > 0) {
        return true;
      }
    }
    return false;
  }

  /** The plan meets one container of the request. */
  void meet() {
    open--;
    claimant.get(size);
  }

  /** The plan does not meet one container of the request after all. */
  void giveUp() {
    open++;
    claimant.giveUp(size);
  }
}
