// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import io.github.dripfeed.wire.Wire.Column;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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
    return table.stream().collect(Collectors.groupingBy(row -> row.text(Column.QUEUE)));
  }

  /** @param queue its path */
  public List<Row> starting(String queue) {
    return starting.getOrDefault(queue, Collections.emptyList());
  }

  /** The queue's line, in its order. */
  public List<Row> line(String queue) {
    return line.getOrDefault(queue, Collections.emptyList());
  }

  /** What stands in YARN's own list. */
  public List<Row> pending(String queue) {
    return pending.getOrDefault(queue, Collections.emptyList());
  }

  /** Whether nobody starts or waits in the queue. Tables end somewhere; the queue's row counts all. */
  public boolean isIdle(Row queue) {
    String path = queue.text(Column.QUEUE);
    return queue.number(Column.ACCEPTED) <= 0 && queue.number(Column.STARTING) <= 0
        && queue.number(Column.PENDING_ACTIVATION) <= 0
        && !starting.containsKey(path) && !line.containsKey(path) && !pending.containsKey(path);
  }
}
