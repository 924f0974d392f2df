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
  private static final int PERCENT = 100;

  private final Reading reading;
  private final Rooms rooms;
  private final Terminal terminal;
  private final long mostRows;
  private final String trap;
  private final List<String> lines = new ArrayList<>();

  /**
   * @param trap see {@link #trap(List)}
   * @param mostRows of each list of applications
   */
  StatusText(Reading reading, Rooms rooms, String trap, Terminal terminal, long mostRows) {
    this.trap = trap;
    this.reading = reading;
    this.rooms = rooms;
    this.terminal = terminal;
    this.mostRows = mostRows;
  }

  /** The text for these queues. */
  List<String> of(List<Row> queues) {
    lines.add(quiet(reading.address() + (reading.version().isEmpty() ? "" : ", Dripfeed "
        + Text.safe(reading.version()) + ", " + Times.moment(reading.time(), reading.time()))));
    if (!trap.isEmpty()) {
      terminal.wrap(lines, "", Terminal.Colour.BAD, "WARNING: " + trap);
    }
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
    String use = rooms == null ? "" : rooms.of(path).stream().map(row -> use(row, queue))
        .collect(Collectors.joining("; "));
    List<String> summary = Text.wrap(
        title + ": " + Text.safe(use.isEmpty() ? queue.summary() : use), terminal.width());
    summary.replaceAll(line -> line.startsWith(title + ":")
        ? terminal.in(Terminal.Colour.TITLE, title) + line.substring(title.length()) : line);
    lines.addAll(summary);
    if (!use.isEmpty()) {
      terminal.wrap(lines, INDENT, null, queue.summary());
    }
    wrapped(INDENT, queue.facts());
    List<Row> starting = reading.rows(Attribute.STARTING, path);
    add(starting, "since,>starting,application,~user,~partition,?type,?name", Column.LACKS);
    more(queue.number(Column.STARTING), starting.size(), Math.min(mostRows, starting.size()), " starting");
    lines(reading.rows(Attribute.LINE, path), queue.number(Column.ACCEPTED));
    List<Row> pending = reading.rows(Attribute.PENDING, path);
    if (!pending.isEmpty()) {
      lines.add(INDENT + "Not in line yet, in YARN's own list:");
    }
    add(pending, ">waiting,application,~user,?type,?name", Column.REASON);
    more(queue.number(Column.PENDING_ACTIVATION), pending.size(), Math.min(mostRows, pending.size()), "");
  }

  /** What a partition's part of a queue is used for. Drivers that YARN has activated may still be held. */
  private String use(Row room, Row queue) {
    long usedMb = room.number("usedMb");
    List<Row> line = reading.rows(Attribute.LINE, queue.text(Column.QUEUE));
    long driversMb = queue.number(Column.ACCEPTED) > line.size() ? -1 : room.number("activatedAmMb")
        - line.stream().filter(row -> row.is(Column.PARTITION, room.text(Column.PARTITION)))
            .mapToLong(row -> Math.max(0, row.number(Column.MEMORY_MB))).sum();
    return (room.is(Column.PARTITION, "") ? "" : "partition " + room.text(Column.PARTITION) + ": ")
        + usedMb + " MB used" + (usedMb <= 0 || driversMb < 0 || driversMb > usedMb ? ""
            : " (" + PERCENT * driversMb / usedMb + " % by AMs)")
        + "; left: " + Math.max(0, room.number(Column.MEMORY_MB)) + " MB, "
        + Text.count(Math.max(0, room.number(Column.VCORES)), "vcore");
  }

  /** What deadlocks these queues, in which nobody is held; empty without any. */
  static String trap(List<String> all) {
    return all.isEmpty() ? "" : "A stock policy or enforce = false, and AMs may hold more than half of"
        + " the queue (maximum-am-resource-percent): a burst can fill it with AMs, and none gets an"
        + " executor. Set 0.1, YARN's default, or a state-aware policy: " + Text.some(all, MOST_IDLE);
  }

  /** Each partition has its own line, and its own places. */
  private void lines(List<Row> all, long inLine) {
    long shown = 0;
    boolean isLabelled = all.stream().anyMatch(row -> !row.is(Column.PARTITION, ""));
    for (String partition : all.stream().map(row -> row.text(Column.PARTITION)).distinct()
        .collect(Collectors.toList())) {
      List<Row> rows = Reading.where(all, row -> row.is(Column.PARTITION, partition));
      if (isLabelled) {
        wrapped(INDENT, (partition.isEmpty() ? "For the default partition" : "For partition " + partition)
            + (inLine > all.size() ? ":" : ", " + rows.size() + " in line:"));
      }
      boolean isPrioritized = rows.stream().anyMatch(row -> row.number(Column.PRIORITY) > 0);
      add(rows, ">place,>waiting,application,~user,starts in," + (isPrioritized ? ">?prio," : "")
          + "?type,!asks for,?name", Column.REASON);
      shown += Math.min(mostRows, rows.size());
    }
    more(inLine, all.size(), shown, "");
  }

  /** Tables end somewhere, and do not say so. */
  private void more(long number, long known, long shown, String what) {
    long more = Math.max(number, known) - shown;
    if (more > 0) {
      lines.add(INDENT + quiet("... and " + more + " more" + what + (known > shown ? "; --all" : "")));
    }
  }

  /** Rows, and what is to be said of them: once below all those one after the other that share it. */
  private void add(List<Row> all, String columns, Column said) {
    List<Row> rows = all.stream().limit(mostRows).collect(Collectors.toList());
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
      terminal.wrap(lines, indent, Terminal.Colour.QUIET, text);
    }
  }

  private String quiet(String text) {
    return terminal.in(Terminal.Colour.QUIET, text);
  }
}
