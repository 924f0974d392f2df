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

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds a node on which a request fits as things are. Room only shrinks in the course of a plan, but for
 * nodes on which something is taken, so no node is looked at twice for requests that are alike. Used by
 * one thread.
 */
final class NodeSearch {

  /** From where on to look for room: there is none before. */
  static final class Cursor {
    private int node;
    private int freed;
  }

  private final List<PlanNode> nodes;
  /** Nodes on which something was taken, or a reservation given up: there may be room again. */
  private final List<PlanNode> freed = new ArrayList<>();
  private final Map<String, Cursor> cursors = new HashMap<>();
  private long looked;

  NodeSearch(List<PlanNode> nodes) {
    this.nodes = nodes;
  }

  /** Requests that are alike are looked for from the first node on. */
  void begin() {
    cursors.clear();
  }

  /** There may be room on the node again. */
  void addFreed(PlanNode node) {
    freed.add(node);
  }

  /** How many nodes were looked at so far. */
  long looked() {
    return looked;
  }

  /** A node that the request fits on and can be placed on now; null if there is none. */
  PlanNode find(PlanRequest request) {
    List<PlanNode> few = request.reach.nodes();
    if (few != null) {
      for (PlanNode node : few) {
        if (hasRoom(node, request)) {
          return node;
        }
      }
      return null;
    }
    Cursor cursor = cursorOf(request);
    for (; cursor.node < nodes.size(); cursor.node++) {
      if (hasRoom(nodes.get(cursor.node), request)) {
        return nodes.get(cursor.node);
      }
    }
    // Of those behind, only where something was taken can there be room again.
    for (; cursor.freed < freed.size(); cursor.freed++) {
      if (hasRoom(freed.get(cursor.freed), request)) {
        return freed.get(cursor.freed);
      }
    }
    return null;
  }

  private boolean hasRoom(PlanNode node, PlanRequest request) {
    looked++;
    return ResourceVector.fits(request.size, node.free) && node.admits(request);
  }

  /** Those who ask for the same, and get it anywhere, look on from where the last one was. */
  private Cursor cursorOf(PlanRequest request) {
    if (request.cursor == null) {
      request.cursor = request.isLikeOthers()
          ? cursors.computeIfAbsent(Arrays.toString(request.size), size -> new Cursor())
          : new Cursor();
    }
    return request.cursor;
  }
}
