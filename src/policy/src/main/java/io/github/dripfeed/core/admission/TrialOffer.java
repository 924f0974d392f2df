// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Which attempts of one line are offered on {@linkplain Trials trial}: the stalled ones and, if the line is
 * open, those that wait.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class TrialOffer<T> {

  private static final long NEVER = Long.MIN_VALUE;

  private final PartitionLanes<T> lanes;
  private final ReservedDrivers<T> reserved;
  private final Lifecycle<T> lifecycle;
  private final AttemptFacts<T> facts;
  private final LineClock<T> clock;
  /** The time of the last search that user limits left without anybody, and how many had stalled then. */
  private volatile long foundNobody = NEVER;
  private volatile int foundNobodyAmong;

  TrialOffer(PartitionLanes<T> lanes, Lifecycle<T> lifecycle, ReservedDrivers<T> reserved) {
    this.lanes = lanes;
    this.reserved = reserved;
    this.lifecycle = lifecycle;
    this.facts = lifecycle.facts();
    this.clock = lifecycle.clock();
  }

  /**
   * Whether a trial is on. One that is due begins.
   *
   * @param walk whether the scheduler walks along the line; else none begins
   */
  boolean isOn(boolean walk, long now) {
    if (!clock.hasLast(lanes) && !lanes.isAnyStalledBeside()) {
      return false;
    }
    Trials trials = lanes.slots().trials();
    return trials.isOn(now) || walk && !reserved.isAnyLate() && mayBegin(trials, now)
        && trials.begin(clock.timeBetweenTrials(), now);
  }

  /** A trial holds back the other queues of a group, so there must be an attempt for it. */
  private boolean mayBegin(Trials trials, long now) {
    return !lanes.group().isShared()
        || !lanes.group().overtaken().isOn() && trials.isDue(clock.timeBetweenTrials(), now)
        && (lanes.isAnyStalledPendingBeside(lifecycle, now) || !offer(now).isEmpty());
  }

  /**
   * Those behind the position of the last walk, or all of them if it has passed all; in order. Without
   * those whose user is at its limit: YARN would skip them, and nobody needs to wait for that.
   *
   * <p>Every walk asks, and where all are of such users, a search goes along all of them. So it counts for
   * {@link PendingSearch#INTERVAL}, unless another one stalls.
   */
  List<QueuedAttempt<T>> offer(long now) {
    int stalled = lanes.stalled.size();
    long last = foundNobody;
    if (last != NEVER && now - last < PendingSearch.INTERVAL && stalled <= foundNobodyAmong) {
      return Collections.emptyList();
    }
    Map<String, Boolean> users = new HashMap<>();
    List<QueuedAttempt<T>> offer = find(attempt -> isOffered(attempt, users, now), now);
    if (offer.isEmpty() && users.containsValue(true)) {
      foundNobodyAmong = stalled;
      foundNobody = now;
    }
    return offer;
  }

  private List<QueuedAttempt<T>> find(Predicate<QueuedAttempt<T>> isOffered, long now) {
    WalkPosition position = lanes.memory().trialPosition();
    OrderKey after = position.scannedTo();
    if (after != null) {
      Predicate<QueuedAttempt<T>> isSmaller = facts.isSmaller(lanes.endOf(position), now);
      List<QueuedAttempt<T>> offer =
          offer(after, () -> new Scan<>(Scan.MOST, isSmaller.and(isOffered)), position);
      if (!offer.isEmpty()) {
        return offer;
      }
    }
    return offer(null, () -> new Scan<>(Integer.MAX_VALUE, isOffered), position);
  }

  /** @param after null for all */
  private List<QueuedAttempt<T>> offer(OrderKey after, Supplier<Scan<T>> scan, WalkPosition position) {
    Scan<T> stalled = scan.get().along(lanes.stalled.behind(after));
    Scan<T> waiting = scan.get();
    if (clock.isOpen(lanes)) {
      waiting.along(lanes.waiting.behind(after));
    }
    if (after != null && stalled.found().isEmpty() && waiting.found().isEmpty()) {
      position.scanned(stalled.end(waiting));
    }
    List<QueuedAttempt<T>> offer = Scan.together(stalled.found(), waiting.found());
    return offer.size() > Scan.MOST ? offer.subList(0, Scan.MOST) : offer;
  }

  /** @param users those found so far, who may have many, and whether they are at their limits */
  private boolean isOffered(QueuedAttempt<T> attempt, Map<String, Boolean> users, long now) {
    // One with a reservation is not skipped, whatever its user has.
    String user = lanes.reserved.contains(attempt) ? null : facts.user(attempt, now);
    Boolean atLimit = user == null ? null : users.get(user);
    if (atLimit != null && atLimit) {
      return false;
    }
    boolean pending = facts.hasOutstandingRequest(attempt, now);
    if (lifecycle.advance(attempt, 0, now) != State.ACCEPTED || !pending
        || lifecycle.updatePartition(attempt, now) || attempt.isExhausted()) {
      return false;
    }
    if (atLimit == null) {
      atLimit = facts.isSkipped(attempt, now);
      if (user != null) {
        users.put(user, atLimit);
      }
    }
    return !atLimit;
  }
}
