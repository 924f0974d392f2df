// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.LinkedHashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The attempts of one queue whose drivers request the same node partition, by state, and the memory of
 * their line. Used with the lock of its group, except for volatile fields.
 *
 * @param <T> the type that represents an application attempt
 */
final class Line<T> {

  private static final long NOT_HELD = Long.MIN_VALUE;

  final String partition;
  /** The slots for which the attempts compete, perhaps with those of other queues. */
  final SlotPool<T> pool;
  final WaitingAttempts<T> waiting = new WaitingAttempts<>();
  /**
   * The waiting attempts that had a reserved driver when last read; YARN allocates it without a callback.
   */
  final NavigableMap<OrderKey, QueuedAttempt<T>> reserved = new TreeMap<>();
  final Set<QueuedAttempt<T>> starting = new LinkedHashSet<>();
  /** An attempt of the highest priority among the starting ones that take a slot; null if there is none. */
  private QueuedAttempt<T> mostUrgent;

  LineMemory memory;
  private boolean adopted;
  private volatile boolean othersStart;
  private volatile long startsHeldUntil = NOT_HELD;
  /** What the plan of {@code max-starting} = {@code auto} says; read without the lock, too. */
  volatile LinePlan<T> plan = LinePlan.none();
  private QueuedAttempt<T> offered;
  /** Identifies the period of the current head. */
  Object headPeriod = new Object();

  Line(String partition, SlotPool<T> pool) {
    this.partition = partition;
    this.pool = pool;
    setMemory(new LineMemory(pool.heartbeat));
  }

  /**
   * Whether a walk for a node of that partition tries the attempts of this line. On nodes of another
   * partition YARN tries them at most because the label is shared, so such a walk proves nothing.
   */
  boolean isWalked(String walked) {
    return partition.equals(walked);
  }

  private void setMemory(LineMemory ofLine) {
    memory = ofLine;
    pool.inherit(ofLine.trials);
  }

  /** The trials of all attempts that compete for the same slots. */
  Trials trials() {
    return pool.trials();
  }

  /**
   * For a time no attempt starts beside another, because one was taken back.
   *
   * @param others whether attempts of other queues are starting, so that none starts here
   * @param until the end of that time, unless it is renewed
   */
  void holdStarts(boolean others, long until) {
    othersStart = others;
    startsHeldUntil = until;
  }

  void releaseStarts() {
    startsHeldUntil = NOT_HELD;
  }

  /** Whether no attempt starts beside another, because one was taken back. */
  boolean areStartsHeld(long now) {
    long until = startsHeldUntil;
    return until != NOT_HELD && now - until < 0;
  }

  /**
   * The number of attempts that may be starting.
   *
   * @param most the number unless starts are held
   */
  int slots(int most, long now) {
    return areStartsHeld(now) ? othersStart ? 0 : 1 : plan.isClosed(now) ? 0 : most;
  }

  void setPlan(LinePlan<T> next) {
    next.takeOver(plan);
    plan = next;
  }

  /** Some take a slot from now on, or do not any more. */
  void recount() {
    mostUrgent = null;
    for (QueuedAttempt<T> attempt : starting) {
      if (attempt.takesSlot() && (mostUrgent == null
          || attempt.submitted.priority() > mostUrgent.submitted.priority())) {
        mostUrgent = attempt;
      }
    }
    pool.starting.recount();
  }

  /**
   * Whether this attempt is more urgent than all starting ones of its queue, or than a reserved driver:
   * their slots do not bind it. Mostly it is not, and nothing else has to be looked at.
   */
  boolean isMoreUrgent(QueuedAttempt<T> next) {
    QueuedAttempt<T> holder =
        mostUrgent != null ? mostUrgent : reserved.isEmpty() ? null : reserved.lastEntry().getValue();
    return next != null && holder != null && holder.yieldsTo(next);
  }

  /**
   * The number of slots that are taken from this attempt. Those that less urgent ones of its queue hold do
   * not count, unless one that is as urgent holds one, too: beyond the slots, one starts for each priority.
   *
   * @param reservedTaken the number of reserved drivers that take slots
   */
  int takenFrom(QueuedAttempt<T> next, int reservedTaken) {
    int taken = reservedTaken + pool.starting.takenFrom(next);
    if (!isMoreUrgent(next)) {
      return taken;
    }
    int yielding = 0;
    boolean isAsUrgent = false;
    for (QueuedAttempt<T> attempt : reserved.values()) {
      if (reservedTaken > 0 && attempt != next && attempt.takesSlot()) {
        yielding += attempt.yieldsTo(next) ? 1 : 0;
        isAsUrgent |= !attempt.yieldsTo(next);
      }
    }
    for (QueuedAttempt<T> attempt : starting) {
      if (attempt.takesSlot() && attempt.holds(next)) {
        yielding += attempt.yieldsTo(next) ? 1 : 0;
        isAsUrgent |= !attempt.yieldsTo(next);
      }
    }
    return isAsUrgent ? taken : taken - yielding;
  }

  void addStarting(QueuedAttempt<T> attempt) {
    attempt.fullQueue = "";
    starting.add(attempt);
    pool.starting.add(attempt);
    recount();
  }

  void removeStarting(QueuedAttempt<T> attempt) {
    if (starting.remove(attempt)) {
      pool.starting.remove(attempt);
      plan.remove(attempt);
      recount();
    }
  }

  void addReserved(QueuedAttempt<T> attempt) {
    attempt.reserved = true;
    reserved.put(attempt.submitted, attempt);
    pool.addReserved(attempt);
  }

  void removeReserved(QueuedAttempt<T> attempt) {
    attempt.reserved = false;
    if (reserved.remove(attempt.submitted, attempt)) {
      pool.removeReserved(attempt);
    }
  }

  /**
   * Sets the head of the line.
   *
   * @param next null if none is offered any more
   * @return whether the head has changed
   */
  boolean setOffered(QueuedAttempt<T> next) {
    if (next == null) {
      memory.vain.pause();
    }
    if (offered == next || next != null && next.gone) {
      return false;
    }
    headPeriod = new Object();
    offered = next;
    return true;
  }

  void startWaiting(QueuedAttempt<T> attempt, long now) {
    LineMemory known = attempt.history.line();
    if (known != null && !adopted) {
      // Passed on from the ordering that this one replaces.
      adopted = true;
      setMemory(known);
    }
    if (attempt.isLate()) {
      if (known == null) {
        resetTrials(now);
      }
      waiting.stalled.add(attempt);
    } else {
      waiting.inLine.add(attempt);
    }
    pool.added(attempt, waiting);
    attempt.history.setLine(memory);
  }

  void stopWaiting(QueuedAttempt<T> attempt) {
    forget(attempt);
    if (waiting.size() == 0) {
      memory.vain.reset();
    }
  }

  /** The attempt waits in another line from now on, which may have the memory of this one. */
  void forget(QueuedAttempt<T> attempt) {
    pool.forget(attempt);
    waiting.remove(attempt);
    removeReserved(attempt);
    plan.remove(attempt);
    if (offered == attempt) {
      // No attempt is offered until the next decision.
      offered = null;
    }
  }

  /**
   * Marks the attempt as stalled, so that it no longer holds back others, if it is still waiting.
   *
   * @return whether it was not stalled before
   */
  boolean stall(QueuedAttempt<T> attempt, long now) {
    if (attempt.gone || attempt.lane != State.ACCEPTED) {
      return false;
    }
    attempt.history.stalled = true;
    if (!waiting.inLine.remove(attempt)) {
      return false;
    }
    resetTrials(now);
    waiting.stalled.add(attempt);
    pool.added(attempt, waiting);
    return true;
  }

  /** Whether an attempt of another queue has stalled and has trials. */
  boolean isAnyStalledBeside() {
    return pool.isShared() && pool.lines.isAnyStalledBeside(waiting);
  }

  /** Before the first attempt has stalled. */
  private void resetTrials(long now) {
    if (waiting.stalled.isEmpty() && !isAnyStalledBeside()) {
      trials().reset(now);
    }
  }
}
