// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Rooms;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Table;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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

  static final String BRIEF = "--brief";
  private static final String INDENT = "  ";
  /** So many idle queues have a line each; of more, only the number is told. */
  private static final int MOST_IDLE = 10;
  /** Of each list of applications. */
  private static final long MOST_ROWS = 20;
  /** Well below the time after which a starting application counts as running. */
  private static final long LONG_SECONDS = 120;

  @Option(names = "--all", description = "all applications, and not the first 20 of each list")
  private boolean all;
  @Option(names = BRIEF,
      description = "a line for each queue, the worst first, and an exit code for Nagios")
  private boolean brief;
  private Reading reading;
  private Rooms rooms;
  private List<String> lines;

  @Override
  int show(QueueFilter filter) throws Problem {
    reading = read();
    lines = new ArrayList<>();
    List<Row> queues = filter.of(reading.queues());
    Map<Level, List<String>> health = new TreeMap<>(Comparator.reverseOrder());
    queues.forEach(queue -> addHealth(queue, health));
    List<String> briefly =
        health.values().stream().flatMap(List::stream).map(Text::safe).collect(Collectors.toList());
    int worst = health.keySet().stream().findFirst().orElse(Level.OK).ordinal();
    List<String> amLimitHigh = Collections.emptyList();
    if (!queues.isEmpty()) {
      rooms = resourceManagers.rooms();
      // Where enforce is false, nothing limits how many start.
      amLimitHigh = rooms.withHighAmLimit(queues.stream()
          .filter(row -> row.number(Column.ACCEPTED) >= 0 && row.is(Column.MAX_STARTING, ""))
          .map(queue -> queue.text(Column.QUEUE)).collect(Collectors.toList()));
    }
    String trap = amLimitHigh.isEmpty() ? "" : Level.WARNING + ": A stock policy or enforce = false, and"
        + " AMs may hold more than half of the queue (maximum-am-resource-percent): a burst can fill it"
        + " with AMs, and none gets an executor. Set 0.1, YARN's default, or a state-aware policy: "
        + Text.some(amLimitHigh, MOST_IDLE);
    if (!trap.isEmpty()) {
      briefly.add(Text.safe(trap));
      worst = Math.max(worst, Level.WARNING.ordinal());
    }
    int exitCode = brief ? worst : 0;
    addAll(queues, trap);
    show(answer(exitCode, reading, "amLimitHigh", amLimitHigh, "brief", briefly,
        "queues", queues.stream().map(this::document).collect(Collectors.toList())),
        brief ? briefly : lines);
    return exitCode;
  }

  /** How a queue is, in one line. */
  private void addHealth(Row queue, Map<Level, List<String>> health) {
    String path = queue.text(Column.QUEUE);
    long longest = Stream.of(Attribute.LINE, Attribute.PENDING)
        .flatMap(table -> reading.rows(table, path).stream())
        .mapToLong(row -> row.number(Column.SECONDS)).max().orElse(-1);
    List<Row> starting = reading.rows(Attribute.STARTING, path);
    List<Row> asking = Reading.where(
        starting, row -> !row.is(Column.LACKS, "") && row.is(Column.REQUESTS, Wire.YES));
    long least = (longest >= 0 ? starting : asking).stream()
        .mapToLong(row -> row.number(Column.SECONDS)).min().orElse(-1);
    // Also where nobody waits behind several that block each other.
    boolean isStuck = (longest >= 0 || asking.size() > 1) && queue.number(Column.RUNNING) <= 0
        && least >= LONG_SECONDS;
    boolean isLow = queue.number(Column.PENDING_ACTIVATION) > 0 && queue.number(Column.ACCEPTED) <= 0;
    Level level = isStuck ? Level.CRITICAL : isLow ? Level.WARNING : Level.OK;
    health.computeIfAbsent(level, any -> new ArrayList<>()).add(level + " " + path + ": " + queue.summary()
        + (longest < 0 ? "" : ", the longest for " + Times.duration(longest))
        + (isStuck ? ", and nobody has got executors for " + Times.duration(least)
            : isLow ? ", and the AM limit alone holds them: raise maximum-am-resource-percent" : ""));
  }

  private Map<String, Object> document(Row queue) {
    Map<String, Object> document = JsonText.document();
    queue.json.fields().forEachRemaining(field -> document.put(field.getKey(), field.getValue()));
    String path = queue.text(Column.QUEUE);
    document.putAll(JsonText.document("room", rooms.of(path),
        "startingApplications", reading.rows(Attribute.STARTING, path),
        "line", reading.rows(Attribute.LINE, path), "pending", reading.rows(Attribute.PENDING, path)));
    return document;
  }

  /** @param trap what deadlocks queues in which nobody is held; empty without any */
  private void addAll(List<Row> queues, String trap) {
    lines.add(quiet(reading.address + (reading.version.isEmpty() ? "" : ", Dripfeed "
        + Text.safe(reading.version) + ", " + Times.moment(reading.time, reading.time))));
    terminal.wrap(lines, "", Terminal.Colour.BAD, trap);
    long idle = queues.stream().filter(reading::isIdle).count();
    if (queues.isEmpty()) {
      lines.add("No queue has Dripfeed's policy.");
    }
    queues.stream().filter(queue -> idle <= MOST_IDLE || !reading.isIdle(queue)).forEach(this::add);
    if (idle > MOST_IDLE) {
      lines.add("");
      lines.add(idle + " more queues, in which nobody starts or waits");
    }
  }

  private void add(Row queue) {
    String path = queue.text(Column.QUEUE);
    lines.add("");
    String title = Text.safe(path);
    String use = rooms.of(path).stream().map(row -> use(row, queue)).collect(Collectors.joining("; "));
    List<String> summary = Text.wrap(
        title + ": " + Text.safe(use.isEmpty() ? queue.summary() : use), terminal.width());
    summary.replaceAll(line -> line.startsWith(title + ":")
        ? terminal.in(Terminal.Colour.TITLE, title) + line.substring(title.length()) : line);
    lines.addAll(summary);
    if (!use.isEmpty()) {
      terminal.wrap(lines, INDENT, null, queue.summary());
    }
    terminal.wrap(lines, INDENT, Terminal.Colour.QUIET, queue.facts());
    List<Row> starting = reading.rows(Attribute.STARTING, path);
    add(starting, "since,>starting,application,~user,~partition,?type,?name", Column.LACKS);
    more(queue.number(Column.STARTING), starting.size(), shown(starting), " starting");
    addLine(reading.rows(Attribute.LINE, path), queue.number(Column.ACCEPTED));
    List<Row> pending = reading.rows(Attribute.PENDING, path);
    if (!pending.isEmpty()) {
      lines.add(INDENT + "Not in line yet, in YARN's own list:");
    }
    add(pending, ">waiting,application,~user,?type,?name", Column.REASON);
    more(queue.number(Column.PENDING_ACTIVATION), pending.size(), shown(pending), "");
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
            : " (" + 100 * driversMb / usedMb + "% by AMs)")
        + "; left: " + Math.max(0, room.number(Column.MEMORY_MB)) + " MB, "
        + Text.count(Math.max(0, room.number(Column.VCORES)), "vcore");
  }

  /** Each partition has its own line, and its own places. */
  private void addLine(List<Row> inLine, long number) {
    long shown = 0;
    boolean isLabelled = inLine.stream().anyMatch(row -> !row.is(Column.PARTITION, ""));
    for (String partition : inLine.stream().map(row -> row.text(Column.PARTITION)).distinct()
        .collect(Collectors.toList())) {
      List<Row> rows = Reading.where(inLine, row -> row.is(Column.PARTITION, partition));
      if (isLabelled) {
        terminal.wrap(lines, INDENT, Terminal.Colour.QUIET,
            "For " + (partition.isEmpty() ? "the default partition" : "partition " + partition)
                + (number > inLine.size() ? ":" : ", " + rows.size() + " in line:"));
      }
      boolean isPrioritized = rows.stream().anyMatch(row -> row.number(Column.PRIORITY) > 0);
      add(rows, ">place,>waiting,application,~user,starts in," + (isPrioritized ? ">?prio," : "")
          + "?type,!asks for,?name", Column.REASON);
      shown += shown(rows);
    }
    more(number, inLine.size(), shown, "");
  }

  private long shown(List<Row> rows) {
    return all ? rows.size() : Math.min(MOST_ROWS, rows.size());
  }

  /** Tables end somewhere, and do not say so. */
  private void more(long number, long known, long shown, String what) {
    long more = Math.max(number, known) - shown;
    if (more > 0) {
      lines.add(INDENT + quiet("... and " + more + " more" + what + (known > shown ? "; --all" : "")));
    }
  }

  /** Rows, and what is to be said of them: once below all those one after the other that share it. */
  private void add(List<Row> known, String columns, Column said) {
    List<Row> rows = known.subList(0, (int) shown(known));
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
        terminal.wrap(lines, INDENT + INDENT, Terminal.Colour.QUIET,
            (isStarting && !why.isEmpty() ? "lacks " : "") + why);
      }
    }
  }

  private String value(String title, Row row) {
    return title.equals("since") ? Times.moment(row.number(Column.SINCE), reading.time)
        : title.equals("starting") || title.equals("waiting") ? Times.duration(row.number(Column.SECONDS))
        : title.equals("place") && row.number(Column.PLACE) < 0 ? "back"
        : title.equals("starts in") ? Times.range(
            row.number(Column.STARTS_IN_LOW_SECONDS), row.number(Column.STARTS_IN_HIGH_SECONDS))
        : title.equals("prio") ? row.number(Column.PRIORITY) < 0 ? "-" : row.text(Column.PRIORITY)
        : title.equals("asks for") ? row.asked() : row.text(Column.valueOf(title.toUpperCase(Locale.ROOT)));
  }

  private String quiet(String text) {
    return terminal.in(Terminal.Colour.QUIET, text);
  }
}
