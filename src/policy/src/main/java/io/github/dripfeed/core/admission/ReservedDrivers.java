// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/**
 * The drivers of one line for which a node is reserved. The scheduler allocates them there without
 * consulting the policy again. So each of them takes a slot, and an attempt that loses the offer releases
 * its node.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class ReservedDrivers<T> {

  private final PartitionLanes<T> lanes;
  private final Lifecycle<T> lifecycle;
  private final AttemptFacts<T> facts;
  private final LineClock<T> clock;
  private final GroupLane<T> group;

  ReservedDrivers(PartitionLanes<T> lanes, Lifecycle<T> lifecycle) {
    this.lanes = lanes;
    this.lifecycle = lifecycle;
    this.facts = lifecycle.facts();
    this.clock = lifecycle.clock();
    this.group = lanes.group();
  }

  /**
   * Whether the attempt released its node for waiting attempts that have not been tried, and is not
   * offered for now.
   */
  boolean isAside(QueuedAttempt<T> attempt, long now) {
    return attempt.history.isAside(lanes.slots(), attempt.isLate()) && isAnyWaitingPending(now);
  }

  /** Whether any attempt that competes for the slots may have a reserved driver. */
  boolean isAny() {
    return !group.reserved().isEmpty();
  }

  /**
   * The number of reserved drivers that take a slot, of all that compete for the slots. An attempt with an
   * exhausted starting time takes none from others.
   */
  int held(long now) {
    return group.reservedTaken(now);
  }

  /** The number of attempts that may have a reserved driver, of all that compete for the slots. */
  int size() {
    return group.reserved().size();
  }

  /** Forgets the attempts of the line that have no reserved driver any more. */
  private void update(long now) {
    for (QueuedAttempt<T> attempt : lanes.reserved.attempts()) {
      lifecycle.isReserved(attempt, now);
    }
  }

  /**
   * The attempts that stay offered because they have a reserved driver, which YARN allocates without
   * consulting the policy again.
   */
  List<QueuedAttempt<T>> keepers(long now) {
    if (lanes.reserved.isEmpty()) {
      return Collections.emptyList();
    }
    List<QueuedAttempt<T>> keepers = new ArrayList<>();
    for (QueuedAttempt<T> attempt : lanes.reserved.attempts()) {
      // In this order: an attempt without its reservation then either has its driver or has lost the
      // reservation.
      boolean reserved = facts.hasReservation(attempt, now);
      if (lifecycle.advance(attempt, 0, now) == State.ACCEPTED && reserved) {
        boolean late = clock.stall(attempt, now);
        if (!isAside(attempt, now) && (!late || lanes.slots().trials().isOn(now))) {
          keepers.add(attempt);
        }
      }
    }
    return keepers;
  }

  /** Whether a late attempt has a reserved driver; it releases the reservation before a trial begins. */
  boolean isAnyLate() {
    for (QueuedAttempt<T> attempt : group.reserved()) {
      if (attempt.isLate()) {
        return true;
      }
    }
    return false;
  }

  /** All attempts that have a reserved driver now. */
  List<QueuedAttempt<T>> all(long now) {
    if (lanes.reserved.isEmpty()) {
      return Collections.emptyList();
    }
    update(now);
    return new ArrayList<>(lanes.reserved.attempts());
  }

  /** The late attempts that keep a node. They stay offered, after all others. */
  List<QueuedAttempt<T>> late(long now) {
    List<QueuedAttempt<T>> late = new ArrayList<>();
    for (QueuedAttempt<T> attempt : lanes.reserved.attempts()) {
      if (attempt.isLate() && lifecycle.advance(attempt, 0, now) == State.ACCEPTED
          && !isAside(attempt, now)) {
        late.add(attempt);
      }
    }
    return late;
  }

  /**
   * The attempts that have a reserved driver and have lost the offer. They are not offered again until
   * something has changed.
   *
   * <p>Without a free slot, every attempt releases its node. With one, an attempt whose turn it is keeps
   * its node. Any other attempt releases it if attempts wait that have not been tried, if a trial is due,
   * or if attempts that stalled before it are pending. It does the last only once: after that all attempts
   * have been tried, and an attempt with a reservation keeps it until a new attempt arrives.
   *
   * @param started whether a plan lets the attempt start beside others; it then keeps its node regardless
   *     of slots
   */
  List<QueuedAttempt<T>> losers(Predicate<QueuedAttempt<T>> started, long now) {
    if (lanes.reserved.isEmpty()) {
      return Collections.emptyList();
    }
    update(now);
    int slots = lanes.slots(lifecycle.settings().maxStarting(), now);
    int taken = lanes.competing().takenFrom(lanes.first());
    // Stalled attempts are not counted: they were tried in vain.
    boolean wanted = isAnyWaitingPending(now);
    if (wanted) {
      setAllTried(false);
    }
    boolean allTried = lanes.slots().areAllTried();
    boolean makesWay = false;
    boolean trialDue = !lanes.slots().trials().isOn(now) && isTrialDue(now);
    int kept = 0;
    int beside = 0;
    List<QueuedAttempt<T>> losers = new ArrayList<>();
    for (QueuedAttempt<T> attempt : lanes.reserved.attempts()) {
      if (lifecycle.advance(attempt, 0, now) == State.ACCEPTED && !started.test(attempt)) {
        clock.waitsForReserved(attempt, now);
        // The attempts come by submission, and the group has them by reservation. Other queues may keep
        // all that were reserved before the last of those kept here, so the next must fit beside them, too.
        int others = Math.max(beside, group.reservedBefore(attempt));
        // What is kept is as urgent.
        boolean free = slots - (kept == 0 ? lanes.takenFrom(attempt, 0) : taken) - kept > others;
        boolean inTurn = free && isInTurn(attempt, now);
        // It takes part in the trial with the others.
        boolean joinsTrial = free && !inTurn && trialDue && isAnyStalledPending(now);
        if (inTurn || free && !joinsTrial && !wanted && (allTried || !isAnyPendingBefore(attempt, now))) {
          if (!attempt.isExhausted()) {
            kept++;
            beside = others;
          }
        } else {
          if (!joinsTrial) {
            makesWay |= free && !wanted;
            attempt.history.setAside(lanes.slots());
          }
          losers.add(attempt);
        }
      }
    }
    if (makesWay) {
      setAllTried(true);
    }
    return losers;
  }

  private void setAllTried(boolean tried) {
    if (lanes.slots().setAllTried(tried)) {
      lanes.memory().resetPositions();
    }
  }

  /** Whether a trial is due that attempts with a reserved node would block. */
  private boolean isTrialDue(long now) {
    return (clock.hasLast(lanes) || lanes.isAnyStalledBeside())
        && lanes.slots().trials().isDue(clock.timeBetweenTrials(), now);
  }

  private boolean isInTurn(QueuedAttempt<T> attempt, long now) {
    return attempt.isLate() || clock.isOpen(lanes) ? lanes.slots().trials().isOn(now) : true;
  }

  private boolean isAnyWaitingPending(long now) {
    return isAnyPending(lanes.waiting.attempts(), now) || lanes.isAnyPendingBeside(lifecycle, now);
  }

  private boolean isAnyStalledPending(long now) {
    return isAnyPending(lanes.stalled.attempts(), now)
        || lanes.isAnyStalledPendingBeside(lifecycle, now);
  }

  /** There is no order between queues, so each attempt makes way for those of other queues, once. */
  private boolean isAnyPendingBefore(QueuedAttempt<T> attempt, long now) {
    return isAnyPending(lanes.stalled.bySubmission().headMap(attempt.submitted).values(), now)
        || lanes.isAnyStalledPendingBeside(lifecycle, now);
  }

  private boolean isAnyPending(Collection<QueuedAttempt<T>> attempts, long now) {
    for (QueuedAttempt<T> attempt : attempts) {
      if (lifecycle.isPending(attempt, now)) {
        return true;
      }
    }
    return false;
  }
}
