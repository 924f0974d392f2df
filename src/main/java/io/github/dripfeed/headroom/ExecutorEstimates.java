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

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.headroom.Demand;
import io.github.dripfeed.core.headroom.ExecutorSizeHistory;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/**
 * Estimates, during one plan, what attempts of one queue are going to request, from what its applications
 * have requested so far. Used by the monitor's thread.
 */
final class ExecutorEstimates {

  private final ExecutorSizeHistory history;
  private final CountedResources types;
  /** Expected executor sizes by partition, keyed by the partition of the driver. */
  private final Map<String, Map<String, ResourceVector>> expected = new HashMap<>();

  /** @param history what the queue's applications have requested so far */
  ExecutorEstimates(ExecutorSizeHistory history, CountedResources types) {
    this.history = history;
    this.types = types;
  }

  /**
   * Records the executor sizes that the attempt requests. For an attempt that has no pending request at
   * the first visit, records the sizes of its live executors.
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
    if (requests.isEmpty() && attempt.liveExecutors() == 0) {
      return;
    }
    boolean isNew = !view.notes().setSizesRecorded();
    for (PendingRequest request : requests) {
      history.add(app.getApplicationId(), attempt.partition(), request.partition(),
          types.amounts(request.size()));
    }
    if (isNew && requests.isEmpty()) {
      app.getLiveContainersMap().forEach((id, container) -> {
        if (!attempt.isDriver(id)) {
          history.add(app.getApplicationId(), attempt.partition(),
              partitionOf.apply(container.getAllocatedNode()),
              types.amounts(container.getAllocatedResource()));
        }
      });
    }
  }

  /**
   * Executors of the expected size, capped at the largest container that is allowed; of the largest
   * allowed container if no size has been recorded yet.
   *
   * @param largest returns the largest container that is allowed in a partition
   */
  List<Demand> expected(String driverPartition, int executors,
      Function<String, ResourceVector> largest) {
    return demands(expected.computeIfAbsent(driverPartition, p -> {
      Map<String, ResourceVector> sizes = history.expected(p, types.count());
      sizes.replaceAll((partition, size) -> size.componentwiseMin(largest.apply(partition)));
      return sizes.isEmpty() ? Collections.singletonMap(p, largest.apply(p)) : sizes;
    }), executors);
  }

  /** This number of executors of each size, by partition. */
  static List<Demand> demands(Map<String, ResourceVector> sizes, int executors) {
    List<Demand> demands = new ArrayList<>();
    sizes.forEach((partition, size) -> demands.add(new Demand(partition, size, executors)));
    return demands;
  }
}
