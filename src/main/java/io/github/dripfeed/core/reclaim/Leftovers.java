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
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * Containers are taken whole. Where that leaves room in which another could be placed for which something
 * was taken elsewhere, that need not be taken. Used by one thread, once the plan is made.
 */
final class Leftovers {

  private final PlacementState space;
  private final List<PlanNode> nodes;
  /** How many nodes may still be looked at, for all requests together. */
  private long looks = PlacementState.LOOKS;

  Leftovers(PlacementState space) {
    this.space = space;
    this.nodes = new ArrayList<>(new LinkedHashSet<>(space.freed()));
    nodes.removeIf(node -> node.free.isZero());
  }

  /** What need not be taken for a request, since what is left over is enough, or with a part of it. */
  List<PreemptibleContainer> spare(PlanRequest request, PlacementState.Fit fit) {
    return nodes.isEmpty() || looks <= 0 ? Collections.emptyList()
        : placeElsewhere(request, fit) ? fit.taken : sparePart(request, fit);
  }

  private boolean placeElsewhere(PlanRequest request, PlacementState.Fit fit) {
    // A reservation that has given way is no loss.
    if (fit.taken.isEmpty() || !request.reach.isAnywhere() || request.claimant.hasReserved()
        || isAny(fit.taken, PreemptibleContainer::isReservation)) {
      return false;
    }
    space.unplace(request, fit.node);
    fit.taken.forEach(space::giveBack);
    // Others may have what was left there.
    PlanNode room = isAny(fit.taken, holding -> holding.node.free.isNegative()) ? null
        : room(request);
    if (room == null) {
      fit.taken.forEach(space::take);
    }
    space.place(request, room == null ? fit.node : room);
    return room != null;
  }

  /** Where it stays on its node, what is left over there may be enough with a part of what was taken. */
  private List<PreemptibleContainer> sparePart(PlanRequest request, PlacementState.Fit fit) {
    List<PreemptibleContainer> spared = new ArrayList<>();
    // The last one first: what was asked back before is still taken then.
    for (int i = fit.taken.size() - 1; i >= 0; i--) {
      PreemptibleContainer holding = fit.taken.get(i);
      looks--;
      if (!holding.isReservation() && holding.size.fitsIn(holding.node.free)) {
        space.giveBack(holding);
        if (space.isWithinLimitsAsPlaced(request, fit.node)) {
          spared.add(holding);
        } else {
          space.take(holding);
        }
      }
    }
    return spared;
  }

  private static boolean isAny(List<PreemptibleContainer> taken, Predicate<PreemptibleContainer> so) {
    for (PreemptibleContainer holding : taken) {
      if (so.test(holding)) {
        return true;
      }
    }
    return false;
  }

  private PlanNode room(PlanRequest request) {
    for (PlanNode node : nodes) {
      looks--;
      if (space.isOpenFor(request, node)) {
        return node;
      }
    }
    return null;
  }
}
