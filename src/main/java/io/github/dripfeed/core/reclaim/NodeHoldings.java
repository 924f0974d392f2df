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
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** What applications hold on each node, as far as a plan may preempt it. Used by one thread. */
final class NodeHoldings {

  private List<PlanApplication> claimants = Collections.emptyList();
  private final Map<PlanNode, PreemptibleContainer> reservations = new IdentityHashMap<>();
  /** Filled when it is first needed: in most rounds nothing is preempted. */
  private final Map<PlanNode, List<PreemptibleContainer>> losable = new IdentityHashMap<>();

  /** Takes up what these applications hold; called once. */
  void add(List<PlanApplication> applications) {
    claimants = applications;
    for (PlanApplication claimant : applications) {
      for (PreemptibleContainer reservation : claimant.reservations) {
        reservations.put(reservation.node, reservation);
      }
    }
  }

  /** Every reservation, preempted or not. */
  List<PreemptibleContainer> reservations() {
    return new ArrayList<>(reservations.values());
  }

  /** The reservation that blocks the node for all other applications, or null. */
  PreemptibleContainer reservation(PlanNode node) {
    PreemptibleContainer reservation = reservations.isEmpty() ? null : reservations.get(node);
    return reservation == null || reservation.taken ? null : reservation;
  }

  /** The containers on the node that may be preempted. */
  List<PreemptibleContainer> losable(PlanNode node) {
    if (losable.isEmpty()) {
      for (PlanApplication claimant : claimants) {
        for (PreemptibleContainer holding : claimant.losable) {
          losable.computeIfAbsent(holding.node, n -> new ArrayList<>()).add(holding);
        }
      }
    }
    return losable.getOrDefault(node, Collections.emptyList());
  }

  /** Whether the node accepts containers of this request, if they fit. */
  boolean admits(PlanNode node, PlanRequest request) {
    PreemptibleContainer keeper = reservation(node);
    return node.isOpen() && (keeper == null || keeper.owner == request.claimant) && request.reaches(node);
  }
}
