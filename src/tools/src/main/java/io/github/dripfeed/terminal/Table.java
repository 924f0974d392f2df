// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * A table as wide as its content, if the terminal is. Where it is not, the columns that are optional go,
 * the last one first; then long values of those that may be cut are cut.
 */
public final class Table {

  private static final String GAP = "  ";
  private static final int LEAST_CUT = 6;

  private final String[] marks;
  private final List<String[]> rows = new ArrayList<>();

  /**
   * @param columns their titles, after marks: {@code >} to the right, as numbers are; {@code ~} may be cut;
   *     {@code ?} is optional, and may be cut; {@code !} is optional, and shown uncut or not at all
   */
  public Table(String... columns) {
    marks = columns.clone();
    String[] titles = new String[columns.length];
    for (int i = 0; i < columns.length; i++) {
      titles[i] = columns[i].replaceFirst("^[>~?!]+", "");
      marks[i] = columns[i].substring(0, columns[i].length() - titles[i].length());
    }
    rows.add(titles);
  }

  /** Adds a row; values are made safe for a terminal. */
  public void row(Object... values) {
    String[] row = new String[marks.length];
    for (int i = 0; i < row.length; i++) {
      row[i] = Text.safe(String.valueOf(values[i]));
    }
    rows.add(row);
  }

  /** The title line and then one line for each row. */
  public List<String> lines(int width) {
    List<Integer> shown = new ArrayList<>();
    int[] widths = new int[marks.length];
    for (int i = 0; i < widths.length; i++) {
      int column = i;
      widths[i] = rows.stream().mapToInt(row -> Text.width(row[column])).max().getAsInt();
      // A column in which nothing is known says nothing.
      if (rows.stream().skip(1).anyMatch(row -> !row[column].isEmpty() && !row[column].equals("-"))) {
        shown.add(i);
      }
    }
    for (int i = widths.length - 1; i >= 0; i--) {
      int excess = total(shown, widths) - width;
      int least = marks[i].contains("!") ? widths[i] : Math.min(widths[i], LEAST_CUT);
      if (excess > 0 && marks[i].matches(".*[?!].*") && excess > widths[i] - least) {
        shown.remove(Integer.valueOf(i));
      } else if (excess > 0 && marks[i].matches(".*[~?].*")) {
        widths[i] = Math.max(least, widths[i] - excess);
      }
    }
    List<String> lines = new ArrayList<>();
    rows.forEach(row -> lines.add(line(row, shown, widths)));
    return lines;
  }

  private static int total(List<Integer> shown, int[] widths) {
    return shown.stream().mapToInt(i -> widths[i] + GAP.length()).sum() - GAP.length();
  }

  private String line(String[] values, List<Integer> shown, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i : shown) {
      line.append(line.length() == 0 ? "" : GAP)
          .append(Text.pad(Text.cut(values[i], widths[i]), widths[i], marks[i].contains(">")));
    }
    return line.toString().replaceAll(" +$", "");
  }
}
