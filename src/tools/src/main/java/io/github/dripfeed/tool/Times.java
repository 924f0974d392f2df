// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;

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

  /**
   * {@code 30m}, {@code 8h} or {@code 2d} before now; a day; {@code 22:00}; or both.
   *
   * @param option whose value it is
   * @param from a time of day is the first one from then on; negative for the last one until now
   */
  public static long parse(String option, String text, long now, long from) throws Problem {
    if (text.matches("\\d{1,6}(s|m|min|h|d)")) {
      String ago = text.replace("min", "m");
      return now - Duration.parse((ago.endsWith("d") ? "P" : "PT") + ago).toMillis();
    }
    try {
      ZoneId zone = ZoneId.systemDefault();
      if (text.indexOf(':') <= 0 || text.indexOf('-') >= 0) {
        return LocalDateTime.parse(text.contains("T") ? text : text + "T00:00").atZone(zone).toInstant()
            .toEpochMilli();
      }
      LocalTime time = LocalTime.parse(text);
      LocalDate day = Instant.ofEpochMilli(from < 0 ? now : from).atZone(zone).toLocalDate();
      // When clocks are set back, a time comes twice; when they are set forward, it comes late that day.
      LongStream times = Stream.of(-1, 0, 1).map(days -> day.plusDays(days).atTime(time).atZone(zone))
          .flatMap(at -> Stream.of(at, at.withLaterOffsetAtOverlap()))
          .mapToLong(at -> at.toInstant().toEpochMilli());
      return from < 0 ? times.filter(each -> each <= now).max().getAsLong()
          : times.filter(each -> each >= from).min().getAsLong();
    } catch (DateTimeException | ArithmeticException e) {
      // A year may be beyond what milliseconds can say.
      throw Problem.wrong(option, text, "are how long ago (30m, 8h, 2d), a time of day (22:00), a day"
          + " (2026-11-22) or both (2026-11-22T22:00)");
    }
  }
}
