// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;

/**
 * User limits as YARN's {@code UsersManager.computeUserLimit} computes them: a fraction of the usage of
 * active users, which falls when a container of an active user is preempted. Used by one thread.
 */
public final class UserLimits {

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

  /** A user that has applications in the queue. */
  public static class User {

    private final UserLimits limits;
    private final double weight;
    private boolean active;
    /** With reservations. */
    private final ResourceSum used;

    /** @param isActive whether any of its applications has a pending request */
    public User(UserLimits limits, double weight, boolean isActive) {
      this.limits = limits;
      this.weight = weight;
      this.used = new ResourceSum(limits.total.types());
      setActive(isActive);
    }

    /** The number of resource types. */
    public final int types() {
      return used.types();
    }

    public final boolean isActive() {
      return active;
    }

    /** Sets whether limits are computed as if the user were active. */
    public final void setActive(boolean isActive) {
      if (active != isActive) {
        active = isActive;
        limits.activeWeights += isActive ? weight : -weight;
        limits.active.add(used, isActive ? 1 : -1);
      }
    }

    /** The usage of the user grows, or falls, by so many containers of a size. */
    public final void change(ResourceVector size, int count) {
      limits.consumed -= limits.partition.of(used);
      used.add(size, count);
      limits.consumed += limits.partition.of(used);
      if (active) {
        limits.active.add(size, count);
      }
    }

    /** Whether the user would be above its limit with so much less, as YARN compares. */
    public final boolean isAbove(ResourceAmounts less) {
      ResourceSum rest = new ResourceSum(used);
      rest.subtract(less);
      return limits.measure.compare(rest, limit(limits.none)) > 0;
    }

    /**
     * Whether YARN gives the user one more container, however large. It does unless the user is above its
     * limit, by more than the reservation that the container replaces.
     */
    public final boolean isWithin(ResourceAmounts replaced) {
      ResourceAmounts limit = limit(limits.none);
      return limits.measure.compare(used, limit) <= 0
          || !replaced.isZero() && used.fitsInSum(limit, replaced);
    }

    /**
     * The current limit of the user.
     *
     * @param additional what active users use beyond that
     */
    public final ResourceAmounts limit(ResourceAmounts additional) {
      return limits.limit(weight, additional);
    }
  }

  private final DominantShare measure;
  private final DominantShare partition;
  private final ResourceVector total;
  private final ResourceVector none;
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
    this.none = ResourceVector.zero(total.types());
    this.partition = new DominantShare(total);
    this.step = step;
    this.percent = percent;
    this.capacity = partition.compare(queue.capacity, step) < 0 ? step : queue.capacity;
    this.ceiling = factor < 0 || queue.capacity.isZero() ? queue.maximum
        : capacity.each(amount -> (long) (amount * (float) factor));
    this.active = new ResourceSum(total.types());
    this.current = new ResourceSum(total.types());
    this.limit = new ResourceSum(total.types());
  }

  private ResourceAmounts limit(double weight, ResourceAmounts additional) {
    double ratio = consumed + partition.of(additional);
    for (int type = 0; type < total.types(); type++) {
      // Sums of fractions have small rounding errors.
      current.set(type, up((long) Math.ceil(ratio * total.get(type) - 1e-3), step.get(type)));
    }
    boolean isBelow = partition.compare(current, capacity) < 0;
    double weights = Math.max(activeWeights, 1e-6);
    for (int type = 0; type < total.types(); type++) {
      long used = active.get(type) + additional.get(type) + step.get(type);
      limit.set(type, (long) Math.ceil(used / weights - 1e-6));
      long base = isBelow ? capacity.get(type) : current.get(type) + step.get(type);
      current.set(type, (long) Math.ceil((long) (base * percent) / 100.0));
    }
    ResourceAmounts larger = partition.compare(limit, current) >= 0 ? limit : current;
    ResourceAmounts bounded = partition.compare(larger, ceiling) <= 0 ? larger : ceiling;
    for (int type = 0; type < total.types(); type++) {
      long amount = (long) (up(bounded.get(type), step.get(type)) * weight);
      limit.set(type, down(amount, step.get(type)));
    }
    return limit;
  }

  private static long up(long amount, long step) {
    return step <= 0 ? amount : (amount + step - 1) / step * step;
  }

  private static long down(long amount, long step) {
    return step <= 0 ? amount : amount / step * step;
  }
}
