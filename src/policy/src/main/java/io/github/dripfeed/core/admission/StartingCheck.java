// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.Collections;
import java.util.List;

/**
 * Keeps the attempts of a {@link StartingLane} up to date. A decision needs only their number, which is
 * counted. Their state is checked no more often than time can change it, because a thousand attempts may
 * be starting while the scheduler makes a thousand decisions per second.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class StartingCheck<T> {

  /** Up to this number, all attempts are checked for every decision; of more, this number in turn. */
  private static final int FEW = 4;
  /**
   * The longest time between two checks of all attempts, in milliseconds, even if no time limit is due:
   * the monitor may be late.
   */
  private static final long ALL = 1000;

  private final StartingLane<T> lane;
  /** The attempts for which the time of the next check was computed. */
  private volatile List<QueuedAttempt<T>> known = Collections.emptyList();
  private volatile long next;
  private volatile int turn;
  /** The time at which partitions were read last: nodes are not relabelled several times a millisecond. */
  private volatile long partitionsRead = Long.MIN_VALUE;

  StartingCheck(StartingLane<T> lane) {
    this.lane = lane;
  }

  /** Updates the attempts whose time limit may be over, and a few others. */
  void run(long now) {
    List<QueuedAttempt<T>> present = lane.attempts();
    int size = present.size();
    boolean partitions = size > 0 && partitionsRead != now;
    if (partitions) {
      partitionsRead = now;
    }
    if (size <= FEW) {
      if (!known.isEmpty()) {
        known = Collections.emptyList();
      }
      for (int i = 0; i < size; i++) {
        bringUpToDate(present.get(i), partitions, now);
      }
    } else if (known != present || now - next >= 0) {
      checkAll(present, now);
    } else {
      int first = turn;
      turn = (first + FEW) % size;
      for (int i = 0; i < FEW; i++) {
        bringUpToDate(present.get((first + i) % size), partitions, now);
      }
    }
  }

  private void checkAll(List<QueuedAttempt<T>> present, long now) {
    known = present;
    long due = now + ALL;
    for (QueuedAttempt<T> attempt : present) {
      bringUpToDate(attempt, true, now);
      due = Math.min(due, now + attempt.owner().millisToLimit(attempt, now));
    }
    next = due;
  }

  private void bringUpToDate(QueuedAttempt<T> attempt, boolean partition, long now) {
    attempt.owner().bringUpToDate(attempt, partition, now);
  }
}
