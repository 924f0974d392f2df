// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

/**
 * How often one application was taken back, when it was the last time and why, and how long its next
 * attempt waits. Safe for use by any thread. Times are milliseconds.
 */
public final class TakeBackMemory {

  /** How long the next attempt waits after the first time; twice as long after each further one. */
  public static final long FIRST_BACKOFF = 10_000;
  /** The longest time that an attempt waits. */
  public static final long LONGEST_BACKOFF = 300_000;

  /** What was remembered at one time. */
  private static final class Entry {
    final Entry before;
    final int times;
    final String reason;
    final long wallMillis;
    final long until;

    Entry(Entry before, int times, String reason, long wallMillis, long until) {
      this.before = before;
      this.times = times;
      this.reason = reason;
      this.wallMillis = wallMillis;
      this.until = until;
    }
  }

  private volatile Entry last = new Entry(null, 0, null, 0, 0);

  /**
   * The application is taken back.
   *
   * @param why the reason, as the second half of a sentence
   * @param wall the time of day, in milliseconds since 1970
   */
  public synchronized void takenBack(String why, long wall, long now) {
    long backoff = FIRST_BACKOFF;
    Entry before = last;
    for (int i = 0; i < before.times && backoff < LONGEST_BACKOFF; i++) {
      backoff *= 2;
    }
    last = new Entry(before, before.times + 1, why, wall, now + Math.min(backoff, LONGEST_BACKOFF));
  }

  /** The application keeps the driver that it was to lose the last time. */
  public synchronized void cancelLast() {
    if (last.before != null) {
      last = last.before;
    }
  }

  /** How often the application was taken back. */
  public int times() {
    return last.times;
  }

  /** Why it was taken back the last time; null if it never was. */
  public String reason() {
    return last.reason;
  }

  /** The time of day at which it was taken back the last time, in milliseconds since 1970. */
  public long lastWallMillis() {
    return last.wallMillis;
  }

  /** Whether the application waits before it is offered again. */
  public boolean isBackingOff(long now) {
    return millisLeft(now) > 0;
  }

  /** How long it still waits; 0 if it does not. */
  public long millisLeft(long now) {
    Entry current = last;
    return current.times == 0 ? 0 : Math.max(0, current.until - now);
  }
}
