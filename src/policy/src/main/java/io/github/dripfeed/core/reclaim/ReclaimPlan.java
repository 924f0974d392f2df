// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.reclaim.PlanApplication.PlanRequest;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The containers to preempt in one partition of one queue, each with the application that receives its
 * resources. Applications are served in the order of the rule. For each container the plan tries free
 * resources first, then preemption.
 *
 * <p>The same state gives the same plan, and containers with a preemption notice come first. So repeated
 * plans for an unchanged state send no new notices.
 */
public final class ReclaimPlan {

  private final List<PlanApplication> applications;
  private final PlacementState state;
  private final ReclaimRule rule;
  /** The maximum dominant share of containers that get a preemption notice in this plan. */
  private final double maxNewNotices;
  /** The containers to preempt, in order, each with its receiving application. */
  private final Map<PreemptibleContainer, PlanApplication> preempted = new LinkedHashMap<>();
  /** The applications from which containers are preempted. */
  private final Set<PlanApplication> losers = new HashSet<>();
  /** The dominant share of containers that get a preemption notice in this plan so far. */
  private double newNotices;

  private ReclaimPlan(List<PlanApplication> applications, PlacementState state, ReclaimRule rule,
      double maxFraction) {
    this.applications = applications;
    this.state = state;
    this.rule = rule;
    state.set(applications);
    this.maxNewNotices = state.measure.of(state.used()) * maxFraction;
    applications.forEach(application -> application.skipped = application.isServedLast);
    servePass();
    boolean isAnyServedLast = applications.stream().anyMatch(a -> a.isServedLast);
    if (isAnyServedLast && applications.stream().allMatch(a -> a.isServedLast || !a.hasPending())) {
      applications.forEach(application -> application.skipped = false);
      servePass();
    }
  }

  /** Serves one container after the other: with free resources, or by preemption. */
  private void servePass() {
    long requests = 0;
    for (PlanApplication application : applications) {
      application.startPass();
      requests += application.requests.size();
    }
    state.startPass(requests);
    rule.startPass(state.pool());
    for (PlanApplication next = rule.next(); next != null; next = rule.next()) {
      PlanRequest request = next.nextRequest();
      PlanNode node = losers.contains(next) ? null : state.fittingNode(request);
      if (node != null) {
        state.place(request, node);
        rule.usageChanged(next);
      } else if (losers.contains(next) || !preemptFor(next, request)) {
        request.skipped = true;
      }
    }
  }

  private boolean preemptFor(PlanApplication receiver, PlanRequest request) {
    if (receiver.remainingPreemptions <= 0 || !rule.mayReceive(receiver)
        || state.fitsAfterLocalityDelay(request)) {
      return false;
    }
    ContainerSearch search = new ContainerSearch(state, request, rule,
        containers -> isWithinMaxPerRound(containers) && rule.isImprovement(request, containers));
    if (!search.find()) {
      return false;
    }
    for (PreemptibleContainer container : search.preempted) {
      preempted.put(container, receiver);
      state.makeFinal(container);
      if (!container.isReservation()) {
        losers.add(container.application);
        newNotices += container.isNotified() ? 0 : state.measure.of(container.size);
        rule.usageChanged(container.application);
      }
    }
    receiver.remainingPreemptions--;
    state.place(request, search.node);
    rule.usageChanged(receiver);
    return true;
  }

  /**
   * A plan in which applications of higher priority preempt those of lower priority.
   *
   * @param applications in the order in which YARN serves them: by priority, then by submission
   * @param maxFraction the maximum of containers that get a preemption notice in this plan, as a fraction
   *     of the usage of all applications; one request is met even if it needs more
   */
  public static ReclaimPlan byPriority(List<PlanApplication> applications, PlacementState state,
      double maxFraction) {
    return new ReclaimPlan(applications, state, new PriorityRule(applications), maxFraction);
  }

  /**
   * A plan in which applications below their fair share preempt those above theirs.
   *
   * @param applications in the order of submission
   * @param maxFraction the maximum of containers that get a preemption notice in this plan, as a fraction
   *     of the usage of all applications; one request is met even if it needs more
   * @param deadZone the deviation from a share that is tolerated, as a fraction of the share
   */
  public static ReclaimPlan byShare(
      List<PlanApplication> applications, PlacementState state, double maxFraction, double deadZone) {
    return new ReclaimPlan(
        applications, state, new ShareRule(applications, state.measure, deadZone), maxFraction);
  }

  /** The containers to preempt, those for the most urgent requests first. */
  public List<PreemptibleContainer> preempted() {
    return new ArrayList<>(preempted.keySet());
  }

  /** The application that receives the resources of one of {@link #preempted}. */
  public PlanApplication receiver(PreemptibleContainer container) {
    return preempted.get(container);
  }

  private boolean isWithinMaxPerRound(List<PreemptibleContainer> containers) {
    double more = 0;
    for (PreemptibleContainer container : containers) {
      more += container.isNotified() || container.isReservation() ? 0 : state.measure.of(container.size);
    }
    if (more == 0 || newNotices == 0 || newNotices + more <= maxNewNotices) {
      return true;
    }
    // Other requests would exceed the maximum too; they are served in a later round.
    rule.onlyNotified = true;
    return false;
  }
}
