// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table as wide as its content, if the terminal is. Where it is not, the columns that are optional go,
 * the last one first; then long values of those that may be cut are cut.
 */
public final class Table {

  private static final String GAP = "  ";
  private static final int LEAST_CUT = 6;

  private final String[] columns;
  private final List<String[]> rows = new ArrayList<>();

  /**
   * @param columns their titles, after marks: {@code >} to the right, as numbers are; {@code ~} may be cut;
   *     {@code ?} is optional, and may be cut; {@code !} is optional, and shown uncut or not at all
   */
  public Table(String... columns) {
    this.columns = columns.clone();
    rows.add(Stream.of(columns).map(column -> column.replaceFirst("^[>~?!]+", "")).toArray(String[]::new));
  }

  /** Adds a row; values are made safe for a terminal. */
  public void row(Object... values) {
    rows.add(Stream.of(values).map(value -> Text.safe(String.valueOf(value))).toArray(String[]::new));
  }

  /** The title line and then one line for each row. */
  public List<String> lines(int width) {
    List<Integer> shown = new ArrayList<>();
    int[] widths = new int[columns.length];
    for (int i = 0; i < widths.length; i++) {
      int column = i;
      widths[i] = rows.stream().mapToInt(row -> Text.width(row[column])).max().getAsInt();
      // A column in which nothing is known says nothing.
      if (rows.stream().skip(1).anyMatch(row -> !row[column].isEmpty() && !row[column].equals("-"))) {
        shown.add(i);
      }
    }
    for (int i = widths.length - 1; i >= 0; i--) {
      int excess =
          shown.stream().mapToInt(each -> widths[each] + GAP.length()).sum() - GAP.length() - width;
      int least = columns[i].startsWith("!") ? widths[i] : Math.min(widths[i], LEAST_CUT);
      if (excess > widths[i] - least && columns[i].matches(">?[?!].*")) {
        shown.remove(Integer.valueOf(i));
      } else if (excess > 0 && columns[i].matches(">?[~?].*")) {
        widths[i] = Math.max(least, widths[i] - excess);
      }
    }
    return rows.stream().map(row -> shown.stream().map(i -> Text.pad(
            Text.cut(row[i], widths[i]), widths[i], columns[i].startsWith(">")))
        .collect(Collectors.joining(GAP)).replaceAll(" +$", "")).collect(Collectors.toList());
  }
}
