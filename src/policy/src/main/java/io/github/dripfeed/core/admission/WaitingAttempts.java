// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/** The attempts of one line that wait. Used with the lock of their group. */
final class WaitingAttempts<T> {

  final AttemptLane<T> inLine = new AttemptLane<>();
  final AttemptLane<T> stalled = new AttemptLane<>();

  /** The number of waiting attempts, stalled or not. */
  int size() {
    return inLine.size() + stalled.size();
  }

  /** Any attempt of the line: the first one that waits or, if none does, that has stalled; else null. */
  QueuedAttempt<T> first() {
    QueuedAttempt<T> next = inLine.first();
    return next == null ? stalled.first() : next;
  }

  /** The next attempt in line that is not waiting because it was taken back; null if there is none. */
  QueuedAttempt<T> next(long now) {
    QueuedAttempt<T> next = inLine.first();
    while (next != null && (next.history.state() != State.ACCEPTED || next.isBackingOff(now))) {
      next = inLine.behind(next.submitted);
    }
    return next;
  }

  /** Whether an attempt has stalled and has trials. */
  boolean hasTrials() {
    for (QueuedAttempt<T> attempt : stalled.all()) {
      if (!attempt.isExhausted()) {
        return true;
      }
    }
    return false;
  }

  void remove(QueuedAttempt<T> attempt) {
    if (!inLine.remove(attempt)) {
      stalled.remove(attempt);
    }
  }

  /** The waiting attempt at this place, stalled or not; null if there is none. */
  QueuedAttempt<T> at(OrderKey place) {
    QueuedAttempt<T> late = stalled.at(place);
    return late == null ? inLine.at(place) : late;
  }
}
