// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The claims on the headroom of all queues of one scheduler, kept as running totals that a scheduling
 * thread only compares with the current headroom. A claim is part of the totals from before its attempt is
 * offered until the attempt holds the claimed resources, so no two attempts, of one queue or of two, can
 * use the same headroom. Safe for use by any thread; the lock is held only for a few additions, and never
 * during a call to another object.
 */
public final class HeadroomLedger {

  /** The plan in effect. */
  private static final class ActivePlan {
    final long until;
    final PlannedStarts starts;
    final Set<HeadroomClaim> claims = ConcurrentHashMap.newKeySet();
    /** Whether an attempt has started that the plan did not expect: the headroom left is unknown. */
    volatile boolean outdated;

    ActivePlan(PlannedStarts starts, long until) {
      this.starts = starts;
      this.until = until;
    }

    boolean isValid(long now) {
      return now - until < 0;
    }
  }

  private volatile ActivePlan plan;
  /**
   * The attempts that have started since {@link #begin}, each once although it may have been added again;
   * null if no plan is being made.
   */
  private Set<Object> startedMeanwhile;

  /** A plan is being made from now on. */
  public synchronized void begin() {
    startedMeanwhile = new HashSet<>();
  }

  /**
   * Activates the plan that was made since {@link #begin}, in place of the previous one. Attempts that have
   * started meanwhile, as the plan expects, count as starting.
   *
   * @param until the time at which the plan expires
   * @return whether the plan is in effect; it is not if an attempt has started that it did not expect
   */
  public synchronized boolean activate(Collection<HeadroomClaim> claims, PlannedStarts starts, long until) {
    Set<Object> started = startedMeanwhile == null ? Collections.emptySet() : startedMeanwhile;
    startedMeanwhile = null;
    Map<Object, HeadroomClaim> byItem = new HashMap<>();
    if (!started.isEmpty()) {
      claims.forEach(claim -> byItem.put(claim.item(), claim));
    }
    boolean expected = true;
    for (Object item : started) {
      expected &= byItem.containsKey(item) && !byItem.get(item).isPassedOver();
    }
    if (!expected) {
      ActivePlan current = plan;
      if (current != null) {
        current.outdated = true;
      }
      return false;
    }
    ActivePlan next = new ActivePlan(starts, until);
    for (HeadroomClaim claim : claims) {
      next.claims.add(claim);
      claim.add();
    }
    started.forEach(item -> byItem.get(item).subtractDriver());
    plan = next;
    return true;
  }

  /** Cancels the plan: no attempt may start beyond the slots until there is another one. */
  public synchronized void cancel() {
    plan = null;
    startedMeanwhile = null;
  }

  /** Whether a plan is in effect, has not expired, and has expected every start so far. */
  public boolean isActive(long now) {
    ActivePlan current = plan;
    return current != null && current.isValid(now) && !current.outdated;
  }

  /** Whether another plan would help: the last one has left an attempt waiting, or is outdated. */
  public boolean isPlanNeeded() {
    ActivePlan current = plan;
    return current != null && (current.outdated || current.starts.isAnyShort());
  }

  /** Whether an attempt has started that the plan in effect did not expect. */
  public boolean isOutdated() {
    ActivePlan current = plan;
    return current != null && current.outdated;
  }

  /**
   * Whether the attempt with this claim may start now: the plan in effect lets it start, and the current
   * headroom covers all claims together.
   *
   * @param claim may be null
   */
  public boolean isSafe(HeadroomClaim claim, long now) {
    ActivePlan current = planOf(claim);
    return current != null && claim.isPass() && current.isValid(now) && !current.outdated
        && claim.isCovered();
  }

  /** Whether the plan in effect lets the attempt with this claim start. */
  public boolean hasPass(HeadroomClaim claim) {
    ActivePlan current = planOf(claim);
    return current != null && claim.isPass() && !current.outdated;
  }

  /** Whether the attempt with this claim waits for its user's limit, and holds back no other. */
  public boolean isPassedOver(HeadroomClaim claim) {
    return claim != null && claim.isPassedOver() && planOf(claim) != null;
  }

  /**
   * Whether a slot of the queue has to wait, because queues have started more applications than they have
   * slots and another driver could use up the room for the largest container.
   *
   * @param owner the queue
   * @param partition the partition of the driver
   */
  public boolean holdsSlots(Object owner, String partition, long now) {
    ActivePlan current = plan;
    return current != null && current.isValid(now)
        && current.starts.isCrowdedBeside(owner) && (current.outdated || current.starts.isTight(partition));
  }

  /** Whether the plan in effect, outdated or not, expects that the attempt with this claim starts. */
  public boolean isExpected(HeadroomClaim claim) {
    return claim != null && !claim.isPassedOver() && planOf(claim) != null;
  }

  /** The driver of the attempt was allocated, so it no longer needs headroom. */
  public synchronized void started(Object item, HeadroomClaim claim) {
    if (startedMeanwhile != null) {
      startedMeanwhile.add(item);
    }
    ActivePlan current = plan;
    if (current == null) {
      return;
    }
    if (isExpected(claim)) {
      claim.subtractDriver();
    } else {
      current.outdated = true;
    }
  }

  /**
   * The attempt with this claim is running or was removed. Only the first call has an effect.
   *
   * @param hadDriver whether {@link #started} was called for it
   */
  public void ended(HeadroomClaim claim, boolean hadDriver) {
    if (claim == null) {
      // Without a plan, no queue waits for the lock of all.
      return;
    }
    synchronized (this) {
      ActivePlan current = planOf(claim);
      if (current != null) {
        current.claims.remove(claim);
        if (!hadDriver) {
          claim.subtractDriver();
        }
        claim.subtractFirstStage();
      }
    }
  }

  /** The plan in effect if it contains the claim, else null. */
  private ActivePlan planOf(HeadroomClaim claim) {
    // Read once: another thread may activate or cancel a plan.
    ActivePlan current = plan;
    return current != null && claim != null && current.claims.contains(claim) ? current : null;
  }
}
