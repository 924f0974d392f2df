/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.admission;

import java.util.Collections;
import java.util.List;

/**
 * Keeps the starting attempts of one partition up to date. A decision needs to know how many there are,
 * which is counted; whether they still are is looked at no more often than time can have changed it, since
 * a
 * thousand may be starting while the scheduler decides a thousand times a second.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> what stands for an application attempt
 */
final class StartingCheck<T> {

  /** So few are looked at for every decision; of more, so many in turn. */
  private static final int FEW = 4;
  /** How often all are looked at even if no time limit is due, in milliseconds: the monitor may be late. */
  private static final long ALL = 1000;

  private final StartingLane<T> lane;
  private final Lifecycle<T> lifecycle;
  /** Those that the time of the next look at all was computed for. */
  private volatile List<QueuedAttempt<T>> known = Collections.emptyList();
  private volatile long next;
  private volatile int turn;

  StartingCheck(StartingLane<T> lane, Lifecycle<T> lifecycle) {
    this.lane = lane;
    this.lifecycle = lifecycle;
  }

  /** Brings up to date those whose time may be up, and a few others. */
  void run(long now) {
    List<QueuedAttempt<T>> present = lane.attempts();
    int size = present.size();
    if (size <= FEW) {
      known = Collections.emptyList();
      for (int i = 0; i < size; i++) {
        bringUpToDate(present.get(i), now);
      }
    } else if (known != present || now - next >= 0) {
      checkAll(present, now);
    } else {
      int first = turn;
      turn = (first + FEW) % size;
      for (int i = 0; i < FEW; i++) {
        bringUpToDate(present.get((first + i) % size), now);
      }
    }
  }

  private void checkAll(List<QueuedAttempt<T>> present, long now) {
    known = present;
    long due = now + ALL;
    for (QueuedAttempt<T> attempt : present) {
      bringUpToDate(attempt, now);
      due = Math.min(due, now + lifecycle.millisToLimit(attempt, now));
    }
    next = due;
  }

  private void bringUpToDate(QueuedAttempt<T> attempt, long now) {
    lifecycle.sendHome(attempt, now);
    lifecycle.advance(attempt, 0, now);
  }
}
