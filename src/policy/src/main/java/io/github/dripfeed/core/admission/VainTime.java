// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * Measures how long the scheduler has tried in vain to place a driver. A period counts from its first try
 * to its last one, including the time between tries. Time before the first try does not count, for
 * example while every node is full. Time between two periods does not count either.
 *
 * <p>Used with the lock of the group.
 */
final class VainTime {

  /** Longer ago than any interval. */
  static final long NEVER = Long.MIN_VALUE / 2;

  private long millis;
  private long last = NEVER;
  private long before;
  private long first;
  private Object period;

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
  void tried(Object current, long now) {
    if (period != current) {
      period = current;
      before = millis;
      first = now;
    }
    last = now;
    millis = before + now - first;
  }

  /** The period is over. */
  void pause() {
    period = null;
  }

  /** @param kept the time that still counts */
  void restart(long kept) {
    period = null;
    before = kept;
    millis = kept;
  }
}
