// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * What the scheduler does with the attempts that one line offers: it is given one after the other, and
 * comes back if it has not placed the driver. Safe for use by any thread; called without the lock.
 *
 * @param <T> the type that represents an application attempt
 */
final class GivenAttempts<T> {

  private final Line<T> line;
  private final Lifecycle<T> lifecycle;
  private final FreeSlots<T> slots;

  GivenAttempts(Line<T> line, Lifecycle<T> lifecycle, FreeSlots<T> slots) {
    this.line = line;
    this.lifecycle = lifecycle;
    this.slots = slots;
  }

  /**
   * The scheduler is about to try to place the driver of the attempt.
   *
   * @param last whether it is offered after all others, or at its position
   * @param walked the partition of the node; null for a reader
   * @return whether it may: no proposal takes the slot; or the rule fails
   */
  boolean give(QueuedAttempt<T> attempt, boolean last, String walked, Questions<T> questions) {
    try {
      // A walk may have begun before another ordering took over, or YARN added the attempt again.
      if (attempt.gone || !mayBeGiven(attempt, walked, questions)) {
        return false;
      }
      if (line.isWalked(walked)) {
        synchronized (lifecycle.lock()) {
          if (last) {
            line.memory.lastPosition.reached(attempt.submitted);
          } else if (!line.waiting.stalled.isEmpty() && line.trials().isOn(questions.now)) {
            line.memory.trialPosition.reached(attempt.submitted);
          }
        }
        if (!last) {
          lifecycle.clock.tried(attempt, questions.now);
        }
      }
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
    }
    return true;
  }

  /**
   * Where drivers are allocated some time after they were proposed, an attempt is given to the scheduler
   * only if those that were given leave a slot. Readers are given nothing.
   */
  private boolean mayBeGiven(QueuedAttempt<T> attempt, String walked, Questions<T> questions) {
    Leases<T> leases = line.pool.leases;
    if (walked == null || leases == null) {
      return true;
    }
    LinePlan<T> plan = slots.plan(questions.now);
    return questions.begin().decide(() -> {
      if (attempt.reserved) {
        return true;
      }
      // What was proposed counts there, or is allocated by now, and counts here.
      leases.beside(attempt).forEach(questions::knows);
      int proposed = leases.taken(attempt, questions.now);
      boolean may = slots.isAnyFor(attempt, true, proposed, questions)
          && (!attempt.isExhausted() || slots.isAnyForExhausted(proposed)) || plan.has(attempt);
      if (may && !questions.isOpen()) {
        leases.give(attempt, questions.now);
      }
      return may;
    }, false);
  }

  /** The scheduler has not placed this attempt, which it was given last. */
  void cameBack(QueuedAttempt<T> attempt, Questions<T> questions) {
    if (line.pool.leases != null) {
      synchronized (lifecycle.lock()) {
        line.pool.leases.cameBack(attempt);
      }
      lifecycle.look(attempt, questions.number(), questions.now);
    }
  }

  /**
   * A walk along the attempts offered last, or on trial, has passed all of them.
   *
   * @param offered the number of attempts; if it is the maximum, the next walk continues from there, and
   *     if none was offered, it continues where the last one stopped
   */
  void passedAll(int offered, String walked, long now) {
    if (line.isWalked(walked) && offered > 0) {
      synchronized (lifecycle.lock()) {
        LineMemory memory = line.memory;
        WalkPosition position =
            line.trials().isOn(now) ? memory.trialPosition : memory.lastPosition;
        if (offered < Scan.MOST) {
          position.reset();
        } else {
          position.passed();
        }
      }
    }
  }
}
