// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Decides which attempts of a queue have stalled, and which lines are open. Two times count, each up to
 * {@code accepted-timeout}: the time that an attempt was tried in vain as the head ({@link
 * AttemptHistory#vain}), after which it has stalled, and the time that all heads of a line were tried in
 * vain ({@link LineMemory#vain}), after which the line is open. Both run only while the scheduler tries
 * ({@link VainTime}). The allocation of a driver resets the time of its line.
 *
 * <p>Safe for use by any thread. {@link #isOpen}, {@link #hasLast} and methods with {@code Questions} are
 * called with the lock of the group, others without it unless they say otherwise.
 *
 * @param <T> the type that represents an application attempt
 */
final class LineClock<T> {

  private final QueueSettings settings;
  private final QueueLanes<T> lanes;

  LineClock(QueueSettings settings, QueueLanes<T> lanes) {
    this.settings = settings;
    this.lanes = lanes;
  }

  /**
   * Whether the line is open, which means that every accepted attempt is offered, because heads have held
   * the line in vain for {@code accepted-timeout}.
   */
  boolean isOpen(Line<T> line) {
    long timeout = settings.acceptedTimeout();
    return timeout > 0 && line.memory.vain.millis() >= timeout;
  }

  /** Whether any attempt of the line is offered after all others. */
  boolean hasLast(Line<T> line) {
    return !line.waiting.stalled.isEmpty() || isOpen(line);
  }

  /** The longest time between trials in milliseconds; a trial comes sooner if other attempts start. */
  long timeBetweenTrials() {
    long timeout = settings.acceptedTimeout();
    return timeout > 0 ? timeout : QueueSettings.DEFAULTS.acceptedTimeout();
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
    boolean stalls;
    synchronized (lanes.lock()) {
      line.memory.vain.tried(line.memory, now);
      attempt.history.vain.tried(line.headPeriod, now);
      stalls = isOpen(line) && !attempt.isLate();
    }
    if (stalls) {
      stallNow(attempt, now);
    }
  }

  /** Asked for once in a millisecond, in which many nodes may have heartbeats: the limit is computed. */
  private boolean isExcused(QueuedAttempt<T> attempt, long now) {
    if (attempt.excusedAt != now) {
      if (!attempt.isSkipped(now)) {
        return false;
      }
      attempt.excusedAt = now;
    }
    return true;
  }

  /**
   * The attempt stalls if it has been tried in vain for {@code accepted-timeout}; in a decision.
   *
   * @return whether other attempts come before it now
   */
  boolean isLate(QueuedAttempt<T> attempt, Questions<T> questions) {
    if (!attempt.isLate() && isTimeUp(attempt)) {
      questions.stall(attempt);
    }
    return attempt.isLate();
  }

  private boolean isTimeUp(QueuedAttempt<T> attempt) {
    return settings.acceptedTimeout() > 0 && attempt.history.vain.millis() >= settings.acceptedTimeout();
  }

  private static <T> void stallNow(QueuedAttempt<T> attempt, long now) {
    if (attempt.owner.stall(attempt, now)) {
      attempt.owner.tellStalled(attempt);
    }
  }

  /**
   * The attempt's driver is reserved and not allocated; this continues its time in vain. It stalls as if
   * it were tried in an open line, once reserved drivers of the group have held slots in vain for {@code
   * accepted-timeout}, in whatever queue they are.
   */
  void waitsForReserved(QueuedAttempt<T> attempt, long now) {
    tried(attempt, now);
    boolean stalls;
    synchronized (lanes.lock()) {
      SlotPool<T> pool = lanes.of(attempt).pool;
      if (!attempt.isExhausted()) {
        pool.reservedInVain(now);
      }
      stalls = !attempt.isLate()
          && (isTimeUp(attempt) || pool.isReservedInVain(settings.acceptedTimeout()));
    }
    if (stalls) {
      stallNow(attempt, now);
    }
  }

  /**
   * A container of the attempt, or the attempt itself, has ended, and leaves room for a trial.
   *
   * @param node the partition of its node; null if it is unknown
   */
  void released(QueuedAttempt<T> attempt, Supplier<String> node) {
    forTrials(attempt, node, Trials::released);
    lanes.group().forNode(pool -> !pool.overdue.isEmpty(), node, attempt.partition,
        pool -> pool.overdue.released());
  }

  /** The attempt, which is past its wait, got a container on a node of that partition. */
  void allocated(QueuedAttempt<T> attempt, Supplier<String> node) {
    forTrials(attempt, node, Trials::allocated);
  }

  /**
   * Updates the trials of the node's partition; where no attempt is late, there are none. What queues of a
   * group release leaves room for late attempts of all of them, also if their own attempts request other
   * partitions.
   */
  private void forTrials(QueuedAttempt<T> attempt, Supplier<String> node, Consumer<Trials> update) {
    lanes.group().forNode(pool -> pool.isShared() && pool.lines.isAnyStalledBeside(null)
        || lanes.lines().stream().anyMatch(line -> line.pool == pool && hasLast(line)),
        node, attempt.partition, pool -> update.accept(pool.trials()));
  }

  /**
   * The attempt's driver has just been allocated. Attempts that it overtook in an open line have stalled.
   */
  void driverAllocated(QueuedAttempt<T> attempt, long now) {
    Questions<T> questions = new Questions<T>(lanes.lock(), now).begin();
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
      if (isOpen(line) && !attempt.isLate()) {
        before.addAll(line.waiting.inLine.bySubmission().headMap(attempt.submitted, false).values());
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
    boolean othersWait = onTrial && line.pool.isAnyPendingBeside(attempt.owner, questions);
    if (questions.isOpen()) {
      return;
    }
    boolean open = isOpen(line);
    overtaken.forEach(questions::stall);
    if (attempt.isExhausted()) {
      // It came after all others, so its driver says nothing about them.
      line.trials().driverAllocated();
      return;
    }
    long timeout = settings.acceptedTimeout();
    line.memory.driverAllocated(stalled, open ? timeout - timeout / Trials.SHARE : 0);
    line.trials().driverAllocated(onTrial, othersWait, questions.now);
    line.pool.driverAllocated(attempt, timeout, questions.now);
  }
}
