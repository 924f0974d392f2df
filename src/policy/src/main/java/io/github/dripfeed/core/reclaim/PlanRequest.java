// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceVector;

/** A pending request of an application for containers of one size. Used by one thread. */
final class PlanRequest {

  /** The index at which a node search starts; the request fits on no node before it. */
  static final class Cursor {
    int node;
    int freed;
  }

  final PlanAccount application;
  /** The request of the same application that comes before this one; null if this is the first. */
  private final PlanRequest earlier;
  final ResourceVector size;
  final Placement placement;
  /** The number of containers still pending while the plan is made. */
  long pending;
  /** Whether the request cannot be met in this pass. */
  boolean skipped;
  /** The index at which the node search of this pass starts; shared by equal requests. */
  Cursor cursor;
  /** The same for placements after the locality delay. */
  int laterCursor;

  PlanRequest(PlanAccount application, PlanRequest earlier, ResourceVector size, long count,
      Placement placement) {
    this.application = application;
    this.earlier = earlier;
    this.size = size;
    this.pending = count;
    this.placement = placement;
  }

  /** Whether the request would be placed on the node; earlier requests of the application come first. */
  boolean isPlaceable(PlanNode node) {
    for (PlanRequest other = earlier; other != null; other = other.earlier) {
      if (other.pending > 0 && other.placement.at(node) != Placement.Answer.NEXT) {
        return false;
      }
    }
    return placement.at(node) == Placement.Answer.YES;
  }

  /** Whether the request would be placed on the node, if it fits, after its locality delay. */
  boolean isPlaceableLater(PlanNode node) {
    return placement.isLater(node) && !isEarlierPending();
  }

  /** Whether the request would be placed on every node on which it fits. */
  boolean isPlaceableAnywhere() {
    return placement.isAnywhere() && !isEarlierPending();
  }

  /** Whether the request can be placed on the same nodes as all other requests like it. */
  boolean isUnconstrained() {
    return isPlaceableAnywhere() && !application.hasReservation();
  }

  /** Whether an earlier request of the application is still pending. */
  private boolean isEarlierPending() {
    for (PlanRequest other = earlier; other != null; other = other.earlier) {
      if (other.pending > 0) {
        return true;
      }
    }
    return false;
  }

  /** Assigns one container of the request. */
  void assign() {
    pending--;
    application.assign(size, 1);
  }

  void undoAssignment() {
    pending++;
    application.assign(size, -1);
  }
}
