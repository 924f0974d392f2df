// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.check.CheckCommand;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Rooms;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code off}: how to take Dripfeed's policy from a queue, and what would start at once. */
@Command(name = "off",
    description = {
        "How to take Dripfeed's policy from a queue, and what would start at once.",
        "Prints what to change, and in which order, to give a queue a stock policy again, and warns of the"
            + " AMs that would start at once. It changes nothing."},
    footer = "Exit codes: 0 printed, and nothing would start at once; 1 something would, or no such queue; "
        + AskingTool.EXIT_CODES)
final class OffCommand extends AskingTool {

  private static final String PREFIX = "yarn.scheduler.capacity.";
  private static final String AM_LIMIT = ".maximum-am-resource-percent=" + CheckCommand.YARNS_AM_LIMIT;

  @Option(names = QueueFilter.OPTION, paramLabel = "PATH", required = true,
      description = "this queue (or all below this parent)")
  private String queue;

  @Override
  int ask() throws Problem {
    Reading reading = read();
    List<Row> queues = new QueueFilter(queue).of(reading.queues());
    Rooms rooms = resourceManagers.rooms();
    List<Map<String, Object>> documents = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    int exitCode = 0;
    for (Row each : queues) {
      String path = each.text(Column.QUEUE);
      String template = rooms.templateOf(path);
      String prefix = PREFIX + (template.isEmpty() ? path : template);
      List<String> limits = rooms.partitionsAboveAmLimit(path, CheckCommand.YARNS_AM_LIMIT).stream()
          .map(partition -> prefix + (partition.isEmpty() ? "" : ".accessible-node-labels." + partition)
              + AM_LIMIT).collect(Collectors.toList());
      String policy = prefix + ".ordering-policy";
      List<String> removed = Stream.of(each.text(Column.CHANGED_SETTINGS).split("; "))
          .filter(setting -> setting.contains(" = ")).map(setting ->
              policy + ".state-aware." + setting.substring(0, setting.indexOf(" = ")))
          .collect(Collectors.toList());
      String warning = warning(each, reading, rooms);
      exitCode = warning.isEmpty() ? exitCode : 1;
      documents.add(JsonText.document("queue", path, "first", limits, "then", policy + "=fifo",
          "remove", removed, "warning", warning));
      lines.add(terminal.in(Terminal.Colour.TITLE, Text.safe(path)));
      Stream.of(Stream.of(each.summary(), template.isEmpty() ? "" : "YARN has created this queue: what is"
          + " set in the template holds for all queues created from it.",
          "1. Set this" + (rooms.amLimit(path) <= 0 ? "" : " (it is " + rooms.amLimit(path) + " now)")
              + ", and refresh. New applications then wait in YARN's own list; those in line start one by"
              + " one."), limits.stream(),
          Stream.of("2. Wait until so few wait that all of them may start together: status --queue " + path
              + " --brief", "3. Set this, remove all state-aware.* lines (such as those below it), and"
              + " refresh.", policy + "=fifo"),
          removed.stream())
          .flatMap(texts -> texts).forEach(text ->
              terminal.wrap(lines, text.startsWith(PREFIX) ? "     " : "  ", null, text));
      if (!warning.isEmpty()) {
        terminal.wrap(lines, "  ", Terminal.Colour.BAD, "WARNING: " + warning);
      }
    }
    terminal.wrap(lines, "  ", null, "0.1 and fifo are YARN's defaults: set what the queue had before. To"
        + " refresh: yarn rmadmin -refreshQueues, once both hosts of a pair have the file. Queues in a"
        + " store: a PUT to /ws/v1/cluster/scheduler-conf instead.");
    print(answer(exitCode, reading, "queues", documents), false, lines);
    return exitCode;
  }

  /** What a refresh to a stock policy starts now: YARN has activated them, and asks its limit no more. */
  private static String warning(Row queue, Reading reading, Rooms rooms) {
    String path = queue.text(Column.QUEUE);
    long held = queue.number(Column.ACCEPTED);
    // Where enforce is false, nobody is held.
    if (held <= 0 || queue.is(Column.MAX_STARTING, "")) {
      return "";
    }
    List<Row> line = reading.rows(Attribute.LINE, path);
    String asked = line.stream().map(row -> row.text(Column.PARTITION)).distinct().sorted()
        .map(partition -> asked(partition, line, rooms.of(path, partition)))
        .collect(Collectors.joining("; "));
    return "with step 3 now, the AMs of " + Text.count(held, "application")
        + " start at once, whatever the limit" + (asked.isEmpty() ? "" : ": they request "
            + (held > line.size() ? "more than " : "") + asked);
  }

  /** @param room what is left of a partition for the queue; null if that is unknown */
  private static String asked(String partition, List<Row> line, Row room) {
    long mb = line.stream().filter(row -> row.is(Column.PARTITION, partition))
        .mapToLong(row -> Math.max(0, row.number(Column.MEMORY_MB))).sum();
    return (partition.isEmpty() ? "" : "in partition " + partition + " ") + mb + " MB"
        + (room == null ? "" : ", and " + Math.max(0, room.number(Column.MEMORY_MB)) + " MB are left");
  }
}
