// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Rooms;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.Table;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The lines of queues, as one would draw them by hand. */
final class StatusText {

  private static final String INDENT = "  ";
  /** So many idle queues have a line each; of more, only the number is told. */
  private static final int MOST_IDLE = 10;

  private final Reading reading;
  private final Rooms rooms;
  private final Terminal terminal;
  private final List<String> lines = new ArrayList<>();

  StatusText(Reading reading, Rooms rooms, Terminal terminal) {
    this.reading = reading;
    this.rooms = rooms;
    this.terminal = terminal;
  }

  /** The text for these queues. */
  List<String> of(List<Row> queues) {
    lines.add(quiet(reading.address() + (reading.version().isEmpty() ? "" : ", Dripfeed "
        + Text.safe(reading.version()) + ", " + Times.moment(reading.time(), reading.time()))));
    long idle = queues.stream().filter(reading::isIdle).count();
    if (queues.isEmpty()) {
      lines.add("No queue has Dripfeed's policy.");
    }
    queues.stream().filter(queue -> idle <= MOST_IDLE || !reading.isIdle(queue)).forEach(this::add);
    if (idle > MOST_IDLE) {
      lines.add("");
      lines.add(idle + " more queues, in which nobody starts or waits");
    }
    return lines;
  }

  private void add(Row queue) {
    String path = queue.text(Column.QUEUE);
    lines.add("");
    String title = Text.safe(path);
    List<String> summary = Text.wrap(title + ": " + Text.safe(queue.summary()), terminal.width());
    summary.replaceAll(line -> line.startsWith(title + ":")
        ? terminal.in(Terminal.Colour.TITLE, title) + line.substring(title.length()) : line);
    lines.addAll(summary);
    wrapped(INDENT, queue.facts());
    String room = rooms.of(path).stream()
        .map(row -> (row.is(Column.PARTITION, "") ? "" : "partition " + row.text(Column.PARTITION) + ": ")
            + Math.max(0, row.number(Column.MEMORY_MB)) + " MB, "
            + Text.count(Math.max(0, row.number(Column.VCORES)), "vcore"))
        .collect(Collectors.joining("; "));
    wrapped(INDENT, room.isEmpty() ? "" : "left in the queue: " + room);
    List<Row> starting = reading.rows(Attribute.STARTING, path);
    add(starting, "since,>starting,application,~user,~partition,?type,?name", Column.LACKS);
    more(queue.number(Column.STARTING) - starting.size(), " starting");
    List<Row> line = reading.rows(Attribute.LINE, path);
    lines(line, queue.number(Column.ACCEPTED) - line.size());
    List<Row> pending = reading.rows(Attribute.PENDING, path);
    if (!pending.isEmpty()) {
      lines.add(INDENT + "Not in line yet, in YARN's own list:");
    }
    add(pending, ">waiting,application,~user,?type,?name", Column.REASON);
    more(queue.number(Column.PENDING_ACTIVATION) - pending.size(), "");
  }

  /** Each partition has its own line, and its own places. */
  private void lines(List<Row> all, long more) {
    boolean isLabelled = all.stream().anyMatch(row -> !row.is(Column.PARTITION, ""));
    all.stream().map(row -> row.text(Column.PARTITION)).distinct().forEach(partition -> {
      List<Row> rows = Reading.where(all, row -> row.is(Column.PARTITION, partition));
      if (isLabelled) {
        wrapped(INDENT, (partition.isEmpty() ? "For the default partition" : "For partition " + partition)
            + (more > 0 ? ":" : ", " + rows.size() + " in line:"));
      }
      boolean isPrioritized = rows.stream().anyMatch(row -> row.number(Column.PRIORITY) > 0);
      add(rows, ">place,>waiting,application,~user,starts in," + (isPrioritized ? ">?prio," : "")
          + "?type,!asks for,?name", Column.REASON);
    });
    more(more, "");
  }

  /** Tables end somewhere, and do not say so. */
  private void more(long number, String what) {
    if (number > 0) {
      lines.add(INDENT + quiet("... and " + number + " more" + what));
    }
  }

  /** Rows, and what is to be said of them: once below all those one after the other that share it. */
  private void add(List<Row> rows, String columns, Column said) {
    Table table = new Table(columns.split(","));
    String[] titles = columns.replaceAll("[>~?!]", "").split(",");
    rows.forEach(row -> table.row(Stream.of(titles).map(title -> value(title, row)).toArray()));
    List<String> text = table.lines(terminal.width() - INDENT.length());
    for (int i = 0; i < rows.size(); i++) {
      if (i == 0) {
        lines.add(INDENT + quiet(text.get(0)));
      }
      boolean isStarting = said == Column.LACKS;
      String line = text.get(i + 1);
      lines.add(INDENT + (isStarting ? terminal.in(Terminal.Colour.STARTING, line) : line));
      String why = rows.get(i).text(said);
      if (i + 1 == rows.size() || !rows.get(i + 1).is(said, why)) {
        wrapped(INDENT + INDENT, (isStarting && !why.isEmpty() ? "lacks " : "") + why);
      }
    }
  }

  private String value(String title, Row row) {
    switch (title) {
      case "since":
        return Times.moment(row.number(Column.SINCE), reading.time());
      case "starting":
      case "waiting":
        return Times.duration(row.number(Column.SECONDS));
      case "place":
        return row.number(Column.PLACE) < 0 ? "back" : row.text(Column.PLACE);
      case "starts in":
        return Times.range(
            row.number(Column.STARTS_IN_LOW_SECONDS), row.number(Column.STARTS_IN_HIGH_SECONDS));
      case "prio":
        return row.number(Column.PRIORITY) < 0 ? "-" : row.text(Column.PRIORITY);
      case "asks for":
        return row.asked();
      default:
        return row.text(title);
    }
  }

  private void wrapped(String indent, String text) {
    if (!text.isEmpty()) {
      Text.wrap(Text.safe(text), terminal.width() - indent.length())
          .forEach(line -> lines.add(indent + quiet(line)));
    }
  }

  private String quiet(String text) {
    return terminal.in(Terminal.Colour.QUIET, text);
  }
}
