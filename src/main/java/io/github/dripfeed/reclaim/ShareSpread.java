/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.reclaim.PlanUser;
import io.github.dripfeed.core.reclaim.UserLimits;
import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.QueueHeadroom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * How far apart the applications of a queue are in what they have for their weight in one partition:
 * where those who ask have as much as the others, there is nothing to even out, and no need to look at
 * containers and nodes. Used by one thread.
 *
 * @param <S> the applications of the queue
 */
final class ShareSpread<S extends SchedulableEntity> {

  private static final double EXACT = 1e-9;

  private final String partition;
  private final ToDoubleFunction<S> weight;
  private final CountedResources types;
  private final DominantShare measure;
  private final double smallest;
  private final QueueHeadroom room;
  private final UserLimits limits;

  /** @param weight what an application deserves in proportion to */
  ShareSpread(CapacityScheduler scheduler, CSQueue queue, String partition, ToDoubleFunction<S> weight) {
    this.partition = partition;
    this.weight = weight;
    this.types = new CountedResources(scheduler.getResourceCalculator());
    Resource cluster = scheduler.getClusterResource();
    this.measure = types.measure(cluster);
    long[] least = types.amounts(scheduler.getMinimumResourceCapability());
    // Only of one type do amounts add up.
    this.smallest = types.count() == 1 ? measure.of(least) : 0;
    this.room = new QueueHeadroom(queue, types);
    this.limits = room.userLimits(partition, measure, types.amounts(
        scheduler.getRMContext().getNodeLabelManager().getResourceByLabel(partition, cluster)), least);
  }

  /**
   * Whether taking might bring shares closer to what is deserved.
   *
   * <p>Who has u by its weight w is off by w (u - l) if all deserve l by weight. A container is taken
   * only where that is farther apart for two than the size of a container, and so where u is farther
   * apart than the smallest container for the largest weight.
   */
  boolean isUneven(List<S> all, List<S> asking) {
    Map<S, Double> levels = new HashMap<>();
    Map<String, PlanUser> users = new HashMap<>();
    double most = 0;
    double heaviest = 0;
    for (S entity : all) {
      SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
      long[] used = types.amounts(app.getAppAttemptResourceUsage().getUsed(partition));
      double heavy = weight.applyAsDouble(entity);
      double level = measure.of(used) / heavy;
      levels.put(entity, level);
      most = Math.max(most, level);
      heaviest = Math.max(heaviest, heavy);
      if (!ResourceVector.isZero(used)) {
        limits.add(users.computeIfAbsent(
            app.getUser(), name -> limits.user(room.userWeight(name), true)), used);
      }
    }
    double least = Double.MAX_VALUE;
    for (S entity : asking) {
      least = Math.min(least, levels.getOrDefault(entity, 0.0));
    }
    return (most - least) * heaviest > smallest + EXACT || isAnybodyAboveLimit(users);
  }

  /** He deserves less than others do, whatever his applications have by their weights. */
  private boolean isAnybodyAboveLimit(Map<String, PlanUser> users) {
    for (PlanUser user : users.values()) {
      if (limits.isAbove(user)) {
        return true;
      }
    }
    return false;
  }
}
