// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Which attempts of one line are offered on {@linkplain Trials trial}: the stalled ones and, if the line is
 * open, those that wait. Called in decisions.
 */
final class TrialOffer {

  private TrialOffer() {}

  /**
   * Whether a trial is on. One that is due begins.
   *
   * @param walk whether the scheduler walks along the line; else none begins
   */
  static <T> boolean isOn(Line<T> line, boolean walk, Questions<T> questions) {
    if (!line.hasLast() && !line.isAnyStalledBeside()) {
      return false;
    }
    Trials trials = line.trials();
    return trials.isOn(questions.now) || walk && mayBegin(line, questions) && !questions.isOpen()
        && trials.begin(line.timeBetweenTrials(), questions.now);
  }

  /** A late attempt with a reserved driver releases the reservation before a trial begins. */
  private static <T> boolean mayBegin(Line<T> line, Questions<T> questions) {
    for (QueuedAttempt<T> attempt : line.pool.reserved) {
      if (attempt.isLate()) {
        return false;
      }
    }
    // A trial holds back the other queues of a group, so there must be an attempt for it.
    return !line.pool.isShared() || !line.pool.overtaken.isOn()
        && line.trials().isDue(line.timeBetweenTrials(), questions.now)
        && (line.pool.lines.isAnyStalledPendingBeside(line.owner, questions)
        || !offer(line, questions).isEmpty());
  }

  /**
   * Those behind the position of the last walk, or all of them if it has passed all; in order. Without
   * those whose user is at its limit: YARN would skip them, and nobody needs to wait for that.
   *
   * <p>Every walk asks, and where all are of such users, a search goes along all of them. So it counts for
   * {@link GroupLines#INTERVAL}, unless another one stalls.
   */
  static <T> List<QueuedAttempt<T>> offer(Line<T> line, Questions<T> questions) {
    int stalled = line.waiting.stalled.size();
    if (line.foundNobody != Long.MIN_VALUE && stalled <= line.foundNobodyAmong
        && questions.now - line.foundNobody < GroupLines.INTERVAL) {
      return Collections.emptyList();
    }
    boolean[] limited = new boolean[1];
    List<QueuedAttempt<T>> offer = find(line, attempt -> {
      boolean waits = !attempt.isExhausted() && questions.waits(attempt);
      boolean below = waits && questions.isBelowLimit(attempt);
      limited[0] |= waits && !below;
      return below;
    }, questions);
    if (offer.isEmpty() && limited[0] && !questions.isOpen()) {
      line.foundNobodyAmong = stalled;
      line.foundNobody = questions.now;
    }
    return offer;
  }

  private static <T> List<QueuedAttempt<T>> find(
      Line<T> line, Predicate<QueuedAttempt<T>> isOffered, Questions<T> questions) {
    WalkPosition position = line.memory.trialPosition;
    OrderKey after = position.scannedTo();
    if (after != null) {
      Predicate<QueuedAttempt<T>> isSmaller = isSmaller(line, position, questions).and(isOffered);
      List<QueuedAttempt<T>> offer =
          scan(line, after, () -> new Scan<>(Scan.MOST, questions, isSmaller), questions);
      if (!offer.isEmpty() || questions.isOpen()) {
        return offer;
      }
    }
    return scan(line, null, () -> new Scan<>(Integer.MAX_VALUE, questions, isOffered), questions);
  }

  /** @param after null for all */
  private static <T> List<QueuedAttempt<T>> scan(
      Line<T> line, OrderKey after, Supplier<Scan<T>> scan, Questions<T> questions) {
    Scan<T> stalled = scan.get().along(line.waiting.stalled, after);
    Scan<T> waiting = scan.get();
    if (line.isOpen()) {
      waiting.along(line.waiting.inLine, after);
    }
    List<QueuedAttempt<T>> offer = Scan.together(stalled.found(), waiting.found());
    if (after != null && offer.isEmpty() && !questions.isOpen()) {
      line.memory.trialPosition.scanned(stalled.end(waiting));
    }
    return offer.size() > Scan.MOST ? offer.subList(0, Scan.MOST) : offer;
  }

  /**
   * Whether an attempt may be placed although YARN ended the last walk at another one: its driver is not as
   * large as that one's.
   */
  static <T> Predicate<QueuedAttempt<T>> isSmaller(
      Line<T> line, WalkPosition position, Questions<T> questions) {
    QueuedAttempt<T> end = line.waiting.at(position.end());
    ResourceVector limit = end == null ? null : questions.requested(end);
    return attempt -> {
      ResourceVector requested = limit == null ? null : questions.requested(attempt);
      return requested == null || !limit.fitsIn(requested);
    };
  }
}
