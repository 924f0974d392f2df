// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.cluster.UserLimits;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.QueueHeadroom;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * Measures how uneven the usage by weight of a queue's applications is in one partition. If applications
 * with pending requests have as much as the others, there is nothing to reclaim, and containers and nodes
 * need not be read. Used by one thread.
 *
 * @param <S> the applications of the queue
 */
final class ShareSpread<S extends SchedulableEntity> {

  private static final double EXACT = 1e-9;

  private final ReclaimContext context;
  private final String partition;
  private final ToDoubleFunction<S> weight;
  /** The dominant share of the smallest container, or 0 if shares cannot be added. */
  private final double smallest;
  private final QueueHeadroom headroom;
  private final UserLimits limits;

  /** @param weight the weight of an application */
  ShareSpread(ReclaimContext context, CSQueue queue, String partition, ToDoubleFunction<S> weight) {
    this.context = context;
    this.partition = partition;
    this.weight = weight;
    this.headroom = new QueueHeadroom(queue, context.types);
    this.limits = headroom.userLimits(context.scheduler, partition);
    // Shares can be added only with a single resource type.
    this.smallest = context.types.count() == 1
        ? context.measure.of(context.types.amounts(context.scheduler.getMinimumResourceCapability())) : 0;
  }

  /**
   * Whether preemption could bring usage closer to the fair shares.
   *
   * <p>If the fair level is l, an application of weight w with usage u per weight deviates by w (u - l).
   * A container is preempted only if the deviations of two applications differ by more than the size of a
   * container. So nothing can be reclaimed unless the largest and smallest u differ by more than the
   * smallest container divided by the largest weight.
   *
   * @param pending the applications with pending requests
   */
  boolean isUneven(Iterable<S> all, Iterable<S> pending) {
    Map<S, Double> levels = new HashMap<>();
    Map<String, UserLimits.User> users = new HashMap<>();
    double highest = 0;
    double largestWeight = 0;
    for (S entity : all) {
      SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
      ResourceVector used = context.types.amounts(app.getAppAttemptResourceUsage().getUsed(partition));
      double ownWeight = weight.applyAsDouble(entity);
      double level = context.measure.of(used) / ownWeight;
      levels.put(entity, level);
      highest = Math.max(highest, level);
      largestWeight = Math.max(largestWeight, ownWeight);
      if (!used.isZero()) {
        users.computeIfAbsent(app.getUser(),
            name -> new UserLimits.User(limits, headroom.userWeight(name), true)).change(used, 1);
      }
    }
    double lowest = Double.MAX_VALUE;
    for (S entity : pending) {
      lowest = Math.min(lowest, levels.getOrDefault(entity, 0.0));
    }
    // The applications of a user above its limit have a lower fair share, whatever their usage by weight.
    return (highest - lowest) * largestWeight > smallest + EXACT
        || users.values().stream()
            .anyMatch(user -> user.isAbove(ResourceVector.zero(context.types.count())));
  }
}
