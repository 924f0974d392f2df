// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
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
      JsonNode yarn = rooms.queues.getOrDefault(path, MissingNode.getInstance());
      String limit = PREFIX + path + ".maximum-am-resource-percent=0.1";
      String policy = PREFIX + path + ".ordering-policy=fifo";
      String warning = warning(each, reading, rooms);
      exitCode = warning.isEmpty() ? exitCode : 1;
      documents.add(JsonText.document("queue", path, "first", limit, "then", policy, "warning", warning));
      lines.add(terminal.in(Terminal.Colour.TITLE, Text.safe(path)));
      Stream.of(each.summary(), "1. Set this" + (Rooms.amLimit(yarn) <= 0 ? ""
              : " (it is " + Rooms.amLimit(yarn) + " now)") + ", and refresh. New applications then wait in"
              + " YARN's own list; those in line start one by one.", limit,
          "2. Wait until so few wait that all of them may start together: status --queue " + path
              + " --brief",
          "3. Set this, take away the properties below it, and refresh.", policy,
          !yarn.path("isAutoCreatedLeafQueue").asBoolean() ? ""
              : "YARN has created this queue: set both in the template of the queue above it.")
          .forEach(text -> terminal.wrap(lines, text.startsWith(PREFIX) ? "     " : "  ", null, text));
      if (!warning.isEmpty()) {
        terminal.wrap(lines, "  ", Terminal.Colour.BAD, "WARNING: " + warning);
      }
    }
    terminal.wrap(lines, "  ", null, "0.1 and fifo are YARN's defaults: set what the queue had before.");
    print(answer(exitCode, reading, "queues", documents), false, lines);
    return exitCode;
  }

  /** What a refresh to a stock policy starts now: YARN has activated them, and asks its limit no more. */
  private static String warning(Row queue, Reading reading, Rooms rooms) {
    String path = queue.text(Column.QUEUE);
    long held = queue.number(Column.ACCEPTED);
    List<Row> line = reading.rows(Attribute.LINE, path);
    long mb = line.stream().mapToLong(row -> Math.max(0, row.number(Column.MEMORY_MB))).sum();
    long left = rooms.of(path).stream().mapToLong(row -> Math.max(0, row.number(Column.MEMORY_MB))).sum();
    return held <= 0 ? "" : "with step 3 now, the AMs of " + Text.count(held, "application")
        + " start at once, whatever the limit: they request "
        + (held > line.size() ? "more than " : "") + mb + " MB"
        + (rooms.of(path).isEmpty() ? "" : ", and " + left + " MB are left");
  }
}
