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
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes weighted max-min fair shares. The level, which is the share by weight, rises for all
 * applications together. An application stops rising when its demand is met, when a resource that it
 * needs is exhausted, or when its user reaches the user limit. Containers that an application must not
 * lose always belong to its share.
 */
final class MaxMinShares {

  /** Enough steps for a relative error of the level below 1e-12. */
  private static final int HALVINGS = 50;

  private final DominantShare measure;
  private final ResourceVector pool;
  private final List<Part> parts = new ArrayList<>();
  private final List<OfUser> users = new ArrayList<>();
  private final double[] sum;

  private MaxMinShares(Collection<PlanApplication> claimants, DominantShare measure, ResourceVector pool) {
    this.measure = measure;
    this.pool = pool;
    this.sum = new double[pool.types()];
    Map<PlanUser, OfUser> byUser = new IdentityHashMap<>();
    ResourceSum held = new ResourceSum(pool.types());
    for (PlanApplication claimant : claimants) {
      Part part = new Part(claimant);
      parts.add(part);
      held.add(claimant.held);
      byUser.computeIfAbsent(claimant.user, user -> {
        users.add(new OfUser(user));
        return users.get(users.size() - 1);
      }).parts.add(part);
    }
    // User limits are computed as if the whole pool were in use.
    ResourceVector more = pool.minus(held).componentwiseMax(ResourceVector.zero(pool.types()));
    for (OfUser user : users) {
      user.limit = user.user.limitWith(more);
    }
  }

  /**
   * Assigns a share to every application.
   *
   * @param pool the resources to share, by resource type
   */
  static void tell(Collection<PlanApplication> claimants, DominantShare measure, ResourceVector pool) {
    List<PlanUser> supposed = new ArrayList<>();
    do {
      MaxMinShares shares = new MaxMinShares(claimants, measure, pool);
      shares.raiseAll();
      for (Part part : shares.parts) {
        part.claimant.share = part.measure(part.fraction);
      }
    } while (supposeLosersAsk(claimants, measure, supposed));
    supposed.forEach(user -> user.suppose(false));
  }

  /**
   * An application that loses containers requests them again, which lowers the limit of every user. The
   * limits after that are used; otherwise containers would move back and forth.
   */
  private static boolean supposeLosersAsk(
      Collection<PlanApplication> claimants, DominantShare measure, List<PlanUser> supposed) {
    boolean any = false;
    for (PlanApplication claimant : claimants) {
      if (!claimant.user.active && measure.of(claimant.held) > claimant.share * (1 + 1e-6)) {
        claimant.user.suppose(true);
        supposed.add(claimant.user);
        any = true;
      }
    }
    return any;
  }

  private void raiseAll() {
    double level = 0;
    while (true) {
      double top = level;
      for (Part part : parts) {
        if (!part.fixed) {
          top = Math.max(top, part.measure(1) / part.claimant.weight);
        }
      }
      for (OfUser user : users) {
        user.findLevel(level, top);
      }
      if (!isTooMuch(top, null)) {
        raise(top);
        return;
      }
      level = highestLevel(level, top);
      // A resource type is exhausted if it is exceeded just above the level.
      boolean[] out = new boolean[pool.types()];
      isTooMuch(Math.nextUp(level + (top - level) * 1e-12), out);
      raise(level);
      if (!fix(out, level)) {
        return;
      }
    }
  }

  private double highestLevel(double enough, double tooMuch) {
    double low = enough;
    double high = tooMuch;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (isTooMuch(middle, null)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low;
  }

  /** @param out receives the resource types that are exceeded; may be null */
  private boolean isTooMuch(double level, boolean[] out) {
    double[] used = new double[pool.types()];
    for (OfUser user : users) {
      user.add(Math.min(level, user.level), used);
    }
    boolean any = false;
    for (int type = 0; type < pool.types(); type++) {
      boolean tooMuch = used[type] > pool.get(type) * (1 + 1e-9);
      any |= tooMuch;
      if (out != null) {
        out[type] = tooMuch;
      }
    }
    return any;
  }

  private void raise(double level) {
    for (OfUser user : users) {
      for (Part part : user.parts) {
        part.fraction = part.fractionAt(Math.min(level, user.level));
      }
    }
  }

  /** An application that needs an exhausted resource, or whose user is at the limit, rises no further. */
  private boolean fix(boolean[] out, double level) {
    boolean any = false;
    for (OfUser user : users) {
      for (Part part : user.parts) {
        if (!part.fixed && (user.level <= level || part.needs(out))) {
          part.fixed = true;
          any = true;
        }
      }
    }
    return any;
  }

  /** The applications of one user. */
  private final class OfUser {

    final PlanUser user;
    final List<Part> parts = new ArrayList<>();
    double limit;
    /** The level at which the user reaches its limit. */
    double level;

    OfUser(PlanUser user) {
      this.user = user;
    }

    void add(double at, double[] used) {
      for (Part part : parts) {
        part.addTo(used, part.fractionAt(at));
      }
    }

    void findLevel(double low, double top) {
      level = isTooMuch(top) ? highest(low, top) : Double.MAX_VALUE;
    }

    private double highest(double enough, double tooMuch) {
      double low = enough;
      double high = tooMuch;
      for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (isTooMuch(middle)) {
          high = middle;
        } else {
          low = middle;
        }
      }
      return low;
    }

    private boolean isTooMuch(double at) {
      Arrays.fill(sum, 0);
      add(at, sum);
      return measure.of(sum) > limit * (1 + 1e-9);
    }
  }

  /**
   * The part of an application's demand that it must not lose, and the rest, of which it gets a fraction.
   */
  private final class Part {

    final PlanApplication claimant;
    final ResourceSum rest;
    double fraction;
    boolean fixed;

    Part(PlanApplication claimant) {
      this.claimant = claimant;
      this.rest = new ResourceSum(claimant.held);
      rest.subtract(claimant.fixed);
      long room = claimant.room;
      for (PlanRequest request : claimant.requests) {
        long count = Math.min(room, request.open);
        rest.add(request.size, count);
        room -= count;
      }
    }

    void addTo(double[] used, double ofRest) {
      for (int type = 0; type < used.length; type++) {
        used[type] += amount(type, ofRest);
      }
    }

    double amount(int type, double ofRest) {
      return claimant.fixed.get(type) + rest.get(type) * ofRest;
    }

    double measure(double ofRest) {
      double[] amounts = new double[pool.types()];
      addTo(amounts, ofRest);
      return measure.of(amounts);
    }

    boolean needs(boolean[] out) {
      for (int type = 0; type < out.length; type++) {
        if (out[type] && rest.get(type) > 0) {
          return true;
        }
      }
      return false;
    }

    /** The largest fraction of the rest with which the application does not exceed the level. */
    double fractionAt(double level) {
      if (fixed) {
        return fraction;
      }
      return measure.largestPart(claimant.fixed, rest, level * claimant.weight);
    }
  }
}
