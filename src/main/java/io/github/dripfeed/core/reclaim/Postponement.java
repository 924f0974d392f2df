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
 * Postpones requests whose user limit depends on the order in which nodes report. YARN computes a user
 * limit from the usage at that moment. Suppose that a request is within the limit only once other users
 * have got their containers: if its node reports first, YARN does not serve it, and another application
 * may get the resources that were preempted for it. Such a request is postponed to a later round. Used by
 * one thread, once the plan is made.
 */
final class Postponement {

  /** A postponed request leaves resources to other users, and these may then exceed their limits. */
  private static final int MAX_PASSES = 4;

  private final PlacementState state;
  private final Map<PlacementState.Assignment, PlanRequest> assignments;
  private final List<PreemptibleContainer> undone = new ArrayList<>();

  private Postponement(PlacementState state, Map<PlacementState.Assignment, PlanRequest> assignments) {
    this.state = state;
    this.assignments = assignments;
  }

  /**
   * Postpones requests.
   *
   * @param assignments the assignments of the plan; those of postponed requests are removed
   * @return the containers that are no longer preempted
   */
  static List<PreemptibleContainer> of(
      PlacementState state, Map<PlacementState.Assignment, PlanRequest> assignments) {
    Postponement postponement = new Postponement(state, assignments);
    int passes = MAX_PASSES;
    while (passes > 0 && postponement.postpone()) {
      passes--;
    }
    return postponement.undone;
  }

  /** @return whether any request was postponed */
  private boolean postpone() {
    Map<PlanUser, List<PlacementState.Assignment>> byUser = new LinkedHashMap<>();
    assignments.forEach((assignment, request) ->
        byUser.computeIfAbsent(request.application.user, user -> new ArrayList<>()).add(assignment));
    if (byUser.size() < 2) {
      return false;
    }
    int before = assignments.size();
    assignments.values().forEach(PlanRequest::undoAssignment);
    byUser.values().forEach(this::postpone);
    assignments.values().forEach(PlanRequest::assign);
    return assignments.size() < before;
  }

  /** Postpones requests of one user, as if no other user had got a container. */
  private void postpone(List<PlacementState.Assignment> ofUser) {
    List<PlanRequest> assigned = new ArrayList<>();
    for (PlacementState.Assignment assignment : ofUser) {
      PlanRequest request = assignments.get(assignment);
      boolean isBelowLimit = state.isUserBelowLimit(request);
      request.assign();
      if (isBelowLimit || !undo(assignment, request)) {
        assigned.add(request);
      } else {
        assignments.remove(assignment);
        undone.addAll(assignment.preempted);
      }
    }
    assigned.forEach(PlanRequest::undoAssignment);
  }

  private boolean undo(PlacementState.Assignment assignment, PlanRequest request) {
    state.undoAssignment(request, assignment.node);
    assignment.preempted.forEach(state::undoPreemption);
    for (PreemptibleContainer container : assignment.preempted) {
      // A negative amount means that another request uses the resources of the preempted container.
      if (container.node.free.isNegative()) {
        assignment.preempted.forEach(state::preempt);
        state.assign(request, assignment.node);
        return false;
      }
    }
    return true;
  }
}
