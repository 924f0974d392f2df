// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;

/**
 * User limits as YARN's {@code UsersManager.computeUserLimit} computes them: a fraction of the usage of
 * active users, which falls when a container of an active user is preempted. Used by one thread.
 */
public final class UserLimits implements PlanUser.Limits {

  /** The resources of a queue in one partition, by resource type. */
  public static final class QueueResources {
    private final ResourceVector partition;
    private final ResourceVector capacity;
    private final ResourceVector maximum;

    /**
     * @param partition the total of the partition
     * @param capacity the capacity of the queue in the partition
     * @param maximum the maximum capacity of the queue in the partition
     */
    public QueueResources(ResourceVector partition, ResourceVector capacity, ResourceVector maximum) {
      this.partition = partition;
      this.capacity = capacity;
      this.maximum = maximum;
    }
  }

  private final DominantShare measure;
  private final DominantShare partition;
  private final ResourceVector total;
  private final ResourceVector capacity;
  private final ResourceVector step;
  private final double percent;
  private final ResourceVector ceiling;
  /** The usage of active users. */
  private final ResourceSum active;
  private double activeWeights;
  /** The sum over all users of the dominant share of each. */
  private double consumed;
  private final ResourceSum current;
  private final ResourceSum limit;

  /**
   * @param measure the dominant share by which the usage of a user is compared with its limit
   * @param step the smallest container
   * @param percent YARN's {@code minimum-user-limit-percent}
   * @param factor YARN's {@code user-limit-factor}; no limit if negative
   */
  public UserLimits(DominantShare measure, QueueResources queue, ResourceVector step, double percent,
      double factor) {
    this.measure = measure;
    this.total = queue.partition;
    this.partition = new DominantShare(total);
    this.step = step;
    this.percent = percent;
    this.capacity = partition.of(queue.capacity) < partition.of(step) ? step : queue.capacity;
    this.ceiling = factor < 0 || queue.capacity.isZero() ? queue.maximum
        : capacity.each(amount -> (long) (amount * (float) factor));
    this.active = new ResourceSum(total.types());
    this.current = new ResourceSum(total.types());
    this.limit = new ResourceSum(total.types());
  }

  /**
   * Adds a user that has applications in the queue.
   *
   * @param isActive whether any of them has a pending request
   */
  public PlanUser user(double weight, boolean isActive) {
    if (isActive) {
      activeWeights += weight;
    }
    return new PlanUser(this, weight, isActive, total.types());
  }

  @Override
  public void change(PlanUser user, ResourceVector size, int count) {
    consumed -= partition.of(user.used);
    user.used.add(size, count);
    consumed += partition.of(user.used);
    if (user.active) {
      active.add(size, count);
    }
  }

  @Override
  public void setActive(PlanUser user, boolean isActive) {
    if (user.active != isActive) {
      user.active = isActive;
      activeWeights += isActive ? user.weight : -user.weight;
      active.add(user.used, isActive ? 1 : -1);
    }
  }

  /** Whether the user is above its limit. */
  public boolean isAbove(PlanUser user) {
    return measure.of(user.used) > limit(user, null) * (1 + 1e-9);
  }

  @Override
  public double limit(PlanUser user, ResourceVector additional) {
    double ratio = consumed + (additional == null ? 0 : partition.of(additional));
    for (int type = 0; type < total.types(); type++) {
      // Sums of fractions have small rounding errors.
      current.set(type, up((long) Math.ceil(ratio * total.get(type) - 1e-3), step.get(type)));
    }
    boolean isBelow = partition.of(current) < partition.of(capacity);
    double weights = Math.max(activeWeights, 1e-6);
    for (int type = 0; type < total.types(); type++) {
      long used = active.get(type) + (additional == null ? 0 : additional.get(type)) + step.get(type);
      limit.set(type, (long) Math.ceil(used / weights - 1e-6));
      long base = isBelow ? capacity.get(type) : current.get(type) + step.get(type);
      current.set(type, (long) Math.ceil((long) (base * percent) / 100.0));
    }
    ResourceAmounts larger = partition.of(current) > partition.of(limit) ? current : limit;
    ResourceAmounts bounded = partition.of(larger) > partition.of(ceiling) ? ceiling : larger;
    for (int type = 0; type < total.types(); type++) {
      long amount = (long) (up(bounded.get(type), step.get(type)) * user.weight);
      limit.set(type, down(amount, step.get(type)));
    }
    return measure.of(limit);
  }

  private static long up(long amount, long step) {
    return step <= 0 ? amount : (amount + step - 1) / step * step;
  }

  private static long down(long amount, long step) {
    return step <= 0 ? amount : amount / step * step;
  }
}
