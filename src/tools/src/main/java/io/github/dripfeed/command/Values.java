// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.tool.Problem;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.stream.Stream;

/** Values of options, as people give them. Moments are milliseconds since the epoch. */
final class Values {

  private Values() {
  }

  static Problem wrong(String option, String value, String allowed) {
    return new Problem(Problem.WRONG_CALL, option + " = '" + value + "': allowed " + allowed);
  }

  static int number(String option, String value, int least, int most) throws Problem {
    if (!value.matches("\\d{1,9}") || Integer.parseInt(value) < least || Integer.parseInt(value) > most) {
      throw wrong(option, value, "is a number from " + least + " to " + most);
    }
    return Integer.parseInt(value);
  }

  /** The id of an application, also if the text is that of one of its attempts. */
  static String application(String text) throws Problem {
    String id = text.replaceFirst("^appattempt_(\\d{1,19}_\\d{4,19})_\\d{6,10}$", "application_$1");
    if (!id.matches("application_\\d{1,19}_\\d{4,19}")) {
      throw new Problem(Problem.WRONG_CALL, "'" + text + "' is no id of an application:"
          + " application_<number>_<number>, such as application_1763887000000_0012");
    }
    return id;
  }

  /** {@code 30m}, {@code 8h} or {@code 2d} ago; {@code 22:00}, the last one; a day, or both. */
  static long moment(String option, String text, long now, ZoneId zone) throws Problem {
    if (text.matches("\\d{1,6}(s|m|min|h|d)")) {
      String ago = text.replace("min", "m");
      return now - Duration.parse((ago.endsWith("d") ? "P" : "PT") + ago).toMillis();
    }
    try {
      ZonedDateTime at = isTimeOfDay(text)
          ? Instant.ofEpochMilli(now).atZone(zone).with(LocalTime.parse(text))
          : LocalDateTime.parse(text.contains("T") ? text : text + "T00:00").atZone(zone);
      boolean isLater = isTimeOfDay(text) && at.toInstant().toEpochMilli() > now;
      return (isLater ? at.minusDays(1) : at).toInstant().toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      // A year may be beyond what milliseconds can say.
      throw noMoment(option, text);
    }
  }

  /** The first moment from {@code earliest} on that has this time of day. */
  static long firstFrom(String option, String text, long earliest, ZoneId zone) throws Problem {
    try {
      LocalTime time = LocalTime.parse(text);
      LocalDate day = Instant.ofEpochMilli(earliest).atZone(zone).toLocalDate();
      ZonedDateTime at = day.atTime(time).atZone(zone);
      // When clocks are set back, a time comes twice; when they are set forward, it comes late that day.
      return Stream.of(at, at.withLaterOffsetAtOverlap(), day.plusDays(1).atTime(time).atZone(zone))
          .mapToLong(each -> each.toInstant().toEpochMilli()).filter(each -> each >= earliest)
          .findFirst().getAsLong();
    } catch (DateTimeException e) {
      throw noMoment(option, text);
    }
  }

  private static Problem noMoment(String option, String text) {
    return wrong(option, text, "are how long ago (30m, 8h, 2d), a time of day (22:00), a day (2026-11-22)"
        + " or both (2026-11-22T22:00)");
  }

  /** Whether the text is a time without a day. */
  static boolean isTimeOfDay(String text) {
    return text.indexOf(':') > 0 && text.indexOf('-') < 0;
  }
}
