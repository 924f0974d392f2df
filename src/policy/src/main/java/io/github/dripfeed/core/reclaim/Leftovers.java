// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Undoes preemptions that a finished plan does not need. A container is preempted as a whole, so part of
 * its resources may be left over. If these are enough for another request, or for part of it, fewer
 * containers are preempted for that request. Used by one thread.
 */
final class Leftovers {

  private final PlacementState state;
  /** The nodes with leftover resources. */
  private final List<PlanNode> nodes;
  /** How many more nodes may be checked, for all requests together. */
  private long remainingChecks = PlacementState.MAX_CHECKS;

  Leftovers(PlacementState state) {
    this.state = state;
    this.nodes = new ArrayList<>(new LinkedHashSet<>(state.freed()));
    nodes.removeIf(node -> node.free.isZero());
  }

  /** Undoes the preemptions for a request that leftover resources replace, and returns them. */
  List<PreemptibleContainer> undoUnneeded(PlanRequest request, PlacementState.Assignment assignment) {
    return nodes.isEmpty() || remainingChecks <= 0 ? Collections.emptyList()
        : moveAssignment(request, assignment) ? assignment.preempted : undoPart(request, assignment);
  }

  /** Places the request on leftover resources alone, if it fits there, and undoes all its preemptions. */
  private boolean moveAssignment(PlanRequest request, PlacementState.Assignment assignment) {
    // Releasing a reservation kills nothing, so it need not be undone.
    if (assignment.preempted.isEmpty() || !request.placement.isAnywhere()
        || request.application.hasReservation()
        || assignment.preempted.stream().anyMatch(PreemptibleContainer::isReservation)) {
      return false;
    }
    state.undoAssignment(request, assignment.node);
    assignment.preempted.forEach(state::undoPreemption);
    // A negative amount means that another request uses the resources of the preempted container.
    PlanNode other = assignment.preempted.stream().anyMatch(each -> each.node.free.isNegative()) ? null
        : fittingNode(request);
    if (other == null) {
      assignment.preempted.forEach(state::preempt);
    }
    state.place(request, other == null ? assignment.node : other);
    return other != null;
  }

  /** Leaves the request on its node and undoes those preemptions that leftover resources replace there. */
  private List<PreemptibleContainer> undoPart(PlanRequest request, PlacementState.Assignment assignment) {
    List<PreemptibleContainer> undone = new ArrayList<>();
    // The last one first, so that containers with a notice stay preempted rather than others.
    for (int i = assignment.preempted.size() - 1; i >= 0; i--) {
      PreemptibleContainer container = assignment.preempted.get(i);
      remainingChecks--;
      if (!container.isReservation() && container.size.fitsIn(container.node.free)) {
        state.undoPreemption(container);
        if (state.isWithinLimitsAsPlaced(request, assignment.node)) {
          undone.add(container);
        } else {
          state.preempt(container);
        }
      }
    }
    return undone;
  }

  private PlanNode fittingNode(PlanRequest request) {
    for (PlanNode node : nodes) {
      remainingChecks--;
      if (state.canPlace(request, node)) {
        return node;
      }
    }
    return null;
  }
}
