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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What the limits of users leave, as YARN would see it in the course of a plan. Used by one thread. */
final class UserLimitForecast {

  private static final double EXACT = 1e-9;

  private final DominantShare measure;
  private List<PlanApplication> claimants = Collections.emptyList();
  private long looks;
  private long looked;

  UserLimitForecast(DominantShare measure) {
    this.measure = measure;
  }

  /** A new pass begins, in which so many claimants and containers are looked at together. */
  void start(List<PlanApplication> all, long most) {
    claimants = all;
    looks = most;
  }

  /** How many were looked at so far. */
  long looked() {
    return looked;
  }

  /** As YARN has it: who is not above the limit may get one container more. */
  boolean isBelowLimit(PlanRequest request) {
    PlanUser user = request.claimant.user;
    return isBelowLimit(user, measure.ofDifference(user.held, request.claimant.reserved));
  }

  private static boolean isBelowLimit(PlanUser user, double held) {
    return held <= user.limit() * (1 + EXACT);
  }

  /**
   * What a user loses to get below his limit goes to others as long as he is above it: with what they hold
   * the limit rises, and again once one has all that he asks for. It must not come to so much that nothing
   * is left for him.
   */
  boolean isBelowLimitOnceOthersHaveTheRest(PlanRequest request) {
    ResourceSum rest = new ResourceSum(request.claimant.user.left);
    rest.subtract(request.size);
    List<PlanRequest> placed = new ArrayList<>();
    boolean isBelow = false;
    for (int i = 0; i < claimants.size() && !isBelow && looks > 0 && !rest.isNegative();) {
      looked++;
      looks--;
      PlanRequest more = claimants.get(i).user == request.claimant.user ? null
          : next(claimants.get(i), rest);
      if (more == null) {
        i++;
      } else {
        more.meet();
        rest.subtract(more.size);
        placed.add(more);
        isBelow = isBelowLimit(request);
        // Who has all does not count any more, and those before may have more.
        i = more.claimant.user.active ? i : 0;
      }
    }
    placed.forEach(PlanRequest::giveUp);
    return isBelow;
  }

  /** What it would get of the rest, or null. */
  private PlanRequest next(PlanApplication claimant, ResourceAmounts rest) {
    PlanUser user = claimant.user;
    if (!claimant.isLeftOut && claimant.room > 0 && isBelowLimit(user, measure.of(user.held))) {
      for (PlanRequest request : claimant.requests) {
        if (request.open > 0 && request.size.fitsIn(rest)) {
          return request;
        }
      }
    }
    return null;
  }
}
