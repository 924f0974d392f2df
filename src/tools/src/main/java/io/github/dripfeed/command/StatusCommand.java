// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Rooms;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Problem;
import io.github.dripfeed.terminal.Terminal;
import io.github.dripfeed.terminal.Text;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code status}: who is starting in each queue, and the line with places, reasons and times. */
@Command(name = "status", customSynopsis = "status [--rm URL] [options]",
    description = {
        "  Shows for each queue under Dripfeed who is starting and what is lacking, the line in order",
        "  with the reason of each wait, and when each will probably start: a range from how the",
        "  queue has moved lately, and nothing where it has not; and what is left in the queue."},
    footer = {
        "Exit codes: 0 shown, 1 no such queue under Dripfeed, 130 --watch ended by Ctrl-C,",
        AskingTool.EXIT_CODES})
final class StatusCommand extends AskingTool {

  private static final String INTERVAL = "--interval";
  private static final int INTERVAL_SECONDS = 2;

  @Option(names = QueueFilter.OPTION, paramLabel = "PATH",
      description = "only this queue (or all below this parent)")
  private String queue;
  @Option(names = "--watch", description = "again and again, until Ctrl-C; with --json a line each")
  private boolean watch;
  @Option(names = INTERVAL, paramLabel = "S", description = "with --watch: every so many seconds (2)")
  private String interval;

  StatusCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  int run() throws Problem {
    QueueFilter filter = new QueueFilter(queue);
    int seconds = Values.number(INTERVAL, interval, 1, MOST_SECONDS, INTERVAL_SECONDS);
    show(filter);
    while (watch && !terminal.out().checkError()) {
      try {
        TimeUnit.SECONDS.sleep(seconds);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return 0;
      }
      terminal.measure();
      showOrSay(filter);
    }
    return 0;
  }

  /** A ResourceManager that restarts comes back. */
  private void showOrSay(QueueFilter filter) {
    try {
      show(filter);
    } catch (Problem e) {
      if (isJson()) {
        print(e.document(), true);
      } else {
        terminal.out().println(
            terminal.home() + terminal.in(Terminal.Colour.BAD, Text.safe(e.getMessage())));
        terminal.out().flush();
      }
    }
  }

  private void show(QueueFilter filter) throws Problem {
    Reading reading = read();
    List<Row> queues = filter.of(reading.queues());
    Rooms rooms = queues.isEmpty() ? null
        : ask(reading.address() + " for room", () -> resourceManagers().rooms(reading.address()));
    if (isJson()) {
      print(document(reading, queues, rooms), watch);
      return;
    }
    List<String> lines = new StatusText(reading, rooms, terminal).of(queues);
    boolean live = watch && terminal.isLive();
    int most = live ? Math.max(1, terminal.height() - 2) : lines.size();
    StringBuilder text = new StringBuilder(live ? terminal.home() : "");
    lines.stream().limit(most).forEach(line -> text.append(line).append(System.lineSeparator()));
    if (lines.size() > most) {
      text.append("... ").append(Wording.count((long) lines.size() - most, "more line"))
          .append("; all of them without --watch").append(System.lineSeparator());
    }
    terminal.out().print(text);
    terminal.out().flush();
  }

  private static Map<String, Object> document(Reading reading, List<Row> queues, Rooms rooms) {
    Map<String, Object> document = answer(0, reading);
    List<Object> all = new ArrayList<>();
    for (Row queue : queues) {
      Map<String, Object> one = new LinkedHashMap<>();
      queue.json().fields().forEachRemaining(field -> one.put(field.getKey(), field.getValue()));
      String path = queue.text(Column.QUEUE);
      one.put("room", json(rooms.of(path)));
      one.put("startingApplications", json(reading.rows(Attribute.STARTING, path)));
      one.put("line", json(reading.rows(Attribute.LINE, path)));
      one.put("pending", json(reading.rows(Attribute.PENDING, path)));
      all.add(one);
    }
    document.put("queues", all);
    return document;
  }

  private static List<Object> json(List<Row> rows) {
    return rows.stream().map(Row::json).collect(Collectors.toList());
  }
}
