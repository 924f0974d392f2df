// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.stream.Stream;

/** How a queue is, in one line. */
final class QueueHealth {

  /** In the order of Nagios' exit codes. */
  enum Level { OK, WARNING, CRITICAL }

  /** Dripfeed's default for the time after which a start is given up. */
  private static final long LONG_SECONDS = 300;

  final Level level;
  final String line;

  QueueHealth(Row queue, Reading reading) {
    String path = queue.text(Column.QUEUE);
    long longest = Stream.of(Attribute.LINE, Attribute.PENDING)
        .flatMap(table -> reading.rows(table, path).stream())
        .mapToLong(row -> row.number(Column.SECONDS)).max().orElse(-1);
    long least = reading.rows(Attribute.STARTING, path).stream()
        .mapToLong(row -> row.number(Column.SECONDS)).min().orElse(-1);
    boolean isStuck = longest >= 0 && queue.number(Column.RUNNING) <= 0 && least >= LONG_SECONDS;
    boolean isLow = queue.number(Column.PENDING_ACTIVATION) > 0 && queue.number(Column.ACCEPTED) <= 0;
    level = isStuck ? Level.CRITICAL : isLow ? Level.WARNING : Level.OK;
    line = level + " " + path + ": " + queue.summary()
        + (longest < 0 ? "" : ", the longest for " + Times.duration(longest))
        + (isStuck ? ", and nobody has got executors for " + Times.duration(least)
            : isLow ? ", and YARN's limit on drivers alone holds them: raise maximum-am-resource-percent"
                : "");
  }
}
