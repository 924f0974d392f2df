// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Queues that share their slots, or one queue alone. Their starting attempts are counted together, per node
 * partition: an attempt gets its driver only while fewer than {@code max-starting} of them are starting,
 * unless it is more urgent than those of its queue, or a plan lets it start. Each queue judges by its own
 * {@code max-starting} (docs/design.md#groups-of-queues).
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
public final class StartingGroup<T> {

  /** YARN's default for the time between two heartbeats of a node, in milliseconds. */
  public static final long DEFAULT_HEARTBEAT = 1000;

  /** The lock of all that the attempts of its queues are, and hold. */
  final GroupLock lock = new GroupLock();

  /** Null for a queue alone. */
  private final String name;
  private final boolean asynchronous;
  private final long heartbeat;
  /** By partition. Never removed from: a cluster has few partitions. */
  private final Map<String, SlotPool<T>> pools = new ConcurrentSkipListMap<>();

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

  SlotPool<T> pool(String partition) {
    return pools.computeIfAbsent(
        partition, missing -> new SlotPool<>(name, missing, asynchronous, heartbeat));
  }

  /**
   * Updates the pool of a node's partition, which is read only if a pool is concerned.
   *
   * @param isConcerned whether there is anything to update
   * @param node the partition of a node; null if it is unknown
   * @param otherwise the partition if that of the node is unknown
   */
  void forNode(Predicate<SlotPool<T>> isConcerned, Supplier<String> node, String otherwise,
      Consumer<SlotPool<T>> update) {
    synchronized (lock) {
      boolean anyConcerned = false;
      for (SlotPool<T> pool : pools.values()) {
        anyConcerned |= isConcerned.test(pool);
      }
      if (!anyConcerned) {
        return;
      }
    }
    String known = node.get();
    SlotPool<T> pool = pools.get(known == null ? otherwise : known);
    synchronized (lock) {
      if (pool != null && isConcerned.test(pool)) {
        update.accept(pool);
      }
    }
  }

  /** Removes the holders of slots that no ordering manages any more; see {@link SlotPool#verify}. */
  void verify(long now) {
    for (SlotPool<T> pool : pools.values()) {
      Collection<QueuedAttempt<T>> all;
      synchronized (lock) {
        all = pool.toVerify(now);
      }
      if (!all.isEmpty()) {
        Collection<QueuedAttempt<T>> lost = all.stream()
            .filter(attempt -> attempt.gone || !attempt.isOrdered()).collect(Collectors.toList());
        synchronized (lock) {
          pool.verify(lost, now);
        }
      }
    }
  }

  /** The number of starting attempts of all queues and partitions. */
  public int starting() {
    synchronized (lock) {
      return pools.values().stream().mapToInt(pool -> pool.starting.size()).sum();
    }
  }

  /** The number of accepted attempts of all queues and partitions whose reserved drivers take slots. */
  public int reserved() {
    synchronized (lock) {
      return pools.values().stream().mapToInt(SlotPool::reservedTaken).sum();
    }
  }
}
