// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Text;
import io.github.dripfeed.terminal.Times;
import java.util.Locale;
import java.util.regex.Pattern;

/** How rows are told in sentences. */
final class Wording {

  private static final Pattern HELD = Pattern.compile("^Held by [^:]{1,200}: ");
  private static final Pattern PLACE =
      Pattern.compile("^Number \\d+ in line(?: for partition [^,;]{1,200})?[,;] ");

  private Wording() {
  }

  /** The reason of a row of the line without what the row says anyway: that it is held, and its place. */
  static String reason(Row row) {
    String reason = HELD.matcher(row.text("reason")).replaceFirst("");
    return PLACE.matcher(reason).replaceFirst("");
  }

  /** Whether this reason says that YARN passes the application over, because of what its user has. */
  static boolean isUserLimit(String reason) {
    String lower = reason.toLowerCase(Locale.ROOT);
    return lower.contains("user limit") || lower.contains("user capacity");
  }

  /** Which ResourceManager has told what, and when. */
  static String source(Reading reading) {
    return reading.address() + ", Dripfeed " + Text.safe(reading.version()) + ", "
        + Times.moment(reading.time(), reading.time(), AskingTool.zone());
  }

  /** A dash if it is negative, which is unknown. */
  static String number(long number) {
    return number < 0 ? "-" : String.valueOf(number);
  }

  /** {@code 3 applications}, {@code 1 application}. */
  static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /** {@code 1,000 places}, {@code 1 place}. */
  static String places(long number) {
    return String.format(Locale.ROOT, "%,d", number) + (number == 1 ? " place" : " places");
  }

  /** The name of an application in quotation marks; empty without one. */
  static String name(Row row) {
    return row.text("name").isEmpty() ? "" : "\"" + row.text("name") + "\"";
  }
}
