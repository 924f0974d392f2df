// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.AbstractMap;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Attempts in the order of their submission. Safe for use by any thread; an attempt is added and removed
 * under its own lock.
 */
final class AttemptLane<T> {

  private final ConcurrentNavigableMap<OrderKey, QueuedAttempt<T>> bySubmission =
      new ConcurrentSkipListMap<>();
  /** Never below the number of attempts; every decision asks whether a lane is empty. */
  private final AtomicInteger size = new AtomicInteger();
  private volatile Object version = new Object();

  void add(QueuedAttempt<T> attempt) {
    size.incrementAndGet();
    if (bySubmission.put(attempt.submitted, attempt) != null) {
      size.decrementAndGet();
    }
    // Last: who reads the version and then the lane, and misses the attempt, finds another version later.
    version = new Object();
  }

  /** An object of this lane alone, and another one once an attempt was added. */
  Object version() {
    return version;
  }

  /** @return whether it was in this lane */
  boolean remove(QueuedAttempt<T> attempt) {
    boolean removed = !isEmpty() && bySubmission.remove(attempt.submitted, attempt);
    if (removed) {
      size.decrementAndGet();
    }
    return removed;
  }

  boolean contains(QueuedAttempt<T> attempt) {
    return size.get() > 0 && bySubmission.get(attempt.submitted) == attempt;
  }

  boolean isEmpty() {
    return size.get() == 0;
  }

  int size() {
    return size.get();
  }

  /** The first attempt, or null. */
  QueuedAttempt<T> first() {
    Map.Entry<OrderKey, QueuedAttempt<T>> first = isEmpty() ? null : bySubmission.firstEntry();
    return first == null ? null : first.getValue();
  }

  /** The last attempt, or null. */
  QueuedAttempt<T> last() {
    Map.Entry<OrderKey, QueuedAttempt<T>> last = isEmpty() ? null : bySubmission.lastEntry();
    return last == null ? null : last.getValue();
  }

  /** The first attempt that waits, and not because it was taken back; null if there is none. */
  QueuedAttempt<T> next(long now) {
    for (QueuedAttempt<T> attempt : bySubmission.values()) {
      if (attempt.history.state() == State.ACCEPTED && !attempt.isBackingOff(now)) {
        return attempt;
      }
    }
    return null;
  }

  /** Appends every attempt with its order key, in order. */
  void addPlaces(List<Map.Entry<OrderKey, T>> places) {
    if (!isEmpty()) {
      bySubmission.forEach((key, attempt) ->
          places.add(new AbstractMap.SimpleImmutableEntry<>(key, attempt.item)));
    }
  }

  /** All attempts in order; a live view. */
  Collection<QueuedAttempt<T>> attempts() {
    return bySubmission.values();
  }

  /** The attempts behind this position, or all for null, by submission; a live view. */
  Map<OrderKey, QueuedAttempt<T>> behind(OrderKey position) {
    return position == null ? bySubmission : bySubmission.tailMap(position, false);
  }

  /** All attempts by submission; a live view, for walks along a part of the lane. */
  ConcurrentNavigableMap<OrderKey, QueuedAttempt<T>> bySubmission() {
    return bySubmission;
  }
}
