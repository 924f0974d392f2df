// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The attempts that were given to the scheduler where scheduling is asynchronous: their drivers may have
 * been proposed, and are allocated some time later (docs/design.md#a-policy-cannot-veto-a-commit). An
 * attempt takes a slot while the scheduler says that its driver is proposed. From other queues of its group
 * it also does for a moment after it was given, until all threads that were given it have come back for the
 * next one, and the scheduler was asked again since. Used with the lock of its group.
 */
final class Leases<T> {

  /** How long an attempt counts after it was given: longer than a commit mostly takes; in milliseconds. */
  static final long LONGEST = 100;
  /** Longer than a walk takes until it proposes the attempt that it was given; in milliseconds. */
  static final long WALK = 500;
  /** After this time, in milliseconds, the scheduler has lost the proposal. */
  static final long LOST = 10_000;
  private static final long NEVER = Long.MIN_VALUE;

  private static final class Lease {
    private long since;
    private long given;
    /** The threads of the scheduler that were given the attempt, and have not come back. */
    private final Set<Object> walkers = new HashSet<>(4);
    /** The greatest number of a decision in which one came back. */
    private long cameBack;
    private long proposedSince = NEVER;

    /** Whether no walk that was given the attempt is still about to propose it. */
    boolean isOver(long now) {
      return walkers.isEmpty() || now - given >= WALK;
    }
  }

  private final Map<QueuedAttempt<T>, Lease> leases = new LinkedHashMap<>();
  private final boolean used;
  private final boolean told;

  /**
   * @param asynchronous whether the scheduler allocates a driver some time after it has chosen it
   * @param told whether the scheduler tells what it has proposed: it tells of the default partition alone
   */
  Leases(boolean asynchronous, boolean told) {
    this.used = asynchronous;
    this.told = told;
  }

  /** Whether drivers may be proposed that are not allocated; else there are no leases. */
  boolean areUsed() {
    return used;
  }

  /** @param walker the thread that is about to be given the attempt; null if it was proposed before */
  void give(QueuedAttempt<T> attempt, Object walker, long now) {
    Lease lease = leases.computeIfAbsent(attempt, a -> new Lease());
    // One that is given again and again counts once, or it would hold others for ever.
    if (lease.isOver(now)) {
      lease.since = now;
      lease.walkers.clear();
    }
    lease.given = now;
    if (walker != null) {
      lease.walkers.add(walker);
    }
  }

  /** This thread has not placed the attempt. Who has looked before this decision may not know why. */
  void cameBack(QueuedAttempt<T> attempt, Object walker, long decision) {
    Lease lease = leases.get(attempt);
    if (lease != null) {
      lease.walkers.remove(walker);
      lease.cameBack = Math.max(lease.cameBack, decision);
    }
  }

  /** The attempt waits no more. */
  void remove(QueuedAttempt<T> attempt) {
    leases.remove(attempt);
  }

  /** The others, to be looked at before they are counted. */
  List<QueuedAttempt<T>> beside(QueuedAttempt<T> attempt) {
    List<QueuedAttempt<T>> others = new ArrayList<>(leases.keySet());
    others.remove(attempt);
    return others;
  }

  /** Whether the scheduler has proposed the driver of the attempt. */
  void looked(QueuedAttempt<T> attempt, boolean proposed, long decision, long now) {
    Lease lease = leases.get(attempt);
    if (lease == null || !proposed && decision < lease.cameBack) {
      return;
    }
    if (proposed && told) {
      lease.proposedSince = lease.proposedSince == NEVER ? now : lease.proposedSince;
    } else {
      lease.proposedSince = NEVER;
      if (lease.isOver(now)) {
        leases.remove(attempt);
      }
    }
  }

  /**
   * The number of other attempts that take slots from this one. Those with an exhausted starting time do so
   * only from each other.
   */
  int taken(QueuedAttempt<T> from, long now) {
    int taken = 0;
    for (Map.Entry<QueuedAttempt<T>, Lease> other : leases.entrySet()) {
      QueuedAttempt<T> attempt = other.getKey();
      Lease lease = other.getValue();
      boolean counts = lease.proposedSince != NEVER ? now - lease.proposedSince < LOST
          : attempt.owner != from.owner && now - lease.since < LONGEST;
      if (attempt != from && counts && !attempt.reserved
          && (!attempt.isExhausted() || from.isExhausted())) {
        taken++;
      }
    }
    return taken;
  }

  /** Adds those that were given at least {@link #WALK} ago: no walk is still about to propose them. */
  void addTo(Collection<QueuedAttempt<T>> all, long now) {
    leases.forEach((attempt, lease) -> {
      if (now - lease.given >= WALK) {
        all.add(attempt);
      }
    });
  }
}
