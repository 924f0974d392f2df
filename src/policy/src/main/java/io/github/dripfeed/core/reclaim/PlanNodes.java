// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.reclaim.PlanApplication.PlanRequest;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of a plan with their containers and reservations, and on which of them a request fits. While a
 * plan is made, free resources grow only on nodes with a preemption, so no other node is checked twice for
 * similar requests. Used by one thread.
 */
final class PlanNodes {

  final List<PlanNode> all;
  private List<PlanApplication> applications = Collections.emptyList();
  private final Map<PlanNode, PreemptibleContainer> reservations = new IdentityHashMap<>();
  /** Filled at the first use: in most rounds nothing is preempted. */
  private final Map<PlanNode, List<PreemptibleContainer>> preemptible = new IdentityHashMap<>();
  /** Nodes on which a container was preempted or a reservation released; a request may fit there again. */
  private final List<PlanNode> freed = new ArrayList<>();
  private final Map<ResourceVector, PlanRequest.Cursor> cursors = new HashMap<>();
  private long checked;

  PlanNodes(List<PlanNode> all) {
    this.all = all;
  }

  /** Sets the applications of the plan; called once. */
  void set(List<PlanApplication> of) {
    applications = of;
    for (PlanApplication application : of) {
      for (PreemptibleContainer reservation : application.reservations) {
        reservations.put(reservation.node, reservation);
      }
    }
  }

  /** Every reservation, preempted or not. */
  List<PreemptibleContainer> reservations() {
    return new ArrayList<>(reservations.values());
  }

  /** The reservation that blocks the node for all other applications, or null. */
  PreemptibleContainer reservation(PlanNode node) {
    PreemptibleContainer reservation = reservations.isEmpty() ? null : reservations.get(node);
    return reservation == null || reservation.preempted ? null : reservation;
  }

  /** The containers on the node that may be preempted. */
  List<PreemptibleContainer> preemptible(PlanNode node) {
    if (preemptible.isEmpty()) {
      for (PlanApplication application : applications) {
        for (PreemptibleContainer container : application.preemptible) {
          preemptible.computeIfAbsent(container.node, n -> new ArrayList<>()).add(container);
        }
      }
    }
    return preemptible.getOrDefault(node, Collections.emptyList());
  }

  /** Whether the request would be placed on the node, if it fits. */
  boolean admits(PlanNode node, PlanRequest request) {
    PreemptibleContainer reservation = reservation(node);
    return !node.isBlocked()
        && (reservation == null || reservation.application == request.application)
        && request.isPlaceable(node);
  }

  /** The search for similar requests starts at the first node. */
  void startPass() {
    cursors.clear();
  }

  /** A request may fit on the node again. */
  void addFreed(PlanNode node) {
    freed.add(node);
  }

  /** The number of nodes checked so far. */
  long checked() {
    return checked;
  }

  /** A node on which the request fits and would be placed now; null if there is none. */
  PlanNode find(PlanRequest request) {
    List<PlanNode> only = request.placement.nodes();
    if (only != null) {
      for (PlanNode node : only) {
        if (fits(node, request)) {
          return node;
        }
      }
      return null;
    }
    PlanRequest.Cursor cursor = cursorOf(request);
    for (; cursor.node < all.size(); cursor.node++) {
      if (fits(all.get(cursor.node), request)) {
        return all.get(cursor.node);
      }
    }
    // Before the start index, a request can fit again only on a node with a preemption.
    for (; cursor.freed < freed.size(); cursor.freed++) {
      if (fits(freed.get(cursor.freed), request)) {
        return freed.get(cursor.freed);
      }
    }
    return null;
  }

  /** Whether the request fits on the node and would be placed there now. */
  private boolean fits(PlanNode node, PlanRequest request) {
    checked++;
    return request.size.fitsIn(node.free) && admits(node, request);
  }

  /** Equal requests without constraints share a cursor: the search continues where the last one stopped. */
  private PlanRequest.Cursor cursorOf(PlanRequest request) {
    if (request.cursor == null) {
      request.cursor = request.isUnconstrained()
          ? cursors.computeIfAbsent(request.size, size -> new PlanRequest.Cursor())
          : new PlanRequest.Cursor();
    }
    return request.cursor;
  }
}
