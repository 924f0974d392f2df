// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.view;

import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;

/** A bounded number of rows of one table. Used by one thread. */
final class Table {

  /** The most rows of a table. Tools that collect everything from {@code /jmx} read it, too. */
  static final int ROWS = 10_000;

  private final String[] names;
  private final CompositeType row;
  private final List<CompositeData> rows = new ArrayList<>();

  Table(Attribute table) {
    names = table.columns().stream().map(Column::toString).toArray(String[]::new);
    OpenType<?>[] types = table.columns().stream()
        .map(column -> column.isNumber() ? SimpleType.LONG : SimpleType.STRING).toArray(OpenType[]::new);
    try {
      row = new CompositeType(table.toString(), "A row of the table " + table, names, names, types);
    } catch (OpenDataException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Adds a row, if there is room for one.
   *
   * @param values in the order of the columns; a list stands for the values in it, and a text that is null
   *     is empty
   * @throws IllegalArgumentException if the values do not fit the columns
   */
  void add(Object... values) {
    if (isFull()) {
      return;
    }
    Object[] all = Arrays.stream(values)
        .flatMap(value -> value instanceof List ? ((List<?>) value).stream() : Stream.of(value))
        .map(value -> value instanceof Number ? (Object) ((Number) value).longValue()
            : Objects.toString(value, "")).toArray();
    try {
      rows.add(new CompositeDataSupport(row, names, all));
    } catch (OpenDataException e) {
      throw new IllegalArgumentException(e);
    }
  }

  boolean isFull() {
    return rows.size() >= ROWS;
  }

  CompositeData[] rows() {
    return rows.toArray(new CompositeData[0]);
  }
}
