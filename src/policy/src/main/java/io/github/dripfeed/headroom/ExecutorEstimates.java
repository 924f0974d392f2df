// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.headroom;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.headroom.Demand;
import io.github.dripfeed.core.headroom.DemandHistory;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * Estimates, during one plan, what attempts of one queue are going to request, from what its applications
 * have requested so far. Used by the monitor's thread.
 */
final class ExecutorEstimates {

  private final DemandHistory history;
  private final CapacityScheduler scheduler;
  private final CountedResources types;
  private final long now;
  /** What an application is expected to come to want, by the partition of its driver and its type. */
  private final Map<List<String>, List<Demand>> expected = new HashMap<>();

  /** @param history what the queue's applications have come to want so far */
  ExecutorEstimates(DemandHistory history, CapacityScheduler scheduler, CountedResources types, long now) {
    this.history = history;
    this.scheduler = scheduler;
    this.types = types;
    this.now = now;
  }

  /**
   * Records what the attempt has come to want: the executors that it requests and holds.
   *
   * @param requests its pending requests
   * @param partitionOf returns the partition of a node
   */
  void record(SchedulerApplicationAttempt app, AttemptView<?> view, List<PendingRequest> requests,
      Function<NodeId, String> partitionOf) {
    if (!view.facts().isDriverAllocated()) {
      return;
    }
    YarnAttempt attempt = (YarnAttempt) view.facts();
    int live = attempt.liveExecutors();
    List<Demand> wanted = new ArrayList<>();
    long number = live;
    for (PendingRequest request : requests) {
      wanted.add(new Demand(request.partition(), types.amounts(request.size()), request.count()));
      number += request.count();
    }
    ApplicationId id = app.getApplicationId();
    if (number == 0) {
      history.startsUp(id, now);
      return;
    }
    if (!view.notes().setSizesRecorded()) {
      history.add(id, attempt.partition(), typeOf(app), now);
    }
    // Most of the time it wants no more than before, and its containers need not be visited.
    if (live > 0 && number > history.most(id, attempt.partition())) {
      app.getLiveContainersMap().forEach((container, executor) -> {
        if (attempt.isExecutor(executor)) {
          wanted.add(new Demand(partitionOf.apply(executor.getAllocatedNode()),
              types.amounts(executor.getAllocatedResource()), 1));
        }
      });
    }
    history.update(id, attempt.partition(), wanted, number, now);
  }

  /** The largest executors that applications with their driver in the partition have requested. */
  Collection<ResourceVector> largestRequested(String driverPartition) {
    return history.largest(driverPartition, types.count());
  }

  /**
   * The executors that an application is expected to come to want: at least its first executors and at most
   * {@code max-containers}, no larger than the largest container that is allowed, and of that size if
   * nothing has been recorded yet. An attempt is expected to request the sizes of the attempts before it.
   *
   * @param firstStage the number of its first executors
   * @param maxContainers the most containers of the application; 0 for any number
   * @param largest returns the largest container that is allowed in a partition
   */
  List<Demand> expected(SchedulerApplicationAttempt app, String driverPartition, int firstStage,
      int maxContainers, Function<String, ResourceVector> largest) {
    List<Demand> recorded = expected.computeIfAbsent(Arrays.asList(driverPartition, typeOf(app)),
        key -> history.expected(driverPartition, key.get(1), types.count()));
    if (recorded.isEmpty()) {
      return Collections.singletonList(
          new Demand(driverPartition, largest.apply(driverPartition), firstStage));
    }
    // What the application has requested itself, before its driver was lost, says more than others do.
    Map<String, ResourceVector> own =
        history.ownSizes(app.getApplicationId(), driverPartition, types.count());
    long most = maxContainers == 0 ? Long.MAX_VALUE : maxContainers - 1;
    List<Demand> whole = new ArrayList<>();
    for (Demand demand : recorded) {
      ResourceVector size = own.getOrDefault(demand.partition(), demand.size());
      whole.add(new Demand(demand.partition(), size.componentwiseMin(largest.apply(demand.partition())),
          Math.max(firstStage, Math.min(demand.count(), most))));
    }
    return whole;
  }

  /**
   * The executors that an application with a driver is expected to want beyond those wanted so far.
   *
   * @param whole returns what it is expected to come to want; called only if it counts
   */
  List<Demand> remaining(
      SchedulerApplicationAttempt app, String driverPartition, Supplier<List<Demand>> whole) {
    return history.remaining(app.getApplicationId(), driverPartition, whole, now);
  }

  /** The type of the application, empty if YARN has none. */
  private String typeOf(SchedulerApplicationAttempt app) {
    RMApp known = scheduler.getRMContext().getRMApps().get(app.getApplicationId());
    return known == null || known.getApplicationType() == null ? "" : known.getApplicationType();
  }
}
