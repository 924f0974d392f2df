// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * Moves attempts from state to state as {@link Transition} defines, and notifies the listener.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class Lifecycle<T> extends QueuedAttempt.Owner<T> implements AttemptFacts.Failures<T> {

  private final Object token = new Object();
  private final QueueSettings settings;
  private final AdmissionLanes<T> lanes;
  private final AdmissionListener<T> listener;
  private final AttemptFacts<T> facts;
  private final LineClock<T> clock;

  Lifecycle(QueueSettings settings, AdmissionLanes<T> lanes, AdmissionListener<T> listener) {
    this.settings = settings;
    this.lanes = lanes;
    this.listener = listener;
    this.facts = new AttemptFacts<>(settings, this);
    this.clock = new LineClock<>(settings, facts, lanes, listener);
  }

  QueueSettings settings() {
    return settings;
  }

  AttemptFacts<T> facts() {
    return facts;
  }

  LineClock<T> clock() {
    return clock;
  }

  @Override
  Object token() {
    return token;
  }

  @Override
  void bringUpToDate(QueuedAttempt<T> attempt, boolean partition, long now) {
    if (partition) {
      updatePartition(attempt, now);
    }
    if (advance(attempt, 0, now) == State.STARTING) {
      updateSlot(attempt, now);
    }
  }

  /**
   * A starting attempt that the scheduler passes over holds nobody
   * (docs/design.md#a-user-at-its-limit-is-skipped), and one whose queue is full no other queue
   * (docs/design.md#groups-of-queues).
   */
  private void updateSlot(QueuedAttempt<T> attempt, long now) {
    PartitionLanes<T> line = lanes.of(attempt);
    if (line.size() > 0 || line.group().isShared()) {
      boolean passedOver = facts.isSkipped(attempt, now);
      String fullQueue = line.group().isShared() ? facts.fullQueue(attempt, now) : "";
      if (attempt.passedOver != passedOver || !attempt.fullQueue.equals(fullQueue)) {
        attempt.passedOver = passedOver;
        attempt.fullQueue = fullQueue;
        line.recountStarting();
      }
    }
  }

  @Override
  boolean checkDriver(QueuedAttempt<T> attempt, long now) {
    if (advance(attempt, 0, now) != State.ACCEPTED) {
      return false;
    }
    if (facts.hasReservation(attempt, now)) {
      lanes.watchReservation(attempt);
    }
    return true;
  }

  @Override
  long millisStarting(QueuedAttempt<T> attempt, long now) {
    return facts.millisStarting(attempt, now);
  }

  @Override
  boolean isReserved(QueuedAttempt<T> attempt, long now) {
    boolean reserved = facts.hasReservation(attempt, now);
    if (advance(attempt, 0, now) != State.ACCEPTED) {
      return false;
    }
    if (!reserved) {
      lanes.of(attempt).removeReserved(attempt);
      // Another node may have been reserved, and watched, after the first look.
      reserved = facts.hasReservation(attempt, now);
      if (reserved) {
        lanes.watchReservation(attempt);
      }
    }
    return reserved;
  }

  @Override
  boolean isProposed(QueuedAttempt<T> attempt, long now) {
    // In this order: a commit adds the live container before the proposal is over.
    boolean proposed = facts.isProposed(attempt, now);
    return checkDriver(attempt, now) && proposed && !lanes.of(attempt).reserved.contains(attempt);
  }

  @Override
  boolean isPending(QueuedAttempt<T> attempt, long now) {
    return !attempt.isExhausted() && !lanes.of(attempt).reserved.contains(attempt)
        && facts.hasOutstandingRequest(attempt, now) && !facts.isSkipped(attempt, now);
  }

  @Override
  boolean lacksExecutors(QueuedAttempt<T> attempt, long now) {
    return !attempt.isExhausted() && facts.hasOutstandingRequestInLine(attempt, now)
        && !facts.isSkipped(attempt, now) && attempt.history.state() != State.ACCEPTED
        && facts.executors(attempt, now) < attempt.settings.minExecutors()
        && !facts.requestsOnlyUpdates(attempt, now);
  }

  @Override
  int executors(QueuedAttempt<T> attempt, long now) {
    return facts.executors(attempt, now);
  }

  @Override
  boolean hasSlot(QueuedAttempt<T> attempt, long now) {
    PartitionLanes<T> line = lanes.of(attempt);
    return line.takenFrom(attempt, line.group().reservedTaken()) < line.slots(settings.maxStarting(), now);
  }

  @Override
  void overtakenInVain(QueuedAttempt<T> attempt, long now) {
    clock.overtakenInVain(attempt, now);
  }

  @Override
  String fullQueue(QueuedAttempt<T> attempt, long now) {
    return facts.fullQueue(attempt, now);
  }

  /** An attempt counts as running. If it lacks executors, they come before drivers of its group. */
  void watchExecutors(QueuedAttempt<T> attempt, long now) {
    GroupLane<T> group = lanes.of(attempt).group();
    if (group.isShared() && !attempt.isExhausted()
        && facts.executors(attempt, now) < attempt.settings.minExecutors()) {
      group.overdue().add(attempt);
    }
  }

  /**
   * Updates the attempt's state, and with it its lanes, to the scheduler's current data.
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

  /**
   * Moves the attempt to the line of its current partition: the label of the driver's node may change,
   * and the partition of a driver's request may become known after the attempt was added.
   *
   * @return whether the partition has changed
   */
  boolean updatePartition(QueuedAttempt<T> attempt, long now) {
    String present = attempt.partition();
    String current = facts.partition(attempt, present);
    if (current.equals(present)) {
      return false;
    }
    lanes.changePartition(attempt, current, now);
    return true;
  }

  @Override
  long millisToLimit(QueuedAttempt<T> attempt, long now) {
    long left = Transition.startingTimeLeft(
        attempt.history, attempt.settings, facts.millisStarting(attempt, now));
    return attempt.settings.idleTimeout() == 0
        ? left : Math.min(left, attempt.settings.idleTimeout() - attempt.history.millisIdle(now));
  }

  /** @param next null if none is offered any more */
  void offered(QueuedAttempt<T> next, String partition) {
    listener.offered(next == null ? null : next.item, partition);
  }

  @Override
  public void failed(Throwable failure) {
    try {
      listener.failed(null, failure);
    } catch (RuntimeException | LinkageError e) {
      // There is nobody else to tell.
    }
  }

  /** The listener's failure does not end a move between states: the attempt would be in no lane. */
  private void tell(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | LinkageError e) {
      failed(e);
    }
  }

  @Override
  public void undetermined(QueuedAttempt<T> attempt, Throwable failure, long now) {
    Transition due = Transition.whenUndetermined(attempt.history);
    if (due != null && take(attempt, due, false, now)) {
      tell(() -> listener.failed(attempt.item, failure));
    }
    lanes.settle(attempt, now);
  }

  private Transition due(QueuedAttempt<T> attempt, int released, long now) {
    if (attempt.history.state() == State.RUNNING) {
      return null;
    }
    return facts.read(attempt,
        read -> Transition.next(attempt.history, read, attempt.settings, released, now), null, now);
  }

  /**
   * Whether a due transition happened before this ordering observed the attempt, and so is not a new
   * event.
   */
  private boolean isDiscovered(QueuedAttempt<T> attempt, Transition due, long now) {
    AttemptHistory history = attempt.history;
    if (!history.isDriverDiscovered()) {
      return false;
    }
    switch (due) {
      case DRIVER_ALLOCATED:
        return true;
      case STARTING_TIMED_OUT:
        return facts.millisStarting(attempt, now) - history.millisInState(now)
            >= attempt.settings.startingTimeout();
      case EXECUTORS_ALLOCATED:
        return facts.recoveredExecutors(attempt, now) >= attempt.settings.minExecutors();
      default:
        return false;
    }
  }

  /** @param discovered whether it happened before this ordering observed the attempt */
  private boolean take(
      QueuedAttempt<T> attempt, Transition transition, boolean discovered, long now) {
    long millis = millisInStateLeft(attempt, transition, now);
    if (!attempt.history.take(transition.from(), transition.to(), now)) {
      return false;
    }
    if (discovered) {
      tell(() -> listener.discovered(attempt.item, transition));
    } else {
      tell(() -> listener.stateChanged(attempt.item, transition, millis));
    }
    // It needs none to run where max-containers leaves room for the driver alone.
    if ((transition == Transition.EXECUTORS_ALLOCATED || transition == Transition.EXECUTORS_INHERITED)
        && facts.executors(attempt, now) > 0) {
      attempt.history.setHadExecutor();
    }
    if (transition == Transition.STARTING_TIMED_OUT || transition == Transition.STARTING_IDLE) {
      watchExecutors(attempt, now);
    }
    if (transition.from() == State.STARTING) {
      attempt.history.setStartedFor(millis);
      if (!discovered) {
        leavesSlot(attempt, now);
      }
    } else if (transition == Transition.DRIVER_ALLOCATED) {
      driverAllocated(attempt, discovered, now);
    }
    return true;
  }

  /**
   * After a restart, the line, and those of other queues of its group, waited for the slot of an attempt
   * that was starting before it; that time is not in vain.
   */
  void leavesSlot(QueuedAttempt<T> attempt, long now) {
    if (attempt.history.isDriverDiscovered()
        && lanes.of(attempt).competing().taken() >= settings.maxStarting()) {
      clock.heldLastSlot(attempt, now);
    }
  }

  private void driverAllocated(QueuedAttempt<T> attempt, boolean discovered, long now) {
    if (discovered) {
      long age = facts.millisStarting(attempt, now);
      // 0 means unknown: it says nothing about the line.
      if (age > 0) {
        clock.foundDriver(attempt, now - age);
      }
      return;
    }
    if (!attempt.isExhausted()
        && lanes.of(attempt).takenFrom(attempt, 0) >= settings.maxStarting()) {
      tell(() -> listener.startedBeyondSlots(attempt.item));
    }
    clock.driverAllocated(attempt, now);
  }

  /** The time in the state that the attempt leaves; it may have been starting before it was observed. */
  private long millisInStateLeft(QueuedAttempt<T> attempt, Transition transition, long now) {
    if (transition.from() != State.STARTING) {
      return attempt.history.millisInState(now);
    }
    // If its facts cannot be read, they are not read again.
    return transition.isUndetermined()
        ? attempt.history.millisSeenStarting(now) : facts.millisStarting(attempt, now);
  }
}
