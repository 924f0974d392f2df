// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.Predicate;

/**
 * Collects the attempts that one walk offers on trial, or after all others: {@link #MOST} at most. It stops
 * as well where much is missing that the decision has to know.
 */
final class Scan<T> {

  static final int MOST = 100;

  static final Comparator<QueuedAttempt<?>> BY_PLACE =
      (one, other) -> one.offeredAt.compareTo(other.offeredAt);

  private final Questions<T> questions;
  private final Predicate<QueuedAttempt<T>> isOffered;
  private final List<QueuedAttempt<T>> found = new ArrayList<>();
  private int left;
  private OrderKey last;
  private boolean complete = true;

  /** @param longest the maximum number of attempts that are scanned */
  Scan(int longest, Questions<T> questions, Predicate<QueuedAttempt<T>> isOffered) {
    this.left = longest;
    this.questions = questions;
    this.isOffered = isOffered;
  }

  /** @param after the place to scan from; null for the first attempt */
  Scan<T> along(AttemptLane<T> lane, OrderKey after) {
    return along(lane, after, attempt -> true);
  }

  /** @param belongs whether an attempt of this lane is scanned here */
  Scan<T> along(AttemptLane<T> lane, OrderKey after, Predicate<QueuedAttempt<T>> belongs) {
    NavigableMap<OrderKey, QueuedAttempt<T>> all = lane.bySubmission();
    for (QueuedAttempt<T> attempt : (after == null ? all : all.tailMap(after, false)).values()) {
      if (found.size() >= MOST || left == 0 || questions.isFull()) {
        complete = false;
        return this;
      }
      left--;
      last = attempt.submitted;
      if (belongs.test(attempt) && isOffered.test(attempt) && !found.contains(attempt)) {
        found.add(attempt);
      }
    }
    return this;
  }

  /** Puts attempts before those that are found. */
  void add(List<QueuedAttempt<T>> first) {
    found.addAll(first);
  }

  List<QueuedAttempt<T>> found() {
    return found;
  }

  /** The last attempt scanned; null if none is left. */
  OrderKey end() {
    return complete ? null : last;
  }

  /** The earlier of both ends; null if no attempt is left for either scan. */
  OrderKey end(Scan<T> other) {
    OrderKey own = end();
    OrderKey others = other.end();
    if (own == null || others == null) {
      return own == null ? others : own;
    }
    return own.compareTo(others) < 0 ? own : others;
  }

  /** Both lists in the order of submission, each attempt once. */
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
}
