// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Postpones requests whose user limit depends on the order in which nodes report. YARN computes a user
 * limit from the usage at that moment. Suppose that a request is within the limit only once other users
 * have got their containers: if its node reports first, YARN does not serve it, and another application
 * may get the resources that were preempted for it. Such a request is postponed to a later round.
 *
 * <p>YARN gives a user that is not above its limit one more container, however large. Suppose that a user
 * is above its limit, and one of its applications loses containers for another one. If the user is then not
 * above its limit, the loser would get one of them back. Such a request is postponed too.
 *
 * <p>Used by one thread, once the plan is made.
 */
final class Postponement {

  /** A postponed request leaves resources to other users, and these may then exceed their limits. */
  private static final int MAX_PASSES = 4;

  private final PlacementState state;
  private final ReclaimRule rule;
  private final Map<PlacementState.Assignment, PlanRequest> assignments;
  private final List<PreemptibleContainer> undone = new ArrayList<>();

  private Postponement(PlacementState state, ReclaimRule rule,
      Map<PlacementState.Assignment, PlanRequest> assignments) {
    this.state = state;
    this.rule = rule;
    this.assignments = assignments;
  }

  /**
   * Postpones requests.
   *
   * @param assignments the assignments of the plan; those of postponed requests are removed
   * @return the containers that are no longer preempted
   */
  static List<PreemptibleContainer> of(PlacementState state, ReclaimRule rule,
      Map<PlacementState.Assignment, PlanRequest> assignments) {
    Postponement postponement = new Postponement(state, rule, assignments);
    int passes = MAX_PASSES;
    while (passes > 0 && postponement.postpone()) {
      passes--;
    }
    postponement.postponeReturning();
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
      if (isBelowLimit || !undo(assignment, request, node -> !node.free.isNegative())) {
        assigned.add(request);
      } else {
        assignments.remove(assignment);
        undone.addAll(assignment.preempted);
      }
    }
    assigned.forEach(PlanRequest::undoAssignment);
  }

  /** Postpones the last requests of a user until the user is above its limit, or nothing can come back. */
  private void postponeReturning() {
    Map<PlanUser, List<PlacementState.Assignment>> byUser = new LinkedHashMap<>();
    assignments.forEach((assignment, request) -> {
      PlanUser user = request.application.user;
      if (user.wasAboveLimit && !preemptedFromOwnUser(assignment).isEmpty()) {
        byUser.computeIfAbsent(user, u -> new ArrayList<>()).add(assignment);
      }
    });
    byUser.values().forEach(this::postponeReturning);
  }

  private void postponeReturning(List<PlacementState.Assignment> ofUser) {
    // For each size of the preempted containers of the user, the one whose application is served first;
    // below it the one of fewer assignments.
    Map<ResourceVector, Deque<PreemptibleContainer>> earliest = new LinkedHashMap<>();
    ofUser.forEach(assignment -> preemptedFromOwnUser(assignment).forEach(container -> {
      Deque<PreemptibleContainer> ofSize =
          earliest.computeIfAbsent(container.size, size -> new ArrayDeque<>());
      if (ofSize.isEmpty() || container.application.index < ofSize.peek().application.index) {
        ofSize.push(container);
      }
    }));
    for (int last = ofUser.size() - 1; last >= 0 && mayAnyReturn(earliest.values()); last--) {
      PlacementState.Assignment assignment = ofUser.get(last);
      List<PreemptibleContainer> preempted = preemptedFromOwnUser(assignment);
      for (int i = preempted.size() - 1; i >= 0; i--) {
        Deque<PreemptibleContainer> ofSize = earliest.get(preempted.get(i).size);
        if (ofSize.peek() == preempted.get(i)) {
          ofSize.pop();
        }
      }
      if (undo(assignment, assignments.get(assignment), state.returns()::withdrawFrom)) {
        assignments.remove(assignment);
        undone.addAll(assignment.preempted);
      }
    }
  }

  private List<PreemptibleContainer> preemptedFromOwnUser(PlacementState.Assignment assignment) {
    List<PreemptibleContainer> own = new ArrayList<>(assignment.preempted);
    PlanUser user = assignments.get(assignment).application.user;
    own.removeIf(container -> container.isReservation() || container.application.user != user);
    return own;
  }

  private boolean mayAnyReturn(Iterable<Deque<PreemptibleContainer>> earliest) {
    for (Deque<PreemptibleContainer> ofSize : earliest) {
      if (!ofSize.isEmpty() && state.returns().mayReturn(ofSize.peek(), rule)) {
        return true;
      }
    }
    return false;
  }

  private boolean undo(
      PlacementState.Assignment assignment, PlanRequest request, Predicate<PlanNode> isWithinNode) {
    state.undoAssignment(request, assignment.node);
    assignment.preempted.forEach(state::undoPreemption);
    for (PreemptibleContainer container : assignment.preempted) {
      // A negative amount means that another request uses the resources of the preempted container.
      if (!isWithinNode.test(container.node)) {
        assignment.preempted.forEach(state::preempt);
        state.assign(request, assignment.node);
        return false;
      }
    }
    return true;
  }
}
