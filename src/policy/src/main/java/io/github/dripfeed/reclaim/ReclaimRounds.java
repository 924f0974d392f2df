// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.ordering.StateAwarePolicy;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.yarn.QueueCompat;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/** Walks the queues of a scheduler and runs a reclaim round in each that reclaims. Used by one thread. */
public final class ReclaimRounds {

  private final CapacityScheduler scheduler;
  private final Map<String, QueueReclaimer<?>> queues = new HashMap<>();
  /** What the queues have in common; null between two runs. */
  private ReclaimContext context;

  public ReclaimRounds(CapacityScheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** The time until the next call of {@link #run}, in milliseconds. */
  public long intervalMillis() {
    return ReclaimContext.interval(scheduler);
  }

  /** Runs a round in every queue that reclaims. */
  public void run() {
    Set<String> reclaiming = new HashSet<>();
    QueueCompat.visitLeaves(scheduler.getRootQueue(), queue -> {
      Object policy = QueueCompat.orderingPolicy(queue);
      if (policy instanceof StateAwarePolicy
          && ((StateAwarePolicy<?>) policy).ordering().configuration().reclaims()) {
        reclaiming.add(queue.getQueuePath());
        runIn(queue, (StateAwarePolicy<?>) policy);
      }
    });
    queues.keySet().retainAll(reclaiming);
    context = null;
  }

  private <S extends SchedulableEntity> void runIn(CSQueue queue, StateAwarePolicy<S> policy) {
    QueueReclaimer<S> reclaimer = reclaimer(queue);
    // Where no round takes place, nobody is owed what an earlier one preempted.
    Map<S, Double> owed = new HashMap<>();
    DripfeedRuntime.current().metrics().contain(queue, "reclaim failed; nothing is preempted", () -> {
      if (!queue.getPreemptionDisabled()) {
        context = context != null ? context
            : new ReclaimContext(scheduler, DripfeedRuntime.current().clock().monotonicMillis());
        owed.putAll(reclaimer.round(context, queue, policy));
      }
    });
    policy.owe(owed);
  }

  /** The applications of a queue have the same class under every policy. */
  @SuppressWarnings("unchecked")
  private <S extends SchedulableEntity> QueueReclaimer<S> reclaimer(CSQueue queue) {
    return (QueueReclaimer<S>) queues.computeIfAbsent(
        queue.getQueuePath(), path -> new QueueReclaimer<>(scheduler));
  }
}
