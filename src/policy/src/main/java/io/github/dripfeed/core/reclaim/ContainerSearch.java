// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.cluster.PreemptionSearch;
import io.github.dripfeed.core.reclaim.PlanApplication.PlanRequest;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.reclaim.ReclaimRule.Candidates;
import io.github.dripfeed.core.resource.ResourceSum;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds the containers to preempt so that one request can be placed, and no more than these. Used by one
 * thread.
 */
final class ContainerSearch implements PreemptionSearch.Trial<PreemptibleContainer> {

  private final PlacementState state;
  private final PlanRequest request;
  private final ReclaimRule rule;
  private final Predicate<List<PreemptibleContainer>> isAccepted;
  private long remainingChecks;
  /** The number of this walk along nodes; each is tried once. */
  private int walk;
  /** Whether only containers of the user itself are preempted, because it is above its limit. */
  private boolean onlyOwn;
  /** Whether the user would be above its limit once others have lost containers for it. */
  private boolean isLimitFalling;
  /** The node that is tried. */
  PlanNode node;
  /** The containers to preempt for it. */
  List<PreemptibleContainer> preempted;
  private boolean isWithin;
  private boolean isUserWithin;
  /** What may go for the limits: reservations first. */
  private Iterator<PreemptibleContainer> reserved;
  private Candidates others;

  /** @param isAccepted the final check of the containers to preempt */
  ContainerSearch(PlacementState state, PlanRequest request, ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    this.state = state;
    this.remainingChecks = state.checksPerRequest;
    this.request = request;
    this.rule = rule;
    this.isAccepted = isAccepted;
  }

  /**
   * Finds {@link #node} and {@link #preempted}, as far as the rule allows. These are preempted when the
   * method returns.
   *
   * @return false if the request cannot be placed by preemption
   */
  boolean find() {
    if (isUserFarAboveLimit()) {
      return false;
    }
    onlyOwn = !state.isUserWithinLimit(request);
    PlanNode free = state.find(request);
    if (free != null) {
      return tryOn(free, new ArrayList<>());
    }
    if (findOnReservedNodes()) {
      return true;
    }
    if (rule.onlyNotified && !rule.hasNotified()) {
      return false;
    }
    boolean isFound = findOnNodes();
    if (!isFound && isLimitFalling && !onlyOwn) {
      onlyOwn = true;
      isFound = findOnNodes();
    }
    return isFound;
  }

  /**
   * Whether the user is above its limit by more than the request. Preemption would mostly serve other
   * users then.
   */
  private boolean isUserFarAboveLimit() {
    ResourceSum less = new ResourceSum(request.application.reserved);
    less.add(request.size);
    return request.application.user.isAbove(less);
  }

  /** Tries the nodes on which the request fits once a reservation is released. */
  private boolean findOnReservedNodes() {
    for (int i = 0; i < state.reservations.size() && remainingChecks-- > 0; i++) {
      PlanNode on = state.reservations.get(i).node;
      if (request.size.fitsIn(on.free) && isPlaceableAfterRelease(on) && tryOn(on, new ArrayList<>())) {
        return true;
      }
    }
    return false;
  }

  private boolean findOnNodes() {
    walk = ++state.walks;
    List<PlanNode> requested = request.placement.nodes();
    Candidates candidates = requested == null ? rule.candidates(request)
        : new Candidates(candidatesOn(requested), 0, () -> null);
    boolean isFound = false;
    PreemptibleContainer candidate = candidates.next();
    while (!isFound && candidate != null && remainingChecks-- > 0) {
      isFound = tryCandidate(candidate);
      candidate = candidates.next();
    }
    state.checked += candidates.checked;
    return isFound;
  }

  private List<PreemptibleContainer> candidatesOn(List<PlanNode> tried) {
    List<PreemptibleContainer> local = new ArrayList<>();
    for (PlanNode each : tried) {
      if (isPlaceableAfterRelease(each)) {
        for (PreemptibleContainer container : state.preemptible(each)) {
          state.checked++;
          if (isCandidate(container)) {
            local.add(container);
          }
        }
      }
    }
    local.sort(rule::preemptionOrder);
    return local;
  }

  private boolean tryCandidate(PreemptibleContainer candidate) {
    PlanNode there = candidate.node;
    if (there.walk == walk || !isCandidate(candidate) || !isPlaceableAfterRelease(there)) {
      return false;
    }
    there.walk = walk;
    List<PreemptibleContainer> local = new ArrayList<>();
    if (request.size.fitsInSum(there.free, candidate.size)) {
      local.add(candidate);
    } else {
      local = candidatesOn(Collections.singletonList(there));
      remainingChecks -= local.size();
    }
    return tryOn(there, local);
  }

  /** Whether the request would be placed on the node, if it fits, once a reservation is released. */
  private boolean isPlaceableAfterRelease(PlanNode on) {
    PreemptibleContainer reservation = state.reservation(on);
    return reservation == null || reservation.application == request.application
        ? state.admits(on, request)
        : !on.isBlocked() && mayRelease(reservation) && request.isPlaceable(on);
  }

  /**
   * Preempts what makes room on the node, and then what is still needed to get below the limits of queue
   * and user.
   *
   * @param local those on the node that may make room
   */
  private boolean tryOn(PlanNode on, List<PreemptibleContainer> local) {
    node = on;
    update();
    if (state.reservation(on) != null) {
      local.add(0, state.reservation(on));
    }
    Iterator<PreemptibleContainer> here = local.iterator();
    reserved = state.reservations.iterator();
    others = null;
    preempted = PreemptionSearch.needed(
        PreemptionSearch.end(() -> here.hasNext() ? here.next() : nextForLimits(), this), this);
    if (isEnough() && isAccepted.test(preempted)) {
      return true;
    }
    preempted.forEach(state::undoPreemption);
    return false;
  }

  private PreemptibleContainer nextForLimits() {
    if (!request.size.fitsIn(node.free) || remainingChecks-- <= 0) {
      return null;
    }
    if (!onlyOwn && !isUserWithin) {
      isLimitFalling = true;
      return null;
    }
    if (reserved.hasNext()) {
      return reserved.next();
    }
    others = others == null ? rule.candidates(request) : others;
    state.checked++;
    // If the queue or a parent is above its maximum, nothing is preempted to get below it.
    return state.isOverdrawn() ? null : others.next();
  }

  @Override
  public boolean helps(PreemptibleContainer container) {
    boolean isForRoom = container.node == node
        && (container.isReservation() || !request.size.fitsIn(node.free));
    boolean isForLimits = isUserWithin || container.application.user == request.application.user;
    // Room on a node that the request cannot use would go to another application.
    return !container.preempted && (isForRoom || isForLimits)
        && (container.isReservation() ? mayRelease(container)
            : isCandidate(container) && (isForRoom || request.isPlaceable(container.node)));
  }

  private boolean mayRelease(PreemptibleContainer reservation) {
    PlanApplication owner = reservation.application;
    return owner != request.application && !owner.isReceiving() && rule.mayRelease(request, reservation);
  }

  /**
   * Whether the container may be preempted for the request. An application that receives containers in
   * this plan loses none, since it might only get back what it lost.
   */
  private boolean isCandidate(PreemptibleContainer container) {
    return !container.preempted && (container.isNotified() || !rule.onlyNotified)
        && !container.application.isReceiving()
        && (!onlyOwn || container.application.user == request.application.user)
        && rule.mayPreempt(request, container);
  }

  @Override
  public boolean isEnough() {
    return isWithin && request.size.fitsIn(node.free) && state.admits(node, request);
  }

  @Override
  public void end(PreemptibleContainer container) {
    state.preempt(container);
    update();
  }

  @Override
  public void restore(PreemptibleContainer container) {
    state.undoPreemption(container);
    update();
  }

  private void update() {
    isWithin = state.isWithinLimits(request);
    isUserWithin = isWithin || state.isUserWithinLimit(request);
  }
}
