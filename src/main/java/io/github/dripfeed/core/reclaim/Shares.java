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

import io.github.dripfeed.core.Amounts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What each application deserves: max-min, in proportion to weights. All are raised to the same level
 * of what they have by weight, each until it has all that it asks for; who needs something that has
 * run out, or whose user has all that he may have, is raised no further. What an application must not
 * lose it deserves in any case.
 */
final class Shares {

  /** Enough for a level that is exact to one part in a million millions. */
  private static final int HALVINGS = 60;

  private final Measure measure;
  private final long[] pool;
  private final List<Part> parts = new ArrayList<>();
  private final Set<User> users = new HashSet<>();

  private Shares(Collection<Claimant> claimants, Measure measure, long[] pool) {
    this.measure = measure;
    this.pool = pool;
    for (Claimant claimant : claimants) {
      parts.add(new Part(claimant));
      users.add(claimant.user);
    }
  }

  /**
   * Tells every claimant its share.
   *
   * @param pool what there is to share, by type of resource
   */
  static void tell(Collection<Claimant> claimants, Measure measure, long[] pool) {
    Shares shares = new Shares(claimants, measure, pool);
    shares.raiseAll();
    for (Part part : shares.parts) {
      part.claimant.share = part.measure(part.fraction);
    }
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
      if (!isTooMuch(top)) {
        raise(top);
        return;
      }
      level = highestLevel(level, top);
      // What has run out is what is too much just above the level.
      boolean[] out = new boolean[pool.length];
      Set<User> full = new HashSet<>();
      findExhausted(Math.nextUp(level + (top - level) * 1e-12), out, full);
      raise(level);
      if (!fix(out, full)) {
        return;
      }
    }
  }

  private double highestLevel(double enough, double tooMuch) {
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

  private boolean isTooMuch(double level) {
    return findExhausted(level, new boolean[pool.length], new HashSet<>());
  }

  private boolean findExhausted(double level, boolean[] out, Set<User> full) {
    double[] used = new double[pool.length];
    Map<User, double[]> byUser = new HashMap<>();
    for (Part part : parts) {
      double fraction = part.fractionAt(level);
      double[] ofUser = byUser.computeIfAbsent(part.claimant.user, u -> new double[pool.length]);
      for (int type = 0; type < pool.length; type++) {
        double amount = part.amount(type, fraction);
        used[type] += amount;
        ofUser[type] += amount;
      }
    }
    boolean any = false;
    for (int type = 0; type < pool.length; type++) {
      out[type] = used[type] > pool[type] * (1 + 1e-9);
      any |= out[type];
    }
    for (User user : users) {
      if (measure.of(byUser.get(user)) > user.limit * (1 + 1e-9)) {
        full.add(user);
        any = true;
      }
    }
    return any;
  }

  private void raise(double level) {
    for (Part part : parts) {
      part.fraction = part.fractionAt(level);
    }
  }

  /** Whoever needs what has run out stays where it is. */
  private boolean fix(boolean[] out, Set<User> full) {
    boolean any = false;
    for (Part part : parts) {
      if (!part.fixed && (full.contains(part.claimant.user) || part.needs(out))) {
        part.fixed = true;
        any = true;
      }
    }
    return any;
  }

  /** What a claimant must not lose, and the rest of what it has or asks for, of which it gets a part. */
  private final class Part {

    final Claimant claimant;
    final long[] rest;
    double fraction;
    boolean fixed;

    Part(Claimant claimant) {
      this.claimant = claimant;
      this.rest = Amounts.minus(claimant.held, claimant.fixed);
      long room = claimant.room;
      for (Request request : claimant.requests) {
        long count = Math.min(room, request.open);
        Amounts.add(rest, Amounts.times(request.size, count));
        room -= count;
      }
    }

    double amount(int type, double ofRest) {
      return claimant.fixed[type] + rest[type] * ofRest;
    }

    double measure(double ofRest) {
      double[] amounts = new double[pool.length];
      for (int type = 0; type < amounts.length; type++) {
        amounts[type] = amount(type, ofRest);
      }
      return measure.of(amounts);
    }

    boolean needs(boolean[] out) {
      for (int type = 0; type < out.length; type++) {
        if (out[type] && rest[type] > 0) {
          return true;
        }
      }
      return false;
    }

    /** The largest part of the rest with which it has no more than this level by weight. */
    double fractionAt(double level) {
      if (fixed) {
        return fraction;
      }
      return measure.largestPart(claimant.fixed, rest, level * claimant.weight);
    }
  }
}
