// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.view;

import java.util.ArrayList;
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

  /** The columns of a table: each has a name, and is a text or a whole number. */
  static final class Columns {

    private final String name;
    private final List<String> names = new ArrayList<>();
    private final List<OpenType<?>> types = new ArrayList<>();

    Columns(String name) {
      this.name = name;
    }

    Columns texts(String... columns) {
      return add(SimpleType.STRING, columns);
    }

    Columns numbers(String... columns) {
      return add(SimpleType.LONG, columns);
    }

    private Columns add(OpenType<?> type, String... columns) {
      for (String column : columns) {
        names.add(column);
        types.add(type);
      }
      return this;
    }

    private CompositeType row() {
      String[] all = names.toArray(new String[0]);
      try {
        return new CompositeType(
            name, "A row of the table " + name, all, all, types.toArray(new OpenType<?>[0]));
      } catch (OpenDataException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final String[] names;
  private final CompositeType row;
  private final List<CompositeData> rows = new ArrayList<>();

  Table(Columns columns) {
    this.names = columns.names.toArray(new String[0]);
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
