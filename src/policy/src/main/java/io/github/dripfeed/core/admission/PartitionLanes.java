// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * The attempts of one queue whose drivers request the same node partition, by state, and the memory of
 * their line. {@link AdmissionLanes} moves attempts between lanes. Readers take no lock and may meet an
 * attempt slightly too early or too late, so they check its state.
 *
 * @param <T> the type that represents an application attempt
 */
final class PartitionLanes<T> {

  final AttemptLane<T> waiting = new AttemptLane<>();
  final AttemptLane<T> stalled = new AttemptLane<>();
  /**
   * The waiting attempts that had a reserved driver; a reserved driver may become live without a
   * callback.
   */
  final AttemptLane<T> reserved = new AttemptLane<>();
  final StartingLane<T> starting = new StartingLane<>();

  private static final long NOT_HELD = Long.MIN_VALUE;

  private final String partition;
  /** The slots for which the attempts compete, perhaps with those of other queues. */
  private final GroupLane<T> group;
  private final GroupIndex.LaneReference<T> waitingInGroup;
  private final GroupIndex.LaneReference<T> stalledInGroup;
  private volatile LineMemory memory;
  private volatile boolean adopted;
  private volatile boolean othersStart;
  private volatile long startsHeldUntil = NOT_HELD;
  private volatile LinePlan<T> plan = new LinePlan<>();
  private volatile QueuedAttempt<T> offered;
  /** Identifies the period of the current head. */
  private volatile Object headPeriod = new Object();

  /** @param isFirst whether the ordering is the first one of its queue since the scheduler started */
  PartitionLanes(String partition, GroupLane<T> group, boolean isFirst) {
    this.partition = partition;
    this.group = group;
    this.waitingInGroup = group.waiting().reference(waiting);
    this.stalledInGroup = group.stalled().reference(stalled);
    setMemory(new LineMemory(isFirst, group.heartbeat()));
  }

  String partition() {
    return partition;
  }

  /** The slots for which the attempts compete, perhaps with those of other queues. */
  GroupLane<T> group() {
    return group;
  }

  LineMemory memory() {
    return memory;
  }

  private void setMemory(LineMemory ofLine) {
    memory = ofLine;
    group.inherit(ofLine.slots());
  }

  /** The memory of the slots for which the attempts compete. */
  SlotMemory slots() {
    return group.memory();
  }

  /** Whether the queues of the group take turns in giving attempts to the scheduler. */
  boolean takesTurns() {
    return group.turn() != null;
  }

  /** A scheduling thread begins to walk along the offer. */
  void visited() {
    if (takesTurns()) {
      group.turn().visited(waitingInGroup);
    }
  }

  /** The drivers that may have been proposed; null if the scheduler does not tell which are. */
  Proposals<T> proposals() {
    return group.proposals();
  }

  /** Whether it is not the turn of another queue. */
  boolean takeTurn(QueuedAttempt<T> attempt, long now) {
    if (!group.turn().take(waitingInGroup, attempt, now)) {
      return false;
    }
    QueuedAttempt<T> before = group.turn().givenBefore();
    if (before != null && !before.gone) {
      // Its driver may be allocated, and the policy not yet told.
      before.owner().checkDriver(before, now);
    }
    return true;
  }

  /** The scheduler has not placed this attempt, which it was given last. */
  void cameBack(QueuedAttempt<T> attempt, long now) {
    if (takesTurns()) {
      group.turn().cameBack();
    }
    if (proposals() != null) {
      proposals().cameBack(attempt, now);
    }
  }

  /** Whether an attempt of another queue of the group has stalled and has trials. */
  boolean isAnyStalledBeside() {
    return group.stalled().isAnyBeside(stalled, attempt -> !attempt.isExhausted());
  }

  /**
   * Whether an attempt that waits in another queue of the group, and has not stalled, could get its driver
   * now.
   */
  boolean isAnyPendingBeside(QueuedAttempt.Owner<T> own, long now) {
    return group.waiting().isAnyBeside(waiting, attempt -> true)
        && group.pendingWaiting().isAnyBeside(own, now);
  }

  /** Whether a stalled attempt of another queue of the group could get its driver now. */
  boolean isAnyStalledPendingBeside(QueuedAttempt.Owner<T> own, long now) {
    return group.stalled().isAnyBeside(stalled, attempt -> true)
        && group.pendingStalled().isAnyBeside(own, now);
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
    return areStartsHeld(now) ? othersStart ? 0 : 1 : most;
  }

  /** What the plan of {@code max-starting} = {@code auto} says. */
  LinePlan<T> plan() {
    return plan;
  }

  void setPlan(LinePlan<T> next) {
    next.takeOver(plan);
    plan = next;
    next.removeGone();
  }

  /** A starting attempt takes a slot from now on, or takes none any more. */
  void recountStarting() {
    starting.recount();
    group.starting().recount();
  }

  /** The starting attempts that may take a slot, of all queues of the group. */
  StartingLane<T> competing() {
    return group.starting();
  }

  /**
   * Whether this attempt is more urgent than all starting ones of its queue, or than a reserved driver:
   * their slots do not bind it. Mostly it is not, and nothing else has to be looked at.
   */
  boolean isMoreUrgent(QueuedAttempt<T> next) {
    QueuedAttempt<T> most = starting.mostUrgent();
    QueuedAttempt<T> holder = most == null ? reserved.last() : most;
    return next != null && holder != null && holder.yieldsTo(next);
  }

  /**
   * The number of slots that are taken from this attempt. Those that less urgent ones of its queue hold do
   * not count, unless one that is as urgent holds one, too: beyond the slots, one starts for each priority.
   *
   * @param reservedTaken the number of reserved drivers that take slots
   */
  int takenFrom(QueuedAttempt<T> next, int reservedTaken) {
    if (!isMoreUrgent(next)) {
      return reservedTaken + competing().takenFrom(next);
    }
    int taken = reservedTaken;
    int yielding = 0;
    boolean isAsUrgent = false;
    for (QueuedAttempt<T> attempt : reserved.attempts()) {
      if (reservedTaken > 0 && attempt != next && attempt.takesSlot()) {
        yielding += attempt.yieldsTo(next) ? 1 : 0;
        isAsUrgent |= !attempt.yieldsTo(next);
      }
    }
    for (QueuedAttempt<T> attempt : competing().attempts()) {
      if (attempt.takesSlot() && attempt.holds(next)) {
        taken++;
        yielding += attempt.yieldsTo(next) ? 1 : 0;
        isAsUrgent |= attempt.owner() == next.owner() && !attempt.yieldsTo(next);
      }
    }
    return isAsUrgent ? taken : taken - yielding;
  }

  void addStarting(QueuedAttempt<T> attempt) {
    starting.add(attempt);
    group.addStarting(attempt);
  }

  void removeStarting(QueuedAttempt<T> attempt) {
    starting.remove(attempt);
    group.removeStarting(attempt);
    plan.remove(attempt);
  }

  /** The attempt is removed for good. */
  void withdraw(QueuedAttempt<T> attempt) {
    removeStarting(attempt);
    group.withdraw(attempt);
  }

  void addReserved(QueuedAttempt<T> attempt) {
    reserved.add(attempt);
    group.addReserved(attempt);
  }

  void removeReserved(QueuedAttempt<T> attempt) {
    reserved.remove(attempt);
    group.removeReserved(attempt);
  }

  /** Whether no attempt is starting, waiting or stalled. */
  boolean isEmpty() {
    return starting.size() == 0 && waiting.isEmpty() && stalled.isEmpty();
  }

  /** The number of waiting attempts, stalled or not. */
  int size() {
    return waiting.size() + stalled.size();
  }

  /** Any attempt of the line: the first one that waits or, if none does, that has stalled; else null. */
  QueuedAttempt<T> first() {
    QueuedAttempt<T> next = waiting.first();
    return next == null ? stalled.first() : next;
  }

  /** The next attempt in line, regardless of slots and reservations; null if none waits. */
  QueuedAttempt<T> firstWaiting() {
    return waiting.first();
  }

  /** The next attempt in line that is not waiting because it was taken back; null if there is none. */
  QueuedAttempt<T> nextWaiting(long now) {
    return waiting.next(now);
  }

  /**
   * Sets the head of the line.
   *
   * @param next null if none is offered any more
   * @return whether the head has changed
   */
  boolean setOffered(QueuedAttempt<T> next) {
    if (next == null) {
      memory.vain().pause();
    }
    if (offered == next) {
      return false;
    }
    synchronized (this) {
      if (offered == next) {
        return false;
      }
      headPeriod = new Object();
      offered = next;
    }
    return true;
  }

  /** Identifies the period in which any attempt is offered. */
  Object offerPeriod() {
    return memory;
  }

  /** Identifies the period of the current head. */
  Object headPeriod() {
    return headPeriod;
  }

  /** The waiting attempt with this key, stalled or not; null if there is none. */
  QueuedAttempt<T> find(OrderKey key) {
    QueuedAttempt<T> late = key == null ? null : stalled.bySubmission().get(key);
    return late != null || key == null ? late : waiting.bySubmission().get(key);
  }

  /** The waiting attempt at which the last walk ended; null if it ended at none. */
  QueuedAttempt<T> endOf(WalkPosition position) {
    return position.isEnded() ? find(position.last()) : null;
  }

  void startWaiting(QueuedAttempt<T> attempt, long now) {
    LineMemory known = attempt.history.line();
    if (known != null && !adopted) {
      // Passed on from the ordering that this one replaces.
      adopted = true;
      setMemory(known);
    }
    if (attempt.isLate()) {
      if (known == null && stalled.isEmpty()) {
        resetTrials(now);
      }
      addStalled(attempt);
    } else {
      waiting.add(attempt);
      group.waiting().added(waitingInGroup);
      group.pendingWaiting().added(attempt);
    }
    attempt.history.setLine(memory);
  }

  void stopWaiting(QueuedAttempt<T> attempt) {
    if (proposals() != null) {
      proposals().remove(attempt);
    }
    removeWaiting(attempt);
    removeStalled(attempt);
    removeReserved(attempt);
    plan.remove(attempt);
    if (waiting.isEmpty() && stalled.isEmpty()) {
      memory.vain().reset();
    }
    if (offered == attempt) {
      forgetOffered(attempt);
    }
  }

  /** No attempt is offered until the next decision. */
  private synchronized void forgetOffered(QueuedAttempt<T> attempt) {
    if (offered == attempt) {
      offered = null;
    }
  }

  /** @return whether it was waiting and not stalled before */
  boolean moveToStalled(QueuedAttempt<T> attempt, long now) {
    if (stalled.isEmpty()) {
      resetTrials(now);
    }
    addStalled(attempt);
    return removeWaiting(attempt);
  }

  private void addStalled(QueuedAttempt<T> attempt) {
    stalled.add(attempt);
    if (!attempt.isExhausted()) {
      group.stalled().added(stalledInGroup);
      group.pendingStalled().added(attempt);
    }
  }

  private void removeStalled(QueuedAttempt<T> attempt) {
    if (stalled.remove(attempt)) {
      group.stalled().removed(stalledInGroup, stalled);
    }
  }

  private boolean removeWaiting(QueuedAttempt<T> attempt) {
    boolean removed = waiting.remove(attempt);
    if (removed) {
      group.waiting().removed(waitingInGroup, waiting);
    }
    return removed;
  }

  /** The first attempt stalls. */
  private void resetTrials(long now) {
    if (!isAnyStalledBeside()) {
      slots().trials().reset(now);
    }
  }
}
