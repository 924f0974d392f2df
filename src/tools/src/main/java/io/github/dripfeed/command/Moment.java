// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.terminal.Problem;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A moment as people give it in a call. */
final class Moment {

  private static final Pattern AGO = Pattern.compile("(\\d{1,6})(s|m|min|h|d)");

  private static final String LETTERS = "smhd";
  private static final TimeUnit[] UNITS =
      {TimeUnit.SECONDS, TimeUnit.MINUTES, TimeUnit.HOURS, TimeUnit.DAYS};

  private Moment() {
  }

  /**
   * {@code 30m}, {@code 8h} or {@code 2d} ago; {@code 22:00}, the last one; {@code 2026-11-22}; or {@code
   * 2026-11-22T22:00}.
   *
   * @param option its name, for the message
   * @param now milliseconds since the epoch, as the result
   */
  static long parse(String option, String text, long now, ZoneId zone) throws Problem {
    Matcher ago = AGO.matcher(text);
    if (ago.matches()) {
      return now
          - UNITS[LETTERS.indexOf(ago.group(2).charAt(0))].toMillis(Long.parseLong(ago.group(1)));
    }
    try {
      if (isTimeOfDay(text)) {
        ZonedDateTime at = Instant.ofEpochMilli(now).atZone(zone).with(LocalTime.parse(text));
        return (at.toInstant().toEpochMilli() > now ? at.minusDays(1) : at).toInstant().toEpochMilli();
      }
      LocalDateTime at = text.indexOf('T') < 0 ? LocalDate.parse(text).atStartOfDay()
          : LocalDateTime.parse(text);
      return at.atZone(zone).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      throw notAllowed(option, text, e);
    }
  }

  /** The first moment from {@code earliest} on that has this time of day. */
  static long firstFrom(String option, String text, long earliest, ZoneId zone) throws Problem {
    try {
      LocalTime time = LocalTime.parse(text);
      LocalDate day = Instant.ofEpochMilli(earliest).atZone(zone).toLocalDate();
      ZonedDateTime at = day.atTime(time).atZone(zone);
      // When clocks are set back, a time comes twice; when they are set forward, it comes late that day.
      for (ZonedDateTime each : Arrays.asList(at, at.withLaterOffsetAtOverlap())) {
        if (each.toInstant().toEpochMilli() >= earliest) {
          return each.toInstant().toEpochMilli();
        }
      }
      return day.plusDays(1).atTime(time).atZone(zone).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      throw notAllowed(option, text, e);
    }
  }

  private static Problem notAllowed(String option, String text, DateTimeException e) {
    return new Problem(Problem.WRONG_CALL, option + " = '" + text + "': allowed are how long ago (30m, 8h,"
        + " 2d), a time of day (22:00), a day (2026-11-22) or both (2026-11-22T22:00)", e);
  }

  /** Whether the text is a time without a day. */
  static boolean isTimeOfDay(String text) {
    return text.indexOf(':') > 0 && text.indexOf('-') < 0;
  }
}
