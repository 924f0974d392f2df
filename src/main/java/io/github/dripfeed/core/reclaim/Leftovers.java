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

  /** Places a request in what is left over, instead of by taking what was taken for it, if it can. */
  boolean place(PlanRequest request, PlacementState.Fit fit) {
    // A reservation that has given way is no loss.
    if (nodes.isEmpty() || looks <= 0 || fit.taken.isEmpty() || !request.reach.isAnywhere()
        || !request.claimant.reservations.isEmpty()
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
