// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.reclaim.PlanApplication.PlanRequest;
import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;

/**
 * Computes weighted max-min fair shares. The level, which is the share by weight, rises for all
 * applications together. An application stops rising when its demand is met, when a resource that it
 * needs is exhausted, or when its user reaches the user limit. Containers that are never preempted
 * always belong to the share of their application.
 */
final class MaxMinShares {

  /** Enough steps for a relative error of the level below 1e-12. */
  private static final int HALVINGS = 50;

  private final DominantShare measure;
  private final ResourceVector pool;
  private final List<Allocation> allocations = new ArrayList<>();
  private final Map<PlanUser, UserAllocations> users = new LinkedHashMap<>();
  private final double[] sum;

  private MaxMinShares(
      Collection<PlanApplication> applications, DominantShare measure, ResourceVector pool) {
    this.measure = measure;
    this.pool = pool;
    this.sum = new double[pool.types()];
    ResourceSum used = new ResourceSum(pool.types());
    for (PlanApplication application : applications) {
      Allocation allocation = new Allocation(application);
      allocations.add(allocation);
      used.add(application.used);
      users.computeIfAbsent(application.user, user -> new UserAllocations()).allocations.add(allocation);
    }
    // User limits are computed as if the whole pool were in use.
    ResourceVector unused = pool.minus(used).componentwiseMax(ResourceVector.zero(pool.types()));
    users.forEach((user, allocated) -> allocated.limit = measure.of(user.limit(unused)));
  }

  /**
   * Computes the share of every application.
   *
   * @param pool the resources to share, by resource type
   */
  static void compute(
      Collection<PlanApplication> applications, DominantShare measure, ResourceVector pool) {
    List<PlanUser> activated = new ArrayList<>();
    do {
      MaxMinShares shares = new MaxMinShares(applications, measure, pool);
      shares.raiseAll();
      for (Allocation allocation : shares.allocations) {
        allocation.application.share = allocation.share(allocation.fraction);
      }
    } while (activateLosingUsers(applications, measure, activated));
    activated.forEach(user -> user.setActive(false));
  }

  /**
   * An application that loses containers requests them again, which lowers the limit of every user. The
   * limits after that are used; otherwise containers would move back and forth.
   */
  private static boolean activateLosingUsers(
      Collection<PlanApplication> applications, DominantShare measure, List<PlanUser> activated) {
    boolean any = false;
    for (PlanApplication application : applications) {
      if (!application.user.isActive() && measure.of(application.used) > application.share * (1 + 1e-6)) {
        application.user.setActive(true);
        activated.add(application.user);
        any = true;
      }
    }
    return any;
  }

  private void raiseAll() {
    double level = 0;
    while (true) {
      double top = level;
      for (Allocation allocation : allocations) {
        if (!allocation.stopped) {
          top = Math.max(top, allocation.share(1) / allocation.application.weight);
        }
      }
      for (UserAllocations user : users.values()) {
        user.findLevel(level, top);
      }
      if (exceeded(top).isEmpty()) {
        raise(top);
        return;
      }
      level = highest(level, top, above -> !exceeded(above).isEmpty());
      raise(level);
      // A resource type is exhausted if it is exceeded just above the level.
      if (!stop(exceeded(Math.nextUp(level + (top - level) * 1e-12)), level)) {
        return;
      }
    }
  }

  /** The highest level that is not too much, by bisection. */
  private static double highest(double feasible, double tooMuch, DoublePredicate isTooMuch) {
    double low = feasible;
    double high = tooMuch;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (isTooMuch.test(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low;
  }

  /** The resource types of which this level needs more than there is. */
  private BitSet exceeded(double level) {
    double[] used = new double[pool.types()];
    for (UserAllocations user : users.values()) {
      user.add(Math.min(level, user.level), used);
    }
    BitSet exceeded = new BitSet();
    for (int type = 0; type < pool.types(); type++) {
      exceeded.set(type, used[type] > pool.get(type) * (1 + 1e-9));
    }
    return exceeded;
  }

  private void raise(double level) {
    for (UserAllocations user : users.values()) {
      for (Allocation allocation : user.allocations) {
        allocation.fraction = allocation.fractionAt(Math.min(level, user.level));
      }
    }
  }

  /**
   * Stops the applications that need an exhausted resource, or whose users are at their limits.
   *
   * @return whether any application was stopped
   */
  private boolean stop(BitSet exhausted, double level) {
    boolean any = false;
    for (UserAllocations user : users.values()) {
      for (Allocation allocation : user.allocations) {
        if (!allocation.stopped
            && (user.level <= level || exhausted.stream().anyMatch(allocation::needs))) {
          allocation.stopped = true;
          any = true;
        }
      }
    }
    return any;
  }

  /** The applications of one user. */
  private final class UserAllocations {

    final List<Allocation> allocations = new ArrayList<>();
    double limit;
    /** The level at which the user reaches its limit. */
    double level;

    void add(double at, double[] used) {
      for (Allocation allocation : allocations) {
        allocation.addTo(used, allocation.fractionAt(at));
      }
    }

    void findLevel(double low, double top) {
      level = isTooMuch(top) ? highest(low, top, this::isTooMuch) : Double.MAX_VALUE;
    }

    private boolean isTooMuch(double at) {
      Arrays.fill(sum, 0);
      add(at, sum);
      return measure.of(sum) > limit * (1 + 1e-9);
    }
  }

  /**
   * The share of one application: its protected containers, and a fraction of the adjustable part, which
   * is its other containers and its pending requests.
   */
  private final class Allocation {

    final PlanApplication application;
    final ResourceSum adjustable;
    double fraction;
    boolean stopped;

    Allocation(PlanApplication application) {
      this.application = application;
      this.adjustable = new ResourceSum(application.used);
      adjustable.subtract(application.protectedUsage);
      long remaining = application.remainingContainers;
      for (PlanRequest request : application.requests) {
        long count = Math.min(remaining, request.pending);
        adjustable.add(request.size, count);
        remaining -= count;
      }
    }

    void addTo(double[] used, double part) {
      for (int type = 0; type < used.length; type++) {
        used[type] += application.protectedUsage.get(type) + adjustable.get(type) * part;
      }
    }

    double share(double part) {
      double[] amounts = new double[pool.types()];
      addTo(amounts, part);
      return measure.of(amounts);
    }

    boolean needs(int type) {
      return adjustable.get(type) > 0;
    }

    /** The largest fraction of the adjustable part with which the application does not exceed the level. */
    double fractionAt(double level) {
      if (stopped) {
        return fraction;
      }
      return measure.largestPart(application.protectedUsage, adjustable, level * application.weight);
    }
  }
}
