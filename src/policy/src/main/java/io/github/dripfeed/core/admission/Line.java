// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The attempts of one queue whose drivers request the same node partition: who waits, for how long others
 * may be held, and whether a starting slot is free. Used with the lock of its group, except for volatile
 * fields.
 */
final class Line<T> {

  final String partition;
  final QueueSettings settings;
  /** The ordering of the queue. */
  final QueuedAttempt.Owner<T> owner;
  /** The slots for which the attempts compete, perhaps with those of other queues. */
  final SlotPool<T> pool;
  final WaitingAttempts<T> waiting = new WaitingAttempts<>();
  /** An attempt of the highest priority among the starting ones that take a slot; null if there is none. */
  private QueuedAttempt<T> mostUrgent;

  LineMemory memory;
  private boolean adopted;
  private volatile boolean othersStart;
  private volatile long startsHeldUntil = VainTime.NEVER;
  private volatile long closedUntil = VainTime.NEVER;
  /** Whether another ordering takes over the queue. Nobody starts here then. */
  volatile boolean replaced;
  /** What the plan of {@code max-starting} = {@code auto} says; read without the lock, too. */
  volatile LinePlan<T> plan = LinePlan.none();
  private QueuedAttempt<T> offered;
  /** Identifies the period of the current head. */
  Object headPeriod = new Object();
  /** The time of the last search for a trial that user limits left without anybody, and of how many. */
  long foundNobody = VainTime.NEVER;
  int foundNobodyAmong;

  Line(String partition, QueueSettings settings, QueuedAttempt.Owner<T> owner, SlotPool<T> pool) {
    this.partition = partition;
    this.settings = settings;
    this.owner = owner;
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

  // How long others wait for one attempt.

  /** The trials of all attempts that compete for the same slots. */
  Trials trials() {
    return pool.trials();
  }

  /** Whether heads have held it in vain for {@code accepted-timeout}: every attempt is offered then. */
  boolean isOpen() {
    return settings.acceptedTimeout() > 0 && memory.vain.millis() >= settings.acceptedTimeout();
  }

  /** Whether any attempt is offered after all others. */
  boolean hasLast() {
    return !waiting.stalled.isEmpty() || isOpen();
  }

  /** The longest time between trials in milliseconds; a trial comes sooner if other attempts start. */
  long timeBetweenTrials() {
    return settings.acceptedTimeout() > 0
        ? settings.acceptedTimeout() : QueueSettings.DEFAULTS.acceptedTimeout();
  }

  /** Whether it has been tried in vain as the head for {@code accepted-timeout}. */
  boolean isTimeUp(QueuedAttempt<T> attempt) {
    return settings.acceptedTimeout() > 0 && attempt.history.vain.millis() >= settings.acceptedTimeout();
  }

  /** Whether other attempts come before this one, which stalls if its time is up. */
  boolean isLate(QueuedAttempt<T> attempt, Questions<T> questions) {
    if (!attempt.isLate() && isTimeUp(attempt)) {
      questions.stall(attempt);
    }
    return attempt.isLate();
  }

  // The plan.

  void setPlan(LinePlan<T> next) {
    next.takeOver(plan);
    plan = next;
  }

  /**
   * By the plan, nobody starts without a pass.
   *
   * @param until the end of that plan; one that says nothing of it ends nothing, because room that just
   *     came free is taken soon
   */
  void closeSlot(long until) {
    closedUntil = until;
  }

  /** The plan, if attempts may start by it now; else one without passes. */
  LinePlan<T> inEffect(LinePlan<T> valid, long now) {
    return areStartsHeld(now) || replaced ? LinePlan.none() : valid;
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
    startsHeldUntil = VainTime.NEVER;
  }

  boolean areStartsHeld(long now) {
    return now < startsHeldUntil;
  }

  // The slots.

  /** The number of attempts that may be starting. */
  int slots(long now) {
    if (areStartsHeld(now)) {
      return othersStart ? 0 : 1;
    }
    return isClosed(now) ? 0 : settings.maxStarting();
  }

  /** Whether nobody starts without a pass, not even one at a time: for accepted-timeout after the last. */
  private boolean isClosed(long now) {
    return now < closedUntil && now - memory.startedInSlot < settings.acceptedTimeout();
  }

  /** Whether a slot is free for the line, whoever is next. */
  boolean hasSlot(Questions<T> questions) {
    return hasSlotFor(waiting.first(), false, 0, questions);
  }

  /**
   * Whether the starting attempts and the reserved drivers leave a slot free for this attempt.
   *
   * @param urgent whether slots of those that are less urgent do not bind it
   * @param proposed the number of drivers that are proposed, and take slots, too
   */
  boolean hasSlotFor(QueuedAttempt<T> next, boolean urgent, int proposed, Questions<T> questions) {
    int held = proposed + pool.reservedTaken();
    int taken = urgent ? takenFrom(next, held) : held + pool.starting.takenFrom(next);
    return !replaced && taken < slots(questions.now) && !pool.doExecutorsComeFirst(next, urgent, questions);
  }

  /**
   * Whether there is one for an attempt that is more urgent than those that hold slots. With {@code
   * max-starting=auto} the plan decides who starts beside others: it knows for whom there is room.
   */
  boolean hasSlotBeyond(QueuedAttempt<T> next, Questions<T> questions) {
    return isMoreUrgent(next) && !settings.isAuto() && !areStartsHeld(questions.now)
        && hasSlotFor(next, true, 0, questions);
  }

  /** Exhausted attempts take no slot from others, but compete with each other. */
  boolean hasSlotForExhausted(int proposed, long now) {
    return proposed + pool.starting.size() + pool.reserved.size()
        < (areStartsHeld(now) ? 1 : settings.maxStarting());
  }

  /** Some take a slot from now on, or do not any more. */
  void recount() {
    mostUrgent = null;
    for (QueuedAttempt<T> attempt : pool.starting.all()) {
      if (attempt.owner == owner && attempt.takesSlot() && (mostUrgent == null
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
  private boolean isMoreUrgent(QueuedAttempt<T> next) {
    if (next == null || mostUrgent != null || pool.reserved.isEmpty()) {
      return next != null && mostUrgent != null && mostUrgent.yieldsTo(next);
    }
    for (QueuedAttempt<T> attempt : pool.reserved) {
      if (attempt.yieldsTo(next)) {
        return true;
      }
    }
    return false;
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
    int yielding = yielding(pool.starting.all(), next);
    int reservedYielding = reservedTaken == 0 ? 0 : yielding(pool.reserved, next);
    return yielding < 0 || reservedYielding < 0 ? taken : taken - yielding - reservedYielding;
  }

  /** The number of those of its queue that take a slot and yield to it; -1 if one does not yield. */
  private static <T> int yielding(Collection<QueuedAttempt<T>> holders, QueuedAttempt<T> next) {
    int yielding = 0;
    for (QueuedAttempt<T> holder : holders) {
      if (holder.owner == next.owner && holder != next && holder.takesSlot() && holder.holds(next)) {
        if (!holder.yieldsTo(next)) {
          return -1;
        }
        yielding++;
      }
    }
    return yielding;
  }

  // Who holds a slot.

  void addStarting(QueuedAttempt<T> attempt) {
    attempt.fullQueue = "";
    pool.starting.add(attempt);
    recount();
  }

  void removeStarting(QueuedAttempt<T> attempt) {
    // One that nobody managed any more is not in the pool.
    if (pool.starting.remove(attempt) || attempt == mostUrgent) {
      plan.remove(attempt);
      recount();
    }
  }

  /** Its attempts that had a reserved driver at the last look, in order. */
  List<QueuedAttempt<T>> reserved() {
    if (pool.reserved.isEmpty()) {
      return Collections.emptyList();
    }
    List<QueuedAttempt<T>> own = new ArrayList<>(pool.reserved);
    own.removeIf(attempt -> attempt.owner != owner);
    own.sort(Comparator.comparing(attempt -> attempt.submitted));
    return own;
  }

  /** The attempts of other queues of the group whose reserved drivers take slots. */
  List<QueuedAttempt<T>> reservedBeside() {
    List<QueuedAttempt<T>> others = new ArrayList<>(pool.reserved);
    others.removeIf(attempt -> attempt.owner == owner || attempt.isExhausted());
    return others;
  }

  // Who waits.

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
    pool.lines.added(attempt, waiting);
    attempt.history.setLine(memory);
  }

  void stopWaiting(QueuedAttempt<T> attempt) {
    forget(attempt);
    if (waiting.size() == 0) {
      memory.vain.restart(0);
    }
  }

  /** The attempt waits in another line from now on, which may have the memory of this one. */
  void forget(QueuedAttempt<T> attempt) {
    pool.forget(attempt);
    waiting.remove(attempt);
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
    pool.lines.added(attempt, waiting);
    return true;
  }

  /** Whether an attempt of another queue has stalled and has trials. */
  boolean isAnyStalledBeside() {
    return pool.lines.isAnyStalledBeside(waiting);
  }

  /** Before the first attempt has stalled. */
  private void resetTrials(long now) {
    if (waiting.stalled.isEmpty() && !isAnyStalledBeside()) {
      trials().reset(now);
    }
  }
}
