// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Which attempts of one line are offered although they have stalled, or because the line is open: on
 * {@linkplain Trials trial}, at their positions, or after all others. Called in decisions.
 */
final class LateOffer {

  /** The number of attempts that one walk offers late at most. */
  static final int MOST = 100;
  static final Comparator<QueuedAttempt<?>> BY_PLACE =
      (one, other) -> one.offeredAt.compareTo(other.offeredAt);

  private LateOffer() {}

  // On trial.

  /**
   * Whether a trial is on. One that is due begins.
   *
   * @param walk whether the scheduler walks along the line; else none begins
   */
  static <T> boolean isTrialOn(Line<T> line, boolean walk, Questions<T> questions) {
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
        || !onTrial(line, questions).isEmpty());
  }

  /**
   * Those behind the position of the last walk, or all of them if it has passed all; in order. Without
   * those whose user is at its limit: YARN would skip them, and nobody needs to wait for that.
   *
   * <p>Every walk asks, and where all are of such users, a search goes along all of them. So it counts for
   * {@link GroupLines#INTERVAL}, unless another one stalls.
   */
  static <T> List<QueuedAttempt<T>> onTrial(Line<T> line, Questions<T> questions) {
    int stalled = line.waiting.stalled.size();
    if (stalled <= line.foundNobodyAmong
        && questions.now - line.foundNobody < GroupLines.INTERVAL) {
      return Collections.emptyList();
    }
    boolean[] limited = new boolean[1];
    List<QueuedAttempt<T>> offer = onTrial(line, attempt -> {
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

  private static <T> List<QueuedAttempt<T>> onTrial(
      Line<T> line, Predicate<QueuedAttempt<T>> isOffered, Questions<T> questions) {
    LineMemory.Position position = line.memory.trialPosition;
    OrderKey after = position.scannedTo();
    if (after != null) {
      Predicate<QueuedAttempt<T>> isSmaller = isSmaller(line, position, questions).and(isOffered);
      Scan<T> stalled = new Scan<>(MOST, questions, isSmaller);
      Scan<T> waiting = new Scan<>(MOST, questions, isSmaller);
      List<QueuedAttempt<T>> offer = onTrial(line, stalled, waiting, after);
      if (offer.isEmpty() && !questions.isOpen()) {
        position.scanned(stalled.end(waiting));
      }
      if (!offer.isEmpty() || questions.isOpen()) {
        return offer;
      }
    }
    return onTrial(line, new Scan<>(Integer.MAX_VALUE, questions, isOffered),
        new Scan<>(Integer.MAX_VALUE, questions, isOffered), null);
  }

  /** @param after null for all */
  private static <T> List<QueuedAttempt<T>> onTrial(
      Line<T> line, Scan<T> stalled, Scan<T> waiting, OrderKey after) {
    stalled.along(line.waiting.stalled.after(after));
    if (line.isOpen()) {
      waiting.along(line.waiting.inLine.after(after));
    }
    List<QueuedAttempt<T>> offer = together(stalled.found, waiting.found);
    return offer.size() > MOST ? offer.subList(0, MOST) : offer;
  }

  /** Both lists in the order in which they are offered, each attempt once. */
  static <T> List<QueuedAttempt<T>> together(
      List<QueuedAttempt<T>> some, List<QueuedAttempt<T>> others) {
    List<QueuedAttempt<T>> all = new ArrayList<>(some);
    for (QueuedAttempt<T> attempt : others) {
      if (!some.contains(attempt)) {
        all.add(attempt);
      }
    }
    all.sort(BY_PLACE);
    return all;
  }

  // After all others.

  /**
   * The attempts of an open line, then the stalled ones, then those with an exhausted starting time; before
   * them those behind the position of the last walk.
   */
  static <T> List<QueuedAttempt<T>> last(
      Line<T> line, Predicate<QueuedAttempt<T>> isOffered, Questions<T> questions) {
    LineMemory.Position position = line.memory.lastPosition;
    Scan<T> last = new Scan<>(Integer.MAX_VALUE, questions, isOffered);
    OrderKey after = position.scannedTo();
    if (after != null) {
      Scan<T> behind =
          new Scan<>(MOST, questions, isSmaller(line, position, questions).and(isOffered));
      alongLast(line, behind, after);
      if (behind.found.isEmpty() && !questions.isOpen()) {
        position.scanned(behind.end());
      }
      last.found.addAll(behind.found);
    }
    alongLast(line, last, null);
    return last.found;
  }

  /** @param after the position to scan from; null for the first attempt */
  private static <T> void alongLast(Line<T> line, Scan<T> scan, OrderKey after) {
    AttemptLane<T> stalled = line.waiting.stalled;
    QueuedAttempt<T> there = stalled.at(after);
    boolean isExhausted = there != null && there.isExhausted();
    if (there == null && line.isOpen()) {
      scan.along(line.waiting.inLine.after(after));
    }
    OrderKey place = there == null ? null : after;
    if (!isExhausted) {
      scan.along(stalled.after(place), attempt -> !attempt.isExhausted());
    }
    scan.along(stalled.after(isExhausted ? place : null), QueuedAttempt::isExhausted);
  }

  /**
   * Whether an attempt may be placed although YARN ended the last walk at another one: its driver is not as
   * large as that one's.
   */
  private static <T> Predicate<QueuedAttempt<T>> isSmaller(
      Line<T> line, LineMemory.Position position, Questions<T> questions) {
    QueuedAttempt<T> end = line.waiting.at(position.end());
    ResourceVector limit = end == null ? null : questions.requested(end);
    return attempt -> {
      ResourceVector requested = limit == null ? null : questions.requested(attempt);
      return requested == null || !limit.fitsIn(requested);
    };
  }

  /**
   * Collects {@link #MOST} attempts at most. It stops as well where much is missing that the decision needs
   * to know.
   */
  private static final class Scan<T> {

    final List<QueuedAttempt<T>> found = new ArrayList<>();
    private final Questions<T> questions;
    private final Predicate<QueuedAttempt<T>> isOffered;
    private int left;
    private OrderKey last;
    private boolean complete = true;

    /** @param longest the maximum number of attempts that are scanned */
    Scan(int longest, Questions<T> questions, Predicate<QueuedAttempt<T>> isOffered) {
      this.left = longest;
      this.questions = questions;
      this.isOffered = isOffered;
    }

    void along(Iterable<QueuedAttempt<T>> attempts) {
      along(attempts, attempt -> true);
    }

    /** @param belongs whether an attempt is scanned here */
    void along(Iterable<QueuedAttempt<T>> attempts, Predicate<QueuedAttempt<T>> belongs) {
      for (QueuedAttempt<T> attempt : attempts) {
        if (found.size() >= MOST || left == 0 || questions.isFull()) {
          complete = false;
          return;
        }
        left--;
        last = attempt.submitted;
        if (belongs.test(attempt) && isOffered.test(attempt) && !found.contains(attempt)) {
          found.add(attempt);
        }
      }
    }

    /** The last attempt scanned; null if none is left. */
    OrderKey end() {
      return complete ? null : last;
    }

    /** The earlier of both ends; null if no attempt is left for either scan. */
    OrderKey end(Scan<T> other) {
      OrderKey own = end();
      OrderKey others = other.end();
      return own == null || others != null && others.compareTo(own) < 0 ? others : own;
    }
  }
}
