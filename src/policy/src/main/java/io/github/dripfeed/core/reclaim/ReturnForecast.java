// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Predicts whether YARN would give an application back what it loses, since its user is not above its
 * limit: then the user gets one more container, however large. In the plan, an application that loses a
 * container gets none. But YARN serves it before the applications behind it. So the prediction goes through
 * the states before each of these gets a container. Used by one thread.
 */
final class ReturnForecast {

  /** A container that the plan places without preemption for it. */
  private static final class Placed {
    private final PlanRequest request;
    private final PlanNode node;
    /** The reservation that the container replaces; null if there is none. */
    private final PreemptibleContainer reservation;
    private boolean withdrawn;

    Placed(PlanRequest request, PlanNode node, PreemptibleContainer reservation) {
      this.request = request;
      this.node = node;
      this.reservation = reservation;
    }
  }

  private final List<PlanNode> nodes;
  private final NodeContainers containers;
  private final UserLimitForecast userLimits;
  private final ResourceSum headroom;
  private List<PlanApplication> applications = new ArrayList<>();
  private final List<Placed> placed = new ArrayList<>();
  /** The same by node; filled at the first use. */
  private final Map<PlanNode, Deque<Placed>> placedOn = new IdentityHashMap<>();
  /** Whether any user was above its limit before the plan. */
  private boolean isAnyAboveLimit;
  private long remainingChecks = PlacementState.MAX_CHECKS;

  ReturnForecast(List<PlanNode> nodes, NodeContainers containers, UserLimitForecast userLimits,
      ResourceSum headroom) {
    this.nodes = nodes;
    this.containers = containers;
    this.userLimits = userLimits;
    this.headroom = headroom;
  }

  /** Sets the applications of the plan; called once. */
  void set(List<PlanApplication> all) {
    applications = all;
    for (PlanApplication application : all) {
      application.user.wasAboveLimit = !userLimits.isBelowLimit(application.user);
      isAnyAboveLimit |= application.user.wasAboveLimit;
    }
  }

  /** The number of nodes, applications and placements checked so far. */
  long checked() {
    return PlacementState.MAX_CHECKS - remainingChecks;
  }

  /**
   * The plan places a container without preemption for it.
   *
   * @param reservation the reservation that the container replaces, or null
   */
  void placed(PlanRequest request, PlanNode node, PreemptibleContainer reservation) {
    if (isAnyAboveLimit) {
      placed.add(new Placed(request, node, reservation));
    }
  }

  /**
   * Whether the application of a preempted container may get a container of that size again. The work for
   * all containers together is bounded; beyond the bound each may return.
   */
  boolean mayReturn(PreemptibleContainer container, ReclaimRule rule) {
    PlanUser user = container.application.user;
    if (remainingChecks <= 0) {
      return true;
    }
    boolean hasRoom = hasRoomOnAny(container.size);
    if (hasRoom && container.size.fitsIn(headroom)
        && (userLimits.isBelowLimit(user) || userLimits.isBelowLimitAfter(user, growthOfOthers(user)))) {
      return true;
    }
    return mayReturnBefore(container, hasRoom, rule);
  }

  /** Whether the container may return before applications behind that of the container are served. */
  private boolean mayReturnBefore(PreemptibleContainer container, boolean hadRoom, ReclaimRule rule) {
    boolean hasRoom = hadRoom;
    boolean mayReturn = false;
    int index = placed.size();
    for (; index > 0 && !mayReturn; index--) {
      Placed last = placed.get(index - 1);
      remainingChecks--;
      if (isBehind(last, container, rule)) {
        undo(last);
        hasRoom |= hasRoom(last.node, container.size);
        mayReturn = remainingChecks <= 0
            || hasRoom && container.size.fitsIn(headroom)
                && userLimits.isBelowLimit(container.application.user);
      }
    }
    for (; index < placed.size(); index++) {
      if (isBehind(placed.get(index), container, rule)) {
        redo(placed.get(index));
      }
    }
    return mayReturn;
  }

  private static boolean isBehind(Placed other, PreemptibleContainer container, ReclaimRule rule) {
    return !other.withdrawn && rule.isServedBefore(container.application, other.request.application);
  }

  /**
   * A container on the node is not preempted after all, so that the last containers placed there get no
   * place.
   *
   * @return whether the rest fits on the node
   */
  boolean withdrawFrom(PlanNode node) {
    if (placedOn.isEmpty()) {
      placed.forEach(each -> placedOn.computeIfAbsent(each.node, n -> new ArrayDeque<>()).push(each));
    }
    Deque<Placed> there = placedOn.getOrDefault(node, new ArrayDeque<>());
    while (node.free.isNegative() && !there.isEmpty()) {
      Placed last = there.pop();
      undo(last);
      last.withdrawn = true;
    }
    return !node.free.isNegative();
  }

  private void undo(Placed last) {
    last.node.free.add(last.request.size);
    headroom.add(last.request.size);
    last.request.undoAssignment();
    if (last.reservation != null) {
      last.reservation.setPreempted(false);
      headroom.subtract(last.reservation.size);
    }
  }

  private void redo(Placed next) {
    if (next.reservation != null) {
      next.reservation.setPreempted(true);
      headroom.add(next.reservation.size);
    }
    next.node.free.subtract(next.request.size);
    headroom.subtract(next.request.size);
    next.request.assign();
  }

  private boolean hasRoomOnAny(ResourceVector size) {
    for (PlanNode node : nodes) {
      remainingChecks--;
      if (hasRoom(node, size)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasRoom(PlanNode node, ResourceVector size) {
    return size.fitsIn(node.free) && node.acceptsContainers() && containers.reservation(node) == null;
  }

  /** The pending requests of other users, as far as they fit in the headroom. */
  private ResourceVector growthOfOthers(PlanUser user) {
    ResourceSum pending = new ResourceSum(headroom.types());
    for (PlanApplication application : applications) {
      remainingChecks--;
      if (application.user != user && application.remainingContainers > 0) {
        for (PlanRequest request : application.requests) {
          remainingChecks--;
          if (request.pending > 0 && request.size.fitsIn(headroom) && userLimits.isBelowLimit(request)) {
            pending.add(request.size, request.pending);
          }
        }
      }
    }
    return pending.toVector().componentwiseMin(headroom);
  }
}
