// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Moments and durations as people write them. Unknown ones, which are negative, are a dash. */
public final class Times {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM ", Locale.ENGLISH);

  private Times() {
  }

  /** {@code 36 s}, {@code 4 min}, {@code 3 h 20 min} or {@code 2 d 3 h}. */
  public static String duration(long seconds) {
    long minutes = Math.round(seconds / 60.0);
    return seconds < 0 ? "-" : seconds < 120 ? seconds + " s" : seconds < 7200 ? minutes + " min"
        : seconds < 48 * 3600 ? twoUnits(minutes, 60, " h", " min")
        : twoUnits(Math.round(seconds / 3600.0), 24, " d", " h");
  }

  private static String twoUnits(long number, int ofLarge, String large, String small) {
    return number / ofLarge + large + (number % ofLarge == 0 ? "" : " " + number % ofLarge + small);
  }

  /** {@code 0.4 s} below ten seconds, else like {@link #duration}. */
  public static String millis(long millis) {
    long seconds = millis < 0 ? -1 : Math.round(millis / 1000.0);
    return seconds >= 0 && seconds < 10
        ? String.format(Locale.ROOT, "%.1f s", millis / 1000.0) : duration(seconds);
  }

  /** {@code 25 to 50 s}, {@code 50 s to 4 min}, or {@code now}; a dash if it is unknown. */
  public static String range(long low, long high) {
    if (low < 0 || high < 0) {
      return "-";
    } else if (high == 0) {
      return "now";
    }
    String from = duration(low);
    String to = duration(high);
    int unit = from.indexOf(' ');
    // "3 h 20 min" has two of them: its number cannot stand alone.
    boolean sameUnit = from.lastIndexOf(' ') == unit
        && from.substring(unit).equals(to.substring(to.indexOf(' ')));
    return from.equals(to) ? from : (sameUnit ? from.substring(0, unit) : from) + " to " + to;
  }

  /** The time of day here, with the day before it unless it is that of {@code now}. */
  public static String moment(long millis, long now) {
    ZonedDateTime time = Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault());
    LocalDate today = Instant.ofEpochMilli(now).atZone(ZoneId.systemDefault()).toLocalDate();
    return millis < 0 ? "-"
        : (time.toLocalDate().equals(today) ? "" : DAY.format(time)) + TIME.format(time);
  }
}
