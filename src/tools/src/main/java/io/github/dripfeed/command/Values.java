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
import java.util.stream.LongStream;
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

  /**
   * {@code 30m}, {@code 8h} or {@code 2d} before now; a day; {@code 22:00}; or both.
   *
   * @param from a time of day is the first one from then on; negative for the last one until now
   */
  static long moment(String option, String text, long now, long from) throws Problem {
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
      throw wrong(option, text, "are how long ago (30m, 8h, 2d), a time of day (22:00), a day (2026-11-22)"
          + " or both (2026-11-22T22:00)");
    }
  }
}
