// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.terminal;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Moments and durations as people write them. Unknown ones, which are negative, are a dash. */
public final class Times {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM", Locale.ENGLISH);
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY_LENGTH = 24 * HOUR;
  private static final long SHOWN_IN_SECONDS = 2 * MINUTE;

  private Times() {
  }

  /** {@code 36 s}, {@code 4 min}, {@code 3 h 20 min} or {@code 2 d 3 h}. */
  public static String duration(long seconds) {
    if (seconds < 0) {
      return "-";
    } else if (seconds < SHOWN_IN_SECONDS) {
      return seconds + " s";
    } else if (seconds < SHOWN_IN_SECONDS * MINUTE) {
      return Math.round((double) seconds / MINUTE) + " min";
    }
    return seconds < 2 * DAY_LENGTH ? twoUnits(seconds, HOUR, "h", MINUTE, "min")
        : twoUnits(seconds, DAY_LENGTH, "d", HOUR, "h");
  }

  private static String twoUnits(long seconds, long large, String first, long small, String second) {
    long rounded = Math.round((double) seconds / small) * small;
    return rounded / large + " " + first
        + (rounded % large == 0 ? "" : " " + rounded % large / small + " " + second);
  }

  /** {@code 0.4 s} below ten seconds, else like {@link #duration}. */
  public static String millis(long millis) {
    long ten = 10;
    long seconds = Math.round(millis / (double) Duration.ofSeconds(1).toMillis());
    return millis >= 0 && seconds < ten
        ? String.format(Locale.ROOT, "%.1f s", millis / (double) Duration.ofSeconds(1).toMillis())
        : duration(millis < 0 ? -1 : seconds);
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

  /** How far apart things were: {@code 25 to 50 s apart}. */
  public static String apart(long low, long high) {
    return high == 0 ? "less than 1 s apart" : range(low, high) + " apart";
  }

  /** The time of day, with the day before it unless it is that of {@code now}. */
  public static String moment(long millis, long now, ZoneId zone) {
    if (millis < 0) {
      return "-";
    }
    ZonedDateTime time = Instant.ofEpochMilli(millis).atZone(zone);
    LocalDate today = Instant.ofEpochMilli(now).atZone(zone).toLocalDate();
    return (time.toLocalDate().equals(today) ? "" : DAY.format(time) + " ") + TIME.format(time);
  }
}
