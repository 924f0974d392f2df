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
import io.github.dripfeed.core.headroom.ExecutorSizeHistory;
import io.github.dripfeed.core.headroom.PartitionHeadroom;
import io.github.dripfeed.core.headroom.StartPlan;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.StockPreemption;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private final ExecutorSizeHistory executorSizes;
  private final QueueUsage usage;
  private final CountedResources types;
  /** Whether starting applications that block each other are taken back. */
  private final boolean takesBack;
  private final StartPlan<S> plan;
  private final Map<S, List<PendingRequest>> pending = new HashMap<>();
  private final Map<String, PartitionHeadroom> partitions = new HashMap<>();
  /** Expected executor sizes by partition, keyed by the partition of the driver. */
  private final Map<String, Map<String, ResourceVector>> expected = new HashMap<>();

  /** @param executorSizes the executor sizes that the queue's applications have requested so far */
  public HeadroomRound(CapacityScheduler scheduler, CSQueue queue, QueueOrder<S> order,
      ExecutorSizeHistory executorSizes) {
    this.order = order;
    this.executorSizes = executorSizes;
    this.types = new CountedResources(scheduler.getResourceCalculator());
    this.usage = new QueueUsage(scheduler, queue, types);
    this.takesBack = order.settings().isTakeBack() && StockPreemption.freesRoom(queue, scheduler);
    this.plan = new StartPlan<>(this::headroom, this::keepsReserve);
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
    running.forEach(this::recordSizes);
    starting.forEach(this::recordSizes);
    List<AdmissionLineView<S>> lines = order.lines(now);
    if (!isAnyWaiting(lines)) {
      order.cancelPlan();
      return;
    }
    for (S entity : all) {
      AttemptView<S> view = order.view(entity);
      usage.add((SchedulerApplicationAttempt) entity, view == null ? null : (YarnAttempt) view.facts(),
          view != null && takesBack && isTakenBackIfBlocked(view));
    }
    running.forEach(entity -> plan.runs(userOf(entity), demands(entity)));
    starting.forEach(this::addStarting);
    for (AdmissionLineView<S> line : lines) {
      addWaiting(line.partition(), line.waiting());
      addWaiting(line.partition(), line.stalled());
    }
    order.activatePlan(starts, plan.claims(), plan.shortages(), usage.headroom(), now + VALID);
  }

  /** A driver that is taken back if others need its room does not need the reserve. */
  private boolean keepsReserve(S entity) {
    AttemptView<S> view = order.view(entity);
    return !takesBack || view == null || !((YarnAttempt) view.facts()).hasAttemptLeft();
  }

  private boolean isTakenBackIfBlocked(AttemptView<S> view) {
    return view.state() == State.STARTING && !view.hadExecutor() && !view.facts().isExempt()
        && view.facts().hasOutstandingRequest() && ((YarnAttempt) view.facts()).hasAttemptLeft();
  }

  private boolean isAnyWaiting(List<AdmissionLineView<S>> lines) {
    for (AdmissionLineView<S> line : lines) {
      if (line.waiting().iterator().hasNext() || line.stalled().iterator().hasNext()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Records the executor sizes that the attempt requests. For an attempt that has no pending request at
   * the first visit, records the sizes of its live executors.
   */
  private void recordSizes(S entity) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    AttemptView<S> view = order.view(entity);
    if (view == null || !view.facts().isDriverAllocated()) {
      return;
    }
    YarnAttempt attempt = (YarnAttempt) view.facts();
    List<PendingRequest> requests = requests(entity);
    if (requests.isEmpty() && attempt.liveExecutors() == 0) {
      return;
    }
    boolean isNew = !view.notes().setSizesRecorded();
    for (PendingRequest request : requests) {
      executorSizes.add(app.getApplicationId(), attempt.partition(), request.partition(),
          types.amounts(request.size()));
    }
    if (isNew && requests.isEmpty()) {
      app.getLiveContainersMap().forEach((id, container) -> {
        if (!attempt.isDriver(id)) {
          executorSizes.add(app.getApplicationId(), attempt.partition(),
              usage.partitionOf(container.getAllocatedNode()),
              types.amounts(container.getAllocatedResource()));
        }
      });
    }
  }

  private void addStarting(S entity) {
    AttemptView<S> view = order.view(entity);
    if (view != null) {
      Attempt attempt = view.facts();
      int missing = Math.max(0, view.settings().minExecutors() - attempt.liveExecutors());
      List<Demand> requested = largest(entity, missing);
      plan.starts(entity, userOf(entity),
          requested.isEmpty() ? expected(attempt.partition(), missing) : requested);
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
        plan.waits(entity, partition, userOf(entity), driver.get(0),
            expected(partition, attempt.settings().minExecutors()));
      }
    }
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

  /**
   * Executors of the expected size, capped at the largest container that is allowed; of the largest
   * allowed container if no size has been recorded yet.
   */
  private List<Demand> expected(String driverPartition, int executors) {
    return demands(expected.computeIfAbsent(driverPartition, p -> {
      Map<String, ResourceVector> sizes = executorSizes.expected(p, types.count());
      sizes.replaceAll((partition, size) ->
          size.componentwiseMin(usage.largest(partition)));
      return sizes.isEmpty() ? Collections.singletonMap(p, usage.largest(p)) : sizes;
    }), executors);
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
