// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.ordering.OrderingDelegate;
import io.github.dripfeed.ordering.StateAwarePolicy;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.StockPreemption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walks the queues of a scheduler and runs a reclaim round in each queue that is due. Used by one thread,
 * except {@link #intervalMillis}.
 */
public final class ReclaimRounds {

  private static final Logger LOG = LoggerFactory.getLogger(ReclaimRounds.class);
  /** The time between two walks if no queue reclaims. */
  private static final long IDLE_MILLIS = 3000;
  /** The longest time between two walks, however long the intervals of queues are. */
  private static final long LONGEST_MILLIS = 60_000;

  private final CapacityScheduler scheduler;
  private final Map<String, QueueReclaimer<?>> queues = new HashMap<>();
  private volatile long interval = IDLE_MILLIS;

  public ReclaimRounds(CapacityScheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** The time until the next call of {@link #run}, in milliseconds. */
  public long intervalMillis() {
    return interval;
  }

  /** Runs a round in every queue that is due. */
  public void run() {
    Set<String> reclaiming = new HashSet<>();
    interval = visit(scheduler.getRootQueue(), reclaiming,
        DripfeedRuntime.current().clock().monotonicMillis());
    queues.keySet().retainAll(reclaiming);
  }

  /** @return the time until the next walk, in milliseconds */
  private long visit(CSQueue queue, Set<String> reclaiming, long now) {
    long next = Long.MAX_VALUE;
    if (queue.getChildQueues() != null) {
      for (CSQueue child : queue.getChildQueues()) {
        next = Math.min(next, visit(child, reclaiming, now));
      }
    }
    Object policy = QueueCompat.orderingPolicy(queue);
    OrderingDelegate<?> ordering = StateAwarePolicy.orderingOf(policy);
    if (ordering != null && ordering.configuration().reclaims()) {
      reclaiming.add(queue.getQueuePath());
      // Bounded, so that a refresh to a shorter interval is noticed.
      next = Math.min(LONGEST_MILLIS, ordering.configuration().reclaimIntervalMillis());
      runIn(queue, (StateAwarePolicy<?>) policy, now);
    }
    return queue.getParent() == null && next == Long.MAX_VALUE ? IDLE_MILLIS : next;
  }

  private void runIn(CSQueue queue, StateAwarePolicy<?> policy, long now) {
    QueueReclaimer<?> reclaimer =
        queues.computeIfAbsent(queue.getQueuePath(), path -> new QueueReclaimer<>(scheduler));
    if (reclaimer.isDue(now, interval) && !queue.getPreemptionDisabled()) {
      try {
        run(reclaimer, queue, policy, now);
      } catch (RuntimeException | LinkageError e) {
        DripfeedRuntime.current().metrics().countFailureIn(queue);
        LOG.error("The reclaim round of queue {} failed; no containers are preempted in this round",
            queue.getQueuePath(), e);
      }
    }
  }

  /** The applications of a queue have the same class under every policy. */
  @SuppressWarnings("unchecked")
  private <S extends SchedulableEntity> void run(
      QueueReclaimer<?> reclaimer, CSQueue queue, StateAwarePolicy<S> policy, long now) {
    policy.owe(((QueueReclaimer<S>) reclaimer).round(
        queue, policy, StockPreemption.chosen(scheduler), now));
  }
}
