// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The nodes of one partition, which all queues share. Their free pieces shrink while a plan is made.
 *
 * <p>Beside them it tracks the <em>reserve</em>: what would be free if all applications with executors had
 * ended and only drivers without executors were left. It must have room for the largest containers, each
 * a <em>shape</em> that one node has as a whole.
 */
public final class PartitionRoom {

  /** The number of kinds of nodes that are told apart, the most frequent ones. */
  static final int KINDS = 8;
  /** A shape that fewer nodes could hold is made smaller by such parts until more could. */
  private static final int PARTS = 16;
  /** The share of the nodes that must be able to hold a container that nobody has requested yet. */
  private static final int SHARE = 4;

  private static final Comparator<ResourceSum> MOST_FREE_FIRST =
      Comparator.<ResourceSum>comparingLong(free -> free.get(0)).reversed();

  private final PriorityQueue<ResourceSum> nodes = new PriorityQueue<>(MOST_FREE_FIRST);
  private final List<ResourceVector> totals = new ArrayList<>();
  private final List<ResourceVector> later = new ArrayList<>();
  private final List<ResourceVector> best = new ArrayList<>();
  private final Map<ResourceVector, Integer> kinds = new HashMap<>();
  private final Map<ResourceVector, SafetyReserve> reserves = new LinkedHashMap<>();
  private final Map<ResourceVector, List<ResourceVector>> shapes = new HashMap<>();
  /** Whether the reserve has to stay beside drivers that can be taken back, too. */
  private boolean keptBesideAll;

  /**
   * Adds a node.
   *
   * @param total its size
   * @param free its unallocated resources; null if nothing can be placed now, because it is reserved
   * @param afterProgress what would be free if all applications with executors had ended
   * @param atBest what would be free if also no planned queue had a driver without executors there
   */
  public void addNode(ResourceVector total, ResourceVector free, ResourceVector afterProgress,
      ResourceVector atBest) {
    if (free != null) {
      nodes.add(new ResourceSum(free));
    }
    totals.add(total);
    later.add(afterProgress);
    best.add(atBest);
    kinds.merge(total, 1, Integer::sum);
  }

  /** Whether an empty node could hold a container of this size. */
  boolean isPossible(ResourceVector size) {
    return kinds.keySet().stream().anyMatch(size::fitsIn);
  }

  /**
   * The size, or what the largest kind of node has of it if no node has all of it.
   *
   * @param size possible type by type
   */
  public ResourceVector possible(ResourceVector size) {
    if (isPossible(size)) {
      return size;
    }
    return kinds.keySet().stream().map(size::componentwiseMin).max(PartitionRoom::compare).orElse(size);
  }

  private static int compare(ResourceVector one, ResourceVector other) {
    int order = 0;
    for (int type = 0; type < one.types() && order == 0; type++) {
      order = Long.compare(one.get(type), other.get(type));
    }
    return order;
  }

  /**
   * Keeps room for the largest containers that a queue may request.
   *
   * @param allowed the largest container that the queue allows, type by type
   * @param requested sizes that its applications have requested
   * @param executors the number of such containers
   * @return the shapes for which room is kept
   */
  List<ResourceVector> keep(ResourceVector allowed, List<ResourceVector> requested, int executors) {
    List<ResourceVector> kept = new ArrayList<>(shapes.computeIfAbsent(allowed, this::shapesOf));
    for (ResourceVector size : requested) {
      if (size.fitsIn(allowed) && holding(size) > 0) {
        addShape(kept, size);
      }
    }
    for (ResourceVector shape : kept) {
      reserves.computeIfAbsent(shape, this::reserve).need(executors);
    }
    return kept;
  }

  private SafetyReserve reserve(ResourceVector shape) {
    SafetyReserve reserve = new SafetyReserve(shape);
    later.forEach(reserve::addNode);
    best.forEach(reserve::addBest);
    return reserve;
  }

  /**
   * For each kind of node the largest part of the allowed container that enough nodes could hold: at least
   * half of it, or the kind does not count. If none does, what any node could hold.
   */
  private List<ResourceVector> shapesOf(ResourceVector allowed) {
    int enough = Math.min(best.size(), Math.max(2, (best.size() + SHARE - 1) / SHARE));
    List<Map.Entry<ResourceVector, Integer>> frequent = new ArrayList<>(kinds.entrySet());
    frequent.sort(Map.Entry.<ResourceVector, Integer>comparingByValue().reversed());
    List<ResourceVector> found = new ArrayList<>();
    for (Map.Entry<ResourceVector, Integer> kind
        : frequent.subList(0, Math.min(KINDS, frequent.size()))) {
      ResourceVector shape = largestPart(allowed.componentwiseMin(kind.getKey()), PARTS / 2, enough);
      if (shape != null) {
        addShape(found, shape);
      }
    }
    for (ResourceVector kind : found.isEmpty() ? kinds.keySet() : Collections.<ResourceVector>emptySet()) {
      ResourceVector shape = largestPart(allowed.componentwiseMin(kind), 1, 1);
      if (shape != null) {
        addShape(found, shape);
      }
    }
    return found;
  }

  /** The largest part of a container that enough nodes could hold; null if it is smaller than the limit. */
  private ResourceVector largestPart(ResourceVector whole, int atLeast, int enough) {
    for (int parts = PARTS; parts >= atLeast; parts--) {
      int of = parts;
      ResourceVector shape = whole.each(amount -> amount / PARTS * of + amount % PARTS * of / PARTS);
      if (holding(shape) >= enough) {
        return shape;
      }
    }
    return null;
  }

  /** Only the largest: room for a container is room for a smaller one. */
  private static void addShape(List<ResourceVector> shapes, ResourceVector shape) {
    if (shapes.stream().noneMatch(shape::fitsIn)) {
      shapes.removeIf(known -> known.fitsIn(shape));
      shapes.add(shape);
    }
  }

  private long holding(ResourceVector shape) {
    return best.stream().filter(shape::fitsIn).count();
  }

  /** Whether room for the largest containers stays beside another driver without executors. */
  boolean keepsBeside(ResourceVector driver) {
    return reserves.values().stream().allMatch(reserve -> reserve.keepsBeside(driver));
  }

  void keepBesideAll() {
    keptBesideAll = true;
  }

  boolean isKeptBesideAll() {
    return keptBesideAll;
  }

  void addDriver(ResourceVector driver) {
    reserves.values().forEach(reserve -> reserve.addDriver(driver));
  }

  /**
   * Takes room for a container from the node with the most free resources, as allocation over the
   * heartbeats of all nodes does.
   *
   * @return the node, or null if no node has room
   */
  ResourceSum place(ResourceVector size) {
    List<ResourceSum> passed = null;
    ResourceSum found = null;
    while (found == null && !nodes.isEmpty() && nodes.peek().get(0) >= size.get(0)) {
      ResourceSum node = nodes.poll();
      if (size.fitsIn(node)) {
        found = node;
        node.subtract(size);
        nodes.add(node);
      } else {
        passed = passed == null ? new ArrayList<>() : passed;
        passed.add(node);
      }
    }
    if (passed != null) {
      nodes.addAll(passed);
    }
    return found;
  }

  void takeBack(ResourceSum node, ResourceVector size) {
    nodes.remove(node);
    node.add(size);
    nodes.add(node);
  }
}
