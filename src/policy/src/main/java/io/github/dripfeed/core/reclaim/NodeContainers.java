// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.reclaim.PlanApplication.PlanRequest;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The containers and reservations on each node that a plan may preempt. Used by one thread. */
final class NodeContainers {

  private List<PlanApplication> applications = Collections.emptyList();
  private final Map<PlanNode, PreemptibleContainer> reservations = new IdentityHashMap<>();
  /** Filled at the first use: in most rounds nothing is preempted. */
  private final Map<PlanNode, List<PreemptibleContainer>> preemptible = new IdentityHashMap<>();

  /** Sets the applications of the plan; called once. */
  void set(List<PlanApplication> all) {
    applications = all;
    for (PlanApplication application : all) {
      for (PreemptibleContainer reservation : application.reservations) {
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
    return reservation == null || reservation.preempted ? null : reservation;
  }

  /** The containers on the node that may be preempted. */
  List<PreemptibleContainer> preemptible(PlanNode node) {
    if (preemptible.isEmpty()) {
      for (PlanApplication application : applications) {
        for (PreemptibleContainer container : application.preemptible) {
          preemptible.computeIfAbsent(container.node, n -> new ArrayList<>()).add(container);
        }
      }
    }
    return preemptible.getOrDefault(node, Collections.emptyList());
  }

  /** Whether the request would be placed on the node, if it fits. */
  boolean admits(PlanNode node, PlanRequest request) {
    PreemptibleContainer reservation = reservation(node);
    return !node.isBlocked()
        && (reservation == null || reservation.application == request.application)
        && request.isPlaceable(node);
  }
}
