// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * Measures how long the scheduler has tried in vain to place a driver. A period counts from its first try
 * to its last one, including the time between tries. Time before the first try does not count, for
 * example while every node is full. Time between two periods does not count either.
 *
 * <p>Safe for use by any thread.
 */
final class VainTime {

  private volatile long millis;
  private volatile long last = Long.MIN_VALUE;
  private volatile long excusedAt = Long.MIN_VALUE;
  private long before;
  private long first;
  private volatile Object period;

  /** The time so far, in milliseconds. */
  long millis() {
    return millis;
  }

  /** Whether a try at this very time of this period was already recorded. */
  boolean isCurrent(Object current, long now) {
    return last == now && period == current;
  }

  /**
   * The scheduler tries now.
   *
   * @param current identifies the period
   */
  synchronized void tried(Object current, long now) {
    if (period != current) {
      period = current;
      before = millis;
      first = now;
    }
    last = now;
    millis = before + now - first;
  }

  /** The scheduler tries now, and this does not count. */
  void excuse(long now) {
    excusedAt = now;
  }

  /** Whether a try at this very time was found not to count. */
  boolean isExcused(long now) {
    return excusedAt == now;
  }

  /** The period is over. */
  void pause() {
    if (period != null) {
      synchronized (this) {
        period = null;
      }
    }
  }

  /** Adds time from before this object observed any try. */
  synchronized void add(long more) {
    before += more;
    millis += more;
  }

  synchronized void reset() {
    period = null;
    excusedAt = Long.MIN_VALUE;
    before = 0;
    millis = 0;
  }
}
