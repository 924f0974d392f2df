// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tables of a reading by queue, each read once however many queues there are. Immutable. */
public final class QueueTables {

  private final Map<String, List<Row>> starting;
  private final Map<String, List<Row>> line;
  private final Map<String, List<Row>> pending;

  public QueueTables(Reading reading) {
    starting = byQueue(reading.starting());
    line = byQueue(reading.line());
    pending = byQueue(reading.pending());
  }

  private static Map<String, List<Row>> byQueue(List<Row> table) {
    Map<String, List<Row>> byQueue = new HashMap<>();
    table.forEach(
        row -> byQueue.computeIfAbsent(row.text(Column.QUEUE), path -> new ArrayList<>()).add(row));
    return byQueue;
  }

  private static List<Row> of(Map<String, List<Row>> table, String queue) {
    return table.getOrDefault(queue, Collections.emptyList());
  }

  /** @param queue its path */
  public List<Row> starting(String queue) {
    return of(starting, queue);
  }

  /** The queue's line, in its order. */
  public List<Row> line(String queue) {
    return of(line, queue);
  }

  /** What stands in YARN's own list. */
  public List<Row> pending(String queue) {
    return of(pending, queue);
  }

  /** Whether nobody starts or waits in the queue. Tables end somewhere; the queue's row counts all. */
  public boolean isIdle(Row queue) {
    String path = queue.text(Column.QUEUE);
    return queue.number(Column.ACCEPTED) <= 0 && queue.number(Column.STARTING) <= 0
        && queue.number(Column.PENDING_ACTIVATION) <= 0
        && starting(path).isEmpty() && line(path).isEmpty() && pending(path).isEmpty();
  }
}
