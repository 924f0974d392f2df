// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.reclaim.PlanApplication.PlanRequest;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds a node on which a request fits now. While a plan is made, free resources grow only on nodes with
 * a preemption, so no other node is checked twice for similar requests. Used by one thread.
 */
final class NodeSearch {

  private final List<PlanNode> nodes;
  private final NodeContainers containers;
  /** Nodes on which a container was preempted or a reservation released; a request may fit there again. */
  private final List<PlanNode> freed = new ArrayList<>();
  private final Map<ResourceVector, PlanRequest.Cursor> cursors = new HashMap<>();
  private long checked;

  NodeSearch(List<PlanNode> nodes, NodeContainers containers) {
    this.nodes = nodes;
    this.containers = containers;
  }

  /** The search for similar requests starts at the first node. */
  void startPass() {
    cursors.clear();
  }

  /** A request may fit on the node again. */
  void addFreed(PlanNode node) {
    freed.add(node);
  }

  /** The number of nodes checked so far. */
  long checked() {
    return checked;
  }

  /** A node on which the request fits and would be placed now; null if there is none. */
  PlanNode find(PlanRequest request) {
    List<PlanNode> only = request.placement.nodes();
    if (only != null) {
      for (PlanNode node : only) {
        if (fits(node, request)) {
          return node;
        }
      }
      return null;
    }
    PlanRequest.Cursor cursor = cursorOf(request);
    for (; cursor.node < nodes.size(); cursor.node++) {
      if (fits(nodes.get(cursor.node), request)) {
        return nodes.get(cursor.node);
      }
    }
    // Before the start index, a request can fit again only on a node with a preemption.
    for (; cursor.freed < freed.size(); cursor.freed++) {
      if (fits(freed.get(cursor.freed), request)) {
        return freed.get(cursor.freed);
      }
    }
    return null;
  }

  /** Whether the request fits on the node and would be placed there now. */
  private boolean fits(PlanNode node, PlanRequest request) {
    checked++;
    return request.size.fitsIn(node.free) && containers.admits(node, request);
  }

  /** Equal requests without constraints share a cursor: the search continues where the last one stopped. */
  private PlanRequest.Cursor cursorOf(PlanRequest request) {
    if (request.cursor == null) {
      request.cursor = request.isUnconstrained()
          ? cursors.computeIfAbsent(request.size, size -> new PlanRequest.Cursor())
          : new PlanRequest.Cursor();
    }
    return request.cursor;
  }
}
