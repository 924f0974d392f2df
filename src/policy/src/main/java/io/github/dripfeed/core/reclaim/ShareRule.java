// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.reclaim.PlanApplication.PlanRequest;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Applications below their fair share preempt those above theirs: the one farthest above its share first,
 * and its newest container first.
 *
 * <p>Containers are whole, and shares are not. No application is pushed below its share to lift another
 * above its own. Another may fall below its share by less than a container in two cases: the receiver has
 * nothing, or stays below its share even with the container. Each step reduces the sum of squared
 * deviations from the shares, so preemption ends.
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

  /** @param deadZone the deviation from a share that is tolerated, as a fraction of the share */
  ShareRule(List<PlanApplication> applications, DominantShare measure, double deadZone) {
    super(applications);
    this.measure = measure;
    this.deadZone = deadZone;
    ResourceVector last = null;
    for (PlanApplication application : applications) {
      for (PreemptibleContainer container : application.preemptible) {
        // Most containers have the same size.
        if (!container.size.equals(last)) {
          last = container.size;
          smallestContainer = Math.min(smallestContainer, measure.of(last));
        }
      }
    }
  }

  /** The application farthest above its share comes first. */
  @Override
  int losersFirst(PlanApplication one, PlanApplication other) {
    int order = Double.compare(other.excess, one.excess);
    return order == 0 ? Integer.compare(one.index, other.index) : order;
  }

  @Override
  void startPass(ResourceVector pool) {
    super.startPass(pool);
    receivers.clear();
    aboveShare.clear();
    MaxMinShares.compute(applications, measure, pool);
    for (PlanApplication application : applications) {
      application.isOutsideDeadZone = isOutsideDeadZone(application, measure.of(application.used));
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
  void usageChanged(PlanApplication application) {
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
  Supplier<PlanApplication> losers(PlanRequest request) {
    return new CandidateApplications(request);
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
      PlanApplication loser = all.hasNext() ? all.next() : null;
      // Those that follow have a smaller excess.
      return loser != null && canImprove(loser.excess) ? loser : null;
    }

    /** Whether preempting from an application with this excess can reduce the sum of squared deviations. */
    private boolean canImprove(double excess) {
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
        || !loser.isOutsideDeadZone && !receiver.isOutsideDeadZone) {
      return false;
    }
    double left = measure.ofDifference(loser.used, container.size);
    return left >= loser.share * (1 - EXACT)
        || isBelowShareEvenWith(request) && (receiver.used.isZero() || !wouldPreemptInTurn(loser));
  }

  /**
   * Whether the loser would preempt from a third application then, which has a whole container too many:
   * two containers would go for one request.
   */
  private boolean wouldPreemptInTurn(PlanApplication loser) {
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
    Map<PlanApplication, ResourceSum> before = new LinkedHashMap<>();
    for (PreemptibleContainer container : preempted) {
      if (!container.isReservation()) {
        before.computeIfAbsent(container.application, loser -> new ResourceSum(loser.used))
            .add(container.size);
      }
    }
    PlanApplication receiver = request.application;
    double with = measure.ofSum(receiver.used, request.size);
    double change = squaredDeviation(receiver, with)
        - squaredDeviation(receiver, measure.of(receiver.used));
    double ofUser = receiver.user.excess + with - measure.of(receiver.used);
    boolean onlyOwn = true;
    for (Map.Entry<PlanApplication, ResourceSum> each : before.entrySet()) {
      PlanApplication loser = each.getKey();
      double had = measure.of(each.getValue());
      double has = measure.of(loser.used);
      change += squaredDeviation(loser, has) - squaredDeviation(loser, had);
      ofUser -= loser.user == receiver.user ? had - has : 0;
      onlyOwn &= loser.user == receiver.user;
    }
    double size = measure.of(request.size);
    // Unless the receiver has nothing, other users lose containers only if the applications of its user,
    // taken together, come closer to the sum of their shares.
    return before.isEmpty() || change < -size * size * EXACT && (onlyOwn || receiver.used.isZero()
        || Math.abs(ofUser) < Math.abs(receiver.user.excess) + EXACT);
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

  private boolean isOutsideDeadZone(PlanApplication application, double usage) {
    return Math.abs(usage - application.share) > application.share * (deadZone + EXACT);
  }

  private static double squaredDeviation(PlanApplication application, double usage) {
    double deviation = usage - application.share;
    return deviation * deviation;
  }
}
