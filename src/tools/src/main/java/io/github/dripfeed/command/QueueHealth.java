// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.List;
import java.util.stream.Stream;

/** How a queue is, in one line. */
final class QueueHealth {

  /** In the order of Nagios' exit codes. */
  enum Level { OK, WARNING, CRITICAL }

  /** Dripfeed's default for the time after which a start is given up. */
  private static final long LONG_SECONDS = 300;

  final Level level;
  private final Row queue;
  private final long longest;
  private final String why;

  QueueHealth(Row queue, Reading reading) {
    this.queue = queue;
    String path = queue.text(Column.QUEUE);
    List<Row> starting = reading.rows(Attribute.STARTING, path);
    longest = Stream.concat(reading.rows(Attribute.LINE, path).stream(),
        reading.rows(Attribute.PENDING, path).stream())
        .mapToLong(row -> row.number(Column.SECONDS)).max().orElse(-1);
    long least = starting.stream().mapToLong(row -> row.number(Column.SECONDS)).min().orElse(-1);
    if (longest >= 0 && queue.number(Column.RUNNING) <= 0 && least >= LONG_SECONDS) {
      level = Level.CRITICAL;
      why = ", and nobody has got executors for " + Times.duration(least);
    } else if (queue.number(Column.PENDING_ACTIVATION) > 0 && queue.number(Column.ACCEPTED) <= 0) {
      level = Level.WARNING;
      why = ", and YARN's limit on drivers alone holds them: raise maximum-am-resource-percent";
    } else {
      level = Level.OK;
      why = "";
    }
  }

  String line() {
    return level + " " + queue.text(Column.QUEUE) + ": " + queue.summary()
        + (longest < 0 ? "" : ", the longest for " + Times.duration(longest)) + why;
  }
}
