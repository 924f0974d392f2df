// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The starting attempts of one partition, of one queue or of a group of queues, and how many of them take
 * a slot. A group also keeps those with a reserved driver, and those that are overdue, in such lanes.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class StartingLane<T> {

  /** Replaced as a whole, because an attempt is added and removed only once. */
  private volatile List<QueuedAttempt<T>> attempts = Collections.emptyList();
  /**
   * The number of attempts that take a slot. A field of its own, because no decision may combine two that
   * change between its reads.
   */
  private volatile int taken;
  /** Whether any of them takes its slot from the queues below a full one only. */
  private volatile boolean limited;
  /** One of the highest priority among those that take a slot; null if there is none. */
  private volatile QueuedAttempt<T> mostUrgent;

  /** The attempts in no particular order; the list object changes whenever one is added or removed. */
  List<QueuedAttempt<T>> attempts() {
    return attempts;
  }

  /** The number of attempts. */
  int size() {
    return attempts.size();
  }

  /** The number of attempts that took a slot when that was counted last. */
  int taken() {
    return taken;
  }

  /** The number of attempts that take a slot from this one; null for one of any queue. */
  int takenFrom(QueuedAttempt<T> next) {
    return limited ? taken(attempts, next) : taken;
  }

  /** An attempt of the highest priority among those that take a slot; null if there is none. */
  QueuedAttempt<T> mostUrgent() {
    return mostUrgent;
  }

  /** The number of attempts that take a slot now: earlier attempts may have used up the starting time. */
  int takenNow() {
    return taken(attempts, null);
  }

  /** Adds the attempt, in place of the same attempt in another ordering. */
  synchronized void add(QueuedAttempt<T> attempt) {
    if (!attempts.contains(attempt)) {
      List<QueuedAttempt<T>> more = new ArrayList<>(attempts);
      more.removeIf(other -> other.history == attempt.history);
      more.add(attempt);
      replace(more);
    }
  }

  synchronized void remove(QueuedAttempt<T> attempt) {
    if (attempts.contains(attempt)) {
      List<QueuedAttempt<T>> fewer = new ArrayList<>(attempts);
      fewer.remove(attempt);
      replace(fewer);
    }
  }

  synchronized void removeIf(Predicate<QueuedAttempt<T>> isRemoved) {
    List<QueuedAttempt<T>> fewer = new ArrayList<>(attempts);
    if (fewer.removeIf(isRemoved)) {
      replace(fewer);
    }
  }

  /** Some take a slot now, or do not any more. */
  synchronized void recount() {
    count(attempts);
  }

  private void replace(List<QueuedAttempt<T>> next) {
    attempts = next;
    count(next);
  }

  private void count(List<QueuedAttempt<T>> present) {
    taken = taken(present, null);
    mostUrgent = present.stream().filter(AttemptView::takesSlot)
        .max(Comparator.comparingInt(attempt -> attempt.submitted.priority())).orElse(null);
    limited = present.stream().anyMatch(attempt -> !attempt.fullQueue.isEmpty());
  }

  private static <T> int taken(List<QueuedAttempt<T>> attempts, QueuedAttempt<T> from) {
    int used = 0;
    for (QueuedAttempt<T> attempt : attempts) {
      used += attempt.takesSlot() && attempt.holds(from) ? 1 : 0;
    }
    return used;
  }
}
