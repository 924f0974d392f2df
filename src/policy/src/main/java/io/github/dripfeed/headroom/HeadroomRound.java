// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.headroom;

import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.headroom.ClaimTotal;
import io.github.dripfeed.core.headroom.DemandHistory;
import io.github.dripfeed.core.headroom.HeadroomClaim;
import io.github.dripfeed.core.headroom.HeadroomLedger;
import io.github.dripfeed.core.headroom.PartitionHeadroom;
import io.github.dripfeed.core.headroom.StartPlan;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.QueueHeadroom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * Makes one plan for all queues of a scheduler that start applications beside those that are already
 * starting. Used by the monitor's thread.
 *
 * @param <S> the applications
 */
public final class HeadroomRound<S extends SchedulableEntity> {

  /** How long a plan is valid if no other replaces it, in milliseconds: the monitor may be late. */
  public static final long VALID = 5000;

  /** Memory and cores, which every application requests. */
  private static final int ALWAYS_REQUESTED = 2;

  private final HeadroomLedger ledger;
  private final CapacityScheduler scheduler;
  private final CountedResources types;
  private final long now;
  private final ClusterUsage usage;
  private final Map<CSQueue, QueueRound<S>> byQueue = new IdentityHashMap<>();
  private final Map<CSQueue, ClaimTotal> totals = new IdentityHashMap<>();

  /** @param now the time at which the plan is made */
  public HeadroomRound(CapacityScheduler scheduler, HeadroomLedger ledger, long now) {
    this.scheduler = scheduler;
    this.now = now;
    this.ledger = ledger;
    this.types = new CountedResources(scheduler.getResourceCalculator());
    this.usage = new ClusterUsage(scheduler, types);
    usage.readNodes();
    ledger.begin();
  }

  /**
   * Adds a queue, and records what its applications request.
   *
   * @param history what its applications have come to want so far
   */
  public void add(CSQueue queue, QueueOrder<S> order, DemandHistory history) {
    QueueRound<S> round = new QueueRound<>(scheduler, queue, order,
        new ExecutorEstimates(history, scheduler, types, now));
    round.record(types, usage);
    byQueue.put(queue, round);
  }

  /** Makes the plan for all queues that were added, and activates it. */
  public void run() {
    List<QueueRound<S>> queues = new ArrayList<>(byQueue.values());
    if (queues.stream().noneMatch(QueueRound::isAnyWaiting)) {
      ledger.cancel();
      return;
    }
    // Where shares are equal their order decides, and that of the map differs from process to process.
    queues.sort(Comparator.comparing(round -> round.queue().getQueuePath()));
    usage.readApplications((queue, app) -> {
      QueueRound<S> round = byQueue.get(queue);
      return round == null ? null : round.comesFree(app);
    });
    boolean[] requested = new boolean[types.count()];
    for (QueueRound<S> queue : queues) {
      queue.markRequested(requested);
    }
    ResourceVector mask = ResourceVector.of(types.count(),
        type -> type < ALWAYS_REQUESTED || requested[type] ? Long.MAX_VALUE : 0);
    StartPlan<S> plan = new StartPlan<>();
    for (QueueRound<S> queue : queues) {
      plan.add(queue.prepare(mask, levels(queue.queue())));
    }
    plan.make();
    List<HeadroomClaim> claims = new ArrayList<>();
    Map<String, Collection<PartitionHeadroom>> headrooms = new HashMap<>();
    for (QueueRound<S> queue : queues) {
      claims.addAll(queue.plan().claims().values());
      queue.headrooms().forEach((partition, headroom) ->
          headrooms.computeIfAbsent(partition, p -> new ArrayList<>()).add(headroom));
      queue.order().setPlan(queue.plan().claims(), plan.shortfalls(queue.plan()));
    }
    ledger.activate(claims, plan.starts(headrooms), now + VALID);
  }

  private List<ClaimTotal> levels(CSQueue queue) {
    List<ClaimTotal> levels = new ArrayList<>();
    for (CSQueue level = queue; level != null; level = level.getParent()) {
      levels.add(totals.computeIfAbsent(level, l -> new ClaimTotal(new QueueHeadroom(l, types))));
    }
    return levels;
  }
}
