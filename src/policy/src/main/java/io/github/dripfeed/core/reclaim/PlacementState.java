// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/**
 * The state of a plan that decides where containers can be placed: nodes, the headroom of the queue, and
 * user limits. Finds the containers to preempt so that a request can be placed, and no more than these.
 * Used by one thread.
 *
 * <p>The work is bounded, however many requests cannot be met: all requests together check a maximum
 * number of containers, and each request checks an equal part of them, but at least a minimum.
 */
public final class PlacementState {

  /** How many containers are checked for all requests together in one pass. */
  static final long MAX_CHECKS = 4_000_000;
  /** How many containers are checked for one request in any case. */
  private static final long MIN_CHECKS = 1000;

  private final List<PlanNode> nodes;
  private final ResourceSum headroom;
  private final DominantShare measure;
  /** All reservations; those of the last application in the order of the rule come first. */
  private List<PreemptibleContainer> reservations = Collections.emptyList();
  private final NodeContainers containers = new NodeContainers();
  private final NodeSearch nodeSearch;
  private long checksPerRequest = MAX_CHECKS;
  private long remainingChecks;
  private long checked;
  /** The number of the current search. */
  private int search;
  /** Whether only containers with a preemption notice are preempted. */
  private boolean onlyNotified;
  /** The user whose containers alone are preempted; null if there is no such restriction. */
  private PlanUser onlyUser;
  /** Whether the current search preempts no container just to get the user below its limit. */
  private boolean excludesUserLimit;
  /** Whether the current search found a request above the user limit. */
  private boolean isAboveUserLimit;
  private final UserLimitForecast userLimits;
  private final Contention contention;
  private final ReturnForecast returns;

  /**
   * @param headroom the resources that the queue may still allocate, by resource type; reservations count
   *     as used
   */
  public PlacementState(List<PlanNode> nodes, ResourceVector headroom, DominantShare measure) {
    this.nodes = nodes;
    this.nodeSearch = new NodeSearch(nodes, containers);
    this.headroom = new ResourceSum(headroom);
    this.measure = measure;
    this.userLimits = new UserLimitForecast(measure);
    this.contention = new Contention(nodes, nodeSearch, containers, userLimits, this.headroom);
    this.returns = new ReturnForecast(nodes, containers, userLimits, this.headroom);
  }

  /** Sets the applications of the plan; called once. */
  void set(List<PlanApplication> applications) {
    containers.set(applications);
    reservations = containers.reservations();
    returns.set(applications);
  }

  DominantShare measure() {
    return measure;
  }

  /** The number of containers and nodes checked so far. */
  long checked() {
    return checked + nodeSearch.checked() + userLimits.checked() + contention.checked()
        + returns.checked();
  }

  /** From now on only containers with a preemption notice are preempted. */
  void preemptOnlyNotified() {
    onlyNotified = true;
  }

  /** @param requests the number of requests to meet in this pass */
  void startPass(List<PlanApplication> applications, long requests) {
    // Each of these checks computes a user limit.
    userLimits.startPass(applications, MAX_CHECKS / 8);
    contention.startPass(applications, MAX_CHECKS);
    nodeSearch.startPass();
    checksPerRequest = Math.max(MIN_CHECKS, MAX_CHECKS / Math.max(1, requests));
    reservations.sort((one, other) -> other.application.index - one.application.index);
  }

  /**
   * The resources to share, by resource type: used plus free, including fragments too small for any
   * request. Without the fragments, shares would change as containers are preempted, and plans might not
   * settle.
   */
  ResourceVector pool(Iterable<PlanApplication> applications) {
    ResourceSum free = new ResourceSum(headroom.types());
    for (PlanNode node : nodes) {
      if (node.acceptsContainers()) {
        free.add(node.free);
      }
    }
    ResourceSum allowed = new ResourceSum(headroom);
    applications.forEach(application -> allowed.add(application.reserved));
    ResourceVector none = ResourceVector.zero(headroom.types());
    return free.toVector().componentwiseMin(allowed).componentwiseMax(none).plus(used(applications));
  }

  /** The usage of all applications together, by resource type. */
  ResourceAmounts used(Iterable<PlanApplication> applications) {
    ResourceSum used = new ResourceSum(headroom.types());
    applications.forEach(application -> used.add(application.used));
    return used;
  }

  /** The node on which one container is placed, and the containers to preempt for it. */
  static final class Assignment {
    final PlanNode node;
    final List<PreemptibleContainer> preempted;

    Assignment(PlanNode node, List<PreemptibleContainer> preempted) {
      this.node = node;
      this.preempted = preempted;
    }
  }

  /** A node on which the request can be placed without preemption, or null. */
  PlanNode fittingNode(PlanRequest request) {
    return isWithinLimits(request) ? nodeSearch.find(request) : null;
  }

  /** Whether the request can be placed without preemption once its locality delay is over. */
  boolean fitsAfterLocalityDelay(PlanRequest request) {
    if (request.placement.isAnywhere() || !isWithinLimits(request)) {
      return false;
    }
    for (; request.laterCursor < nodes.size(); request.laterCursor++) {
      PlanNode node = nodes.get(request.laterCursor);
      checked++;
      if (request.size.fitsIn(node.free) && node.acceptsContainers()
          && containers.reservation(node) == null && request.isPlaceableLater(node)) {
        return true;
      }
    }
    return false;
  }

  /** An own reservation counts as headroom: a new container of the application replaces it. */
  private boolean isWithinLimits(PlanRequest request) {
    return request.size.fitsInSum(headroom, request.application.reserved) && isUserBelowLimit(request);
  }

  /**
   * Finds a node for the request and the containers to preempt for it, as far as the rule allows. These are
   * preempted when the method returns.
   *
   * @param isAccepted the final check of the containers to preempt
   * @return null if the request cannot be placed by preemption
   */
  Assignment findByPreemption(
      PlanRequest request, ReclaimRule rule, Predicate<List<PreemptibleContainer>> isAccepted) {
    remainingChecks = checksPerRequest;
    PlanNode free = nodeSearch.find(request);
    Assignment assignment = free == null ? findOnReservedNodes(request, rule, isAccepted)
        : complete(request, free, new ArrayList<>(), rule, isAccepted);
    if (assignment != null || free != null) {
      return assignment;
    }
    if (onlyNotified && !rule.hasNotified()) {
      return null;
    }
    // A user above its limit, or above it once others have lost containers, first loses containers of its
    // own.
    isAboveUserLimit = !isUserBelowLimit(request);
    if (!isAboveUserLimit) {
      excludesUserLimit = true;
      assignment = findOnNodes(request, rule, isAccepted);
      excludesUserLimit = false;
    }
    if (assignment == null && isAboveUserLimit) {
      onlyUser = request.application.user;
      assignment = findOnNodes(request, rule, isAccepted);
      onlyUser = null;
      assignment = assignment == null ? findOnNodes(request, rule, isAccepted) : assignment;
    }
    return assignment;
  }

  private Assignment findOnNodes(PlanRequest request, ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    search++;
    List<PlanNode> requested = request.placement.nodes();
    return requested == null ? findOnAnyNode(request, rule, isAccepted)
        : findOnOneOf(requested, request, rule, isAccepted);
  }

  /** Tries the nodes on which the request fits once a reservation is released. */
  private Assignment findOnReservedNodes(PlanRequest request, ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    for (PreemptibleContainer reservation : reservations) {
      if (remainingChecks-- <= 0) {
        return null;
      }
      PlanNode node = reservation.node;
      if (request.size.fitsIn(node.free) && isPlaceableAfterRelease(request, node, rule)) {
        List<PreemptibleContainer> preempted = new ArrayList<>();
        releaseOther(request, node, preempted);
        Assignment assignment = complete(request, node, preempted, rule, isAccepted);
        if (assignment != null) {
          return assignment;
        }
      }
    }
    return null;
  }

  private Assignment findOnAnyNode(PlanRequest request, ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    Candidates candidates = rule.candidates(request, onlyNotified);
    Assignment assignment = null;
    while (assignment == null && candidates.hasNext() && remainingChecks-- > 0) {
      assignment = tryCandidate(candidates.next(), request, rule, isAccepted);
    }
    checked += candidates.checked();
    return assignment;
  }

  private Assignment findOnOneOf(List<PlanNode> requested, PlanRequest request, ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    List<PreemptibleContainer> candidates = new ArrayList<>();
    for (PlanNode node : requested) {
      if (isPlaceableAfterRelease(request, node, rule)) {
        for (PreemptibleContainer container : containers.preemptible(node)) {
          checked++;
          if (isCandidate(container, request, rule)) {
            candidates.add(container);
          }
        }
      }
    }
    candidates.sort(rule.preemptionOrder());
    for (PreemptibleContainer candidate : candidates) {
      Assignment assignment = tryCandidate(candidate, request, rule, isAccepted);
      if (assignment != null) {
        return assignment;
      }
    }
    return null;
  }

  private Assignment tryCandidate(PreemptibleContainer candidate, PlanRequest request, ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    PlanNode node = candidate.node;
    if (node.search == search || !isCandidate(candidate, request, rule)
        || !isPlaceableAfterRelease(request, node, rule)) {
      return null;
    }
    node.search = search;
    return tryNode(candidate, request, rule, isAccepted);
  }

  /** Whether the request would be placed on the node, if it fits, once a reservation is released for it. */
  private boolean isPlaceableAfterRelease(PlanRequest request, PlanNode node, ReclaimRule rule) {
    PreemptibleContainer reservation = containers.reservation(node);
    return reservation == null || reservation.application == request.application
        ? containers.admits(node, request)
        : node.acceptsContainers() && rule.mayRelease(request, reservation)
            && !reservation.application.isReceiving() && request.isPlaceable(node);
  }

  /** Releases the reservation of another application on the node. */
  private void releaseOther(PlanRequest request, PlanNode node, List<PreemptibleContainer> preempted) {
    PreemptibleContainer reservation = containers.reservation(node);
    if (reservation != null && reservation.application != request.application) {
      preempt(reservation);
      preempted.add(reservation);
    }
  }

  /** @param first the first container to preempt on its node */
  private Assignment tryNode(PreemptibleContainer first, PlanRequest request, ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    PlanNode node = first.node;
    List<PreemptibleContainer> preempted = new ArrayList<>();
    releaseOther(request, node, preempted);
    if (isEnough(first, request)) {
      preempt(first);
      preempted.add(first);
    } else {
      preemptOn(node, request, rule, preempted);
    }
    if (!request.size.fitsIn(node.free)) {
      preempted.forEach(this::undoPreemption);
      return null;
    }
    return complete(request, node, preempted, rule, isAccepted);
  }

  private void preemptOn(PlanNode node, PlanRequest request, ReclaimRule rule,
      List<PreemptibleContainer> preempted) {
    List<PreemptibleContainer> local = new ArrayList<>();
    for (PreemptibleContainer container : containers.preemptible(node)) {
      remainingChecks--;
      checked++;
      if (isCandidate(container, request, rule)) {
        local.add(container);
      }
    }
    local.sort(rule.preemptionOrder());
    for (PreemptibleContainer container : local) {
      if (request.size.fitsIn(node.free)) {
        return;
      }
      if (isCandidate(container, request, rule)) {
        preempt(container);
        preempted.add(container);
      }
    }
  }

  private static boolean isEnough(PreemptibleContainer container, PlanRequest request) {
    return request.size.fitsInSum(container.node.free, container.size);
  }

  /** Preempts what is still needed to get below the limits of queue and user, and undoes what is not. */
  private Assignment complete(PlanRequest request, PlanNode node, List<PreemptibleContainer> preempted,
      ReclaimRule rule, Predicate<List<PreemptibleContainer>> isAccepted) {
    if (excludesUserLimit && !isUserBelowLimit(request)) {
      isAboveUserLimit = true;
    } else if (!isWithinLimits(request)) {
      releaseForLimits(request, preempted, rule);
      preemptForLimits(request, preempted, rule);
    }
    if (isWithinLimits(request)) {
      if (preempted.size() > 1) {
        undoUnneeded(request, node, preempted);
      }
      if (!contention.isContended(request, node, preempted) && isAccepted.test(preempted)) {
        return new Assignment(node, preempted);
      }
    }
    preempted.forEach(this::undoPreemption);
    return null;
  }

  private void releaseForLimits(
      PlanRequest request, List<PreemptibleContainer> preempted, ReclaimRule rule) {
    for (PreemptibleContainer reservation : reservations) {
      if (isWithinLimits(request) || remainingChecks-- <= 0) {
        return;
      }
      PlanAccount owner = reservation.application;
      if (!reservation.preempted && owner != request.application && !owner.isReceiving()
          && (owner.user == request.application.user || isUserBelowLimit(request))
          && rule.mayRelease(request, reservation)) {
        preempt(reservation);
        preempted.add(reservation);
      }
    }
  }

  private void preemptForLimits(
      PlanRequest request, List<PreemptibleContainer> preempted, ReclaimRule rule) {
    Candidates candidates = rule.candidates(request, onlyNotified);
    boolean isUserBelowLimit = isUserBelowLimit(request);
    boolean isWithinLimits = isWithinLimits(request);
    // No request is the reason to bring a queue below its own maximum.
    while (candidates.hasNext() && remainingChecks-- > 0 && !isWithinLimits && !headroom.isNegative()) {
      PreemptibleContainer candidate = candidates.next();
      // Resources on a node that the request cannot use would go to another application, and with them the
      // headroom below the limit.
      if ((isUserBelowLimit || candidate.application.user == request.application.user)
          && isCandidate(candidate, request, rule) && request.isPlaceable(candidate.node)) {
        preempt(candidate);
        preempted.add(candidate);
        isUserBelowLimit = isUserBelowLimit(request);
        isWithinLimits = isWithinLimits(request);
      }
    }
    checked += candidates.checked();
  }

  /**
   * Whether the container may be preempted for the request. An application that receives containers in
   * this plan loses none, since it might only get back what it lost.
   */
  private boolean isCandidate(PreemptibleContainer container, PlanRequest request, ReclaimRule rule) {
    return !container.preempted && (container.isNotified() || !onlyNotified)
        && !container.application.isReceiving()
        && (onlyUser == null || container.application.user == onlyUser)
        && rule.mayPreempt(request, container);
  }

  /** Undoes each preemption without which the request can still be placed. */
  private void undoUnneeded(PlanRequest request, PlanNode node, List<PreemptibleContainer> preempted) {
    for (PreemptibleContainer container : new ArrayList<>(preempted)) {
      undoPreemption(container);
      if (isWithinLimits(request) && request.size.fitsIn(node.free) && containers.admits(node, request)) {
        preempted.remove(container);
      } else {
        preempt(container);
      }
    }
  }

  /** Places one container of the request on the node, where containers are preempted for it. */
  void placeByPreemption(PlanRequest request, PlanNode node) {
    contention.add(request, node);
    place(request, node);
  }

  /** Predicts what YARN would give back. */
  ReturnForecast returns() {
    return returns;
  }

  /** Places one container of the request on a node on which it fits, without preemption for it. */
  void placeFree(PlanRequest request, PlanNode node) {
    returns.placed(request, node, place(request, node));
  }

  /**
   * Places one container of the request on a node on which it fits.
   *
   * @return the reservation that the container replaces, or null
   */
  PreemptibleContainer place(PlanRequest request, PlanNode node) {
    PreemptibleContainer replaced = useReservation(request.application, node);
    request.placement.placed(node);
    assign(request, node);
    return replaced;
  }

  /** Counts one container of the request as placed on the node. */
  void assign(PlanRequest request, PlanNode node) {
    node.free.subtract(request.size);
    headroom.subtract(request.size);
    request.assign();
  }

  /** The nodes with a preemption or a released reservation. */
  List<PlanNode> freed() {
    return nodeSearch.freed();
  }

  void undoAssignment(PlanRequest request, PlanNode node) {
    node.free.add(request.size);
    headroom.add(request.size);
    request.undoAssignment();
  }

  /** Makes a preemption final. A request may fit on the node again. */
  void makeFinal(PreemptibleContainer container) {
    container.isFinal = true;
    nodeSearch.addFreed(container.node);
  }

  /** A new container replaces a reservation of the application: the one on its node, or any other one. */
  private PreemptibleContainer useReservation(PlanAccount application, PlanNode node) {
    if (!application.hasReservation()) {
      return null;
    }
    PreemptibleContainer used = null;
    for (PreemptibleContainer reservation : reservations) {
      if (reservation.application == application && !reservation.preempted
          && (used == null || reservation.node == node)) {
        used = reservation;
      }
    }
    if (used != null) {
      preempt(used);
      makeFinal(used);
    }
    return used;
  }

  void preempt(PreemptibleContainer container) {
    container.preempt();
    headroom.add(container.size);
  }

  void undoPreemption(PreemptibleContainer container) {
    container.undoPreemption();
    headroom.subtract(container.size);
  }

  /** Whether the request can be placed on the node in the current state. */
  boolean canPlace(PlanRequest request, PlanNode node) {
    return nodeSearch.fits(node, request) && isWithinLimits(request);
  }

  /** Whether a request that is placed on the node is still within the limits of queue and user. */
  boolean isWithinLimitsAsPlaced(PlanRequest request, PlanNode node) {
    undoAssignment(request, node);
    boolean isWithin = isWithinLimits(request);
    assign(request, node);
    return isWithin;
  }

  boolean isUserBelowLimit(PlanRequest request) {
    return userLimits.isBelowLimit(request)
        || !excludesUserLimit && userLimits.isBelowLimitAfterOthers(request);
  }
}
