// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds out whether another application may get what is preempted for a request that can use only certain
 * nodes. YARN serves the nodes in the order in which they report. So another request may get the place
 * that was freed for this one, or, on a node that this request cannot use, the headroom. Used by one
 * thread.
 */
final class Contention {

  /** Where containers of one request are placed by preemption. */
  private static final class Placed {
    /** The nodes that the request could use; null if it could use any. */
    private final Set<PlanNode> usable;
    private final Set<PlanNode> nodes = new LinkedHashSet<>();

    Placed(List<PlanNode> usable) {
      this.usable = usable == null ? null : new HashSet<>(usable);
    }
  }

  private final NodeSearch nodeSearch;
  private final NodeContainers containers;
  private final UserLimitForecast userLimits;
  private final List<PlanNode> nodes;
  private final ResourceAmounts headroom;
  private List<PlanApplication> applications = new ArrayList<>();
  private final Map<PlanRequest, Placed> placed = new LinkedHashMap<>();
  /** The nodes with room for any container, as of the start of the pass; null if not yet found. */
  private List<PlanNode> nodesWithRoom;
  private long remainingChecks;
  private long checked;

  Contention(List<PlanNode> nodes, NodeSearch nodeSearch, NodeContainers containers,
      UserLimitForecast userLimits, ResourceAmounts headroom) {
    this.nodes = nodes;
    this.nodeSearch = nodeSearch;
    this.containers = containers;
    this.userLimits = userLimits;
    this.headroom = headroom;
  }

  /** @param maxChecks how many nodes and requests are checked in this pass, together */
  void startPass(List<PlanApplication> all, long maxChecks) {
    applications = all;
    nodesWithRoom = null;
    remainingChecks = maxChecks;
  }

  /** The number of nodes and requests checked so far. */
  long checked() {
    return checked;
  }

  /** @return false if nothing more may be checked in this pass */
  private boolean countCheck() {
    checked++;
    remainingChecks--;
    return remainingChecks >= 0;
  }

  /** A container of the request is about to be placed by preemption. */
  void add(PlanRequest request, PlanNode node) {
    placed.computeIfAbsent(request, r -> new Placed(r.placement.nodes())).nodes.add(node);
  }

  /**
   * Whether another application may get what the request needs.
   *
   * @param preempted the containers preempted for the request; the current state reflects that
   */
  boolean isContended(PlanRequest request, PlanNode node, List<PreemptibleContainer> preempted) {
    return !request.isPlaceableAnywhere()
        && (isPlaceContended(request, node) || isHeadroomContended(request, preempted));
  }

  /**
   * Whether a request that the plan serves earlier may get the place, and leave one that this request
   * cannot use.
   */
  private boolean isPlaceContended(PlanRequest request, PlanNode node) {
    for (Map.Entry<PlanRequest, Placed> each : placed.entrySet()) {
      Placed other = each.getValue();
      if (!countCheck()) {
        return true;
      }
      if (each.getKey().application != request.application
          && (other.usable == null || other.usable.contains(node))) {
        for (PlanNode place : other.nodes) {
          if (!countCheck() || !request.isPlaceable(place)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /**
   * Whether another request fits now on a node that this one cannot use, and the headroom of the queue or
   * of the user is not enough for both.
   */
  private boolean isHeadroomContended(PlanRequest request, List<PreemptibleContainer> preempted) {
    if (nodesWithRoom == null) {
      nodesWithRoom = new ArrayList<>(nodes);
      nodesWithRoom.removeIf(node -> node.free.isZero() || !node.acceptsContainers());
    }
    return isHeadroomContended(request, preempted, nodesWithRoom)
        || isHeadroomContended(request, preempted, nodeSearch.freed());
  }

  private boolean isHeadroomContended(
      PlanRequest request, List<PreemptibleContainer> preempted, List<PlanNode> candidates) {
    for (PlanNode node : candidates) {
      if (!countCheck()) {
        return true;
      }
      if (!node.free.isZero() && !node.free.isNegative() && node.acceptsContainers()
          && containers.reservation(node) == null && !request.isPlaceable(node)
          && (isLoserServedOn(node, request, preempted) || isOtherServedOn(node, request))) {
        return true;
      }
    }
    return false;
  }

  /** Whether an application that loses a container for the request may get one on the node instead. */
  private boolean isLoserServedOn(
      PlanNode node, PlanRequest request, List<PreemptibleContainer> preempted) {
    for (PreemptibleContainer container : preempted) {
      if (!container.isReservation() && container.size.fitsIn(node.free)
          && (isOfSameUser(container.application, request)
              || userLimits.isBelowLimit(container.application.user))
          && isRival(container.application, container.size, request)) {
        return true;
      }
    }
    return false;
  }

  private boolean isOtherServedOn(PlanNode node, PlanRequest request) {
    for (PlanApplication application : applications) {
      if (!countCheck()) {
        return true;
      }
      if (application != request.application && application.remainingContainers > 0) {
        for (PlanRequest other : application.requests) {
          countCheck();
          if (other.pending > 0 && other.size.fitsIn(node.free)
              && isRival(application, other.size, request)
              && (other.isPlaceable(node) || other.isPlaceableLater(node))
              && (isOfSameUser(application, request) || userLimits.isBelowLimit(other))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /**
   * The request is about to be placed. So its user is below the limit, or will be once other users have got
   * their containers; and then the same holds for all applications of that user.
   */
  private static boolean isOfSameUser(PlanAccount other, PlanRequest request) {
    return other.user == request.application.user;
  }

  /** Whether a container of the other application fits, but not together with the request. */
  private boolean isRival(PlanAccount other, ResourceVector size, PlanRequest request) {
    PlanUser user = request.application.user;
    return size.fitsIn(headroom)
        && (!size.plus(request.size).fitsIn(headroom)
            || other.user == user && !userLimits.isBelowLimitWith(user, size));
  }
}
