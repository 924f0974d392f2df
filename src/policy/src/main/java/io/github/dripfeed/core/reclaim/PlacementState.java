// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.cluster.PreemptionSearch;
import io.github.dripfeed.core.reclaim.PlanApplication.PlanRequest;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.reclaim.ReclaimRule.Candidates;
import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The state of a plan that decides where containers can be placed: nodes, the headroom of the queue, and
 * user limits. Finds the containers to preempt so that a request can be placed, and no more than these.
 * Used by one thread. The work is bounded, however many requests cannot be met: each request checks an
 * equal part of {@link #MAX_CHECKS}, but at least {@link #MIN_CHECKS}.
 */
public final class PlacementState {

  /** How many containers all requests together check in one pass; more with very many requests. */
  static final long MAX_CHECKS = 4_000_000;
  /** How many containers are checked for one request in any case. */
  private static final long MIN_CHECKS = 1000;

  private final PlanNodes nodes;
  private final ResourceSum headroom;
  private final ResourceVector none;
  final DominantShare measure;
  /** All reservations; those of the application that loses first come first. */
  private List<PreemptibleContainer> reservations = Collections.emptyList();
  private long checksPerRequest = MAX_CHECKS;
  private long checked;
  /** The number of the current search. */
  private int search;
  /** Whether only containers with a preemption notice are preempted. */
  boolean onlyNotified;

  /**
   * @param headroom the resources that the queue may still allocate, by resource type; reservations count
   *     as used
   */
  public PlacementState(List<PlanNode> nodes, ResourceVector headroom, DominantShare measure) {
    this.nodes = new PlanNodes(nodes);
    this.headroom = new ResourceSum(headroom);
    this.none = ResourceVector.zero(headroom.types());
    this.measure = measure;
  }

  /** Sets the applications of the plan; called once. */
  void set(List<PlanApplication> applications) {
    nodes.set(applications);
    reservations = nodes.reservations();
  }

  /** The number of containers and nodes checked so far. */
  long checked() {
    return checked + nodes.checked();
  }

  /** @param requests the number of requests to meet in this pass */
  void startPass(long requests) {
    nodes.startPass();
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
    for (PlanNode node : nodes.all) {
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
    return isWithinLimits(request) ? nodes.find(request) : null;
  }

  /** Whether the request can be placed without preemption once its locality delay is over. */
  boolean fitsAfterLocalityDelay(PlanRequest request) {
    if (request.placement.isAnywhere() || !isWithinLimits(request)) {
      return false;
    }
    for (; request.laterCursor < nodes.all.size(); request.laterCursor++) {
      PlanNode node = nodes.all.get(request.laterCursor);
      checked++;
      if (request.size.fitsIn(node.free) && !node.isBlocked()
          && nodes.reservation(node) == null && request.isPlaceableLater(node)) {
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
  private final class Search implements PreemptionSearch.Trial<PreemptibleContainer> {
    private final PlanRequest request;
    private final ReclaimRule rule;
    private final Predicate<List<PreemptibleContainer>> isAccepted;
    private long remainingChecks = checksPerRequest;
    /** Whether only containers of the user itself are preempted, because it is above its limit. */
    private boolean onlyOwn;
    /** Whether the user would be above its limit once others have lost containers for it. */
    private boolean isLimitFalling;
    /** The node that is tried. */
    private PlanNode node;
    private boolean isWithin;
    private boolean isUserWithin;
    /** What may go for the limits: reservations first. */
    private Iterator<PreemptibleContainer> reserved;
    private Candidates others;

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
      PlanNode free = nodes.find(request);
      Assignment assignment = free == null ? findOnReservedNodes() : tryOn(free, new ArrayList<>());
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
     * Whether the user is above its limit by more than the request. Preemption would mostly serve other
     * users then.
     */
    private boolean isUserFarAboveLimit() {
      ResourceSum less = new ResourceSum(request.application.reserved);
      less.add(request.size);
      return request.application.user.isAbove(less);
    }

    /** Tries the nodes on which the request fits once a reservation is released. */
    private Assignment findOnReservedNodes() {
      Assignment assignment = null;
      for (int i = 0; assignment == null && i < reservations.size() && remainingChecks-- > 0; i++) {
        PlanNode on = reservations.get(i).node;
        if (request.size.fitsIn(on.free) && isPlaceableAfterRelease(on)) {
          assignment = tryOn(on, new ArrayList<>());
        }
      }
      return assignment;
    }

    private Assignment findOnNodes() {
      search++;
      List<PlanNode> requested = request.placement.nodes();
      Candidates candidates = requested == null ? rule.candidates(request, onlyNotified)
          : new Candidates(candidatesOn(requested), 0, () -> null);
      Assignment assignment = null;
      PreemptibleContainer candidate = candidates.next();
      while (assignment == null && candidate != null && remainingChecks-- > 0) {
        assignment = tryCandidate(candidate);
        candidate = candidates.next();
      }
      checked += candidates.checked;
      return assignment;
    }

    private List<PreemptibleContainer> candidatesOn(List<PlanNode> tried) {
      List<PreemptibleContainer> local = new ArrayList<>();
      for (PlanNode each : tried) {
        if (isPlaceableAfterRelease(each)) {
          for (PreemptibleContainer container : nodes.preemptible(each)) {
            checked++;
            if (isCandidate(container)) {
              local.add(container);
            }
          }
        }
      }
      local.sort(rule::preemptionOrder);
      return local;
    }

    private Assignment tryCandidate(PreemptibleContainer candidate) {
      PlanNode there = candidate.node;
      if (there.search == search || !isCandidate(candidate) || !isPlaceableAfterRelease(there)) {
        return null;
      }
      there.search = search;
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
      PreemptibleContainer reservation = nodes.reservation(on);
      return reservation == null || reservation.application == request.application
          ? nodes.admits(on, request)
          : !on.isBlocked() && mayRelease(reservation) && request.isPlaceable(on);
    }

    /**
     * Preempts what makes room on the node, and then what is still needed to get below the limits of queue
     * and user.
     *
     * @param local those on the node that may make room
     */
    private Assignment tryOn(PlanNode on, List<PreemptibleContainer> local) {
      node = on;
      update();
      if (nodes.reservation(on) != null) {
        local.add(0, nodes.reservation(on));
      }
      Iterator<PreemptibleContainer> here = local.iterator();
      reserved = reservations.iterator();
      others = null;
      List<PreemptibleContainer> preempted = PreemptionSearch.needed(
          PreemptionSearch.end(() -> here.hasNext() ? here.next() : nextForLimits(), this), this);
      if (isEnough() && isAccepted.test(preempted)) {
        return new Assignment(node, preempted);
      }
      preempted.forEach(PlacementState.this::undoPreemption);
      return null;
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
      others = others == null ? rule.candidates(request, onlyNotified) : others;
      checked++;
      // If the queue or a parent is above its maximum, nothing is preempted to get below it.
      return headroom.isNegative() ? null : others.next();
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
      return !container.preempted && (container.isNotified() || !onlyNotified)
          && !container.application.isReceiving()
          && (!onlyOwn || container.application.user == request.application.user)
          && rule.mayPreempt(request, container);
    }

    @Override
    public boolean isEnough() {
      return isWithin && request.size.fitsIn(node.free) && nodes.admits(node, request);
    }

    @Override
    public void end(PreemptibleContainer container) {
      preempt(container);
      update();
    }

    @Override
    public void restore(PreemptibleContainer container) {
      undoPreemption(container);
      update();
    }

    private void update() {
      isWithin = isWithinLimits(request);
      isUserWithin = isWithin || isUserWithinLimit(request);
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
    nodes.addFreed(container.node);
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
