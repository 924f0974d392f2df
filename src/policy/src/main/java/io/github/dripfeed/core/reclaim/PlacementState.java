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
import java.util.List;
import java.util.function.Predicate;

/**
 * The state of a plan that decides where containers can be placed: nodes, the headroom of the queue, and
 * user limits. Finds the containers to preempt so that a request can be placed, and no more than these.
 * Used by one thread. The work is bounded, however many requests cannot be met: all requests together check
 * a maximum number of containers, and each request checks an equal part of them, but at least a minimum.
 */
public final class PlacementState {

  /** How many containers are checked for all requests together in one pass. */
  static final long MAX_CHECKS = 4_000_000;
  /** How many containers are checked for one request in any case. */
  private static final long MIN_CHECKS = 1000;

  private final List<PlanNode> nodes;
  private final ResourceSum headroom;
  private final ResourceVector none;
  private final DominantShare measure;
  /** All reservations; those of the last application in the order of the rule come first. */
  private List<PreemptibleContainer> reservations = Collections.emptyList();
  private final NodeContainers containers = new NodeContainers();
  private final NodeSearch nodeSearch;
  private long checksPerRequest = MAX_CHECKS;
  private long checked;
  /** The number of the current search. */
  private int search;
  /** Whether only containers with a preemption notice are preempted. */
  private boolean onlyNotified;

  /**
   * @param headroom the resources that the queue may still allocate, by resource type; reservations count
   *     as used
   */
  public PlacementState(List<PlanNode> nodes, ResourceVector headroom, DominantShare measure) {
    this.nodes = nodes;
    this.nodeSearch = new NodeSearch(nodes, containers);
    this.headroom = new ResourceSum(headroom);
    this.none = ResourceVector.zero(headroom.types());
    this.measure = measure;
  }

  /** Sets the applications of the plan; called once. */
  void set(List<PlanApplication> applications) {
    containers.set(applications);
    reservations = containers.reservations();
  }

  DominantShare measure() {
    return measure;
  }

  /** The number of containers and nodes checked so far. */
  long checked() {
    return checked + nodeSearch.checked();
  }

  /** From now on only containers with a preemption notice are preempted. */
  void preemptOnlyNotified() {
    onlyNotified = true;
  }

  /** @param requests the number of requests to meet in this pass */
  void startPass(long requests) {
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
      if (!node.isBlocked()) {
        free.add(node.free);
      }
    }
    ResourceSum allowed = new ResourceSum(headroom);
    applications.forEach(application -> allowed.add(application.reserved));
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
      if (request.size.fitsIn(node.free) && !node.isBlocked()
          && containers.reservation(node) == null && request.isPlaceableLater(node)) {
        return true;
      }
    }
    return false;
  }

  private boolean isWithinLimits(PlanRequest request) {
    return isAdmitted(request, replaced -> request.size.fitsInSum(headroom, replaced)
        && request.application.user.isWithin(replaced));
  }

  private boolean isUserWithinLimit(PlanRequest request) {
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

  /**
   * Finds a node for the request and the containers to preempt for it, as far as the rule allows. These are
   * preempted when the method returns.
   *
   * @param isAccepted the final check of the containers to preempt
   * @return null if the request cannot be placed by preemption
   */
  Assignment findByPreemption(
      PlanRequest request, ReclaimRule rule, Predicate<List<PreemptibleContainer>> isAccepted) {
    return new Search(request, rule, isAccepted).find();
  }

  /** The search for the containers to preempt for one request. */
  private final class Search {
    private final PlanRequest request;
    private final ReclaimRule rule;
    private final Predicate<List<PreemptibleContainer>> isAccepted;
    private long remainingChecks = checksPerRequest;
    /** Whether only containers of the user itself are preempted, because it is above its limit. */
    private boolean onlyOwn;
    /** Whether the user would be above its limit once others have lost containers for it. */
    private boolean isLimitFalling;

    Search(PlanRequest request, ReclaimRule rule, Predicate<List<PreemptibleContainer>> isAccepted) {
      this.request = request;
      this.rule = rule;
      this.isAccepted = isAccepted;
    }

    Assignment find() {
      if (isUserFarAboveLimit()) {
        return null;
      }
      onlyOwn = !isUserWithinLimit(request);
      PlanNode free = nodeSearch.find(request);
      Assignment assignment = free == null ? findOnReservedNodes() : complete(free, new ArrayList<>());
      if (assignment != null || free != null || onlyNotified && !rule.hasNotified()) {
        return assignment;
      }
      assignment = findOnNodes();
      if (assignment == null && isLimitFalling && !onlyOwn) {
        onlyOwn = true;
        assignment = findOnNodes();
      }
      return assignment;
    }

    /**
     * Whether the user would be above its limit even if it lost as much as it requests. Many would then go
     * for one, or one that is far larger, and most of that to others.
     */
    private boolean isUserFarAboveLimit() {
      ResourceSum less = new ResourceSum(request.application.reserved);
      less.add(request.size);
      return request.application.user.isAbove(less);
    }

    private Assignment findOnNodes() {
      search++;
      List<PlanNode> requested = request.placement.nodes();
      return requested == null ? findOnAnyNode() : findOnOneOf(requested);
    }

    /** Tries the nodes on which the request fits once a reservation is released. */
    private Assignment findOnReservedNodes() {
      for (PreemptibleContainer reservation : reservations) {
        if (remainingChecks-- <= 0) {
          return null;
        }
        PlanNode node = reservation.node;
        if (request.size.fitsIn(node.free) && isPlaceableAfterRelease(node)) {
          Assignment assignment = complete(node, releaseOther(node));
          if (assignment != null) {
            return assignment;
          }
        }
      }
      return null;
    }

    private Assignment findOnAnyNode() {
      Candidates candidates = rule.candidates(request, onlyNotified);
      Assignment assignment = null;
      PreemptibleContainer candidate = candidates.next();
      while (assignment == null && candidate != null && remainingChecks-- > 0) {
        assignment = tryCandidate(candidate);
        candidate = candidates.next();
      }
      checked += candidates.checked();
      return assignment;
    }

    private Assignment findOnOneOf(List<PlanNode> requested) {
      List<PreemptibleContainer> candidates = new ArrayList<>();
      for (PlanNode node : requested) {
        if (isPlaceableAfterRelease(node)) {
          for (PreemptibleContainer container : containers.preemptible(node)) {
            checked++;
            if (isCandidate(container)) {
              candidates.add(container);
            }
          }
        }
      }
      candidates.sort(rule::preemptionOrder);
      for (PreemptibleContainer candidate : candidates) {
        Assignment assignment = tryCandidate(candidate);
        if (assignment != null) {
          return assignment;
        }
      }
      return null;
    }

    private Assignment tryCandidate(PreemptibleContainer candidate) {
      PlanNode node = candidate.node;
      if (node.search == search || !isCandidate(candidate) || !isPlaceableAfterRelease(node)) {
        return null;
      }
      node.search = search;
      List<PreemptibleContainer> preempted = releaseOther(node);
      if (request.size.fitsInSum(node.free, candidate.size)) {
        preempt(candidate);
        preempted.add(candidate);
      } else {
        preemptOn(node, preempted);
      }
      if (!request.size.fitsIn(node.free)) {
        preempted.forEach(PlacementState.this::undoPreemption);
        return null;
      }
      return complete(node, preempted);
    }

    /** Whether the request would be placed on the node, if it fits, once a reservation is released. */
    private boolean isPlaceableAfterRelease(PlanNode node) {
      PreemptibleContainer reservation = containers.reservation(node);
      return reservation == null || reservation.application == request.application
          ? containers.admits(node, request)
          : !node.isBlocked() && rule.mayRelease(request, reservation)
              && !reservation.application.isReceiving() && request.isPlaceable(node);
    }

    /** Releases the reservation of another application on the node; returns what is preempted so far. */
    private List<PreemptibleContainer> releaseOther(PlanNode node) {
      List<PreemptibleContainer> preempted = new ArrayList<>();
      PreemptibleContainer reservation = containers.reservation(node);
      if (reservation != null && reservation.application != request.application) {
        preempt(reservation);
        preempted.add(reservation);
      }
      return preempted;
    }

    private void preemptOn(PlanNode node, List<PreemptibleContainer> preempted) {
      List<PreemptibleContainer> local = new ArrayList<>();
      for (PreemptibleContainer container : containers.preemptible(node)) {
        remainingChecks--;
        checked++;
        if (isCandidate(container)) {
          local.add(container);
        }
      }
      local.sort(rule::preemptionOrder);
      for (PreemptibleContainer container : local) {
        if (request.size.fitsIn(node.free)) {
          return;
        }
        if (isCandidate(container)) {
          preempt(container);
          preempted.add(container);
        }
      }
    }

    /** Preempts what is still needed to get below the limits of queue and user, and undoes what is not. */
    private Assignment complete(PlanNode node, List<PreemptibleContainer> preempted) {
      if (!onlyOwn && !isUserWithinLimit(request)) {
        isLimitFalling = true;
      } else if (!isWithinLimits(request)) {
        releaseForLimits(preempted);
        preemptForLimits(preempted);
      }
      if (isWithinLimits(request)) {
        if (preempted.size() > 1) {
          undoUnneeded(node, preempted);
        }
        if (isAccepted.test(preempted)) {
          return new Assignment(node, preempted);
        }
      }
      preempted.forEach(PlacementState.this::undoPreemption);
      return null;
    }

    private void releaseForLimits(List<PreemptibleContainer> preempted) {
      for (PreemptibleContainer reservation : reservations) {
        if (isWithinLimits(request) || remainingChecks-- <= 0) {
          return;
        }
        PlanApplication owner = reservation.application;
        if (!reservation.preempted && owner != request.application && !owner.isReceiving()
            && (owner.user == request.application.user || isUserWithinLimit(request))
            && rule.mayRelease(request, reservation)) {
          preempt(reservation);
          preempted.add(reservation);
        }
      }
    }

    private void preemptForLimits(List<PreemptibleContainer> preempted) {
      Candidates candidates = rule.candidates(request, onlyNotified);
      boolean isUserWithinLimit = isUserWithinLimit(request);
      boolean isWithin = isWithinLimits(request);
      PreemptibleContainer candidate = candidates.next();
      // No request is the reason to bring a queue below its own maximum.
      while (candidate != null && remainingChecks-- > 0 && !isWithin && !headroom.isNegative()) {
        // Resources on a node that the request cannot use would go to another application, and with them
        // the headroom below the limit.
        if ((isUserWithinLimit || candidate.application.user == request.application.user)
            && isCandidate(candidate) && request.isPlaceable(candidate.node)) {
          preempt(candidate);
          preempted.add(candidate);
          isUserWithinLimit = isUserWithinLimit(request);
          isWithin = isWithinLimits(request);
        }
        candidate = candidates.next();
      }
      checked += candidates.checked();
    }

    /**
     * Whether the container may be preempted for the request. An application that receives containers in
     * this plan loses none, since it might only get back what it lost.
     */
    private boolean isCandidate(PreemptibleContainer container) {
      return !container.preempted && (container.isNotified() || !onlyNotified)
          && !container.application.isReceiving()
          && (!onlyOwn || container.application.user == request.application.user)
          && rule.mayPreempt(request, container);
    }

    /** Undoes each preemption without which the request can still be placed. */
    private void undoUnneeded(PlanNode node, List<PreemptibleContainer> preempted) {
      for (PreemptibleContainer container : new ArrayList<>(preempted)) {
        undoPreemption(container);
        if (isWithinLimits(request) && request.size.fitsIn(node.free) && containers.admits(node, request)) {
          preempted.remove(container);
        } else {
          preempt(container);
        }
      }
    }
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
    nodeSearch.addFreed(container.node);
  }

  /** A new container replaces a reservation of the application: the one on its node, or any other one. */
  private void useReservation(PlanApplication application, PlanNode node) {
    if (!application.hasReservation()) {
      return;
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
