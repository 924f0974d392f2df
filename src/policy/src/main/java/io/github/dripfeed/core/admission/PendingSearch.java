// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;

/**
 * Answers whether another queue of a group has an attempt that could get its driver now. Every decision
 * asks, and a search may walk along thousands of attempts that the scheduler passes over. So the attempts
 * that a search has found, and those added since, answer for a while.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class PendingSearch<T> {

  /**
   * The time between two searches in milliseconds. An attempt that begins to be pending meanwhile may be
   * missed for as long.
   */
  static final long INTERVAL = 100;

  /** Pending attempts of two orderings, so that there is one beside either. */
  private static final class Found<T> {
    final long at;
    final Reference<QueuedAttempt<T>> one;
    final Reference<QueuedAttempt<T>> other;

    /** Either attempt may be null. */
    Found(long at, QueuedAttempt<T> one, QueuedAttempt<T> other) {
      this.at = at;
      this.one = new WeakReference<>(one);
      this.other = new WeakReference<>(other);
    }
  }

  private final GroupIndex<T> lanes;
  private final boolean late;
  private volatile Found<T> found;

  /** @param late whether the lanes are those of late attempts */
  PendingSearch(GroupIndex<T> lanes, boolean late) {
    this.lanes = lanes;
    this.late = late;
  }

  /** An attempt was added to a lane. */
  void added(QueuedAttempt<T> attempt) {
    Found<T> known = found;
    if (known != null) {
      QueuedAttempt<T> one = known.one.get();
      found = new Found<>(known.at, attempt,
          one == null || one.owner() == attempt.owner() ? known.other.get() : one);
    }
  }

  /** Whether another ordering has a pending attempt. */
  boolean isAnyBeside(QueuedAttempt.Owner<T> own, long now) {
    Found<T> known = found;
    if (known == null || now - known.at >= INTERVAL) {
      known = search(now);
      found = known;
    }
    return isPending(known.one.get(), own, now) || isPending(known.other.get(), own, now);
  }

  private Found<T> search(long now) {
    QueuedAttempt<T> one = lanes.find(attempt -> isPending(attempt, null, now));
    QueuedAttempt<T> other =
        one == null ? null : lanes.find(attempt -> isPending(attempt, one.owner(), now));
    return new Found<>(now, one, other);
  }

  private boolean isPending(QueuedAttempt<T> attempt, QueuedAttempt.Owner<T> own, long now) {
    return attempt != null && attempt.owner() != own && !attempt.gone && attempt.isManaged()
        && attempt.isLate() == late && attempt.owner().isPending(attempt, now);
  }
}
