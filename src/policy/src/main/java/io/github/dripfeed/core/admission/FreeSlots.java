// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * Whether a starting slot of one line is free, and for whom; and which attempts the plan lets start without
 * one.
 * Methods with {@code Questions} are called in a decision, with the lock of the group.
 *
 * @param <T> the type that represents an application attempt
 */
final class FreeSlots<T> {

  private final Line<T> line;
  private final SlotPool<T> pool;
  private final Lifecycle<T> lifecycle;

  FreeSlots(Line<T> line, Lifecycle<T> lifecycle) {
    this.line = line;
    this.pool = line.pool;
    this.lifecycle = lifecycle;
  }

  /** Whether one is free for the line, whoever is next. */
  boolean isAny(Questions<T> questions) {
    return isAnyFor(line.waiting.first(), false, 0, questions);
  }

  /**
   * Whether the starting attempts and the reserved drivers leave a slot free for this attempt.
   *
   * @param urgent whether slots of those that are less urgent do not bind it
   * @param proposed the number of drivers that are proposed, and take slots, too
   */
  boolean isAnyFor(QueuedAttempt<T> next, boolean urgent, int proposed, Questions<T> questions) {
    int held = proposed + pool.reservedTaken();
    int taken = urgent ? line.takenFrom(next, held) : held + pool.starting.takenFrom(next);
    return !lifecycle.isReplaced()
        && taken < line.slots(lifecycle.settings.maxStarting(), questions.now)
        && !pool.doExecutorsComeFirst(next, urgent, questions);
  }

  /**
   * Whether there is one for an attempt that is more urgent than those that hold slots. With {@code
   * max-starting=auto} the plan decides who starts beside others: it knows for whom there is room.
   */
  boolean isAnyBeyond(QueuedAttempt<T> next, Questions<T> questions) {
    return line.isMoreUrgent(next) && !lifecycle.settings.isAuto()
        && !line.areStartsHeld(questions.now) && isAnyFor(next, true, 0, questions);
  }

  /** Exhausted attempts take no slot from others, but compete with each other. */
  boolean isAnyForExhausted(int proposed) {
    return proposed + pool.starting.size() + pool.reserved.size() < lifecycle.settings.maxStarting();
  }

  /**
   * The plan by which attempts may start now, which may be one without passes. It is asked for without the
   * lock.
   */
  LinePlan<T> plan(long now) {
    return starting(validPlan(now), now);
  }

  /** The plan if attempts may start by it; else one without passes. */
  LinePlan<T> starting(LinePlan<T> plan, long now) {
    return line.areStartsHeld(now) || lifecycle.isReplaced() ? LinePlan.none() : plan;
  }

  /** The plan that is in effect, which may be one without passes; asked for without the lock. */
  LinePlan<T> validPlan(long now) {
    LinePlan<T> plan = line.plan;
    try {
      return plan.isValid(now) ? plan : LinePlan.none();
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return LinePlan.none();
    }
  }
}
