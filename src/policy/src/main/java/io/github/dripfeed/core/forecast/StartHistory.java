// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.forecast;

import java.util.Arrays;

/**
 * When the last drivers of one line were allocated. It outlives the ordering of the queue. Safe for use by
 * any thread; all times are milliseconds on one clock that never goes backwards.
 *
 * <p>What counts is the time between two starts while somebody waited. The time between two starts of a
 * line that was empty in between says when applications were submitted, not how fast the line moves.
 */
public final class StartHistory {

  /** The number of intervals that a forecast uses: enough for its range, few enough to be recent. */
  static final int INTERVALS = 60;
  /** The number of starts that are kept; the intervals before some of them do not count. */
  private static final int STARTS = 64;
  /** The part of an interval in which nobody may be known to have waited. */
  private static final double UNKNOWN = 0.1;
  /** Starts longer ago than this, in milliseconds, say nothing about now: an hour. */
  static final long LATELY = 3_600_000L;

  /** The last starts, oldest first from {@link #next} on. */
  private final long[] startedAt = new long[STARTS];
  private final long[] waitedSince = new long[STARTS];
  private int next;
  private int known;

  /**
   * The driver of an application of the line was allocated.
   *
   * @param waited how long the application has waited in the line, in milliseconds
   */
  public synchronized void started(long waited, long now) {
    startedAt[next] = now;
    waitedSince[next] = now - waited;
    next = (next + 1) % STARTS;
    known = Math.min(STARTS, known + 1);
  }

  /**
   * What the last starts say about the next ones.
   *
   * @param waiting how long the first application of the line has waited, in milliseconds
   */
  public synchronized StartForecast forecast(long waiting, long now) {
    long[] newestFirst = new long[INTERVALS];
    int count = 0;
    long waitedBefore = now - waiting;
    for (int back = 1; back < known && count < INTERVALS; back++) {
      int latter = Math.floorMod(next - back, STARTS);
      long from = startedAt[Math.floorMod(latter - 1, STARTS)];
      if (now - from > LATELY) {
        break;
      }
      // Who started later may have waited for longer.
      waitedBefore = Math.min(waitedBefore, waitedSince[latter]);
      long interval = startedAt[latter] - from;
      if (Math.max(0, waitedBefore - from) <= UNKNOWN * interval) {
        newestFirst[count++] = interval;
      }
    }
    long last = known == 0 ? Long.MIN_VALUE : startedAt[Math.floorMod(next - 1, STARTS)];
    long open = known == 0 ? waiting : Math.min(waiting, now - last);
    return new StartForecast(Arrays.copyOf(newestFirst, count), open);
  }
}
