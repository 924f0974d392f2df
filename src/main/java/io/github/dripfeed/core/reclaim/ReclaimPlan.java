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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The containers to preempt in one partition of one queue, each with the application that receives its
 * resources. Applications are served in the order of the rule: first with free resources, then with
 * containers of others.
 *
 * <p>The same state gives the same plan, and containers with a preemption notice come first. So repeated
 * plans for an unchanged state send no new notices.
 */
public final class ReclaimPlan {

  private final List<PlanApplication> claimants;
  private final PlacementState space;
  private final ReclaimRule rule;
  private final double most;
  /** The containers to preempt, in order, each with its receiving application. */
  private final Map<PreemptibleContainer, PlanApplication> taken = new LinkedHashMap<>();
  private final Set<PlanAccount> losers = new HashSet<>();
  /** The requests that were placed because something was taken. */
  private final Map<PlacementState.Fit, PlanRequest> fits = new LinkedHashMap<>();
  private double askedAnew;

  private ReclaimPlan(List<PlanApplication> claimants, PlacementState space, ReclaimRule rule,
      double mostOfHeld) {
    this.claimants = claimants;
    this.space = space;
    this.rule = rule;
    space.add(claimants);
    this.most = space.measure().of(space.held(claimants)) * mostOfHeld;
    claimants.forEach(claimant -> claimant.isLeftOut = claimant.isLast());
    make();
    if (isAnybodyLast() && !isAnybodyUnmet()) {
      claimants.forEach(claimant -> claimant.isLeftOut = false);
      make();
    }
    Postponement.of(space, fits).forEach(taken::remove);
    giveBackNeedless();
  }

  /** What is taken whole may leave room for what others were taken for. */
  private void giveBackNeedless() {
    Leftovers leftovers = new Leftovers(space);
    fits.forEach((fit, request) -> leftovers.spare(request, fit).forEach(taken::remove));
  }

  private boolean isAnybodyLast() {
    for (PlanApplication claimant : claimants) {
      if (claimant.isLast()) {
        return true;
      }
    }
    return false;
  }

  private boolean isAnybodyUnmet() {
    for (PlanApplication claimant : claimants) {
      if (claimant.isUnmet() && !claimant.isLast()) {
        return true;
      }
    }
    return false;
  }

  private void make() {
    rule.look(space.pool(claimants));
    do {
      serve();
    } while (rule.relax());
  }

  /** One container after the other for whoever is next: where there is room, or by taking others. */
  private void serve() {
    long requests = 0;
    for (PlanApplication claimant : claimants) {
      claimant.hopeAgain();
      requests += claimant.requests.size();
    }
    space.start(claimants, requests);
    rule.start();
    for (PlanApplication next = rule.next(); next != null; next = rule.next()) {
      PlanRequest request = next.open();
      PlanNode room = losers.contains(next) ? null : space.room(request);
      if (room != null) {
        space.place(request, room);
        rule.changed(next);
      } else if (losers.contains(next) || !takeFor(next, request)) {
        request.hopeless = true;
      }
    }
  }

  private boolean takeFor(PlanApplication taker, PlanRequest request) {
    PlacementState.Fit fit = taker.mayTake() && rule.mayTake(taker) && !space.isFreeLater(request)
        ? space.fit(request, rule,
            holdings -> isWithinMost(holdings) && rule.isBetter(request, holdings)) : null;
    if (fit == null) {
      return false;
    }
    for (PreemptibleContainer holding : fit.taken) {
      taken.put(holding, taker);
      space.leave(holding);
      if (!holding.isReservation()) {
        losers.add(holding.owner);
        askedAnew += holding.asked ? 0 : space.measure().of(holding.size);
        rule.changed(holding.owner);
      }
    }
    taker.hasTaken();
    space.place(request, fit.node);
    fits.put(fit, request);
    rule.changed(taker);
    return true;
  }

  /**
   * A plan in which applications of higher priority preempt those of lower priority.
   *
   * @param claimants in the order in which they are offered: by priority, then by submission
   * @param mostOfHeld the most to ask for anew, as a part of what all hold together; one request is met
   *     even if that takes more
   */
  public static ReclaimPlan byPriority(List<PlanApplication> claimants, PlacementState space,
      double mostOfHeld) {
    return new ReclaimPlan(claimants, space, new PriorityRule(claimants), mostOfHeld);
  }

  /**
   * A plan in which applications below their fair share preempt those above theirs.
   *
   * @param claimants in the order of their submission
   * @param mostOfHeld the most to ask for anew, as a part of what all hold together; one request is met
   *     even if that takes more
   * @param deadZone by what part of its share one may be off without anything being done about it
   */
  public static ReclaimPlan byShare(
      List<PlanApplication> claimants, PlacementState space, double mostOfHeld, double deadZone) {
    return new ReclaimPlan(
        claimants, space, new ShareRule(claimants, space.measure(), deadZone), mostOfHeld);
  }

  /** The containers to preempt, those for the most urgent requests first. */
  public List<PreemptibleContainer> taken() {
    return new ArrayList<>(taken.keySet());
  }

  /** The application that receives the resources of one of {@link #taken}. */
  public PlanApplication taker(PreemptibleContainer holding) {
    return taken.get(holding);
  }

  /** The number of containers and nodes that were checked to make the plan. */
  public long looked() {
    return space.looked();
  }

  private boolean isWithinMost(List<PreemptibleContainer> holdings) {
    double more = 0;
    for (PreemptibleContainer holding : holdings) {
      more += holding.asked || holding.isReservation() ? 0 : space.measure().of(holding.size);
    }
    if (more == 0 || askedAnew == 0 || askedAnew + more <= most) {
      return true;
    }
    // Others would ask in vain too, for a little less or more: they have their turn in the next round.
    space.takeOnlyAsked();
    return false;
  }
}
