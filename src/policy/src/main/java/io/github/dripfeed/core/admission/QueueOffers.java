// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The {@link Offer} of each node partition that drivers of one queue are requested in.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class QueueOffers<T> {

  private final QueueLanes<T> lanes;
  private final Lifecycle<T> lifecycle;
  /** Replaced as a whole, and not wrapped, because every decision reads it. */
  private volatile List<Offer<T>> all = Collections.emptyList();

  QueueOffers(QueueLanes<T> lanes, Lifecycle<T> lifecycle) {
    this.lanes = lanes;
    this.lifecycle = lifecycle;
  }

  /** All of them in the order of {@link QueueLanes#lines}, for a walk without allocation. */
  List<Offer<T>> all() {
    List<Offer<T>> present = all;
    return present.size() == lanes.lines().size() ? present : addMissing();
  }

  /** Lines are added, and never removed. */
  private synchronized List<Offer<T>> addMissing() {
    List<Offer<T>> offers = new ArrayList<>();
    for (Line<T> line : lanes.lines()) {
      Offer<T> known = find(all, line);
      offers.add(known == null ? new Offer<>(line, lifecycle) : known);
    }
    all = offers;
    return offers;
  }

  private static <T> Offer<T> find(List<Offer<T>> offers, Line<T> line) {
    for (int i = 0; i < offers.size(); i++) {
      if (offers.get(i).line == line) {
        return offers.get(i);
      }
    }
    return null;
  }

  /** The offer of the attempt's line. */
  Offer<T> of(QueuedAttempt<T> attempt) {
    Line<T> line = lanes.of(attempt);
    return find(all(), line);
  }

  /** All of them, after an update of the starting attempts; a new decision begins. */
  List<Offer<T>> upToDate(Questions<T> questions) {
    questions.begin();
    List<Line<T>> lines = lanes.lines();
    for (int i = 0; i < lines.size(); i++) {
      try {
        Lifecycle.lookAtStarting(lines.get(i).pool, lanes.lock(), questions.number(), questions.now);
      } catch (RuntimeException | LinkageError e) {
        lifecycle.failed(e);
      }
    }
    // A look may have found a partition that had no line yet.
    return all();
  }

  /** Whether any attempt is offered after all others. */
  boolean isAnyLast() {
    List<Offer<T>> present = all();
    for (int i = 0; i < present.size(); i++) {
      if (present.get(i).hasLast()) {
        return true;
      }
    }
    return false;
  }

  /** The rule failed. A bug in it must not stop the scheduler. */
  void failed(Throwable failure) {
    lifecycle.failed(failure);
  }

  /**
   * Updates every attempt that is not running yet for changes without a callback. A failure in one line
   * leaves the others.
   *
   * @return whether the ordering still manages one of them
   */
  boolean update(long now) {
    boolean manages = false;
    for (Line<T> line : lanes.lines()) {
      List<QueuedAttempt<T>> attempts;
      synchronized (lanes.lock()) {
        attempts = new ArrayList<>(line.starting);
        attempts.forEach(line.pool.starting::mayLackExecutors);
        attempts.addAll(line.waiting.inLine.bySubmission().values());
        attempts.addAll(line.waiting.stalled.bySubmission().values());
      }
      manages |= !attempts.isEmpty();
      try {
        for (QueuedAttempt<T> attempt : attempts) {
          if (lifecycle.advance(attempt, 0, now) == State.ACCEPTED) {
            lifecycle.updatePartition(attempt, now);
          }
        }
      } catch (RuntimeException | LinkageError e) {
        failed(e);
      }
    }
    return manages;
  }
}
