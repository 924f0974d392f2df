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
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
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
  private final QueueUsage usage;
  private final CountedResources types;
  private final StartPlan<S> plan;
  private final Map<S, List<PendingRequest>> pending = new HashMap<>();
  private final Map<String, PartitionHeadroom> partitions = new HashMap<>();
  private final ExecutorEstimates estimates;

  /** @param executorSizes the executor sizes that the queue's applications have requested so far */
  public HeadroomRound(CapacityScheduler scheduler, CSQueue queue, QueueOrder<S> order,
      ExecutorSizeHistory executorSizes) {
    this.order = order;
    this.types = new CountedResources(scheduler.getResourceCalculator());
    this.estimates = new ExecutorEstimates(executorSizes, types);
    this.usage = new QueueUsage(scheduler, queue, types);
    this.plan = new StartPlan<>(this::headroom);
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
    running.forEach(this::record);
    starting.forEach(this::record);
    List<AdmissionLineView<S>> lines = order.lines(now);
    if (!isAnyWaiting(lines)) {
      order.cancelPlan();
      return;
    }
    for (S entity : all) {
      AttemptView<S> view = order.view(entity);
      usage.add((SchedulerApplicationAttempt) entity, view == null ? null : (YarnAttempt) view.facts());
    }
    running.forEach(entity -> plan.runs(userOf(entity), demands(entity)));
    starting.forEach(this::addStarting);
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

  private void record(S entity) {
    AttemptView<S> view = order.view(entity);
    if (view != null) {
      estimates.record((SchedulerApplicationAttempt) entity, view, requests(entity), usage::partitionOf);
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
    return ExecutorEstimates.demands(sizes, executors);
  }

  private List<Demand> expected(String driverPartition, int executors) {
    return estimates.expected(driverPartition, executors, usage::largest);
  }

  private PartitionHeadroom headroom(String partition) {
    return partitions.computeIfAbsent(partition, usage::headroomOf);
  }

  private String userOf(S entity) {
    return ((SchedulerApplicationAttempt) entity).getUser();
  }
}
