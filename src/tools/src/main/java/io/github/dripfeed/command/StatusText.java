// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Rooms;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Table;
import io.github.dripfeed.terminal.Terminal;
import io.github.dripfeed.terminal.Text;
import io.github.dripfeed.terminal.Times;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

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
    lines.add(quiet(Wording.source(reading)));
    long idle = queues.stream().filter(reading::isIdle).count();
    if (queues.isEmpty()) {
      lines.add("No queue under Dripfeed has an application yet, or the ResourceManager still recovers"
          + " them.");
    }
    for (Row queue : queues) {
      if (idle <= MOST_IDLE || !reading.isIdle(queue)) {
        add(queue);
      }
    }
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
    summary.set(0, summary.get(0).startsWith(title)
        ? terminal.in(Terminal.Colour.TITLE, title) + summary.get(0).substring(title.length())
        : summary.get(0));
    lines.addAll(summary);
    wrapped(INDENT, queue.facts());
    String room = rooms.of(path).stream()
        .map(row -> (row.is(Column.PARTITION, "") ? "" : "partition " + row.text(Column.PARTITION) + ": ")
            + Math.max(0, row.number(Column.MEMORY_MB)) + " MB, "
            + Wording.count(Math.max(0, row.number(Column.VCORES)), "vcore"))
        .collect(Collectors.joining("; "));
    wrapped(INDENT, room.isEmpty() ? "" : "left in the queue: " + room);
    List<Row> starting = reading.rows(Attribute.STARTING, path);
    starting(starting);
    more(queue.number(Column.STARTING) - starting.size(), " starting");
    line(new QueueLine(reading.rows(Attribute.LINE, path), queue.number(Column.ACCEPTED)));
    List<Row> pending = reading.rows(Attribute.PENDING, path);
    pending(pending);
    more(queue.number(Column.PENDING_ACTIVATION) - pending.size(), "");
  }

  private void starting(List<Row> rows) {
    Table table =
        new Table("since", ">starting", "application", "~user", "~partition", "?type", "?name");
    for (Row row : rows) {
      table.row(Times.moment(row.number(Column.SINCE), reading.time(), AskingTool.zone()),
          Times.duration(row.number(Column.SECONDS)), row.text(Column.APPLICATION), row.text(Column.USER),
          row.text(Column.PARTITION), row.text(Column.TYPE), row.text(Column.NAME));
    }
    add(table, rows, Terminal.Colour.STARTING,
        row -> row.text(Column.LACKS).isEmpty() ? "" : "lacks " + row.text(Column.LACKS));
  }

  /** Each partition has its own line, and its own places. */
  private void line(QueueLine line) {
    for (String partition : line.partitions()) {
      List<Row> rows = line.rows(partition);
      if (line.isLabelled()) {
        wrapped(INDENT, (partition.isEmpty() ? "For the default partition" : "For partition " + partition)
            + (line.more() > 0 ? ":" : ", " + rows.size() + " in line:"));
      }
      line(rows);
    }
    more(line.more(), "");
  }

  /** Tables end somewhere, and do not say so. */
  private void more(long number, String what) {
    if (number > 0) {
      lines.add(INDENT + quiet("... and " + number + " more" + what));
    }
  }

  private void line(List<Row> rows) {
    Table table = new Table(">place", ">waiting", "application", "~user", "starts in", ">?prio", "?type",
        "!asks for", "?name");
    boolean prioritized = rows.stream().anyMatch(row -> row.number(Column.PRIORITY) > 0);
    for (Row row : rows) {
      table.row(row.number(Column.PLACE) < 0 ? "back" : row.text(Column.PLACE),
          Times.duration(row.number(Column.SECONDS)), row.text(Column.APPLICATION), row.text(Column.USER),
          Times.range(row.number(Column.STARTS_IN_LOW_SECONDS), row.number(Column.STARTS_IN_HIGH_SECONDS)),
          prioritized ? Wording.number(row.number(Column.PRIORITY)) : "", row.text(Column.TYPE),
          row.asked(), row.text(Column.NAME));
    }
    add(table, rows, null, row -> row.text(Column.REASON));
  }

  private void pending(List<Row> rows) {
    if (!rows.isEmpty()) {
      lines.add(INDENT + "Not in line yet, in YARN's own list:");
    }
    Table table = new Table(">waiting", "application", "~user", "?type", "?name");
    for (Row row : rows) {
      table.row(Times.duration(row.number(Column.SECONDS)), row.text(Column.APPLICATION),
          row.text(Column.USER), row.text(Column.TYPE), row.text(Column.NAME));
    }
    add(table, rows, null, row -> row.text(Column.REASON));
  }

  /** Rows, and what is to be said of them: once below all those one after the other that share it. */
  private void add(Table table, List<Row> rows, Terminal.Colour colour, Function<Row, String> said) {
    List<String> text = table.lines(terminal.width() - INDENT.length());
    if (!rows.isEmpty()) {
      lines.add(INDENT + quiet(text.get(0)));
    }
    for (int i = 0; i < rows.size(); i++) {
      lines.add(INDENT + (colour == null ? text.get(i + 1) : terminal.in(colour, text.get(i + 1))));
      String why = said.apply(rows.get(i));
      if (i + 1 == rows.size() || !said.apply(rows.get(i + 1)).equals(why)) {
        wrapped(INDENT + INDENT, why);
      }
    }
  }

  private void wrapped(String indent, String text) {
    if (!text.isEmpty()) {
      for (String line : Text.wrap(Text.safe(text), terminal.width() - indent.length())) {
        lines.add(indent + quiet(line));
      }
    }
  }

  private String quiet(String text) {
    return terminal.in(Terminal.Colour.QUIET, text);
  }
}
