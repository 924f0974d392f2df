// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * Answers whether another queue of a group has an attempt that could get its driver now. Every decision
 * asks, and a search may walk along thousands of attempts that the scheduler passes over. So the attempts
 * that a search has found, of two queues, and those added since, answer for a while. Used with the lock of
 * its group.
 *
 * @param <T> the type that represents an application attempt
 */
final class PendingSearch<T> {

  /**
   * The time between two searches in milliseconds. An attempt that begins to be pending meanwhile may be
   * missed for as long.
   */
  static final long INTERVAL = 100;

  private final LineIndex<T> lines;
  private final boolean late;
  private long searched = Long.MIN_VALUE;
  private QueuedAttempt<T> one;
  private QueuedAttempt<T> other;

  /** @param late whether late attempts are sought, or those in line */
  PendingSearch(LineIndex<T> lines, boolean late) {
    this.lines = lines;
    this.late = late;
  }

  /** An attempt was added to a lane. */
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

  /** Whether another ordering has a pending attempt. */
  boolean isAnyBeside(QueuedAttempt.Owner<T> own, Questions<T> questions) {
    if (searched == Long.MIN_VALUE || questions.now - searched >= INTERVAL) {
      search(questions);
    }
    return isPending(one, own, questions) || isPending(other, own, questions);
  }

  private void search(Questions<T> questions) {
    QueuedAttempt<T> first = null;
    QueuedAttempt<T> second = null;
    for (WaitingAttempts<T> line : lines.all()) {
      QueuedAttempt<T> found = second == null ? find(line, questions) : null;
      second = first == null ? null : second == null ? found : second;
      first = first == null ? found : first;
    }
    if (!questions.isOpen()) {
      one = first;
      other = second;
      searched = questions.now;
    }
  }

  private QueuedAttempt<T> find(WaitingAttempts<T> line, Questions<T> questions) {
    AttemptLane<T> lane = late ? line.stalled : line.inLine;
    for (QueuedAttempt<T> attempt : lane.bySubmission().values()) {
      if (questions.isFull()) {
        break;
      }
      if (questions.isPending(attempt)) {
        return attempt;
      }
    }
    return null;
  }

  /** An ordering that was replaced is not kept in memory by its attempts. */
  void forget() {
    searched = Long.MIN_VALUE;
    one = null;
    other = null;
  }

  private boolean isPending(
      QueuedAttempt<T> attempt, QueuedAttempt.Owner<T> own, Questions<T> questions) {
    return attempt != null && attempt.owner != own && attempt.isLate() == late
        && questions.isPending(attempt);
  }
}
