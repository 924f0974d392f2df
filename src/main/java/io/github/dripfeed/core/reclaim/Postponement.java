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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Nodes report one after the other, and YARN's limit of a user counts what others have got by then. A
 * request that is within the limit only once others have what is taken for them would get nothing if its
 * node reports first, and another would have what was taken for it. It is put off until they have it. Used
 * by one thread, once the plan is made.
 */
final class Postponement {

  /** What is put off leaves more to others, who may be above their limits then. */
  private static final int MOST_PASSES = 4;

  private final PlacementState space;
  private final Map<PlacementState.Fit, PlanRequest> fits;
  private final List<PreemptibleContainer> spared = new ArrayList<>();

  private Postponement(PlacementState space, Map<PlacementState.Fit, PlanRequest> fits) {
    this.space = space;
    this.fits = fits;
  }

  /**
   * Puts off requests.
   *
   * @param fits how each is placed; those put off are removed
   * @return what need not be taken now
   */
  static List<PreemptibleContainer> of(PlacementState space, Map<PlacementState.Fit, PlanRequest> fits) {
    Postponement all = new Postponement(space, fits);
    int passes = MOST_PASSES;
    while (passes > 0 && all.putOff()) {
      passes--;
    }
    return all.spared;
  }

  /** Whether any more is put off. */
  private boolean putOff() {
    Map<PlanUser, List<PlacementState.Fit>> byUser = new LinkedHashMap<>();
    fits.forEach((fit, request) ->
        byUser.computeIfAbsent(request.claimant.user, user -> new ArrayList<>()).add(fit));
    if (byUser.size() < 2) {
      return false;
    }
    int before = fits.size();
    fits.values().forEach(PlanRequest::giveUp);
    byUser.values().forEach(this::putOff);
    fits.values().forEach(PlanRequest::meet);
    return fits.size() < before;
  }

  /** As if no other user had got anything. */
  private void putOff(List<PlacementState.Fit> ofUser) {
    List<PlanRequest> met = new ArrayList<>();
    for (PlacementState.Fit fit : ofUser) {
      PlanRequest request = fits.get(fit);
      boolean isFirst = space.isUserBelowLimit(request);
      request.meet();
      if (isFirst || !giveBack(fit, request)) {
        met.add(request);
      } else {
        fits.remove(fit);
        spared.addAll(fit.taken);
      }
    }
    met.forEach(PlanRequest::giveUp);
  }

  private boolean giveBack(PlacementState.Fit fit, PlanRequest request) {
    space.unplace(request, fit.node);
    fit.taken.forEach(space::giveBack);
    for (PreemptibleContainer holding : fit.taken) {
      // Others may have what was left there.
      if (holding.node.free.isNegative()) {
        fit.taken.forEach(space::take);
        space.put(request, fit.node);
        return false;
      }
    }
    return true;
  }
}
