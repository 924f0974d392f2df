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
import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;

/**
 * User limits as YARN's {@code UsersManager.computeUserLimit} computes them: a fraction of the usage of
 * active users, which falls when a container of an active user is preempted. Used by one thread.
 */
public final class UserLimits implements PlanUser.Limits {

  private final DominantShare measure;
  private final DominantShare partition;
  private final ResourceVector whole;
  private final ResourceVector capacity;
  private final ResourceVector step;
  private final double percent;
  private final ResourceVector ceiling;
  /** The usage of users with pending requests. */
  private final ResourceSum active;
  private double activeWeights;
  /** The sum over all users of the largest part of any type that each holds. */
  private double consumed;
  private final ResourceSum current;
  private final ResourceSum limit;

  /**
   * @param measure by which users are compared with their limit
   * @param whole what there is in the partition, by type of resource
   * @param capacity of the queue there
   * @param maximum of the queue there
   * @param step the smallest container
   * @param percent of what the queue has that each user may have at least
   * @param factor the most that one user may have, as a multiple of the capacity; none below 0
   */
  public UserLimits(DominantShare measure, ResourceVector whole, ResourceVector capacity,
      ResourceVector maximum, ResourceVector step, double percent, double factor) {
    this.measure = measure;
    this.partition = new DominantShare(whole);
    this.whole = whole;
    this.step = step;
    this.percent = percent;
    this.capacity = partition.of(capacity) < partition.of(step) ? step : capacity;
    this.ceiling = factor < 0 || capacity.isZero() ? maximum
        : this.capacity.each(amount -> (long) (amount * (float) factor));
    this.active = new ResourceSum(whole.types());
    this.current = new ResourceSum(whole.types());
    this.limit = new ResourceSum(whole.types());
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
    return new PlanUser(this, weight, asks, whole.types());
  }

  @Override
  public void add(PlanUser user, ResourceVector size) {
    consumed -= partition.of(user.held);
    user.held.add(size);
    consumed += partition.of(user.held);
    if (user.active) {
      active.add(size);
    }
  }

  @Override
  public void subtract(PlanUser user, ResourceVector size) {
    consumed -= partition.of(user.held);
    user.held.subtract(size);
    consumed += partition.of(user.held);
    if (user.active) {
      active.subtract(size);
    }
  }

  @Override
  public void setActive(PlanUser user, boolean asks) {
    if (user.active != asks) {
      user.active = asks;
      activeWeights += asks ? user.weight : -user.weight;
      if (asks) {
        active.add(user.held);
      } else {
        active.subtract(user.held);
      }
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

  @Override
  public double limit(PlanUser user, ResourceVector more) {
    double ratio = consumed + (more == null ? 0 : partition.of(more));
    for (int type = 0; type < whole.types(); type++) {
      // Sums of fractions are a little off.
      current.set(type, up((long) Math.ceil(ratio * whole.get(type) - 1e-3), step.get(type)));
    }
    boolean isBelow = partition.of(current) < partition.of(capacity);
    double weights = Math.max(activeWeights, 1e-6);
    for (int type = 0; type < whole.types(); type++) {
      long has = active.get(type) + (more == null ? 0 : more.get(type)) + step.get(type);
      limit.set(type, (long) Math.ceil(has / weights - 1e-6));
      long base = isBelow ? capacity.get(type) : current.get(type) + step.get(type);
      current.set(type, (long) Math.ceil((long) (base * percent) / 100.0));
    }
    ResourceAmounts part = partition.of(current) > partition.of(limit) ? current : limit;
    ResourceAmounts least = partition.of(part) > partition.of(ceiling) ? ceiling : part;
    for (int type = 0; type < whole.types(); type++) {
      limit.set(type, down((long) (up(least.get(type), step.get(type)) * user.weight), step.get(type)));
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
