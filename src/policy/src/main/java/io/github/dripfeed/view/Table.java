// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.view;

import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;

/** A bounded number of rows of the same columns. Used by one thread. */
final class Table {

  /** The most rows of a table. Tools that collect everything from {@code /jmx} read it, too. */
  static final int ROWS = 10_000;

  /** The columns of a table. */
  static final class Columns {

    private final Attribute table;
    private final Column[] columns;

    Columns(Attribute table, Column... columns) {
      this.table = table;
      this.columns = columns;
    }

    private String[] names() {
      return Arrays.stream(columns).map(Column::toString).toArray(String[]::new);
    }

    private CompositeType row() {
      OpenType<?>[] types = Arrays.stream(columns)
          .map(column -> column.isNumber() ? SimpleType.LONG : SimpleType.STRING).toArray(OpenType[]::new);
      try {
        return new CompositeType(
            table.toString(), "A row of the table " + table, names(), names(), types);
      } catch (OpenDataException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final String[] names;
  private final CompositeType row;
  private final List<CompositeData> rows = new ArrayList<>();

  Table(Columns columns) {
    this.names = columns.names();
    this.row = columns.row();
  }

  /**
   * Adds a row.
   *
   * @param values in the order of the columns; a text that is null is empty
   * @return whether there is room for another row
   * @throws IllegalArgumentException if the values do not fit the columns
   */
  boolean add(Object... values) {
    if (isFull()) {
      return false;
    }
    Object[] all = new Object[values.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = values[i] == null ? ""
          : values[i] instanceof Integer ? (Object) ((Integer) values[i]).longValue() : values[i];
    }
    try {
      rows.add(new CompositeDataSupport(row, names, all));
    } catch (OpenDataException e) {
      throw new IllegalArgumentException(e);
    }
    return !isFull();
  }

  boolean isFull() {
    return rows.size() >= ROWS;
  }

  CompositeData[] rows() {
    return rows.toArray(new CompositeData[0]);
  }
}
