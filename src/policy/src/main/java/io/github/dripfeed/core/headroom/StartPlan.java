// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.wire.Wire.Wait;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Decides which applications of several queues may start although no slot is free. Each application is
 * assigned what it needs from the headroom that those before it leave: first the starting ones of all
 * queues, then the applications as YARN would serve them. That is the next one of the queue that is
 * furthest below its guaranteed capacity, and so on. A waiting application may start if its driver and
 * first executors fit into the rest, and if the reserve stays large enough whatever all applications
 * request later.
 *
 * @param <T> what stands for an application attempt
 */
public final class StartPlan<T> {

  /** A large demand is considered in so many parts if there are several queues. */
  private static final int PARTS = 8;

  private final List<QueuePlan<T>> queues = new ArrayList<>();

  public void add(QueuePlan<T> queue) {
    queues.add(queue);
  }

  /** Makes the plan, once all queues are added with all their applications. */
  public void make() {
    queues.forEach(QueuePlan::begin);
    PriorityQueue<Turn<T>> turns =
        new PriorityQueue<>(Comparator.<Turn<T>>comparingDouble(turn -> turn.used));
    int waiting = 0;
    for (QueuePlan<T> queue : queues) {
      waiting += queue.hasWaiting() ? 1 : 0;
      if (queue.hasNext()) {
        turns.add(new Turn<>(queue));
      }
    }
    int parts = queues.size() > 1 ? PARTS : 1;
    while (waiting > 0 && !turns.isEmpty()) {
      QueuePlan<T> queue = turns.poll().queue;
      boolean waited = queue.hasWaiting();
      queue.proceed(parts);
      waiting -= waited && !queue.hasWaiting() ? 1 : 0;
      if (queue.hasNext()) {
        turns.add(new Turn<>(queue));
      }
    }
  }

  /** A queue with its usage, which changes only in its own turn. */
  private static final class Turn<T> {
    final QueuePlan<T> queue;
    final double used;

    Turn(QueuePlan<T> queue) {
      this.queue = queue;
      this.used = queue.usedOfGuaranteed();
    }
  }

  /**
   * What the plan says about the queues as a whole.
   *
   * @param headrooms all that the plan has used, by partition
   */
  public PlannedStarts starts(Map<String, ? extends Collection<PartitionHeadroom>> headrooms) {
    Set<Object> crowded = new HashSet<>();
    boolean anyShort = false;
    for (QueuePlan<T> queue : queues) {
      anyShort |= !queue.shortages().isEmpty();
      if (queue.isCrowded()) {
        crowded.add(queue.owner());
      }
    }
    Set<String> tight = new HashSet<>();
    if (!crowded.isEmpty()) {
      headrooms.forEach((partition, all) -> {
        if (!all.stream().allMatch(PartitionHeadroom::keepsReserveBesideAny)) {
          tight.add(partition);
        }
      });
    }
    return new PlannedStarts(crowded, tight, anyShort);
  }

  /** Why the first application of each line of the queue may not start, and whose claims are in its way. */
  public Map<String, WaitReason> shortfalls(QueuePlan<T> queue) {
    Map<String, WaitReason> found = new HashMap<>();
    queue.shortages().forEach((line, shortage) -> found.put(line,
        new WaitReason(shortage, parentOf(queue, line), claimant(queue, shortage))));
    return found;
  }

  private static String parentOf(QueuePlan<?> queue, String line) {
    String level = queue.shortLevel(line);
    return level == null || level.equals(queue.name()) ? null : level;
  }

  private String claimant(QueuePlan<T> queue, Wait shortage) {
    if (shortage == Wait.HEADROOM_DEMAND || shortage == Wait.HEADROOM_USER) {
      return null;
    }
    QueuePlan<T> most = null;
    for (QueuePlan<T> other : queues) {
      if (other != queue && other.claimed() > (most == null ? 0 : most.claimed())) {
        most = other;
      }
    }
    return most == null ? null : most.name();
  }
}
