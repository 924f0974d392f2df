/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;

/**
 * What is claimed of the free room of one queue, kept as a sum, so that a scheduling thread has but to
 * compare it with what is free. A claim is in the sum from before its owner is offered until it has
 * what it claims, so no two can spend the same room. Safe for use by any thread; its lock is held for
 * some sums at most, and never while anything else is called.
 */
public final class HeadroomLedger {

  /** A plan in effect. */
  private static final class Round {
    final Headroom room;
    final long until;
    final Set<HeadroomClaim> claims = ConcurrentHashMap.newKeySet();
    /** What they come to, by partition and type of resource; replaced as a whole. */
    volatile Map<String, long[]> sum = Collections.emptyMap();

    Round(Headroom room, long until) {
      this.room = room;
      this.until = until;
    }

    boolean isReliable(long now) {
      return now - until < 0;
    }

    void add(String partition, long[] amounts) {
      change(partition, amounts, ResourceVector::plus);
    }

    void subtract(String partition, long[] amounts) {
      change(partition, amounts, ResourceVector::minus);
    }

    private void change(String partition, long[] amounts, BinaryOperator<long[]> how) {
      Map<String, long[]> changed = new HashMap<>(sum);
      changed.merge(partition, amounts, how);
      sum = changed;
    }
  }

  private volatile Round round;
  private long starts;

  /** A number that grows with every driver that is allocated: a plan made meanwhile is outdated. */
  public synchronized long starts() {
    return starts;
  }

  /**
   * Puts a plan into effect, in place of the one before.
   *
   * @param startsSeen what {@link #starts} was before the plan was made
   * @param until when it is too old to be relied on
   * @return whether it is in effect; not if somebody has started since
   */
  public synchronized boolean open(long startsSeen, Collection<HeadroomClaim> claims, Headroom room,
      long until) {
    if (starts != startsSeen) {
      return false;
    }
    Round next = new Round(room, until);
    for (HeadroomClaim claim : claims) {
      next.claims.add(claim);
      if (claim.isPass()) {
        next.add(claim.partition, claim.driver);
      }
      claim.firstStage.forEach(next::add);
    }
    round = next;
    return true;
  }

  /** Nobody may start beyond the slots until there is another plan. */
  public synchronized void close() {
    round = null;
  }

  /** Whether there is a plan that can be relied on. */
  public boolean isOpen(long now) {
    Round current = round;
    return current != null && current.isReliable(now);
  }

  /**
   * Whether one with this claim may start: it was found to be safe when there was last looked, and what
   * is claimed by all together is free now.
   *
   * @param claim may be null
   */
  public boolean isSafe(HeadroomClaim claim, long now) {
    Round current = roundOf(claim);
    if (current == null || !claim.isPass() || !current.isReliable(now)) {
      return false;
    }
    for (Map.Entry<String, long[]> claimed : current.sum.entrySet()) {
      if (!current.room.has(claimed.getKey(), claimed.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** Whether the plan in effect lets the claim's owner start. */
  public boolean hasPass(HeadroomClaim claim) {
    return claim != null && claim.isPass() && roundOf(claim) != null;
  }

  /** The driver of the claim's owner is allocated: it is no longer among what is free. */
  public synchronized void started(HeadroomClaim claim) {
    starts++;
    Round current = roundOf(claim);
    if (current == null) {
      // Nobody has counted on it, so what is left for others is unknown.
      close();
    } else if (claim.isPass()) {
      current.subtract(claim.partition, claim.driver);
    }
  }

  /**
   * The claim's owner is past its early stage, or gone. Counts once.
   *
   * @param hadDriver whether it had been told to have {@link #started}
   */
  public synchronized void ended(HeadroomClaim claim, boolean hadDriver) {
    Round current = roundOf(claim);
    if (current != null) {
      current.claims.remove(claim);
      if (claim.isPass() && !hadDriver) {
        current.subtract(claim.partition, claim.driver);
      }
      claim.firstStage.forEach(current::subtract);
    }
  }

  /** The plan in effect, if it counts on the claim; else null. */
  private Round roundOf(HeadroomClaim claim) {
    // Read once: a plan may be opened or closed meanwhile.
    Round current = round;
    return current != null && claim != null && current.claims.contains(claim) ? current : null;
  }
}
