/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.headroom.HeadroomLedger;
import io.github.dripfeed.core.headroom.Shortage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Predicate;

/**
 * The rule. It decides which attempt gets its driver next, among the attempts of one queue whose drivers
 * request the same node partition. Running and starting attempts are always offered. Among accepted
 * attempts:
 *
 * <ol>
 *   <li>{@link #offer}: the head, which is the first attempt with a pending request, is offered at its
 *       position only while fewer than {@code max-starting} attempts are starting or have a reserved
 *       driver. With {@code parallel-start=headroom} it is also offered if a plan lets it start beside
 *       the others.
 *   <li>{@link #beside}: if the scheduler passes over the head because of its user limit, the next
 *       attempt is offered too.
 *   <li>{@link #last}: an attempt that the scheduler has tried to place for {@code accepted-timeout} in
 *       vain has <em>stalled</em>. Stalled attempts are offered after all others. During a {@linkplain
 *       Trials trial} they are offered at their positions; of the other accepted attempts, only those of
 *       an open line and those with a reserved driver are offered then.
 *   <li>Once heads, however many, have held the line in vain for {@code accepted-timeout}, the line is
 *       <em>{@linkplain LineClock#isOpen open}</em> until a driver is allocated: each accepted attempt is
 *       offered once at its position, and all of them after all other attempts. An attempt that is tried
 *       in vain then, or is overtaken by a later one, has stalled.
 *   <li>{@link #losers}: an attempt that loses the offer releases the node that is reserved for its
 *       driver, unless no other attempt could use the slot.
 * </ol>
 *
 * <p>Safe for use by any thread; {@link #offer} takes no lock unless the offer changes.
 *
 * @param <T> the type that represents an application attempt
 */
final class AdmissionLine<T> {

  /** The maximum number of attempts that one walk offers after all others, or on trial. */
  static final int MOST = 100;
  static final Comparator<QueuedAttempt<?>> IN_ORDER =
      (one, other) -> one.submitted.compareTo(other.submitted);

  private final PartitionLanes<T> lanes;
  private final HeadroomLedger ledger;
  private final Lifecycle<T> lifecycle;
  private final AttemptFacts<T> facts;
  private final LineClock<T> clock;
  private final ReservedDrivers<T> reserved;
  private final StartingCheck<T> startingCheck;
  /** Why the first attempt without a claim may not start beside those that are starting; may be null. */
  private volatile Shortage shortage;

  AdmissionLine(PartitionLanes<T> lanes, HeadroomLedger ledger, Lifecycle<T> lifecycle) {
    this.lanes = lanes;
    this.ledger = ledger;
    this.lifecycle = lifecycle;
    this.facts = lifecycle.facts();
    this.clock = lifecycle.clock();
    this.reserved = new ReservedDrivers<>(lanes, lifecycle);
    this.startingCheck = new StartingCheck<>(lanes.starting, lifecycle);
  }

  // Attempts offered at their positions.

  /**
   * The attempts that may get their drivers now, in order; mostly one.
   *
   * @param walked the partition of the node on which the scheduler is about to place them; null if none
   */
  List<QueuedAttempt<T>> offer(String walked, long now) {
    try {
      List<QueuedAttempt<T>> offer = decide(isWalked(walked), now);
      QueuedAttempt<T> head = offer.isEmpty() ? null : offer.get(0);
      if (lanes.setOffered(head)) {
        lifecycle.offered(head, lanes.partition());
      }
      return offer;
    } catch (RuntimeException | LinkageError e) {
      // A bug in this code must not stop the scheduler.
      lifecycle.failed(e);
      QueuedAttempt<T> next = lanes.firstWaiting();
      return next == null ? Collections.<QueuedAttempt<T>>emptyList() : next.alone();
    }
  }

  private List<QueuedAttempt<T>> decide(boolean walk, long now) {
    boolean slot = hasFreeSlot(now);
    List<QueuedAttempt<T>> keepers = reserved.keepers(now);
    List<QueuedAttempt<T>> others = Collections.emptyList();
    if (slot && isTrial(walk, now)) {
      others = onTrial(now);
      slot = hasFreeSlot(now);
      if (!slot) {
        others = Collections.emptyList();
      }
    }
    if (others.isEmpty() && (slot || ledger.isActive(now))) {
      QueuedAttempt<T> head = first(null, now);
      // Slots are checked again after the head: an attempt that stopped waiting meanwhile is starting by
      // now, and has taken the slot.
      if (head != null && (slot && hasFreeSlot(now) || isSafe(head, now))) {
        others = head.alone();
      }
    }
    return keepers.isEmpty() ? others : together(keepers, others);
  }

  /**
   * The attempt to offer beside one that the scheduler could not place in this walk, or null. There is
   * one only if the scheduler passed over the first because of its user limit.
   */
  QueuedAttempt<T> beside(QueuedAttempt<T> passed, long now) {
    try {
      return decideBeside(passed, now);
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return null;
    }
  }

  private QueuedAttempt<T> decideBeside(QueuedAttempt<T> passed, long now) {
    if (passed.history.state() != State.ACCEPTED || !facts.isPassedOver(passed, now)) {
      return null;
    }
    boolean slot = hasFreeSlot(now);
    QueuedAttempt<T> next = null;
    if (!passed.isLate()) {
      next = slot || ledger.isActive(now) ? first(passed, now) : null;
    } else if (slot && !isAnyOnTrialBeside(passed, now)) {
      next = first(null, now);
    }
    return next != null && (slot || isSafe(next, now)) ? next : null;
  }

  /** The first waiting attempt that has a pending request for its driver and does not stall now. */
  private QueuedAttempt<T> first(QueuedAttempt<T> after, long now) {
    Collection<QueuedAttempt<T>> candidates = after == null ? lanes.waiting.attempts()
        : lanes.waiting.bySubmission().tailMap(after.submitted, false).values();
    for (QueuedAttempt<T> attempt : candidates) {
      // The other attempts of a user at its limit may be many.
      if (after != null && facts.isSameUser(after, attempt)) {
        continue;
      }
      boolean pending = facts.hasOutstandingRequest(attempt, now);
      if (lifecycle.advance(attempt, 0, now) == State.ACCEPTED && pending
          && !lifecycle.updatePartition(attempt, now) && !clock.stall(attempt, now)
          && !lanes.reserved.contains(attempt)) {
        return attempt;
      }
    }
    return null;
  }

  /** Whether the starting attempts and the reserved drivers leave a slot free. */
  private boolean hasFreeSlot(long now) {
    // In this order: an attempt whose reservation has become its driver is counted as starting.
    int held = lanes.reserved.isEmpty() ? 0 : reserved.held(now);
    return held + lanes.starting.taken() < lifecycle.settings().maxStarting();
  }

  /** Whether the attempt may start although no slot is free; false if that cannot be determined. */
  private boolean isSafe(QueuedAttempt<T> attempt, long now) {
    try {
      return ledger.isSafe(attempt.claim(), now);
    } catch (RuntimeException | LinkageError e) {
      ledger.cancel();
      lifecycle.failed(e);
      return false;
    }
  }

  // Attempts offered on trial.

  private boolean isTrial(boolean walk, long now) {
    if (!hasLast()) {
      return false;
    }
    Trials trials = lanes.memory().trials();
    return trials.isOn(now)
        || walk && !reserved.isAnyLate() && trials.begin(clock.timeBetweenTrials(), now);
  }

  private List<QueuedAttempt<T>> onTrial(long now) {
    OrderKey stop = lanes.memory().stoppedAt();
    List<QueuedAttempt<T>> offer = onTrial(stop, now);
    return offer.isEmpty() && stop != null ? onTrial(null, now) : offer;
  }

  private List<QueuedAttempt<T>> onTrial(OrderKey after, long now) {
    List<QueuedAttempt<T>> offer = new ArrayList<>();
    Predicate<QueuedAttempt<T>> isOffered = attempt -> mayBeOnTrial(attempt, now);
    collect(behind(after, lanes.stalled), isOffered, offer);
    if (clock.isOpen(lanes)) {
      List<QueuedAttempt<T>> others = new ArrayList<>();
      collect(behind(after, lanes.waiting), isOffered, others);
      offer = together(offer, others);
    }
    return offer.size() > MOST ? offer.subList(0, MOST) : offer;
  }

  /** @param after null for the whole lane */
  private static <T> Map<OrderKey, QueuedAttempt<T>> behind(OrderKey after, AttemptLane<T> lane) {
    return after == null ? lane.bySubmission() : lane.bySubmission().tailMap(after, false);
  }

  private boolean mayBeOnTrial(QueuedAttempt<T> attempt, long now) {
    boolean pending = facts.hasOutstandingRequest(attempt, now);
    return lifecycle.advance(attempt, 0, now) == State.ACCEPTED && pending
        && !lifecycle.updatePartition(attempt, now) && !attempt.isExhausted();
  }

  private boolean isAnyOnTrialBeside(QueuedAttempt<T> passed, long now) {
    for (QueuedAttempt<T> attempt : onTrial(null, now)) {
      if (attempt.submitted.compareTo(passed.submitted) > 0 || !facts.isPassedOver(attempt, now)) {
        return true;
      }
    }
    return false;
  }

  // Attempts offered after all others.

  /** Whether any attempt is offered after all others. */
  boolean hasLast() {
    return clock.hasLast(lanes);
  }

  /**
   * The attempts offered after all others, in order. They may include an attempt that is also offered at
   * its position.
   */
  List<QueuedAttempt<T>> last(long now) {
    try {
      return decideLast(now);
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return Collections.emptyList();
    }
  }

  private List<QueuedAttempt<T>> decideLast(long now) {
    boolean slot = hasFreeSlot(now);
    if (slot && isTrial(false, now)) {
      return Collections.emptyList();
    }
    if (!slot && !ledger.isActive(now)) {
      // An attempt with a reservation may get its driver on another node.
      return reserved.late(now);
    }
    return collectLast(slot, now);
  }

  /**
   * The attempts of an open line, then the stalled ones, then those with an exhausted starting time. The
   * walk continues where the last one stopped: YARN ends a walk at an attempt that hits the queue's
   * limit, so the attempts behind it come first next time.
   */
  private List<QueuedAttempt<T>> collectLast(boolean slot, long now) {
    List<NavigableMap<OrderKey, QueuedAttempt<T>>> groups = Arrays.asList(clock.isOpen(lanes)
        ? lanes.waiting.bySubmission() : Collections.<OrderKey, QueuedAttempt<T>>emptyNavigableMap(),
        lanes.stalled.bySubmission(), lanes.stalled.bySubmission());
    List<Predicate<QueuedAttempt<T>>> isOffered = Arrays.asList(attempt -> mayBeLast(attempt, slot, now),
        attempt -> !attempt.isExhausted() && mayBeLast(attempt, slot, now),
        attempt -> attempt.isExhausted() && mayBeLast(attempt, slot, now));
    List<QueuedAttempt<T>> last = new ArrayList<>();
    OrderKey stop = lanes.memory().stoppedAt();
    QueuedAttempt<T> stopped = stop == null ? null : lanes.stalled.bySubmission().get(stop);
    int first = stopped == null ? 0 : stopped.isExhausted() ? 2 : 1;
    boolean goesOn = stop != null && groups.get(first).containsKey(stop);
    collect(goesOn ? groups.get(first).tailMap(stop, false) : groups.get(first),
        isOffered.get(first), last);
    for (int i = 1; i < groups.size(); i++) {
      int next = (first + i) % groups.size();
      collect(groups.get(next), isOffered.get(next), last);
    }
    if (goesOn) {
      collect(groups.get(first).headMap(stop, true), isOffered.get(first), last);
    }
    return last;
  }

  private boolean mayBeLast(QueuedAttempt<T> attempt, boolean slot, long now) {
    return (slot ? !attempt.isExhausted() || hasSlotForExhausted() : isSafe(attempt, now))
        && !reserved.isAside(attempt, now)
            && (attempt.isLate() || facts.hasOutstandingRequest(attempt, now));
  }

  /** Exhausted attempts take no slot from others, but compete with each other. */
  private boolean hasSlotForExhausted() {
    return lanes.starting.size() + lanes.reserved.size() < lifecycle.settings().maxStarting();
  }

  private static <T> void collect(Map<OrderKey, QueuedAttempt<T>> lane,
      Predicate<QueuedAttempt<T>> isOffered, List<QueuedAttempt<T>> offer) {
    for (QueuedAttempt<T> attempt : lane.values()) {
      if (offer.size() >= MOST) {
        return;
      }
      if (isOffered.test(attempt)) {
        offer.add(attempt);
      }
    }
  }

  private static <T> List<QueuedAttempt<T>> together(
      List<QueuedAttempt<T>> some, List<QueuedAttempt<T>> others) {
    List<QueuedAttempt<T>> all = new ArrayList<>(some);
    for (QueuedAttempt<T> attempt : others) {
      if (!some.contains(attempt)) {
        all.add(attempt);
      }
    }
    all.sort(IN_ORDER);
    return all;
  }

  // Progress of the scheduler's walk.

  /**
   * Whether a walk for a node of that partition tries the attempts of this line. On nodes of another
   * partition YARN tries them at most because the label is shared, so such a walk proves nothing.
   */
  private boolean isWalked(String walked) {
    return lanes.partition().equals(walked);
  }

  /** The scheduler tries to place the driver of an attempt that is offered at its position. */
  void tried(QueuedAttempt<T> attempt, String walked, long now) {
    if (!isWalked(walked)) {
      return;
    }
    if (!lanes.stalled.isEmpty() && lanes.memory().trials().isOn(now)) {
      lanes.memory().setStoppedAt(attempt.submitted);
    }
    clock.tried(attempt, now);
  }

  /** A walk along the attempts offered last, or on trial, has reached this one. */
  void reached(QueuedAttempt<T> attempt, String walked) {
    if (isWalked(walked)) {
      lanes.memory().setStoppedAt(attempt.submitted);
    }
  }

  /**
   * A walk along the attempts offered last, or on trial, has ended.
   *
   * @param offered the number of attempts; if it is the maximum, the next walk continues from there, and
   *     if none was offered, it continues where the last one stopped
   */
  void passedAll(int offered, String walked) {
    if (isWalked(walked) && offered > 0 && offered < MOST) {
      lanes.memory().setStoppedAt(null);
    }
  }

  /** Updates the starting attempts whose state time or other threads may have changed. */
  void checkStarting(long now) {
    startingCheck.run(now);
  }

  /** The attempts that have a reserved driver. */
  List<QueuedAttempt<T>> reserved(long now) {
    return reserved.all(now);
  }

  /** The attempts that have a reserved driver and have lost the offer. */
  List<QueuedAttempt<T>> losers(long now) {
    return reserved.losers(attempt -> ledger.hasPass(attempt.claim()), now);
  }

  // Diagnostics.

  PartitionLanes<T> lanes() {
    return lanes;
  }

  void setShortage(Shortage found) {
    shortage = found;
  }

  /** The reason why the next attempt in line waits; changes nothing. */
  WaitReason waitsFor(long now) {
    int taken = 0;
    for (QueuedAttempt<T> attempt : lanes.starting.attempts()) {
      if (attempt.history.state() == State.STARTING && !attempt.isExhausted()) {
        taken++;
      }
    }
    QueuedAttempt<T> next = lanes.firstWaiting();
    if (taken < lifecycle.settings().maxStarting() || next != null && isSafe(next, now)) {
      return WaitReason.OFFERED;
    }
    if (!ledger.isActive(now)) {
      return WaitReason.FOR_SLOT;
    }
    return WaitReason.forHeadroom(shortage == null ? Shortage.QUEUE : shortage);
  }
}
