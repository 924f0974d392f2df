// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.forecast;

import io.github.dripfeed.wire.Wire;
import java.util.Arrays;

/**
 * When the applications of one line are expected to start, as ranges. Immutable. Durations are in
 * milliseconds.
 *
 * <p>The n-th application of the line starts with the n-th start from now. A range is what n starts in a
 * row took lately, from the shortest time to the longest, and a margin. Only those rows count that began
 * with an interval longer than the time since the last start: whoever asks meets long intervals more often
 * than short ones.
 */
public final class StartForecast {

  /** Nothing is known. */
  public static final StartForecast NONE = new StartForecast(new long[0], 0);

  /** The number of rows of starts below which nothing is said. */
  private static final int FEWEST_ROWS = 3;
  /** How many rows must fit into the past one after the other; longer ones are extrapolated. */
  private static final int ROWS = 3;
  /** How much a range is wider than the past, on each side. */
  private static final double MARGIN = 0.1;
  /** The part of the intervals that were shorter than {@link #shortInterval}, and longer than the other. */
  private static final double TAIL = 0.1;

  /** Newest first. */
  private final long[] intervals;
  private final long open;
  private final long shortInterval;
  private final long longInterval;

  /**
   * @param newestFirst the times between starts while somebody waited
   * @param open the time since the last start, or for which somebody has waited, if that is less
   */
  StartForecast(long[] newestFirst, long open) {
    this.intervals = newestFirst.clone();
    this.open = open;
    long[] sorted = newestFirst.clone();
    Arrays.sort(sorted);
    this.shortInterval = quantile(sorted, TAIL);
    this.longInterval = quantile(sorted, 1 - TAIL);
  }

  /** The number of intervals that were observed lately. */
  public int intervals() {
    return intervals.length;
  }

  /** Whether anything is known of the next start. */
  public boolean isKnown() {
    return isKnown(1);
  }

  /**
   * Whether there is a range for this place: enough starts followed each other within the last hour, and
   * the line has not stood still since for longer than between most of them.
   *
   * @param place in the line; 1 is next
   */
  public boolean isKnown(int place) {
    return intervals.length >= Wire.FEWEST_STARTS && rows(place).length >= FEWEST_ROWS;
  }

  /** The time between two starts that few were below; 0 if nothing is known. */
  public long shortInterval() {
    return shortInterval;
  }

  /** The time between two starts that few were above; 0 if nothing is known. */
  public long longInterval() {
    return longInterval;
  }

  /**
   * The earliest time from now at which an application is expected to start, if that is known.
   *
   * @param place its place in the line; 1 is next
   */
  public long earliest(int place) {
    return (long) (Arrays.stream(rows(place)).min().orElse(0) * (1 - MARGIN));
  }

  /** The latest time from now at which it is expected to start. */
  public long latest(int place) {
    return (long) (Arrays.stream(rows(place)).max().orElse(0) * (1 + MARGIN));
  }

  /** What so many starts would take from now if they came as each row of them did lately. */
  private long[] rows(int starts) {
    int inRow = Math.max(1, Math.min(starts, intervals.length / ROWS));
    long[] rows = new long[intervals.length];
    int count = 0;
    for (int oldest = inRow - 1; oldest < intervals.length; oldest++) {
      if (intervals[oldest] > open) {
        long row = 0;
        for (int i = oldest - inRow + 1; i <= oldest; i++) {
          row += intervals[i];
        }
        rows[count++] = Math.max(0, row * starts / inRow - open);
      }
    }
    return Arrays.copyOf(rows, count);
  }

  private static long quantile(long[] sorted, double fraction) {
    if (sorted.length == 0) {
      return 0;
    }
    double at = fraction * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return Math.round(sorted[below] + (at - below) * (sorted[above] - sorted[below]));
  }
}
