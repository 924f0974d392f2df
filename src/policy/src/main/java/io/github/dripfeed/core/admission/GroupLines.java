// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Who waits in which queue of a group. A line is referenced weakly: its ordering may be replaced without
 * notice. Used with the lock of the group.
 */
final class GroupLines<T> {

  /**
   * The time between two searches in milliseconds. An attempt that begins to be pending meanwhile may be
   * missed for as long.
   */
  static final long INTERVAL = 100;

  /** In the order in which they came. */
  private final List<WeakReference<WaitingAttempts<T>>> lines = new ArrayList<>();
  private final Pending inLine = new Pending(false);
  private final Pending late = new Pending(true);

  /** An attempt waits in this line from now on, in which it may be late. */
  void added(QueuedAttempt<T> attempt, WaitingAttempts<T> line) {
    (attempt.isLate() ? late : inLine).added(attempt);
    if (lines.stream().noneMatch(known -> known.get() == line)) {
      lines.add(new WeakReference<>(line));
    }
  }

  /** The attempt waits no more. */
  void remove(QueuedAttempt<T> attempt) {
    late.remove(attempt);
    inLine.remove(attempt);
  }

  /** The line may belong to no ordering any more; it comes again once an attempt does. */
  void leave(WaitingAttempts<T> line) {
    lines.removeIf(known -> known.get() == line);
  }

  /** An ordering that was replaced is not kept in memory by its attempts. */
  void forgetPending() {
    late.forget();
    inLine.forget();
  }

  /** All lines; one may be empty. */
  List<WaitingAttempts<T>> all() {
    List<WaitingAttempts<T>> present = new ArrayList<>(lines.size());
    lines.removeIf(known -> known.get() == null);
    for (WeakReference<WaitingAttempts<T>> known : lines) {
      WaitingAttempts<T> line = known.get();
      if (line != null) {
        present.add(line);
      }
    }
    return present;
  }

  /** Whether an attempt has stalled, and has trials, in a line other than this one; null for any line. */
  boolean isAnyStalledBeside(WaitingAttempts<T> own) {
    // Every decision asks, and an iterator would be an object.
    for (int i = 0; i < lines.size(); i++) {
      WaitingAttempts<T> line = lines.get(i).get();
      if (line != null && line != own && line.hasTrials()) {
        return true;
      }
    }
    return false;
  }

  /** Whether an attempt of another queue, which has not stalled, could get its driver now. */
  boolean isAnyPendingBeside(QueuedAttempt.Owner<T> own, Questions<T> questions) {
    return inLine.isAnyBeside(own, questions);
  }

  /** Whether a stalled attempt of another queue could get its driver now. */
  boolean isAnyStalledPendingBeside(QueuedAttempt.Owner<T> own, Questions<T> questions) {
    return late.isAnyBeside(own, questions);
  }

  /**
   * Every decision asks, and a search may walk along thousands of attempts that the scheduler passes over.
   * So the attempts that a search has found, of two queues, and those added since, answer for a while.
   */
  private final class Pending {

    private final boolean late;
    private long searched = VainTime.NEVER;
    private QueuedAttempt<T> one;
    private QueuedAttempt<T> other;

    /** @param late whether late attempts are sought, or those in line */
    Pending(boolean late) {
      this.late = late;
    }

    void added(QueuedAttempt<T> attempt) {
      if (one == null || one.owner != attempt.owner) {
        other = one;
      }
      one = attempt;
    }

    void remove(QueuedAttempt<T> attempt) {
      one = one == attempt ? null : one;
      other = other == attempt ? null : other;
    }

    void forget() {
      searched = VainTime.NEVER;
      one = null;
      other = null;
    }

    boolean isAnyBeside(QueuedAttempt.Owner<T> own, Questions<T> questions) {
      if (lines.size() > 1 && questions.now - searched >= INTERVAL) {
        search(questions);
      }
      return isPending(one, own, questions) || isPending(other, own, questions);
    }

    private boolean isPending(
        QueuedAttempt<T> attempt, QueuedAttempt.Owner<T> own, Questions<T> questions) {
      return attempt != null && attempt.owner != own && attempt.isLate() == late
          && questions.isPending(attempt);
    }

    private void search(Questions<T> questions) {
      QueuedAttempt<T> first = null;
      QueuedAttempt<T> second = null;
      for (WaitingAttempts<T> line : all()) {
        QueuedAttempt<T> found =
            second == null ? questions.firstPending((late ? line.stalled : line.inLine).all()) : null;
        second = first == null ? null : second == null ? found : second;
        first = first == null ? found : first;
      }
      if (!questions.isOpen()) {
        one = first;
        other = second;
        searched = questions.now;
      }
    }
  }
}
