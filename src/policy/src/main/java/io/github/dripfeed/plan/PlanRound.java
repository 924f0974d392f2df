// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.plan;

import io.github.dripfeed.core.plan.ActivePlan;
import io.github.dripfeed.core.plan.Demand;
import io.github.dripfeed.core.plan.DemandHistory;
import io.github.dripfeed.core.plan.QueueMemory;
import io.github.dripfeed.core.plan.StartPlan;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.snapshot.ClusterSnapshot;
import io.github.dripfeed.snapshot.QueueSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * Makes one plan for all queues of a scheduler with {@code max-starting} = {@code auto}. Used by the
 * monitor's thread.
 *
 * @param <S> the applications
 */
public final class PlanRound<S extends SchedulableEntity> {

  /** How long a plan is in effect if no other replaces it, in milliseconds: the monitor may be late. */
  public static final long VALID = 5000;

  private final ClusterSnapshot snapshot;
  private final long now;
  private final ClusterReader cluster;
  private final List<QueueRound<S>> queues = new ArrayList<>();
  private final DemandHistory common;
  /** See {@link #below}. */
  private final Map<CSQueue, List<QueueRound<S>>> byLevel = new IdentityHashMap<>();

  /** @param common what all queues together know */
  public PlanRound(ClusterSnapshot snapshot, DemandHistory common, long now) {
    this.snapshot = snapshot;
    this.now = now;
    this.common = common;
    this.cluster = new ClusterReader(snapshot, this::soon, this::largest);
  }

  /** Adds a queue, and records what its applications request. */
  public void add(QueueSnapshot<S> queue, QueueMemory memory) {
    QueueRound<S> round = new QueueRound<>(queue, snapshot, cluster, memory, common, now);
    round.read();
    queues.add(round);
  }

  /** Makes the plan for all queues that were added, and puts it into effect. */
  public void run() {
    // Where shares are equal their order decides, and that of the caller differs from process to process.
    queues.sort(Comparator.comparing(round -> round.queue().getQueuePath()));
    Predicate<Object> isAnywhere = snapshot.scheduler.getSchedulerApplications()::containsKey;
    common.retain(isAnywhere, isAnywhere);
    StartPlan<S> plan = new StartPlan<>();
    // All starting applications come first: what they lack is taken when they are added.
    queues.forEach(round -> plan.add(round.prepare(queues.size() > 1)));
    plan.make();
    ActivePlan active = new ActivePlan(now + VALID, noNodeLeft(snapshot.scheduler));
    queues.forEach(round -> round.putIntoEffect(active));
  }

  /** Static, since it outlives this round: it must hold no application. */
  private static BooleanSupplier noNodeLeft(CapacityScheduler scheduler) {
    Resource cluster = scheduler.getClusterResource();
    long memory = cluster.getMemorySize();
    long cores = cluster.getVirtualCores();
    return () -> {
      Resource current = scheduler.getClusterResource();
      return current.getMemorySize() >= memory && current.getVirtualCores() >= cores;
    };
  }

  private Collection<Demand> largest(CSQueue level, String partition) {
    return below(level).stream().flatMap(round -> round.largest(partition).stream())
        .collect(Collectors.toList());
  }

  private ResourceVector soon(CSQueue level, String partition) {
    ResourceSum sum = new ResourceSum(snapshot.types.count());
    below(level).forEach(round -> sum.add(round.soon(partition)));
    return sum.toVector();
  }

  /** The queues of this level of the hierarchy and below it. */
  private List<QueueRound<S>> below(CSQueue level) {
    if (byLevel.isEmpty()) {
      for (QueueRound<S> round : queues) {
        for (CSQueue here = round.queue(); here != null; here = here.getParent()) {
          byLevel.computeIfAbsent(here, l -> new ArrayList<>()).add(round);
        }
      }
    }
    return byLevel.getOrDefault(level, Collections.emptyList());
  }
}
