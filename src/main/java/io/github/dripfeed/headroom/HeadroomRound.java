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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * Looks at one queue as it is now, and works out which accepted applications may start beside those that
 * are starting. Used by the monitor's thread.
 *
 * @param <S> the applications of the queue
 */
public final class HeadroomRound<S extends SchedulableEntity> {

  /** How long in milliseconds a plan is relied on, should no other come: the monitor may be late. */
  public static final long VALID = 5000;

  private final QueueOrder<S> order;
  private final ExecutorSizeHistory seen;
  private final QueueUsage stock;
  private final CountedResources types;
  private final StartPlan<S> plan;
  private final Map<S, List<PendingRequest>> asking = new HashMap<>();
  private final Map<String, PartitionHeadroom> zones = new HashMap<>();
  /** Sizes of executors by partition, by the partition of their driver. */
  private final Map<String, Map<String, long[]>> expected = new HashMap<>();

  /** @param seen what the queue's applications have asked for so far */
  public HeadroomRound(
      CapacityScheduler scheduler, CSQueue queue, QueueOrder<S> order, ExecutorSizeHistory seen) {
    this.order = order;
    this.seen = seen;
    this.types = new CountedResources(scheduler.getResourceCalculator());
    this.stock = new QueueUsage(scheduler, queue, types);
    this.plan = new StartPlan<>(this::zone);
  }

  /** Plans, and puts the plan into effect. */
  public void run(long now) {
    long starts = order.starts();
    List<S> all = order.bySubmission();
    // Each in one list, though it may go on from one state to the next meanwhile.
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
    running.forEach(this::learn);
    starting.forEach(this::learn);
    List<AdmissionLineView<S>> lines = order.lines(now);
    if (!isAnybodyWaiting(lines)) {
      order.close();
      return;
    }
    for (S entity : all) {
      AttemptView<S> view = order.view(entity);
      stock.add((SchedulerApplicationAttempt) entity, view == null ? null : (YarnAttempt) view.facts());
    }
    running.forEach(entity -> plan.runs(userOf(entity), asks(entity)));
    starting.forEach(this::addStarting);
    for (AdmissionLineView<S> line : lines) {
      addWaiting(line.partition(), line.waiting());
      addWaiting(line.partition(), line.stalled());
    }
    order.open(starts, plan.claims(), plan.shortages(), stock.room(), now + VALID);
  }

  private boolean isAnybodyWaiting(List<AdmissionLineView<S>> lines) {
    for (AdmissionLineView<S> line : lines) {
      if (line.waiting().iterator().hasNext() || line.stalled().iterator().hasNext()) {
        return true;
      }
    }
    return false;
  }

  /** Remembers what sizes of executors it asks for; of one that has asked before, what it has. */
  private void learn(S entity) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    AttemptView<S> view = order.view(entity);
    if (view == null || !view.facts().isDriverAllocated()) {
      return;
    }
    YarnAttempt attempt = (YarnAttempt) view.facts();
    List<PendingRequest> asks = asking(entity);
    if (asks.isEmpty() && attempt.liveExecutors() == 0) {
      return;
    }
    boolean isNew = !view.notes().setLearned();
    for (PendingRequest ask : asks) {
      seen.saw(app.getApplicationId(), attempt.partition(), ask.partition(), types.amounts(ask.size()));
    }
    if (isNew && asks.isEmpty()) {
      app.getLiveContainersMap().forEach((id, container) -> {
        if (!attempt.isDriver(id)) {
          seen.saw(app.getApplicationId(), attempt.partition(),
              stock.partitionOf(container.getAllocatedNode()),
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
      List<Demand> asked = largest(entity, missing);
      plan.starts(entity, userOf(entity),
          asked.isEmpty() ? expected(attempt.partition(), missing) : asked);
    }
  }

  private void addWaiting(String partition, Iterable<AttemptView<S>> waiting) {
    for (AttemptView<S> attempt : waiting) {
      if (plan.isShort(partition)) {
        return;
      }
      S entity = attempt.item();
      List<Demand> driver = asks(entity);
      // One that asks for nothing is not offered anyhow.
      if (!driver.isEmpty()) {
        plan.waits(entity, partition, userOf(entity), driver.get(0),
            expected(partition, attempt.settings().minExecutors()));
      }
    }
  }

  /** What it asks for, read once in a round. */
  private List<PendingRequest> asking(S entity) {
    return asking.computeIfAbsent(entity, e -> PendingRequest.all((SchedulerApplicationAttempt) e));
  }

  /** What it asks for, as far as it may have it. */
  private List<Demand> asks(S entity) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    int cap = order.settings().maxContainers();
    long most = cap == 0 ? Long.MAX_VALUE : Math.max(0, cap - app.getLiveContainersMap().size());
    List<Demand> demands = new ArrayList<>();
    for (PendingRequest ask : asking(entity)) {
      demands.add(new Demand(ask.partition(), types.amounts(ask.size()), ask.count()).atMost(most));
    }
    return demands;
  }

  /** So many executors of the largest size that it asks for. */
  private List<Demand> largest(S entity, int executors) {
    Map<String, long[]> sizes = new HashMap<>();
    for (PendingRequest ask : asking(entity)) {
      sizes.merge(ask.partition(), types.amounts(ask.size()), ResourceVector::most);
    }
    return demands(sizes, executors);
  }

  /**
   * So many executors of the size that has been seen, as far as it is still allowed; before any was, of
   * the largest that is.
   */
  private List<Demand> expected(String driverPartition, int executors) {
    return demands(expected.computeIfAbsent(driverPartition, p -> {
      Map<String, long[]> sizes = seen.expected(p, types.count());
      sizes.replaceAll((partition, size) -> ResourceVector.least(size, stock.largest(partition)));
      return sizes.isEmpty() ? Collections.singletonMap(p, stock.largest(p)) : sizes;
    }), executors);
  }

  private static List<Demand> demands(Map<String, long[]> sizes, int executors) {
    List<Demand> demands = new ArrayList<>();
    sizes.forEach((partition, size) -> demands.add(new Demand(partition, size, executors)));
    return demands;
  }

  private PartitionHeadroom zone(String partition) {
    return zones.computeIfAbsent(partition, stock::zone);
  }

  private String userOf(S entity) {
    return ((SchedulerApplicationAttempt) entity).getUser();
  }
}
