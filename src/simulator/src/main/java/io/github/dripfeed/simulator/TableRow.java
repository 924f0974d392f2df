// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.IOException;
import java.util.List;

/**
 * A line of a table that somebody wrote. Further columns are ignored.
 *
 * @param where the file and the line, for people
 * @param columns their names, for people
 */
record TableRow(String where, List<String> columns, String[] values) {

  /** About thirty years. */
  static final long MOST_SECONDS = 1_000_000_000;

  /** What a table has between its columns. Neither format has quotes. */
  enum Separator {
    TAB("\t", "tabs"), COMMA(",", "commas");

    private final String text;
    private final String title;

    Separator(String text, String title) {
      this.text = text;
      this.title = title;
    }
  }

  static TableRow of(String where, String line, Separator separator, List<String> columns)
      throws IOException {
    // The parser of commons-csv would want a newer commons-io than Hadoop's.
    String[] values = line.split(separator.text, -1);
    if (values.length < columns.size()) {
      throw new IOException(where + ": '" + line + "' has " + values.length + " columns; allowed are "
          + columns.size() + " or more, with " + separator.title + " between them: "
          + String.join(", ", columns));
    }
    return new TableRow(where, columns, values);
  }

  String text(int column) {
    return values[column];
  }

  long whole(int column, long least, long most) throws IOException {
    try {
      long parsed = Long.parseLong(values[column].trim());
      if (parsed >= least && parsed <= most) {
        return parsed;
      }
    } catch (NumberFormatException e) {
      // The message below says what is allowed.
    }
    throw refused(column, "a whole number from " + least + " to " + most);
  }

  /** Seconds, possibly with decimals, as milliseconds. */
  long millis(int column) throws IOException {
    try {
      double parsed = Double.parseDouble(values[column].trim());
      if (parsed >= 0 && parsed <= MOST_SECONDS) {
        return Math.round(parsed * 1000);
      }
    } catch (NumberFormatException e) {
      // The message below says what is allowed.
    }
    throw refused(column, "a number from 0 to " + MOST_SECONDS);
  }

  IOException refused(int column, String allowed) {
    return new IOException(where + ": " + columns.get(column) + " = '" + values[column].trim()
        + "'; allowed is " + allowed);
  }
}
