// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Queues that share their slots, or one queue alone. Their starting attempts are counted together, per node
 * partition: an attempt gets its driver only while fewer than {@code max-starting} of them are starting.
 * Each queue judges by its own {@code max-starting} (docs/design.md#groups-of-queues). The orderings of the
 * queues reference the group; it references an ordering only for an attempt that holds a slot, or that the
 * scheduler was given, and {@link #verify} ends that.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
public final class StartingGroup<T> {

  /** YARN's default for the time between two heartbeats of a node, in milliseconds. */
  public static final long DEFAULT_HEARTBEAT = 1000;

  /** Null for a queue alone. */
  private final String name;
  private final boolean asynchronous;
  private final long heartbeat;
  /** Never removed from: a cluster has few partitions. */
  private final ConcurrentMap<String, GroupLane<T>> lanes = new ConcurrentHashMap<>();

  /** Nodes send a heartbeat once in {@link #DEFAULT_HEARTBEAT}. */
  public StartingGroup(String name, boolean asynchronous) {
    this(name, asynchronous, DEFAULT_HEARTBEAT);
  }

  /**
   * @param name null for the slots of a queue that shares them with no other
   * @param asynchronous whether the scheduler allocates a driver some time after it has chosen it
   * @param heartbeat the time in which every node sends a heartbeat, in milliseconds
   */
  public StartingGroup(String name, boolean asynchronous, long heartbeat) {
    this.name = name;
    this.asynchronous = asynchronous;
    this.heartbeat = heartbeat;
  }

  /** The slots of a queue that shares them with no other. */
  public static <T> StartingGroup<T> ofOne(boolean asynchronous) {
    return new StartingGroup<>(null, asynchronous);
  }

  /** Whether several queues may share the slots. */
  boolean isShared() {
    return name != null;
  }

  GroupLane<T> lane(String partition) {
    return lanes.computeIfAbsent(partition, p -> new GroupLane<>(name, p, asynchronous, heartbeat));
  }

  /**
   * Updates the trials of the node's partition if an attempt of any queue has stalled there.
   *
   * @param node the partition of a node; null if it is unknown
   * @param otherwise the partition if that of the node is unknown
   */
  void forTrials(Supplier<String> node, String otherwise, Consumer<Trials> update) {
    forLane(GroupLane::isAnyStalled, node, otherwise, lane -> update.accept(lane.memory().trials()));
  }

  /**
   * A container or an attempt has ended: executors may come before drivers in the node's partition.
   *
   * @param node the partition of a node; null if it is unknown
   * @param otherwise the partition if that of the node is unknown
   */
  void released(Supplier<String> node, String otherwise) {
    forLane(lane -> lane.overdue().size() > 0, node, otherwise, lane -> lane.overdue().released());
  }

  /** Updates the lane of the node's partition. The partition is read only if a lane is concerned. */
  private void forLane(Predicate<GroupLane<T>> isConcerned, Supplier<String> node, String otherwise,
      Consumer<GroupLane<T>> update) {
    for (Map.Entry<String, GroupLane<T>> lane : lanes.entrySet()) {
      if (isConcerned.test(lane.getValue())) {
        String known = node.get();
        if (lane.getKey().equals(known == null ? otherwise : known)) {
          update.accept(lane.getValue());
        }
      }
    }
  }

  /** Removes the holders of slots that no ordering manages any more; see {@link GroupLane#verify}. */
  void verify(long now) {
    lanes.values().forEach(lane -> lane.verify(now));
  }

  /** The number of starting attempts of all queues and partitions. */
  public int starting() {
    return lanes.values().stream().mapToInt(lane -> lane.starting().size()).sum();
  }

  /** The number of accepted attempts of all queues and partitions whose reserved drivers take slots. */
  public int reserved() {
    return lanes.values().stream().mapToInt(GroupLane::reservedTaken).sum();
  }
}
