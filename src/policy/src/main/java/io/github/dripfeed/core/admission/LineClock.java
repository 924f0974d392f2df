// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Which attempts of a queue have stalled, and which lines are open. Two times count, each up to {@code
 * accepted-timeout}: the time that an attempt was tried in vain as the head ({@link AttemptHistory#vain}),
 * after which it has stalled, and the time that all heads of a line were tried in vain ({@link
 * LineMemory#vain}), after which the line is open. Both run only while the scheduler tries ({@link
 * VainTime}). The allocation of a driver resets the time of its line.
 *
 * <p>Safe for use by any thread. Called without the lock of the group.
 */
final class LineClock<T> {

  private final QueueLanes<T> lanes;

  LineClock(QueueLanes<T> lanes) {
    this.lanes = lanes;
  }

  /**
   * The scheduler tries to place the attempt's driver, or has reserved a node for it; this continues its
   * time in vain, unless it is tried in vain because of its user limit.
   */
  void tried(QueuedAttempt<T> attempt, long now) {
    Line<T> line = lanes.of(attempt);
    synchronized (lanes.lock()) {
      if (line.memory.vain.isCurrent(line.memory, now)
          && attempt.history.vain.isCurrent(line.headPeriod, now)) {
        return;
      }
    }
    // Late ones are tried here only on trial, which has none at its limit, or with a reservation.
    if (!attempt.isLate() && isExcused(attempt, now)) {
      return;
    }
    Runnable event;
    synchronized (lanes.lock()) {
      line.memory.vain.tried(line.memory, now);
      attempt.history.vain.tried(line.headPeriod, now);
      event = line.isOpen() && !attempt.isLate() ? attempt.owner.stall(attempt, now) : null;
    }
    tell(event);
  }

  /** Asked for once in a millisecond, in which many nodes may have heartbeats: the limit is computed. */
  private boolean isExcused(QueuedAttempt<T> attempt, long now) {
    if (attempt.excusedAt != now && attempt.isSkipped(now)) {
      attempt.excusedAt = now;
    }
    return attempt.excusedAt == now;
  }

  private static void tell(Runnable event) {
    if (event != null) {
      event.run();
    }
  }

  /**
   * The attempt's driver is reserved and not allocated; this continues its time in vain. It stalls as if
   * it were tried in an open line, once reserved drivers of the group have held slots in vain for {@code
   * accepted-timeout}, in whatever queue they are.
   */
  void waitsForReserved(QueuedAttempt<T> attempt, long now) {
    tried(attempt, now);
    Runnable event;
    synchronized (lanes.lock()) {
      Line<T> line = lanes.of(attempt);
      if (!attempt.isExhausted()) {
        line.pool.reservedInVain(now);
      }
      boolean stalls = !attempt.isLate() && (line.isTimeUp(attempt)
          || line.pool.isReservedInVain(lanes.settings.acceptedTimeout()));
      event = stalls ? attempt.owner.stall(attempt, now) : null;
    }
    tell(event);
  }

  /** Something of the attempt has ended on a node of that partition, and leaves room for a trial. */
  void released(QueuedAttempt<T> attempt, Supplier<String> node) {
    lanes.group().forNode(
        pool -> hasTrials(pool) || !pool.overdue.attempts.isEmpty(), node, attempt.partition, pool -> {
          if (hasTrials(pool)) {
            pool.trials().released();
          }
          pool.overdue.released();
        });
  }

  /** The attempt, which is past its wait, got a container on a node of that partition. */
  void allocated(QueuedAttempt<T> attempt, Supplier<String> node) {
    lanes.group().forNode(this::hasTrials, node, attempt.partition, pool -> pool.trials().allocated());
  }

  /**
   * Where no attempt is late, there are none. What queues of a group release leaves room for late attempts
   * of all of them, also if their own attempts request other partitions.
   */
  private boolean hasTrials(SlotPool<T> pool) {
    return pool.lines.isAnyStalledBeside(null)
        || lanes.lines().stream().anyMatch(line -> line.pool == pool && line.hasLast());
  }

  /**
   * The attempt's driver has just been allocated. Attempts that it overtook in an open line have stalled.
   */
  void driverAllocated(QueuedAttempt<T> attempt, long now) {
    Questions<T> questions = new Questions<>(lanes.lock(), now);
    List<QueuedAttempt<T>> overtaken = overtaken(attempt, now);
    questions.decide(() -> {
      driverAllocated(attempt, overtaken, questions);
      return null;
    }, null);
  }

  /** Those of an open line that could have got their drivers before this attempt. */
  private List<QueuedAttempt<T>> overtaken(QueuedAttempt<T> attempt, long now) {
    Line<T> line = lanes.of(attempt);
    List<QueuedAttempt<T>> before = new ArrayList<>();
    synchronized (lanes.lock()) {
      if (line.isOpen() && !attempt.isLate()) {
        before.addAll(line.waiting.inLine.before(attempt.submitted));
      }
    }
    before.removeIf(other -> !other.isPending(now) || other.isSkipped(now));
    return before;
  }

  private void driverAllocated(
      QueuedAttempt<T> attempt, List<QueuedAttempt<T>> overtaken, Questions<T> questions) {
    Line<T> line = lanes.of(attempt);
    boolean stalled = attempt.history.stalled;
    boolean onTrial = stalled && line.trials().isOn(questions.now);
    boolean othersWait = onTrial && line.pool.lines.isAnyPendingBeside(attempt.owner, questions);
    if (questions.isOpen()) {
      return;
    }
    boolean open = line.isOpen();
    overtaken.forEach(questions::stall);
    if (attempt.isExhausted()) {
      // It came after all others, so its driver says nothing about them.
      line.trials().driverAllocated();
      return;
    }
    long timeout = lanes.settings.acceptedTimeout();
    if (!line.plan.has(attempt)) {
      line.memory.startedInSlot = questions.now;
    }
    line.memory.driverAllocated(stalled, open ? Trials.timeKept(timeout) : 0);
    line.trials().driverAllocated(onTrial, othersWait, questions.now);
    line.pool.driverAllocated(attempt, timeout, questions.now);
  }
}
