// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.wire.Wire.Column;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Those who wait in one queue: a line for each partition, with places from 1. Its table ends after 1,000
 * rows, and the queue counts all of them.
 */
final class QueueLine {

  private final List<Row> rows;
  private final long accepted;
  private final Set<String> partitions = new LinkedHashSet<>();

  /**
   * @param rows those of its table
   * @param accepted how many the queue counts; -1 if that is unknown
   */
  QueueLine(List<Row> rows, long accepted) {
    this.rows = rows;
    this.accepted = accepted;
    rows.forEach(row -> partitions.add(row.text(Column.PARTITION)));
  }

  /** The lines of the partitions, one after the other, each in its order. */
  List<Row> rows() {
    return rows;
  }

  /** The number of those who wait beyond these rows. */
  long more() {
    return Math.max(0, accepted - rows.size());
  }

  /** The names of the partitions that somebody waits for; that of the default partition is empty. */
  Set<String> partitions() {
    return partitions;
  }

  /** Whether anybody waits for another partition than the default one. */
  boolean isLabelled() {
    return !partitions.isEmpty() && !(partitions.size() == 1 && partitions.contains(""));
  }

  List<Row> rows(String partition) {
    return Reading.where(rows, row -> row.is(Column.PARTITION, partition));
  }

  /** How many wait for a partition; -1 if the rows do not tell. */
  long size(String partition) {
    if (more() == 0) {
      return rows(partition).size();
    }
    // The queue counts those of all its partitions together.
    return isLabelled() ? -1 : rows.size() + more();
  }
}
