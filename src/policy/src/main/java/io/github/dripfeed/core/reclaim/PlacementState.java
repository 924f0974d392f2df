// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.reclaim.PlanApplication.PlanRequest;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The state of a plan that decides where containers can be placed: nodes with their containers and
 * reservations, the headroom of the queue, and user limits. While a plan is made, free resources grow only
 * on nodes with a preemption, so no other node is checked twice for similar requests. Used by one thread.
 *
 * <p>The work is bounded, however many requests cannot be met: each request checks an equal part of {@link
 * #MAX_CHECKS}, but at least {@link #MIN_CHECKS}.
 */
public final class PlacementState {

  /** How many containers all requests together check in one pass; more with very many requests. */
  static final long MAX_CHECKS = 4_000_000;
  /** How many containers are checked for one request in any case. */
  private static final long MIN_CHECKS = 1000;

  private final List<PlanNode> nodes;
  private final ResourceSum headroom;
  private final ResourceVector none;
  final DominantShare measure;
  private List<PlanApplication> applications = Collections.emptyList();
  private final Map<PlanNode, PreemptibleContainer> reservationOn = new IdentityHashMap<>();
  /** All reservations; those of the application that loses first come first. */
  final List<PreemptibleContainer> reservations = new ArrayList<>();
  /** Filled at the first use: in most rounds nothing is preempted. */
  private final Map<PlanNode, List<PreemptibleContainer>> preemptible = new IdentityHashMap<>();
  /** Nodes on which a container was preempted or a reservation released; a request may fit there again. */
  private final List<PlanNode> freed = new ArrayList<>();
  private final Map<ResourceVector, PlanRequest.Cursor> cursors = new HashMap<>();
  /** How many containers are checked for one request. */
  long checksPerRequest = MAX_CHECKS;
  /** The number of containers and nodes checked so far. */
  long checked;
  /** The number of walks along nodes so far; in each, a node is tried once. */
  int walks;

  /**
   * @param headroom the resources that the queue may still allocate, by resource type; reservations count
   *     as used
   */
  public PlacementState(List<PlanNode> nodes, ResourceVector headroom, DominantShare measure) {
    this.nodes = nodes;
    this.headroom = new ResourceSum(headroom);
    this.none = ResourceVector.zero(headroom.types());
    this.measure = measure;
  }

  /** Sets the applications of the plan; called once. */
  void set(List<PlanApplication> of) {
    applications = of;
    for (PlanApplication application : of) {
      for (PreemptibleContainer reservation : application.reservations) {
        reservationOn.put(reservation.node, reservation);
      }
    }
    reservations.addAll(reservationOn.values());
  }

  /** @param requests the number of requests to meet in this pass */
  void startPass(long requests) {
    // The search for similar requests starts at the first node.
    cursors.clear();
    checksPerRequest = Math.max(MIN_CHECKS, MAX_CHECKS / Math.max(1, requests));
    reservations.sort((one, other) -> other.application.index - one.application.index);
  }

  /**
   * The resources to share, by resource type: used plus free, including fragments too small for any
   * request. Without the fragments, shares would change as containers are preempted, and plans might not
   * settle.
   */
  ResourceVector pool() {
    ResourceSum free = new ResourceSum(headroom.types());
    for (PlanNode node : nodes) {
      if (!node.isBlocked()) {
        free.add(node.free);
      }
    }
    ResourceSum allowed = new ResourceSum(headroom);
    applications.forEach(application -> allowed.add(application.reserved));
    return free.toVector().componentwiseMin(allowed).componentwiseMax(none).plus(used());
  }

  /** The usage of all applications together, by resource type. */
  ResourceAmounts used() {
    ResourceSum used = new ResourceSum(headroom.types());
    applications.forEach(application -> used.add(application.used));
    return used;
  }

  /** A node on which the request can be placed without preemption, or null. */
  PlanNode fittingNode(PlanRequest request) {
    return isWithinLimits(request) ? find(request) : null;
  }

  /** Whether the request can be placed without preemption once its locality delay is over. */
  boolean fitsAfterLocalityDelay(PlanRequest request) {
    if (request.placement.isAnywhere() || !isWithinLimits(request)) {
      return false;
    }
    for (; request.laterCursor < nodes.size(); request.laterCursor++) {
      PlanNode node = nodes.get(request.laterCursor);
      checked++;
      if (request.size.fitsIn(node.free) && !node.isBlocked()
          && reservation(node) == null && request.isPlaceableLater(node)) {
        return true;
      }
    }
    return false;
  }

  boolean isWithinLimits(PlanRequest request) {
    return isAdmitted(request, replaced -> request.size.fitsInSum(headroom, replaced)
        && request.application.user.isWithin(replaced));
  }

  boolean isUserWithinLimit(PlanRequest request) {
    return isAdmitted(request, request.application.user::isWithin);
  }

  /** Whether a limit admits the request: it may replace one reservation of its application. */
  private boolean isAdmitted(PlanRequest request, Predicate<ResourceVector> isWithin) {
    if (isWithin.test(none)) {
      return true;
    }
    for (PreemptibleContainer reservation : request.application.reservations) {
      if (!reservation.preempted && isWithin.test(reservation.size)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the queue or a parent is above its maximum. */
  boolean isOverdrawn() {
    return headroom.isNegative();
  }

  /** The reservation that blocks the node for all other applications, or null. */
  PreemptibleContainer reservation(PlanNode node) {
    PreemptibleContainer reservation = reservations.isEmpty() ? null : reservationOn.get(node);
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
    for (; cursor.node < nodes.size(); cursor.node++) {
      if (fits(nodes.get(cursor.node), request)) {
        return nodes.get(cursor.node);
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

  /** Places one container of the request on a node on which it fits. */
  void place(PlanRequest request, PlanNode node) {
    useReservation(request.application, node);
    request.placement.placed(node);
    node.free.subtract(request.size);
    headroom.subtract(request.size);
    request.assign();
  }

  /** Makes a preemption final. A request may fit on the node again. */
  void makeFinal(PreemptibleContainer container) {
    container.isFinal = true;
    freed.add(container.node);
  }

  /** A new container replaces a reservation of the application: the one on its node, or any other one. */
  private void useReservation(PlanApplication application, PlanNode node) {
    PreemptibleContainer used = null;
    for (PreemptibleContainer reservation : application.reservations) {
      if (!reservation.preempted && (used == null || reservation.node == node)) {
        used = reservation;
      }
    }
    if (used != null) {
      preempt(used);
      makeFinal(used);
    }
  }

  void preempt(PreemptibleContainer container) {
    container.setPreempted(true);
    headroom.add(container.size);
  }

  void undoPreemption(PreemptibleContainer container) {
    container.setPreempted(false);
    headroom.subtract(container.size);
  }
}
