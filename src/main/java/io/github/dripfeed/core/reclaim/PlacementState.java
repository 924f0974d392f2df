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

import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/**
 * Where containers can be placed: the nodes, what the queue may still have, and what users may. Finds
 * what has to be taken so that a request can be placed, and never more. Used by one thread.
 *
 * <p>However many ask in vain, the work is bounded: all together look at so many containers, each at
 * its part of them, and each at some.
 */
public final class PlacementState {

  /** How many containers are looked at for all requests together in one pass. */
  static final long LOOKS = 4_000_000;
  /** How many are looked at for one request in any case. */
  private static final long FEWEST_LOOKS = 1000;

  private final List<PlanNode> nodes;
  private final ResourceSum headroom;
  private final DominantShare measure;
  /** Reserved nodes; of the least urgent ones first, as far as the claimants are in order. */
  private List<PreemptibleContainer> reservations = Collections.emptyList();
  private final NodeHoldings holdings = new NodeHoldings();
  private final NodeSearch freeNodes;
  private long looksForEach = LOOKS;
  private long looks;
  private long looked;
  private int search;
  private boolean onlyAsked;
  /** If only what this user holds is to be taken. */
  private PlanUser onlyOf;
  /** If nothing is to be taken to get below the limit of a user; and whether that would have to be. */
  private boolean isLimitKept;
  private boolean isAboveLimit;
  private final UserLimitForecast users;

  /**
   * @param headroom what the queue could have more than its applications hold, by type of resource; what
   *     is reserved counts as held
   */
  public PlacementState(List<PlanNode> nodes, ResourceVector headroom, DominantShare measure) {
    this.nodes = nodes;
    this.freeNodes = new NodeSearch(nodes, holdings);
    this.headroom = new ResourceSum(headroom);
    this.measure = measure;
    this.users = new UserLimitForecast(measure);
  }

  /** Takes up what the applications of the plan hold; called once. */
  void add(List<PlanApplication> claimants) {
    holdings.add(claimants);
    reservations = holdings.reservations();
  }

  DominantShare measure() {
    return measure;
  }

  /** How many containers and nodes were looked at so far. */
  long looked() {
    return looked + freeNodes.looked() + users.looked();
  }

  /** From now on nothing is taken that was not asked back before. */
  void takeOnlyAsked() {
    onlyAsked = true;
  }

  /** A new pass begins, in which so many requests are to be met. */
  void start(List<PlanApplication> claimants, long requests) {
    users.start(claimants, LOOKS);
    freeNodes.begin();
    looksForEach = Math.max(FEWEST_LOOKS, LOOKS / Math.max(1, requests));
    reservations.sort((one, other) -> other.owner.index - one.owner.index);
  }

  /**
   * What there is to share: what is held, and what could be had besides; by type of resource. Also what
   * is free in pieces too small for what is asked for: what is deserved must not change with what is
   * taken, or it might go on and on.
   */
  ResourceVector pool(Iterable<PlanApplication> claimants) {
    ResourceSum free = new ResourceSum(headroom.types());
    for (PlanNode node : nodes) {
      if (node.isOpen()) {
        free.add(node.free);
      }
    }
    ResourceSum allowed = new ResourceSum(headroom);
    claimants.forEach(claimant -> allowed.add(claimant.reserved));
    ResourceVector none = ResourceVector.zero(headroom.types());
    return free.toVector().componentwiseMin(allowed).componentwiseMax(none).plus(held(claimants));
  }

  /** What is held by all of them, by type of resource. */
  ResourceAmounts held(Iterable<PlanApplication> claimants) {
    ResourceSum held = new ResourceSum(headroom.types());
    claimants.forEach(claimant -> held.add(claimant.held));
    return held;
  }

  /** How one container is placed, and what has to be taken for it. */
  static final class Fit {
    final PlanNode node;
    final List<PreemptibleContainer> taken;

    Fit(PlanNode node, List<PreemptibleContainer> taken) {
      this.node = node;
      this.taken = taken;
    }
  }

  /** The node on which the request can be placed as things are, or null. */
  PlanNode room(PlanRequest request) {
    return isWithinLimits(request) ? freeNodes.find(request) : null;
  }

  /** Whether there is room where the request is placed once it has waited for a nearer one. */
  boolean isFreeLater(PlanRequest request) {
    if (request.reach.isAnywhere() || !isWithinLimits(request)) {
      return false;
    }
    for (; request.laterCursor < nodes.size(); request.laterCursor++) {
      PlanNode node = nodes.get(request.laterCursor);
      looked++;
      if (request.size.fitsIn(node.free) && node.isOpen() && holdings.reservation(node) == null
          && request.reachesLater(node)) {
        return true;
      }
    }
    return false;
  }

  /** What is reserved for itself it gives up, or gets. */
  private boolean isWithinLimits(PlanRequest request) {
    return request.size.fitsInSum(headroom, request.claimant.reserved) && isUserBelowLimit(request);
  }

  /**
   * What has to be taken so that the request can be placed, as far as the rule allows; it is taken
   * when this returns.
   *
   * @param isAccepted the last word on what would be taken
   * @return null if it can't be placed so
   */
  Fit fit(PlanRequest request, ReclaimRule rule, Predicate<List<PreemptibleContainer>> isAccepted) {
    looks = looksForEach;
    PlanNode free = freeNodes.find(request);
    Fit fit = free == null ? fitOnReserved(request, rule, isAccepted)
        : complete(request, free, new ArrayList<>(), rule, isAccepted);
    if (fit != null || free != null) {
      return fit;
    }
    if (onlyAsked && !rule.hasAsked()) {
      return null;
    }
    // Who is above the limit, or would be once others have lost something, loses something of his own.
    isAboveLimit = !isUserBelowLimit(request);
    if (!isAboveLimit) {
      isLimitKept = true;
      fit = fitOnNodes(request, rule, isAccepted);
      isLimitKept = false;
    }
    if (fit == null && isAboveLimit) {
      onlyOf = request.claimant.user;
      fit = fitOnNodes(request, rule, isAccepted);
      onlyOf = null;
      fit = fit == null ? fitOnNodes(request, rule, isAccepted) : fit;
    }
    return fit;
  }

  private Fit fitOnNodes(PlanRequest request, ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    search++;
    List<PlanNode> few = request.reach.nodes();
    return few == null ? fitAnywhere(request, rule, isAccepted)
        : fitOnOneOf(few, request, rule, isAccepted);
  }

  /** There is room where only a reservation that gives way keeps it out. */
  private Fit fitOnReserved(PlanRequest request, ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    for (PreemptibleContainer reservation : reservations) {
      if (looks-- <= 0) {
        return null;
      }
      PlanNode node = reservation.node;
      if (request.size.fitsIn(node.free) && isOpenTo(request, node, rule)) {
        List<PreemptibleContainer> taken = new ArrayList<>();
        openTo(request, node, taken);
        Fit fit = complete(request, node, taken, rule, isAccepted);
        if (fit != null) {
          return fit;
        }
      }
    }
    return null;
  }

  private Fit fitAnywhere(PlanRequest request, ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    Candidates all = rule.candidates(request, onlyAsked);
    Fit fit = null;
    while (fit == null && all.hasNext() && looks-- > 0) {
      fit = fitBy(all.next(), request, rule, isAccepted);
    }
    looked += all.looked();
    return fit;
  }

  private Fit fitOnOneOf(List<PlanNode> few, PlanRequest request, ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    List<PreemptibleContainer> candidates = new ArrayList<>();
    for (PlanNode node : few) {
      if (isOpenTo(request, node, rule)) {
        for (PreemptibleContainer holding : holdings.losable(node)) {
          looked++;
          if (isTakeable(holding, request, rule)) {
            candidates.add(holding);
          }
        }
      }
    }
    candidates.sort(rule.preference());
    for (PreemptibleContainer candidate : candidates) {
      Fit fit = fitBy(candidate, request, rule, isAccepted);
      if (fit != null) {
        return fit;
      }
    }
    return null;
  }

  private Fit fitBy(PreemptibleContainer candidate, PlanRequest request, ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    PlanNode node = candidate.node;
    if (node.search == search || !isTakeable(candidate, request, rule)
        || !isOpenTo(request, node, rule)) {
      return null;
    }
    node.search = search;
    return fitOn(candidate, request, rule, isAccepted);
  }

  /** Whether it would be placed there, once a reservation is given up that gives way to it. */
  private boolean isOpenTo(PlanRequest request, PlanNode node, ReclaimRule rule) {
    PreemptibleContainer keeper = holdings.reservation(node);
    return keeper == null || keeper.owner == request.claimant ? holdings.admits(node, request)
        : node.isOpen() && rule.yields(request, keeper) && !keeper.owner.isGiven()
            && request.reaches(node);
  }

  private void openTo(PlanRequest request, PlanNode node, List<PreemptibleContainer> taken) {
    PreemptibleContainer keeper = holdings.reservation(node);
    if (keeper != null && keeper.owner != request.claimant) {
      take(keeper);
      taken.add(keeper);
    }
  }

  /** @param first the one on the node that is to be taken first */
  private Fit fitOn(PreemptibleContainer first, PlanRequest request, ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    PlanNode node = first.node;
    List<PreemptibleContainer> taken = new ArrayList<>();
    openTo(request, node, taken);
    if (isEnough(first, request)) {
      take(first);
      taken.add(first);
    } else {
      takeOn(node, request, rule, taken);
    }
    if (!request.size.fitsIn(node.free)) {
      taken.forEach(this::giveBack);
      return null;
    }
    return complete(request, node, taken, rule, isAccepted);
  }

  private void takeOn(PlanNode node, PlanRequest request, ReclaimRule rule,
      List<PreemptibleContainer> taken) {
    List<PreemptibleContainer> local = new ArrayList<>();
    for (PreemptibleContainer holding : holdings.losable(node)) {
      looks--;
      looked++;
      if (isTakeable(holding, request, rule)) {
        local.add(holding);
      }
    }
    local.sort(rule.preference());
    for (PreemptibleContainer holding : local) {
      if (request.size.fitsIn(node.free)) {
        return;
      }
      if (isTakeable(holding, request, rule)) {
        take(holding);
        taken.add(holding);
      }
    }
  }

  private static boolean isEnough(PreemptibleContainer holding, PlanRequest request) {
    return request.size.fitsInSum(holding.node.free, holding.size);
  }

  /** Takes what is still needed below the limits of queue and user, and keeps nothing taken in vain. */
  private Fit complete(PlanRequest request, PlanNode node, List<PreemptibleContainer> taken,
      ReclaimRule rule,
      Predicate<List<PreemptibleContainer>> isAccepted) {
    if (isLimitKept && !isUserBelowLimit(request)) {
      isAboveLimit = true;
    } else if (!isWithinLimits(request)) {
      giveWayForLimits(request, taken, rule);
      takeForLimits(request, taken, rule);
    }
    if (isWithinLimits(request)) {
      if (taken.size() > 1) {
        giveBackNeedless(request, node, taken);
      }
      if (isAccepted.test(taken)) {
        return new Fit(node, taken);
      }
    }
    taken.forEach(this::giveBack);
    return null;
  }

  private void giveWayForLimits(PlanRequest request, List<PreemptibleContainer> taken, ReclaimRule rule) {
    for (PreemptibleContainer reservation : reservations) {
      if (isWithinLimits(request) || looks-- <= 0) {
        return;
      }
      if (!reservation.taken && reservation.owner != request.claimant && helps(reservation, request)
          && !reservation.owner.isGiven() && rule.yields(request, reservation)) {
        take(reservation);
        taken.add(reservation);
      }
    }
  }

  private void takeForLimits(PlanRequest request, List<PreemptibleContainer> taken, ReclaimRule rule) {
    Candidates all = rule.candidates(request, onlyAsked);
    // What the queue holds beyond its own limit is nobody's demand.
    while (all.hasNext() && looks-- > 0 && !isWithinLimits(request)
        && !headroom.isNegative()) {
      PreemptibleContainer candidate = all.next();
      // On a node that it cannot use, another who asks gets that, and the room below the limit with it.
      if (helps(candidate, request) && request.reaches(candidate.node)
          && isTakeable(candidate, request, rule)) {
        take(candidate);
        taken.add(candidate);
      }
    }
    looked += all.looked();
  }

  /** Who is given something loses nothing: it might only get back what was taken from it. */
  private boolean isTakeable(PreemptibleContainer holding, PlanRequest request, ReclaimRule rule) {
    return !holding.taken && (holding.asked || !onlyAsked) && !holding.owner.isGiven()
        && (onlyOf == null || holding.owner.user == onlyOf) && rule.allows(request, holding);
  }

  private boolean helps(PreemptibleContainer candidate, PlanRequest request) {
    return isUserBelowLimit(request) || candidate.owner.user == request.claimant.user;
  }

  private void giveBackNeedless(PlanRequest request, PlanNode node, List<PreemptibleContainer> taken) {
    for (PreemptibleContainer holding : new ArrayList<>(taken)) {
      giveBack(holding);
      if (isWithinLimits(request) && request.size.fitsIn(node.free) && holdings.admits(node, request)) {
        taken.remove(holding);
      } else {
        take(holding);
      }
    }
  }

  /** Places one, which the node has room for. */
  void place(PlanRequest request, PlanNode node) {
    useReservation(request.claimant, node);
    request.reach.placed(node);
    put(request, node);
  }

  /** Places one again. */
  void put(PlanRequest request, PlanNode node) {
    node.free.subtract(request.size);
    headroom.subtract(request.size);
    request.meet();
  }

  /** Where something was taken, and there may be room. */
  List<PlanNode> freed() {
    return freeNodes.freed();
  }

  /** Not what is to be done after all. */
  void unplace(PlanRequest request, PlanNode node) {
    node.free.add(request.size);
    headroom.add(request.size);
    request.giveUp();
  }

  /** What was taken for good may leave room for others. */
  void leave(PreemptibleContainer holding) {
    holding.gone = true;
    freeNodes.addFreed(holding.node);
  }

  /** It gets what was reserved for it, or something else instead. */
  private void useReservation(PlanAccount claimant, PlanNode node) {
    if (!claimant.hasReserved()) {
      return;
    }
    PreemptibleContainer used = null;
    for (PreemptibleContainer reservation : reservations) {
      if (reservation.owner == claimant && !reservation.taken
          && (used == null || reservation.node == node)) {
        used = reservation;
      }
    }
    if (used != null) {
      take(used);
      leave(used);
    }
  }

  void take(PreemptibleContainer holding) {
    holding.take();
    headroom.add(holding.size);
  }

  void giveBack(PreemptibleContainer holding) {
    holding.giveBack();
    headroom.subtract(holding.size);
  }

  /** Whether the request could be placed on the node as things are. */
  boolean isOpenFor(PlanRequest request, PlanNode node) {
    return freeNodes.hasRoom(node, request) && isWithinLimits(request);
  }

  /** Whether a request that is placed on the node could be placed as things are now. */
  boolean isWithinLimitsAsPlaced(PlanRequest request, PlanNode node) {
    unplace(request, node);
    boolean is = isWithinLimits(request);
    put(request, node);
    return is;
  }

  boolean isUserBelowLimit(PlanRequest request) {
    return users.isBelowLimit(request) || !isLimitKept && users.isBelowLimitOnceOthersHaveTheRest(request);
  }
}
