// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Attempts that wait, in the order of their submission, and those of each user. Used with the lock of their
 * group.
 */
final class AttemptLane<T> {

  /** So many attempts of users at their limit are passed one by one. */
  private static final int FEW = 16;

  private final NavigableMap<OrderKey, QueuedAttempt<T>> bySubmission = new TreeMap<>();
  private final Map<String, NavigableMap<OrderKey, QueuedAttempt<T>>> byUser = new HashMap<>();
  /** The first attempt, for which every decision asks; null if there is none. */
  private QueuedAttempt<T> first;

  void add(QueuedAttempt<T> attempt) {
    bySubmission.put(attempt.submitted, attempt);
    byUser.computeIfAbsent(attempt.user(), user -> new TreeMap<>()).put(attempt.submitted, attempt);
    first = first != null && first.submitted.compareTo(attempt.submitted) < 0 ? first : attempt;
  }

  /** @return whether it was in this lane */
  boolean remove(QueuedAttempt<T> attempt) {
    boolean removed = bySubmission.remove(attempt.submitted, attempt);
    if (removed) {
      first = first == attempt ? behind(bySubmission, null) : first;
      byUser.computeIfPresent(attempt.user(), (user, own) -> {
        own.remove(attempt.submitted);
        return own.isEmpty() ? null : own;
      });
    }
    return removed;
  }

  boolean contains(QueuedAttempt<T> attempt) {
    return bySubmission.get(attempt.submitted) == attempt;
  }

  boolean isEmpty() {
    return bySubmission.isEmpty();
  }

  int size() {
    return bySubmission.size();
  }

  /** The attempt at this place, or null. */
  QueuedAttempt<T> at(OrderKey place) {
    return place == null ? null : bySubmission.get(place);
  }

  /** The first attempt, or null. */
  QueuedAttempt<T> first() {
    return first;
  }

  /** The attempt right behind this place, or the first one for null; null if there is none. */
  QueuedAttempt<T> behind(OrderKey place) {
    return place == null ? first : behind(bySubmission, place);
  }

  /** Whether an attempt of another user is behind this one. */
  boolean isOtherUserBehind(QueuedAttempt<T> attempt) {
    return !(byUser.size() == 1 && byUser.containsKey(attempt.user()))
        && behind(attempt.submitted, Collections.singleton(attempt.user())) != null;
  }

  private static <T> QueuedAttempt<T> behind(
      NavigableMap<OrderKey, QueuedAttempt<T>> lane, OrderKey place) {
    Map.Entry<OrderKey, QueuedAttempt<T>> next =
        place == null ? lane.firstEntry() : lane.higherEntry(place);
    return next == null ? null : next.getValue();
  }

  /** The same without those of these users, who may have thousands. */
  QueuedAttempt<T> behind(OrderKey place, Set<String> except) {
    QueuedAttempt<T> next = behind(place);
    for (int i = 0; next != null && except.contains(next.user()); i++) {
      if (i == FEW) {
        return firstOfOthers(next.submitted, except);
      }
      next = behind(next.submitted);
    }
    return next;
  }

  private QueuedAttempt<T> firstOfOthers(OrderKey place, Set<String> except) {
    QueuedAttempt<T> first = null;
    for (Map.Entry<String, NavigableMap<OrderKey, QueuedAttempt<T>>> ofUser : byUser.entrySet()) {
      QueuedAttempt<T> next = except.contains(ofUser.getKey()) ? null : behind(ofUser.getValue(), place);
      if (next != null && (first == null || next.submitted.compareTo(first.submitted) < 0)) {
        first = next;
      }
    }
    return first;
  }

  /** All attempts in order; a live view. */
  Collection<QueuedAttempt<T>> all() {
    return bySubmission.values();
  }

  /** Those before this place; all for null. */
  Collection<QueuedAttempt<T>> before(OrderKey place) {
    return place == null ? all() : bySubmission.headMap(place, false).values();
  }

  /** Those behind this place; all for null. */
  Collection<QueuedAttempt<T>> after(OrderKey place) {
    return place == null ? all() : bySubmission.tailMap(place, false).values();
  }

  Collection<QueuedAttempt<T>> newestFirst() {
    return bySubmission.descendingMap().values();
  }
}
