// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Predicts the user limits that YARN would compute in the course of a plan. Used by one thread. */
final class UserLimitForecast {

  private static final double EXACT = 1e-9;

  private final DominantShare measure;
  private List<PlanApplication> applications = Collections.emptyList();
  private long remainingChecks;
  private long checked;

  UserLimitForecast(DominantShare measure) {
    this.measure = measure;
  }

  /** @param maxChecks how many applications and containers are checked in this pass, together */
  void startPass(List<PlanApplication> all, long maxChecks) {
    applications = all;
    remainingChecks = maxChecks;
  }

  /** The number of applications and containers checked so far. */
  long checked() {
    return checked;
  }

  /** As in YARN, a user that is not above its limit may get one more container, whatever its size. */
  boolean isBelowLimit(PlanRequest request) {
    PlanUser user = request.application.user;
    return isBelowLimit(user, measure.ofDifference(user.used, request.application.reserved));
  }

  boolean isBelowLimit(PlanUser user) {
    return isBelowLimit(user, measure.of(user.used));
  }

  /** Whether the user is not above its limit once other active users use this much more. */
  boolean isBelowLimitAfter(PlanUser user, ResourceVector more) {
    return measure.of(user.used) <= user.limit(more) * (1 + EXACT);
  }

  private static boolean isBelowLimit(PlanUser user, double used) {
    return used <= user.limit(null) * (1 + EXACT);
  }

  /**
   * Whether the user of the request is below its limit once other users have got what it releases. While
   * a user is above its limit, containers preempted from it go to others. The limit rises with the usage
   * of the others, and again when all pending requests of another user are met. The others must leave
   * enough for the request.
   */
  boolean isBelowLimitAfterOthers(PlanRequest request) {
    ResourceSum released = new ResourceSum(request.application.user.released);
    released.subtract(request.size);
    List<PlanRequest> assigned = new ArrayList<>();
    boolean isBelow = false;
    for (int i = 0; i < applications.size() && !isBelow && remainingChecks > 0 && !released.isNegative();) {
      checked++;
      remainingChecks--;
      PlanRequest other = applications.get(i).user == request.application.user ? null
          : nextRequest(applications.get(i), released);
      if (other == null) {
        i++;
      } else {
        other.assign();
        released.subtract(other.size);
        assigned.add(other);
        isBelow = isBelowLimit(request);
        // A user without pending requests is no longer active, so earlier applications may get more.
        i = other.application.user.active ? i : 0;
      }
    }
    assigned.forEach(PlanRequest::undoAssignment);
    return isBelow;
  }

  /** The request of the application that would get released resources next, or null. */
  private PlanRequest nextRequest(PlanApplication application, ResourceAmounts released) {
    PlanUser user = application.user;
    if (!application.skipped && application.remainingContainers > 0
        && isBelowLimit(user)) {
      for (PlanRequest request : application.requests) {
        if (request.pending > 0 && request.size.fitsIn(released)) {
          return request;
        }
      }
    }
    return null;
  }
}
