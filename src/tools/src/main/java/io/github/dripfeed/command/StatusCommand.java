// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Rooms;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code status}: who is starting in each queue, and the line with places, reasons and times. */
@Command(name = "status",
    description = {
        "The line of each queue: who is starting, who waits, and for what.",
        "Shows for each queue under Dripfeed who is starting and what is lacking, the line in order with"
            + " the reason of each wait, and when each will probably start: a range from how the queue has"
            + " moved lately, and nothing where it has not; and what is left in the queue."},
    footer = {
        "Exit codes: 0 shown, 1 no such queue under Dripfeed, 130 --watch ended by Ctrl-C, "
            + AskingTool.EXIT_CODES,
        "With --brief, as Nagios has them: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN"})
final class StatusCommand extends WatchingTool {

  /** In the order of Nagios' exit codes. */
  private enum Level { OK, WARNING, CRITICAL }

  /** How a queue is, in one line. */
  private static final class QueueHealth {

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
              : isLow ? ", and the AM limit alone holds them: raise maximum-am-resource-percent"
                  : "");
    }
  }

  static final String BRIEF = "--brief";
  private static final long MOST_ROWS = 20;
  /** Dripfeed's default for the time after which a start is given up. */
  private static final long LONG_SECONDS = 300;

  @Option(names = "--all", description = "all applications, and not the first 20 of each list")
  private boolean all;
  @Option(names = BRIEF,
      description = "a line for each queue, the worst first, and an exit code for Nagios")
  private boolean brief;

  StatusCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  int show(QueueFilter filter) throws Problem {
    Reading reading = read();
    List<Row> queues = filter.of(reading.queues());
    Rooms rooms = queues.isEmpty() ? null : resourceManagers.rooms(reading.address());
    List<QueueHealth> health = queues.stream().map(queue -> new QueueHealth(queue, reading))
        .sorted(Comparator.comparing((QueueHealth each) -> each.level).reversed())
        .collect(Collectors.toList());
    List<String> briefly = health.stream().map(each -> Text.safe(each.line)).collect(Collectors.toList());
    List<String> amLimitHigh = rooms == null ? Collections.emptyList() : rooms.withHighAmLimit(
        // Where enforce is false, nothing limits how many start.
        Reading.where(queues, row -> row.number(Column.ACCEPTED) >= 0 && row.is(Column.MAX_STARTING, ""))
            .stream().map(queue -> queue.text(Column.QUEUE)).collect(Collectors.toList()));
    String trap = StatusText.trap(amLimitHigh);
    if (!trap.isEmpty()) {
      briefly.add(Level.WARNING + ": " + Text.safe(trap));
    }
    int worst = health.isEmpty() ? 0 : health.get(0).level.ordinal();
    int exitCode = brief ? Math.max(worst, trap.isEmpty() ? 0 : 1) : 0;
    if (isJson()) {
      print(answer(exitCode, reading, "amLimitHigh", amLimitHigh, "brief", briefly,
          "queues", queues.stream().map(queue -> document(queue, reading, rooms))
              .collect(Collectors.toList())), watch);
    } else if (brief) {
      show(briefly);
    } else {
      show(new StatusText(reading, rooms, trap, terminal, all ? Long.MAX_VALUE : MOST_ROWS).of(queues));
    }
    return exitCode;
  }

  private static Map<String, Object> document(Row queue, Reading reading, Rooms rooms) {
    Map<String, Object> document = new LinkedHashMap<>();
    queue.json().fields().forEachRemaining(field -> document.put(field.getKey(), field.getValue()));
    String path = queue.text(Column.QUEUE);
    document.putAll(JsonText.document("room", json(rooms.of(path)),
        "startingApplications", json(reading.rows(Attribute.STARTING, path)),
        "line", json(reading.rows(Attribute.LINE, path)),
        "pending", json(reading.rows(Attribute.PENDING, path))));
    return document;
  }
}
