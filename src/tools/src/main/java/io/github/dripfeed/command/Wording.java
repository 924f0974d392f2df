// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Text;
import io.github.dripfeed.terminal.Times;
import io.github.dripfeed.wire.Wire.Column;
import java.util.Locale;

/** How rows are told in sentences. */
final class Wording {

  private Wording() {
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
    return row.text(Column.NAME).isEmpty() ? "" : "\"" + row.text(Column.NAME) + "\"";
  }
}
