/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.headroom;

import io.github.dripfeed.core.admission.AdmissionLineView;
import io.github.dripfeed.core.admission.Attempt;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.headroom.Demand;
import io.github.dripfeed.core.headroom.DemandHistory;
import io.github.dripfeed.core.headroom.DemandOutlook;
import io.github.dripfeed.core.headroom.PartitionHeadroom;
import io.github.dripfeed.core.headroom.Shortage;
import io.github.dripfeed.core.headroom.StartPlan;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * Plans, from the current state of one queue, which accepted applications may start beside those that are
 * already starting. Used by the monitor's thread.
 *
 * @param <S> the applications of the queue
 */
public final class HeadroomRound<S extends SchedulableEntity> {

  /** How long a plan is valid if no other replaces it, in milliseconds: the monitor may be late. */
  public static final long VALID = 5000;

  private final QueueOrder<S> order;
  private final CapacityScheduler scheduler;
  private final DemandHistory history;
  private final QueueUsage usage;
  private final CountedResources types;
  private final StartPlan<S> plan;
  private final DemandOutlook outlook;
  private final Map<S, List<PendingRequest>> pending = new HashMap<>();
  private final Map<String, PartitionHeadroom> partitions = new HashMap<>();
  /** The expected executors, keyed by the partition of the driver and the type of the application. */
  private final Map<List<String>, List<Demand>> expected = new HashMap<>();

  /** @param history what the queue's applications have come to want so far */
  public HeadroomRound(CapacityScheduler scheduler, CSQueue queue, QueueOrder<S> order,
      DemandHistory history) {
    this.scheduler = scheduler;
    this.order = order;
    this.history = history;
    this.types = new CountedResources(scheduler.getResourceCalculator());
    this.usage = new QueueUsage(scheduler, queue, types);
    this.plan = new StartPlan<>(this::headroom);
    this.outlook = new DemandOutlook(usage);
  }

  /** Makes a plan and activates it. */
  public void run(long now) {
    long starts = order.starts();
    List<S> all = order.bySubmission();
    // The state is read once, so that each attempt is in one list even if its state changes meanwhile.
    List<S> running = new ArrayList<>();
    List<S> starting = new ArrayList<>();
    for (S entity : all) {
      State state = order.state(entity);
      if (state == State.RUNNING) {
        running.add(entity);
      } else if (state == State.STARTING) {
        starting.add(entity);
      }
    }
    running.forEach(entity -> record(entity, now));
    starting.forEach(entity -> record(entity, now));
    List<AdmissionLineView<S>> lines = order.lines(now);
    if (!isAnyWaiting(lines)) {
      order.cancelPlan();
      return;
    }
    for (S entity : all) {
      AttemptView<S> view = order.view(entity);
      usage.add((SchedulerApplicationAttempt) entity, view == null ? null : (YarnAttempt) view.facts());
    }
    for (S entity : running) {
      plan.runs(userOf(entity), demands(entity));
      claimDemand(entity, now);
    }
    for (S entity : starting) {
      addStarting(entity);
      claimDemand(entity, now);
    }
    for (AdmissionLineView<S> line : lines) {
      addWaiting(line.partition(), line.waiting());
      addWaiting(line.partition(), line.stalled());
    }
    order.activatePlan(starts, plan.claims(), plan.shortages(), usage.headroom(), now + VALID);
  }

  private boolean isAnyWaiting(List<AdmissionLineView<S>> lines) {
    for (AdmissionLineView<S> line : lines) {
      if (line.waiting().iterator().hasNext() || line.stalled().iterator().hasNext()) {
        return true;
      }
    }
    return false;
  }

  /** Records what the attempt has come to want: the executors that it requests and holds. */
  private void record(S entity, long now) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    AttemptView<S> view = order.view(entity);
    if (view == null || !view.facts().isDriverAllocated()) {
      return;
    }
    YarnAttempt attempt = (YarnAttempt) view.facts();
    int live = attempt.liveExecutors();
    List<Demand> wanted = new ArrayList<>();
    long number = live;
    for (PendingRequest request : requests(entity)) {
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
          wanted.add(new Demand(usage.partitionOf(executor.getAllocatedNode()),
              types.amounts(executor.getAllocatedResource()), 1));
        }
      });
    }
    history.update(id, attempt.partition(), wanted, number, now);
  }

  /** What the attempt requests and is expected to request later is not free for others. */
  private void claimDemand(S entity, long now) {
    AttemptView<S> view = order.view(entity);
    outlook.claim(userOf(entity), demands(entity));
    if (view != null) {
      SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
      String partition = view.facts().partition();
      List<Demand> whole = expected(app, partition, view.settings().minExecutors());
      outlook.claim(userOf(entity), view.facts().isDriverAllocated()
          ? history.remaining(app.getApplicationId(), partition, whole, now) : whole);
    }
  }

  private void addStarting(S entity) {
    AttemptView<S> view = order.view(entity);
    if (view != null) {
      Attempt attempt = view.facts();
      int missing = Math.max(0, view.settings().minExecutors() - attempt.liveExecutors());
      List<Demand> requested = largest(entity, missing);
      plan.starts(entity, userOf(entity),
          requested.isEmpty() ? firstStage(entity, attempt.partition(), missing) : requested);
    }
  }

  private void addWaiting(String partition, Iterable<AttemptView<S>> waiting) {
    for (AttemptView<S> attempt : waiting) {
      if (plan.isShort(partition)) {
        return;
      }
      S entity = attempt.item();
      List<Demand> driver = demands(entity);
      // An attempt without a pending request is not offered in any case.
      if (!driver.isEmpty()) {
        addWaiting(attempt, partition, driver.get(0));
      }
    }
  }

  private void addWaiting(AttemptView<S> attempt, String partition, Demand driver) {
    S entity = attempt.item();
    int executors = attempt.settings().minExecutors();
    List<Demand> firstStage = firstStage(entity, partition, executors);
    if (!outlook.hasRoom(driver, firstStage)) {
      plan.hold(partition, Shortage.EXPECTED);
      return;
    }
    plan.waits(entity, partition, userOf(entity), driver, firstStage);
    if (plan.isShort(partition)) {
      return;
    }
    outlook.claim(userOf(entity), Collections.singletonList(driver));
    outlook.claim(userOf(entity), expected((SchedulerApplicationAttempt) entity, partition, executors));
  }

  /** The pending requests of the attempt, read once per round. */
  private List<PendingRequest> requests(S entity) {
    return pending.computeIfAbsent(entity, e -> PendingRequest.all((SchedulerApplicationAttempt) e));
  }

  /** The pending requests of the attempt, up to {@code max-containers}. */
  private List<Demand> demands(S entity) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    int cap = order.settings().maxContainers();
    long limit = cap == 0 ? Long.MAX_VALUE : Math.max(0, cap - app.getLiveContainersMap().size());
    List<Demand> demands = new ArrayList<>();
    for (PendingRequest request : requests(entity)) {
      demands.add(new Demand(request.partition(), types.amounts(request.size()), request.count())
          .atMost(limit));
    }
    return demands;
  }

  /** Executors of the largest size that the attempt requests. */
  private List<Demand> largest(S entity, int executors) {
    Map<String, ResourceVector> sizes = new HashMap<>();
    for (PendingRequest request : requests(entity)) {
      sizes.merge(request.partition(), types.amounts(request.size()), ResourceVector::componentwiseMax);
    }
    return demands(sizes, executors);
  }

  /** So many executors of the expected size. */
  private List<Demand> firstStage(S entity, String driverPartition, int executors) {
    List<Demand> first = new ArrayList<>();
    for (Demand demand : expected((SchedulerApplicationAttempt) entity, driverPartition, executors)) {
      first.add(demand.withCount(executors));
    }
    return first;
  }

  /**
   * The executors that the attempt is expected to come to want: at least its first stage and at most
   * {@code max-containers}, no larger than the largest container that is allowed, and of that size if
   * nothing has been recorded yet.
   */
  private List<Demand> expected(SchedulerApplicationAttempt app, String driverPartition, int firstStage) {
    List<Demand> recorded = expected.computeIfAbsent(Arrays.asList(driverPartition, typeOf(app)),
        key -> history.expected(driverPartition, key.get(1), types.count()));
    if (recorded.isEmpty()) {
      return Collections.singletonList(
          new Demand(driverPartition, usage.largest(driverPartition), firstStage));
    }
    int cap = order.settings().maxContainers();
    List<Demand> whole = new ArrayList<>();
    for (Demand demand : recorded) {
      long number = cap == 0 ? demand.count() : Math.min(demand.count(), cap - 1);
      whole.add(new Demand(demand.partition(),
          demand.size().componentwiseMin(usage.largest(demand.partition())), Math.max(firstStage, number)));
    }
    return whole;
  }

  /** The type of the application, empty if YARN has none. */
  private String typeOf(SchedulerApplicationAttempt app) {
    RMApp known = scheduler.getRMContext().getRMApps().get(app.getApplicationId());
    return known == null || known.getApplicationType() == null ? "" : known.getApplicationType();
  }

  private static List<Demand> demands(Map<String, ResourceVector> sizes, int executors) {
    List<Demand> demands = new ArrayList<>();
    sizes.forEach((partition, size) -> demands.add(new Demand(partition, size, executors)));
    return demands;
  }

  private PartitionHeadroom headroom(String partition) {
    return partitions.computeIfAbsent(partition, usage::headroomOf);
  }

  private String userOf(S entity) {
    return ((SchedulerApplicationAttempt) entity).getUser();
  }
}
