// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Which attempts of one line are offered on {@linkplain Trials trial}: the stalled ones and, if the line is
 * open, those that wait. Used with the lock of the group.
 *
 * @param <T> the type that represents an application attempt
 */
final class TrialOffer<T> {

  private static final long NEVER = Long.MIN_VALUE;

  private final Line<T> line;
  private final Lifecycle<T> lifecycle;
  private final LineClock<T> clock;
  /** The time of the last search that user limits left without anybody, and how many had stalled then. */
  private long foundNobody = NEVER;
  private int foundNobodyAmong;

  TrialOffer(Line<T> line, Lifecycle<T> lifecycle) {
    this.line = line;
    this.lifecycle = lifecycle;
    this.clock = lifecycle.clock;
  }

  /**
   * Whether a trial is on. One that is due begins.
   *
   * @param walk whether the scheduler walks along the line; else none begins
   */
  boolean isOn(boolean walk, Questions<T> questions) {
    if (!clock.hasLast(line) && !line.isAnyStalledBeside()) {
      return false;
    }
    Trials trials = line.trials();
    return trials.isOn(questions.now) || walk && mayBegin(trials, questions) && !questions.isOpen()
        && trials.begin(clock.timeBetweenTrials(), questions.now);
  }

  /** A late attempt with a reserved driver releases the reservation before a trial begins. */
  private boolean mayBegin(Trials trials, Questions<T> questions) {
    for (QueuedAttempt<T> attempt : line.pool.reserved) {
      if (attempt.isLate()) {
        return false;
      }
    }
    // A trial holds back the other queues of a group, so there must be an attempt for it.
    return !line.pool.isShared()
        || !line.pool.overtaken.isOn() && trials.isDue(clock.timeBetweenTrials(), questions.now)
        && (line.pool.isAnyStalledPendingBeside(lifecycle, questions) || !offer(questions).isEmpty());
  }

  /**
   * Those behind the position of the last walk, or all of them if it has passed all; in order. Without
   * those whose user is at its limit: YARN would skip them, and nobody needs to wait for that.
   *
   * <p>Every walk asks, and where all are of such users, a search goes along all of them. So it counts for
   * {@link PendingSearch#INTERVAL}, unless another one stalls.
   */
  List<QueuedAttempt<T>> offer(Questions<T> questions) {
    int stalled = line.waiting.stalled.size();
    if (foundNobody != NEVER && questions.now - foundNobody < PendingSearch.INTERVAL
        && stalled <= foundNobodyAmong) {
      return Collections.emptyList();
    }
    boolean[] limited = new boolean[1];
    List<QueuedAttempt<T>> offer = find(attempt -> {
      boolean waits = !attempt.isExhausted() && questions.waits(attempt);
      boolean below = waits && questions.isBelowLimit(attempt);
      limited[0] |= waits && !below;
      return below;
    }, questions);
    if (offer.isEmpty() && limited[0] && !questions.isOpen()) {
      foundNobodyAmong = stalled;
      foundNobody = questions.now;
    }
    return offer;
  }

  private List<QueuedAttempt<T>> find(Predicate<QueuedAttempt<T>> isOffered, Questions<T> questions) {
    WalkPosition position = line.memory.trialPosition;
    OrderKey after = position.scannedTo();
    if (after != null) {
      Predicate<QueuedAttempt<T>> isSmaller = isSmaller(position, questions).and(isOffered);
      List<QueuedAttempt<T>> offer = offer(
          after, () -> new Scan<>(Scan.MOST, questions, isSmaller), position, questions);
      if (!offer.isEmpty() || questions.isOpen()) {
        return offer;
      }
    }
    return offer(null, () -> new Scan<>(Integer.MAX_VALUE, questions, isOffered), position, questions);
  }

  /** @param after null for all */
  private List<QueuedAttempt<T>> offer(OrderKey after, Supplier<Scan<T>> scan, WalkPosition position,
      Questions<T> questions) {
    Scan<T> stalled = scan.get().along(line.waiting.stalled, after);
    Scan<T> waiting = scan.get();
    if (clock.isOpen(line)) {
      waiting.along(line.waiting.inLine, after);
    }
    if (after != null && stalled.found().isEmpty() && waiting.found().isEmpty() && !questions.isOpen()) {
      position.scanned(stalled.end(waiting));
    }
    List<QueuedAttempt<T>> offer = Scan.together(stalled.found(), waiting.found());
    return offer.size() > Scan.MOST ? offer.subList(0, Scan.MOST) : offer;
  }

  /**
   * Whether an attempt may be placed although YARN ended the last walk at another one: its driver is not as
   * large as that one's.
   */
  Predicate<QueuedAttempt<T>> isSmaller(WalkPosition position, Questions<T> questions) {
    QueuedAttempt<T> end = line.waiting.at(position.end());
    ResourceVector limit = end == null ? null : questions.requested(end);
    return attempt -> {
      ResourceVector requested = limit == null ? null : questions.requested(attempt);
      return requested == null || !limit.fitsIn(requested);
    };
  }
}
