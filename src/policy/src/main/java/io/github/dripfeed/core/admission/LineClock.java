// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

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
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class LineClock<T> {

  private final QueueSettings settings;
  private final AttemptFacts<T> facts;
  private final AdmissionLanes<T> lanes;
  private final AdmissionListener<T> listener;

  LineClock(QueueSettings settings, AttemptFacts<T> facts, AdmissionLanes<T> lanes,
      AdmissionListener<T> listener) {
    this.settings = settings;
    this.facts = facts;
    this.lanes = lanes;
    this.listener = listener;
  }

  /**
   * Whether the line is open, which means that every accepted attempt is offered, because heads have held
   * the line in vain for {@code accepted-timeout}.
   */
  boolean isOpen(PartitionLanes<T> line) {
    long timeout = settings.acceptedTimeout();
    return timeout > 0 && line.memory().vain().millis() >= timeout;
  }

  /** Whether any attempt of the line is offered after all others. */
  boolean hasLast(PartitionLanes<T> line) {
    return !line.stalled.isEmpty() || isOpen(line);
  }

  /** The longest time between trials in milliseconds; a trial comes sooner if other attempts start. */
  long timeBetweenTrials() {
    long timeout = settings.acceptedTimeout();
    return timeout > 0 ? timeout : QueueSettings.DEFAULTS.acceptedTimeout();
  }

  /**
   * The scheduler tries to place the attempt's driver, or has reserved a node for it; this continues its
   * time in vain.
   */
  void tried(QueuedAttempt<T> attempt, long now) {
    PartitionLanes<T> line = lanes.of(attempt);
    LineMemory memory = line.memory();
    Object head = line.headPeriod();
    // Late ones are tried here only on trial, which has none at its limit, or with a reservation.
    if (memory.vain().isCurrent(line.offerPeriod(), now) && attempt.history.vain().isCurrent(head, now)
        || !attempt.isLate() && isExcused(attempt, now)) {
      return;
    }
    if (memory.isFresh()) {
      memory.foundDriver(line.slots().lastFull());
      memory.countBefore(longestWait(line, now), settings.acceptedTimeout(), now);
    }
    memory.vain().tried(line.offerPeriod(), now);
    attempt.history.vain().tried(head, now);
    if (isOpen(line) && !attempt.isLate()) {
      moveToStalled(attempt, now);
    }
  }

  /**
   * Whether the attempt is tried in vain because of its user limit. Asked for once in a millisecond, in
   * which many nodes may have heartbeats: the scheduler computes the limit for an answer.
   */
  private boolean isExcused(QueuedAttempt<T> attempt, long now) {
    VainTime vain = attempt.history.vain();
    if (!vain.isExcused(now)) {
      if (!facts.isSkipped(attempt, now)) {
        return false;
      }
      vain.excuse(now);
    }
    return true;
  }

  /** In a group, it alone was offered for as long as a trial takes, and no node had room for it. */
  void overtakenInVain(QueuedAttempt<T> attempt, long now) {
    if (settings.acceptedTimeout() > 0) {
      moveToStalled(attempt, now);
    }
  }

  /**
   * The longest time that an attempt has waited, if it waited before the last restart already. The head
   * may have arrived after the restart. A user at its limit has held no other attempt, and one that came
   * from another queue none of this line.
   */
  private long longestWait(PartitionLanes<T> line, long now) {
    long longest = 0;
    for (QueuedAttempt<T> attempt : line.waiting.attempts()) {
      long waited =
          attempt.history.isFromAnotherQueue() ? 0 : facts.millisSinceBeforeRestart(attempt, now);
      if (waited > longest && facts.hasOutstandingRequest(attempt, now)
          && !facts.isSkipped(attempt, now)) {
        longest = waited;
      }
    }
    return longest;
  }

  /**
   * The attempt stalls if it has been tried in vain for {@code accepted-timeout}.
   *
   * @return whether other attempts come before it now
   */
  boolean stall(QueuedAttempt<T> attempt, long now) {
    long timeout = settings.acceptedTimeout();
    if (attempt.isLate() || timeout == 0 || attempt.history.vain().millis() < timeout) {
      return attempt.isLate();
    }
    moveToStalled(attempt, now);
    return true;
  }

  /**
   * The attempt's driver is reserved and not allocated; this continues its time in vain. It stalls as if
   * it were tried in an open line, once reserved drivers of the group have held slots in vain for {@code
   * accepted-timeout}, in whatever queue they are.
   */
  void waitsForReserved(QueuedAttempt<T> attempt, long now) {
    tried(attempt, now);
    stall(attempt, now);
    GroupLane<T> group = lanes.of(attempt).group();
    if (!attempt.isExhausted()) {
      group.reservedInVain(now);
      if (group.isReservedInVain(settings.acceptedTimeout()) && !attempt.isLate()) {
        moveToStalled(attempt, now);
      }
    }
  }

  /**
   * A container of the attempt, or the attempt itself, has ended, and leaves room for a trial.
   *
   * @param node the partition of its node; null if it is unknown
   */
  void released(QueuedAttempt<T> attempt, Supplier<String> node) {
    forTrials(attempt, node, Trials::released);
    lanes.group().released(node, attempt.partition());
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
    List<PartitionLanes<T>> all = lanes.partitions();
    for (int i = 0; i < all.size(); i++) {
      PartitionLanes<T> line = all.get(i);
      if (hasLast(line)) {
        String known = node.get();
        if (line.partition().equals(known == null ? attempt.partition() : known)) {
          update.accept(line.slots().trials());
        }
      }
    }
    if (lanes.group().isShared()) {
      lanes.group().forTrials(node, attempt.partition(), update);
    }
  }

  /** The attempt's driver was allocated at that time, before this ordering observed it. */
  void foundDriver(QueuedAttempt<T> attempt, long at) {
    lanes.of(attempt).memory().foundDriver(at);
    // The line, and those of other queues of its group, waited for the slot until then.
    lanes.of(attempt).slots().full(at);
  }

  /** The attempt, which was starting before a restart, has held the last slot until now. */
  void heldLastSlot(QueuedAttempt<T> attempt, long now) {
    lanes.of(attempt).slots().full(now);
  }

  /**
   * The attempt's driver has just been allocated. Attempts that it overtook in an open line have stalled.
   */
  void driverAllocated(QueuedAttempt<T> attempt, long now) {
    PartitionLanes<T> line = lanes.of(attempt);
    boolean open = isOpen(line);
    if (open && !attempt.isLate()) {
      for (QueuedAttempt<T> overtaken : line.waiting.bySubmission().headMap(attempt.submitted).values()) {
        if (overtaken != attempt && facts.hasOutstandingRequest(overtaken, now)
            && !facts.isSkipped(overtaken, now)) {
          moveToStalled(overtaken, now);
        }
      }
    }
    if (attempt.isExhausted()) {
      // It came after all others, so its driver says nothing about them.
      line.slots().driverAllocated();
      return;
    }
    long timeout = settings.acceptedTimeout();
    boolean stalled = attempt.history.isStalled();
    boolean onTrial = stalled && line.slots().trials().isOn(now);
    line.memory().driverAllocated(stalled, open ? timeout - timeout / Trials.SHARE : 0, now);
    line.slots().driverAllocated(
        onTrial, onTrial && line.isAnyPendingBeside(attempt.owner(), now), now);
    line.group().driverAllocated(attempt, timeout, now);
  }

  private void moveToStalled(QueuedAttempt<T> attempt, long now) {
    if (lanes.stall(attempt, now)) {
      listener.stalled(attempt.item, attempt.history.vain().millis());
    }
  }
}
