// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.reclaim.PlanApplication.PlanRequest;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Applications below their fair share preempt those above theirs: the one farthest above its share first,
 * and its newest container first.
 *
 * <p>Containers are whole, and shares are not. No application is pushed below its share to lift another
 * above its own. Only for an application that has nothing, or that stays below its share even so, may
 * another fall below by a fraction of a container. Each step reduces the sum of squared deviations from
 * the shares, so preemption ends.
 */
final class ShareRule extends ReclaimRule {

  /** Tolerance, because shares are computed less exactly than containers are counted. */
  private static final double EXACT = 1e-6;

  /** An application with its excess at one time. The entry is stale once the excess has changed. */
  private static final class Receiver {
    final PlanApplication application;
    final double excess;

    Receiver(PlanApplication application) {
      this.application = application;
      this.excess = application.excess;
    }
  }

  private final DominantShare measure;
  private final double deadZone;
  /** The applications with pending requests, the one farthest below its share first. */
  private final PriorityQueue<Receiver> receivers = new PriorityQueue<>(
      Comparator.<Receiver>comparingDouble(receiver -> receiver.excess)
          .thenComparingInt(receiver -> receiver.application.index));
  /** The applications above their shares, the one farthest above first. */
  private final TreeSet<PlanApplication> aboveShare = new TreeSet<>(this::losersFirst);
  /** The dominant share of the smallest container that may be preempted. */
  private double smallestContainer = Double.MAX_VALUE;
  private boolean relaxed;

  /** @param deadZone the deviation from a share that is tolerated, as a fraction of the share */
  ShareRule(List<PlanApplication> applications, DominantShare measure, double deadZone) {
    super(applications);
    this.measure = measure;
    this.deadZone = deadZone;
    for (PlanApplication application : applications) {
      findSmallestContainer(application);
      smallestContainer = Math.min(smallestContainer, application.smallestContainer);
    }
  }

  /** The application farthest above its share comes first. */
  @Override
  int losersFirst(PlanApplication one, PlanApplication other) {
    int order = Double.compare(other.excess, one.excess);
    return order == 0 ? Integer.compare(one.index, other.index) : order;
  }

  private void findSmallestContainer(PlanApplication application) {
    application.smallestContainer = Double.MAX_VALUE;
    ResourceVector last = null;
    for (PreemptibleContainer container : application.preemptible) {
      // Most containers of an application have the same size.
      if (!container.size.equals(last)) {
        last = container.size;
        application.smallestContainer = Math.min(application.smallestContainer, measure.of(last));
      }
    }
  }

  @Override
  void prepare(ResourceVector pool) {
    MaxMinShares.compute(applications, measure, pool);
    for (PlanApplication application : applications) {
      application.isOutsideDeadZone = isOutsideDeadZone(application, measure.of(application.used));
    }
  }

  @Override
  void startPass() {
    super.startPass();
    receivers.clear();
    aboveShare.clear();
    for (PlanApplication application : applications) {
      application.excess = 0;
      application.user.excess = 0;
    }
    for (PlanApplication application : applications) {
      update(application);
    }
    notified.sort(this::preemptionOrder);
  }

  private void update(PlanApplication application) {
    double excess = excess(application);
    application.user.excess += excess - application.excess;
    application.excess = excess;
    if (isAboveShare(application) && application.hasPreemptible()) {
      aboveShare.add(application);
    }
    if (application.nextRequest() != null) {
      receivers.add(new Receiver(application));
    }
  }

  @Override
  void usageChanged(PlanApplication account) {
    PlanApplication application = applications.get(account.index);
    aboveShare.remove(application);
    update(application);
  }

  @Override
  PlanApplication next() {
    while (!receivers.isEmpty()) {
      Receiver first = receivers.peek();
      if (Double.compare(first.excess, first.application.excess) == 0
          && first.application.nextRequest() != null) {
        return first.application;
      }
      receivers.poll();
    }
    return null;
  }

  @Override
  boolean mayReceive(PlanApplication application) {
    return isBelowShare(application);
  }

  @Override
  Candidates candidates(PlanRequest request, boolean onlyNotified) {
    if (relaxed && !isBelowShareEvenWith(request)) {
      return new Candidates(Collections.emptyList(), 0, () -> null);
    }
    return notifiedAnd(onlyNotified ? () -> null : new CandidateApplications(request));
  }

  /** The applications from which a container might be preempted for a request. */
  private final class CandidateApplications implements Supplier<PlanApplication> {

    private final Iterator<PlanApplication> all = aboveShare.iterator();
    /** The change of the receiver's squared deviation from its share if the request is met. */
    private final double change;
    /** The maximum number of containers to preempt for the request. */
    private final double maxPreempted;

    CandidateApplications(PlanRequest request) {
      PlanApplication receiver = request.application;
      double with = measure.ofSum(receiver.used, request.size) - receiver.share;
      double without = excess(receiver);
      change = with * with - without * without;
      maxPreempted = Math.max(1, Math.ceil(measure.of(request.size) / smallestContainer));
    }

    @Override
    public PlanApplication get() {
      while (all.hasNext()) {
        PlanApplication loser = all.next();
        if (!canImprove(loser.excess)) {
          // Those that follow have a smaller excess.
          return null;
        }
        if (relaxed || !measure.addsUp() || loser.excess >= loser.smallestContainer * (1 - EXACT)) {
          return loser;
        }
      }
      return null;
    }

    /** Whether preempting from an application with this excess can reduce the sum of squared deviations. */
    private boolean canImprove(double excess) {
      if (!relaxed && measure.addsUp() && excess < smallestContainer * (1 - EXACT)) {
        return false;
      }
      double gain = measure.addsUp() && smallestContainer >= excess
          ? smallestContainer * (smallestContainer - 2 * excess) : -excess * excess;
      return change + maxPreempted * Math.min(0, gain) < 0;
    }
  }

  @Override
  boolean mayPreempt(PlanRequest request, PreemptibleContainer container) {
    PlanApplication receiver = request.application;
    PlanApplication loser = container.application;
    if (!isBelowShare(receiver) || !isAboveShare(loser)
        || !(loser.isOutsideDeadZone || receiver.isOutsideDeadZone && !leavesDeadZone(request))) {
      return false;
    }
    double left = measure.ofDifference(loser.used, container.size);
    return left >= loser.share * (1 - EXACT)
        || relaxed && isBelowShareEvenWith(request) && !wouldPreemptElsewhere(receiver, loser);
  }

  /**
   * Whether a loser that falls below its share would find another application with an excess of a whole
   * container. The loser would preempt that container in turn, so two containers would be preempted for
   * one request.
   */
  private boolean wouldPreemptElsewhere(PlanApplication receiver, PlanApplication loser) {
    if (receiver.used.isZero()) {
      return false;
    }
    for (PlanApplication other : aboveShare) {
      if (other != loser) {
        return other.excess >= smallestContainer * (1 - EXACT);
      }
    }
    return false;
  }

  @Override
  boolean mayRelease(PlanRequest request, PreemptibleContainer reservation) {
    return isBelowShare(request.application) && !isBelowShare(reservation.application);
  }

  @Override
  boolean isImprovement(PlanRequest request, List<PreemptibleContainer> preempted) {
    PlanApplication receiver = request.application;
    double change = squaredDeviation(receiver, measure.ofSum(receiver.used, request.size))
        - squaredDeviation(receiver, measure.of(receiver.used));
    double userChange = measure.ofSum(receiver.used, request.size) - receiver.share - receiver.excess;
    boolean any = false;
    boolean ofOtherUsers = false;
    for (int i = 0; i < preempted.size(); i++) {
      PlanApplication loser = preempted.get(i).application;
      if (!preempted.get(i).isReservation()) {
        any = true;
        ofOtherUsers |= loser.user != receiver.user;
        userChange -= loser.user == receiver.user ? measure.of(preempted.get(i).size) : 0;
        if (isFirstOf(loser, preempted, i)) {
          change += squaredDeviation(loser, measure.of(loser.used))
              - squaredDeviation(loser, measure.of(usageBefore(loser, preempted)));
        }
      }
    }
    double size = measure.of(request.size);
    return !any
        || change < -size * size * EXACT && (!ofOtherUsers || isImprovementForUser(receiver, userChange));
  }

  /**
   * Whether the applications of the receiver's user, taken together, come closer to the sum of their
   * shares. Otherwise no other user loses a container.
   *
   * @param change the change of their usage together
   */
  private static boolean isImprovementForUser(PlanApplication receiver, double change) {
    return receiver.used.isZero()
        || Math.abs(receiver.user.excess + change) < Math.abs(receiver.user.excess) + EXACT;
  }

  private static boolean isFirstOf(PlanApplication loser, List<PreemptibleContainer> preempted, int index) {
    for (int i = 0; i < index; i++) {
      if (preempted.get(i).application == loser && !preempted.get(i).isReservation()) {
        return false;
      }
    }
    return true;
  }

  private static ResourceSum usageBefore(PlanApplication loser, List<PreemptibleContainer> preempted) {
    ResourceSum before = new ResourceSum(loser.used);
    for (PreemptibleContainer container : preempted) {
      if (container.application == loser && !container.isReservation()) {
        before.add(container.size);
      }
    }
    return before;
  }

  @Override
  boolean toggleRelaxed() {
    relaxed = !relaxed;
    return relaxed;
  }

  private double excess(PlanApplication application) {
    return measure.of(application.used) - application.share;
  }

  private boolean isAboveShare(PlanApplication application) {
    return excess(application) > application.share * EXACT;
  }

  private boolean isBelowShare(PlanApplication application) {
    return excess(application) < -application.share * EXACT;
  }

  private boolean isBelowShareEvenWith(PlanRequest request) {
    PlanApplication receiver = request.application;
    return receiver.used.isZero()
        || measure.ofSum(receiver.used, request.size) < receiver.share * (1 - EXACT);
  }

  /**
   * Whether meeting the request would push the receiver, which is now within the dead zone, out of it
   * again.
   */
  private boolean leavesDeadZone(PlanRequest request) {
    PlanApplication receiver = request.application;
    return !isOutsideDeadZone(receiver, measure.of(receiver.used))
        && isOutsideDeadZone(receiver, measure.ofSum(receiver.used, request.size));
  }

  private boolean isOutsideDeadZone(PlanApplication application, double usage) {
    return Math.abs(usage - application.share) > application.share * (deadZone + EXACT);
  }

  private static double squaredDeviation(PlanApplication application, double usage) {
    double deviation = usage - application.share;
    return deviation * deviation;
  }
}
