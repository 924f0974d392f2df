// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table as wide as its content, if the terminal is. Where it is not, the columns that were declared
 * optional go, the last one first; then long values of those that may be cut are cut.
 */
public final class Table {

  private static final String GAP = "  ";
  private static final int LEAST_CUT = 6;

  private final List<Column> columns = new ArrayList<>();
  private final List<String[]> rows = new ArrayList<>();

  /** What becomes of a column where there is no room: {@code WHOLE} is shown uncut, or not at all. */
  public enum Narrow { KEEP, CUT, OPTIONAL, WHOLE }

  /** A column of text, or of numbers, which stand to the right. */
  public Table column(String title, Narrow narrow, boolean right) {
    columns.add(new Column(title, narrow, right));
    return this;
  }

  /** Adds a row; values are made safe for a terminal. */
  public void row(Object... values) {
    String[] row = new String[columns.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = Text.safe(String.valueOf(values[i]));
    }
    rows.add(row);
  }

  /** The title line and then one line for each row. */
  public List<String> lines(int width) {
    List<Integer> shown = new ArrayList<>();
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      int column = i;
      widths[i] = Math.max(Text.width(columns.get(i).title),
          rows.stream().mapToInt(row -> Text.width(row[column])).max().orElse(0));
      // A column in which nothing is known says nothing.
      if (rows.stream().anyMatch(row -> !row[column].isEmpty() && !row[column].equals("-"))) {
        shown.add(i);
      }
    }
    fit(shown, widths, width);
    List<String> lines = new ArrayList<>();
    String[] titles = columns.stream().map(column -> column.title).toArray(String[]::new);
    lines.add(line(titles, shown, widths));
    rows.forEach(row -> lines.add(line(row, shown, widths)));
    return lines;
  }

  private void fit(List<Integer> shown, int[] widths, int width) {
    for (int i = columns.size() - 1; i >= 0 && total(shown, widths) > width; i--) {
      Narrow narrow = columns.get(i).narrow;
      int least = narrow == Narrow.WHOLE ? widths[i] : room(widths[i]);
      if (narrow != Narrow.KEEP && narrow != Narrow.CUT
          && total(shown, widths) - widths[i] + least > width) {
        shown.remove(Integer.valueOf(i));
      } else if (columns.get(i).narrow != Narrow.KEEP && shown.contains(i)) {
        widths[i] = Math.max(room(widths[i]), widths[i] - (total(shown, widths) - width));
      }
    }
  }

  private static int room(int width) {
    return Math.min(width, LEAST_CUT);
  }

  private static int total(List<Integer> shown, int[] widths) {
    return shown.stream().mapToInt(i -> widths[i] + GAP.length()).sum() - GAP.length();
  }

  private String line(String[] values, List<Integer> shown, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i : shown) {
      line.append(line.length() == 0 ? "" : GAP)
          .append(Text.pad(Text.cut(values[i], widths[i]), widths[i], columns.get(i).right));
    }
    return line.toString().replaceAll(" +$", "");
  }

  @Override
  public String toString() {
    return "Table" + Arrays.toString(columns.toArray());
  }

  /** One column. */
  private static final class Column {

    private final String title;
    private final Narrow narrow;
    private final boolean right;

    Column(String title, Narrow narrow, boolean right) {
      this.title = title;
      this.narrow = narrow;
      this.right = right;
    }

    @Override
    public String toString() {
      return title;
    }
  }
}
