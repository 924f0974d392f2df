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

import java.util.concurrent.atomic.AtomicInteger;

/**
 * When those that stalled come back to their places for a trial. It is due after the fourth driver that a
 * later
 * one got, and begins when something of the queue has ended since, since that is when there is room that
 * the
 * next later one would take; it begins at the latest after the eighth, and {@code accepted-timeout} after
 * the
 * last. A trial takes a sixteenth of the time since the last one, but not less than a second nor more than
 * a
 * sixteenth of {@code accepted-timeout}; so what cannot be placed costs its line a sixteenth of the time,
 * or a
 * second for every four starts. When one of them gets its driver, the next trial comes at once.
 *
 * <p>Safe for use by any thread.
 */
final class Trials {

  /** After so many drivers of later ones a trial is due, and begins once there is new room. */
  static final int STARTS = 4;
  /** After so many it begins in any case. */
  static final int MOST_STARTS = 8;
  /** The part of the time that trials may take. */
  static final int SHARE = 16;
  /** Time for every node that has room to ask, in milliseconds: YARN's nodes do it once a second. */
  private static final long SHORTEST = 1000;
  private static final long NEVER = Long.MIN_VALUE;

  private volatile long until = NEVER;
  private final AtomicInteger number = new AtomicInteger();
  /** When the last one was over; before the first one, when the first attempt stalled. */
  private long ended = NEVER;
  private int starts;
  /** Whether something has ended since a trial is due. */
  private volatile boolean released;

  /** The first one stalled just now. */
  synchronized void reset(long now) {
    until = NEVER;
    ended = now;
    starts = 0;
    released = false;
  }

  private boolean isDueByStarts() {
    return starts >= MOST_STARTS || starts >= STARTS && released;
  }

  /** An executor or an application of the queue has ended: what it leaves is for those on trial first. */
  void released() {
    if (!released) {
      setReleased();
    }
  }

  private synchronized void setReleased() {
    released = starts >= STARTS;
  }

  /** How many trials there were. */
  int number() {
    return number.get();
  }

  boolean isOn(long now) {
    long end = until;
    return end != NEVER && now - end < 0;
  }

  /** Whether the next walk begins a trial, or one is on. */
  synchronized boolean isDue(long timeout, long now) {
    long last = until == NEVER ? ended : until;
    return isOn(now) || isDueByStarts() || last != NEVER && now - last >= timeout;
  }

  /**
   * Begins a trial if one is due.
   *
   * @param timeout {@code accepted-timeout}
   * @return whether one is on now
   */
  synchronized boolean begin(long timeout, long now) {
    if (isOn(now)) {
      return true;
    }
    if (until != NEVER) {
      ended = until;
      until = NEVER;
    } else if (ended == NEVER) {
      reset(now);
    }
    if (!isDueByStarts() && now - ended < timeout) {
      return false;
    }
    long longest = Math.max(1, timeout / SHARE);
    until = now + Math.min(longest, Math.max(SHORTEST, (now - ended) / SHARE));
    starts = 0;
    released = false;
    number.incrementAndGet();
    return true;
  }

  /** @param ofStalled whether it is one of those that stalled which got its driver */
  synchronized void driverAllocated(boolean ofStalled, long now) {
    if (ofStalled) {
      until = NEVER;
      ended = now;
      starts = MOST_STARTS;
    } else if (!isOn(now)) {
      starts++;
    }
  }
}
