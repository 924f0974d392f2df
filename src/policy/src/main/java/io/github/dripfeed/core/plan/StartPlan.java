// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The rule of {@code max-starting} = {@code auto}. An application starts when what is free, plus what
 * usually comes free while a driver starts up, covers all that the started applications before it still
 * want, and its own driver and first executors. Where started applications behind it want more than there
 * is, and where nothing is known of executors yet, drivers hold no more than a sixth of the queue. Queues
 * take turns as YARN serves them: the one that uses the least of what it is guaranteed is next. Used by one
 * thread.
 *
 * @param <T> what stands for an application attempt
 */
public final class StartPlan<T> {

  private final List<PlanQueue<T>> queues = new ArrayList<>();

  public void add(PlanQueue<T> queue) {
    queues.add(queue);
  }

  /** Makes the plan, once all queues are added with all their applications. */
  public void make() {
    boolean all = queues.stream().allMatch(PlanQueue::fitsNow);
    PriorityQueue<Turn<T>> turns = new PriorityQueue<>(Comparator.comparingDouble(turn -> turn.used));
    queues.stream().filter(PlanQueue::hasNext).forEach(queue -> turns.add(new Turn<>(queue)));
    while (!turns.isEmpty()) {
      PlanQueue<T> queue = turns.poll().queue;
      queue.proceed(all);
      if (queue.hasNext()) {
        turns.add(new Turn<>(queue));
      }
    }
  }

  /** A queue with its usage, which changes only in its own turn. */
  private static final class Turn<T> {
    final PlanQueue<T> queue;
    final double used;

    Turn(PlanQueue<T> queue) {
      this.queue = queue;
      this.used = queue.usedOfGuaranteed();
    }
  }
}
