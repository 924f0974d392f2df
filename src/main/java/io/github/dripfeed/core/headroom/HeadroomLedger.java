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
 * The claims on the headroom of one queue, kept as a running total that a scheduling thread only compares
 * with the current headroom. A claim is part of the total from before its attempt is offered until the
 * attempt holds the claimed resources, so no two attempts can use the same headroom. Safe for use by any
 * thread; the lock is held only for a few additions, and never during a call to another object.
 */
public final class HeadroomLedger {

  /** The plan in effect. */
  private static final class ActivePlan {
    final Headroom headroom;
    final long until;
    final Set<HeadroomClaim> claims = ConcurrentHashMap.newKeySet();
    /** The total of the claims, by partition and resource type; replaced as a whole. */
    volatile Map<String, ResourceVector> sum = Collections.emptyMap();

    ActivePlan(Headroom headroom, long until) {
      this.headroom = headroom;
      this.until = until;
    }

    boolean isValid(long now) {
      return now - until < 0;
    }

    void add(String partition, ResourceVector amounts) {
      change(partition, amounts, ResourceVector::plus);
    }

    void subtract(String partition, ResourceVector amounts) {
      change(partition, amounts, ResourceVector::minus);
    }

    private void change(String partition, ResourceVector amounts, BinaryOperator<ResourceVector> how) {
      Map<String, ResourceVector> changed = new HashMap<>(sum);
      changed.merge(partition, amounts, how);
      sum = changed;
    }
  }

  private volatile ActivePlan plan;
  private long starts;

  /** The number of drivers allocated so far. If it grows while a plan is made, the plan is outdated. */
  public synchronized long starts() {
    return starts;
  }

  /**
   * Activates a plan in place of the previous one.
   *
   * @param startsSeen the value of {@link #starts} before the plan was made
   * @param until the time at which the plan expires
   * @return whether the plan is in effect; it is not if an attempt has started since
   */
  public synchronized boolean activate(long startsSeen, Collection<HeadroomClaim> claims, Headroom headroom,
      long until) {
    if (starts != startsSeen) {
      return false;
    }
    ActivePlan next = new ActivePlan(headroom, until);
    for (HeadroomClaim claim : claims) {
      next.claims.add(claim);
      if (claim.isPass()) {
        next.add(claim.partition, claim.driver);
      }
      claim.firstStage.forEach(next::add);
    }
    plan = next;
    return true;
  }

  /** Cancels the plan: no attempt may start beyond the slots until there is another one. */
  public synchronized void cancel() {
    plan = null;
  }

  /** Whether a plan is in effect and has not expired. */
  public boolean isActive(long now) {
    ActivePlan current = plan;
    return current != null && current.isValid(now);
  }

  /**
   * Whether the attempt with this claim may start now: the plan in effect lets it start, and the current
   * headroom covers all claims together.
   *
   * @param claim may be null
   */
  public boolean isSafe(HeadroomClaim claim, long now) {
    ActivePlan current = planOf(claim);
    if (current == null || !claim.isPass() || !current.isValid(now)) {
      return false;
    }
    for (Map.Entry<String, ResourceVector> claimed : current.sum.entrySet()) {
      if (!current.headroom.has(claimed.getKey(), claimed.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** Whether the plan in effect lets the attempt with this claim start. */
  public boolean hasPass(HeadroomClaim claim) {
    return claim != null && claim.isPass() && planOf(claim) != null;
  }

  /** The driver of the attempt with this claim was allocated, so it no longer needs headroom. */
  public synchronized void started(HeadroomClaim claim) {
    starts++;
    ActivePlan current = planOf(claim);
    if (current == null) {
      // The plan did not expect this start, so the headroom left for others is unknown.
      cancel();
    } else if (claim.isPass()) {
      current.subtract(claim.partition, claim.driver);
    }
  }

  /**
   * The attempt with this claim is running or was removed. Only the first call has an effect.
   *
   * @param hadDriver whether {@link #started} was called for it
   */
  public synchronized void ended(HeadroomClaim claim, boolean hadDriver) {
    ActivePlan current = planOf(claim);
    if (current != null) {
      current.claims.remove(claim);
      if (claim.isPass() && !hadDriver) {
        current.subtract(claim.partition, claim.driver);
      }
      claim.firstStage.forEach(current::subtract);
    }
  }

  /** The plan in effect if it contains the claim, else null. */
  private ActivePlan planOf(HeadroomClaim claim) {
    // Read once: another thread may activate or cancel a plan.
    ActivePlan current = plan;
    return current != null && claim != null && current.claims.contains(claim) ? current : null;
  }
}
