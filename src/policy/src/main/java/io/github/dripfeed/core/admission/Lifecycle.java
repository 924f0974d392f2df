// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.List;

/**
 * Reads what the scheduler knows of the attempts of a queue, moves them from state to state as {@link
 * Transition} defines, and notifies the listener: without the lock of their group. Only {@link #stall} and
 * {@link #hasSlot} are called with it.
 *
 * <p>Safe for use by any thread.
 */
final class Lifecycle<T> extends QueuedAttempt.Owner<T> {

  /** Identifies the ordering; see {@link AttemptHistory#setOrdering}. */
  final Object token = new Object();
  final QueueSettings settings;
  final LineClock<T> clock;
  final QueueLanes<T> lanes;
  private final AdmissionListener<T> listener;

  Lifecycle(QueueSettings settings, AdmissionListener<T> listener) {
    this.settings = settings;
    this.lanes = new QueueLanes<>(settings, this);
    this.listener = listener;
    this.clock = new LineClock<>(lanes);
  }

  @Override
  @SuppressWarnings("unchecked")
  void handOver(QueuedAttempt<?> attempt, boolean ofSameQueue) {
    lanes.handOver((QueuedAttempt<T>) attempt, ofSameQueue);
  }

  Line<T> line(QueuedAttempt<T> attempt) {
    return lanes.of(attempt);
  }

  GroupLock lock() {
    return lanes.lock();
  }

  // Reading.

  @Override
  void look(QueuedAttempt<T> attempt, long decision, long now) {
    if (attempt.history.state() == State.STARTING
        || lookAtWaiting(attempt, decision, now) == State.STARTING) {
      lookAtStarting(attempt, decision, now);
    }
  }

  private State lookAtWaiting(QueuedAttempt<T> attempt, long decision, long now) {
    // In this order: an allocation adds the live container before it removes the request, and a commit does
    // so before the proposal is over. A reservation goes with the live container's coming, under one lock.
    Leases<T> leases = lanes.of(attempt).pool.leases;
    boolean proposed = leases.areUsed() && attempt.read(Attempt::isProposed, false, now);
    boolean pending = attempt.isPending(now);
    boolean reserved = attempt.hasReservation(now);
    State state = advance(attempt, 0, now);
    if (state == State.STARTING) {
      return state;
    }
    if (state == State.ACCEPTED) {
      updatePartition(attempt, now);
      if (!reserved && attempt.reserved) {
        lanes.setReserved(attempt, false);
        // Another node may have been reserved, and watched, after the first look.
        reserved = attempt.hasReservation(now);
      }
      if (reserved) {
        lanes.setReserved(attempt, true);
      }
    }
    synchronized (lock()) {
      attempt.pending = pending;
      attempt.looked = Math.max(attempt.looked, decision);
      leases.looked(attempt, proposed && attempt.lane == State.ACCEPTED, decision, now);
    }
    return state;
  }

  /**
   * A starting attempt that the scheduler passes over holds nobody
   * (docs/design.md#a-user-at-its-limit-is-skipped), and one whose queue is full no other queue
   * (docs/design.md#groups-of-queues).
   */
  private void lookAtStarting(QueuedAttempt<T> attempt, long decision, long now) {
    // Nodes are not relabelled several times a millisecond.
    if (attempt.partitionRead != now) {
      attempt.partitionRead = now;
      updatePartition(attempt, now);
    }
    boolean shared = lanes.of(attempt).pool.isShared();
    // Read before the executors, because an allocation changes the requests last.
    boolean pending = shared && attempt.isPendingInLine(now);
    boolean isStarting = advance(attempt, 0, now) == State.STARTING;
    Line<T> line = lanes.of(attempt);
    boolean isOfInterest = isStarting && (shared || lanes.isAnyWaiting());
    boolean passedOver = isOfInterest && attempt.isSkipped(now);
    String fullQueue = isStarting && shared ? attempt.readFullQueue(now) : "";
    boolean lacks = isStarting && pending && !passedOver && attempt.lacksExecutors(now);
    long left = isStarting ? millisToLimit(attempt, now) : Long.MAX_VALUE;
    synchronized (lock()) {
      line.pool.starting.lookAgain(left, now);
      if (isOfInterest
          && (attempt.passedOver != passedOver || !attempt.fullQueue.equals(fullQueue))) {
        attempt.passedOver = passedOver;
        attempt.fullQueue = fullQueue;
        line.recount();
      }
      line.pool.starting.lacksExecutors(attempt, lacks);
      attempt.looked = Math.max(attempt.looked, decision);
    }
  }

  /**
   * Looks at the starting attempts that are due, in whatever queue they are.
   *
   * @return the lines of this queue, of which a look may have found another one
   */
  List<Line<T>> upToDate(Questions<T> questions) {
    List<Line<T>> lines = lanes.lines();
    for (int i = 0; i < lines.size(); i++) {
      try {
        lookAtStarting(lines.get(i).pool, questions);
      } catch (RuntimeException | LinkageError e) {
        failed(e);
      }
    }
    return lanes.lines();
  }

  private void lookAtStarting(SlotPool<T> pool, Questions<T> questions) {
    List<QueuedAttempt<T>> due;
    synchronized (lock()) {
      due = pool.starting.dueForLook(questions.now);
    }
    for (int i = 0; i < due.size(); i++) {
      due.get(i).owner.look(due.get(i), questions.number(), questions.now);
    }
  }

  /** Updates an attempt whose driver may have been allocated or reserved; whether it still waits. */
  boolean checkDriver(QueuedAttempt<T> attempt, long now) {
    if (advance(attempt, 0, now) != State.ACCEPTED) {
      return false;
    }
    if (attempt.hasReservation(now)) {
      lanes.setReserved(attempt, true);
    }
    return true;
  }

  /** The label of the driver's node may change, and the partition of its request may be known late. */
  void updatePartition(QueuedAttempt<T> attempt, long now) {
    String current = partition(attempt, attempt.partition);
    if (!current.equals(attempt.partition)) {
      lanes.changePartition(attempt, current, now);
    }
  }

  /** The plan of the line, if it is valid; else one without passes. It may ask the scheduler. */
  LinePlan<T> validPlan(Line<T> line, long now) {
    LinePlan<T> plan = line.plan;
    try {
      return plan.isValid(now) ? plan : LinePlan.none();
    } catch (RuntimeException | LinkageError e) {
      failed(e);
      return LinePlan.none();
    }
  }

  /** The partition of the attempt's driver or of its request, or {@code otherwise} if it cannot be read. */
  String partition(QueuedAttempt<T> attempt, String otherwise) {
    try {
      attempt.readPath();
      String partition = attempt.attempt.partition();
      return partition == null ? "" : partition;
    } catch (RuntimeException | LinkageError e) {
      failed(e);
      return otherwise;
    }
  }

  /** The milliseconds until a time limit may make a starting attempt running. */
  private static <T> long millisToLimit(QueuedAttempt<T> attempt, long now) {
    long left = Transition.startingTimeLeft(
        attempt.history, attempt.settings, attempt.millisStarting(now));
    return attempt.settings.idleTimeout() == 0
        ? left : Math.min(left, attempt.settings.idleTimeout() - attempt.history.millisIdle(now));
  }

  @Override
  Runnable stall(QueuedAttempt<T> attempt, long now) {
    return settings.acceptedTimeout() > 0 && lanes.stall(attempt, now)
        ? () -> listener.stalled(attempt.item, attempt.history.vain.millis()) : null;
  }

  @Override
  boolean mayStart(QueuedAttempt<T> attempt, long now) {
    return lanes.of(attempt).slots(now) > 0;
  }

  @Override
  boolean hasSlot(QueuedAttempt<T> attempt, long now) {
    Line<T> line = lanes.of(attempt);
    return line.takenFrom(attempt, line.pool.reservedTaken()) < line.slots(now);
  }

  // Moving.

  /**
   * Updates the attempt's state, and with it its lanes.
   *
   * @param released the number of executors that were live until just now
   * @return the state in whose lanes the attempt is
   */
  State advance(QueuedAttempt<T> attempt, int released, long now) {
    Transition due = due(attempt, released, now);
    boolean discovered = false;
    while (due != null) {
      // A transition that follows a discovered one in the same call was also due before.
      discovered = discovered || isDiscovered(attempt, due, now);
      take(attempt, due, discovered, now);
      due = due(attempt, released, now);
    }
    // Also without a transition here: another thread, or the ordering that this one replaces, may have
    // changed the state.
    return lanes.settle(attempt, now);
  }

  private Transition due(QueuedAttempt<T> attempt, int released, long now) {
    return attempt.gone || attempt.history.state() == State.RUNNING ? null : attempt.read(
        read -> Transition.next(attempt.history, read, attempt.settings, released, now), null, now);
  }

  /** Whether a due transition happened before this ordering observed the attempt: it is no new event. */
  private boolean isDiscovered(QueuedAttempt<T> attempt, Transition due, long now) {
    AttemptHistory history = attempt.history;
    if (!history.isDriverDiscovered()) {
      return false;
    }
    switch (due) {
      case DRIVER_ALLOCATED:
        return true;
      case STARTING_TIMED_OUT:
        return attempt.millisStarting(now) - history.millisInState(now)
            >= attempt.settings.startingTimeout();
      case EXECUTORS_ALLOCATED:
        return attempt.read(Attempt::recoveredExecutors, 0, now) >= attempt.settings.minExecutors();
      default:
        return false;
    }
  }

  private boolean take(
      QueuedAttempt<T> attempt, Transition transition, boolean discovered, long now) {
    long millis = millisInStateLeft(attempt, transition, now);
    boolean driverAllocated = transition == Transition.DRIVER_ALLOCATED && !discovered;
    // Asked before: with the new state, another thread may count the attempt as one that holds a slot.
    boolean beyondSlots = driverAllocated && isBeyondSlots(attempt);
    if (!attempt.history.take(transition.from(), transition.to(), now)) {
      return false;
    }
    contain(discovered ? () -> listener.discovered(attempt.item, transition)
        : () -> listener.stateChanged(attempt.item, transition, millis));
    // It needs none to run where max-containers leaves room for the driver alone.
    if ((transition == Transition.EXECUTORS_ALLOCATED || transition == Transition.EXECUTORS_INHERITED)
        && attempt.executors(now) > 0) {
      attempt.history.hadExecutor = true;
    }
    if (transition == Transition.STARTING_TIMED_OUT || transition == Transition.STARTING_IDLE) {
      watchExecutors(attempt, now);
    }
    if (transition.from() == State.STARTING) {
      attempt.history.setStartedFor(millis);
    }
    if (beyondSlots) {
      contain(() -> listener.startedBeyondSlots(attempt.item));
    }
    if (driverAllocated) {
      clock.driverAllocated(attempt, now);
    }
    return true;
  }

  /** The time in the state that the attempt leaves; it may have been starting before it was observed. */
  private static <T> long millisInStateLeft(QueuedAttempt<T> attempt, Transition transition, long now) {
    // If its facts cannot be read, they are not read again.
    return transition.from() != State.STARTING ? attempt.history.millisInState(now)
        : transition.isUndetermined() ? attempt.history.millisSeenStarting(now)
        : attempt.millisStarting(now);
  }

  /** An attempt counts as running. If it lacks executors, they come before drivers of its group. */
  void watchExecutors(QueuedAttempt<T> attempt, long now) {
    if (lanes.of(attempt).pool.isShared() && !attempt.isExhausted()
        && attempt.executors(now) < attempt.settings.minExecutors()) {
      synchronized (lock()) {
        lanes.of(attempt).pool.overdue.attempts.add(attempt);
      }
    }
  }

  private boolean isBeyondSlots(QueuedAttempt<T> attempt) {
    synchronized (lock()) {
      return !attempt.isExhausted() && lanes.of(attempt).takenFrom(attempt, 0) >= settings.maxStarting();
    }
  }

  // Telling.

  /** @param next null if none is offered any more */
  void offered(QueuedAttempt<T> next, String partition) {
    listener.offered(next == null ? null : next.item, partition);
  }

  /** The rule, or a listener, failed. */
  void failed(Throwable failure) {
    try {
      listener.failed(null, failure);
    } catch (RuntimeException | LinkageError e) {
      // There is nobody else to tell.
    }
  }

  /**
   * No exception leaves this: it would end the work of YARN, or of the monitor, or a move between states,
   * and the attempt would be in no lane.
   */
  void contain(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | LinkageError e) {
      failed(e);
    }
  }

  @Override
  void undetermined(QueuedAttempt<T> attempt, Throwable failure, long now) {
    Transition due = Transition.whenUndetermined(attempt.history);
    if (due != null && take(attempt, due, false, now)) {
      contain(() -> listener.failed(attempt.item, failure));
    }
    lanes.settle(attempt, now);
  }
}
