/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceVector;

/**
 * User limits as YARN's {@code UsersManager.computeUserLimit} computes them: a fraction of the usage of
 * active users, which falls when a container of an active user is preempted. Used by one thread.
 */
public final class UserLimits {

  private final DominantShare measure;
  private final DominantShare partition;
  private final long[] whole;
  private final long[] capacity;
  private final long[] step;
  private final double percent;
  private final long[] ceiling;
  /** The usage of users with pending requests. */
  private final long[] active;
  private double activeWeights;
  /** The sum over all users of the largest part of any type that each holds. */
  private double consumed;
  private final long[] current;
  private final long[] limit;

  /**
   * @param measure by which users are compared with their limit
   * @param whole what there is in the partition, by type of resource
   * @param capacity of the queue there
   * @param maximum of the queue there
   * @param step the smallest container
   * @param percent of what the queue has that each user may have at least
   * @param factor the most that one user may have, as a multiple of the capacity; none below 0
   */
  public UserLimits(DominantShare measure, long[] whole, long[] capacity, long[] maximum, long[] step,
      double percent, double factor) {
    this.measure = measure;
    this.partition = new DominantShare(whole);
    this.whole = whole.clone();
    this.step = step.clone();
    this.percent = percent;
    this.capacity = partition.of(capacity) < partition.of(step) ? step.clone() : capacity.clone();
    this.ceiling = new long[whole.length];
    for (int type = 0; type < whole.length; type++) {
      ceiling[type] = factor < 0 || ResourceVector.isZero(capacity) ? maximum[type]
          : (long) (this.capacity[type] * (float) factor);
    }
    this.active = new long[whole.length];
    this.current = new long[whole.length];
    this.limit = new long[whole.length];
  }

  /**
   * One who has applications in the queue.
   *
   * @param asks whether any of them asks for something
   */
  public PlanUser user(double weight, boolean asks) {
    if (asks) {
      activeWeights += weight;
    }
    return PlanUser.of(this, weight, asks, whole.length);
  }

  /** So much more is held by the user. */
  public void add(PlanUser user, long[] size) {
    consumed -= partition.of(user.held);
    ResourceVector.add(user.held, size);
    consumed += partition.of(user.held);
    if (user.active) {
      ResourceVector.add(active, size);
    }
  }

  void subtract(PlanUser user, long[] size) {
    consumed -= partition.of(user.held);
    ResourceVector.subtract(user.held, size);
    consumed += partition.of(user.held);
    if (user.active) {
      ResourceVector.subtract(active, size);
    }
  }

  /** From now on the user counts as one who asks, or as one who does not. */
  void setActive(PlanUser user, boolean asks) {
    if (user.active != asks) {
      user.active = asks;
      activeWeights += asks ? user.weight : -user.weight;
      ResourceVector.add(active, asks ? user.held
          : ResourceVector.minus(new long[user.held.length], user.held));
    }
  }

  /** The current limit of the user, by the measure. */
  public double limit(PlanUser user) {
    return limit(user, null);
  }

  /** Whether the user is above its limit. */
  public boolean isAbove(PlanUser user) {
    return measure.of(user.held) > limit(user, null) * (1 + 1e-9);
  }

  /** @param more what those who ask have besides; null if nothing */
  double limit(PlanUser user, long[] more) {
    double ratio = consumed + (more == null ? 0 : partition.of(more));
    for (int type = 0; type < whole.length; type++) {
      // Sums of fractions are a little off.
      current[type] = up((long) Math.ceil(ratio * whole[type] - 1e-3), step[type]);
    }
    boolean isBelow = partition.of(current) < partition.of(capacity);
    double weights = Math.max(activeWeights, 1e-6);
    for (int type = 0; type < whole.length; type++) {
      long has = active[type] + (more == null ? 0 : more[type]) + step[type];
      limit[type] = (long) Math.ceil(has / weights - 1e-6);
      long base = isBelow ? capacity[type] : current[type] + step[type];
      current[type] = (long) Math.ceil((long) (base * percent) / 100.0);
    }
    long[] part = partition.of(current) > partition.of(limit) ? current : limit;
    long[] least = partition.of(part) > partition.of(ceiling) ? ceiling : part;
    for (int type = 0; type < whole.length; type++) {
      limit[type] = down((long) (up(least[type], step[type]) * user.weight), step[type]);
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
