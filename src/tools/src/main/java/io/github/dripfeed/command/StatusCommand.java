// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Rooms;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
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

  @Option(names = QueueFilter.OPTION, paramLabel = "PATH",
      description = "only this queue (or all below this parent)")
  private String queue;
  @Option(names = "--watch", description = "again and again, until Ctrl-C; with --json a line each")
  private boolean watch;
  @Option(names = INTERVAL, paramLabel = "S", description = "with --watch: every so many seconds (2)")
  private String interval = "2";

  StatusCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  int run() throws Problem {
    QueueFilter filter = new QueueFilter(queue);
    int seconds = Values.number(INTERVAL, interval, 1, MOST_SECONDS);
    show(filter);
    while (watch && !terminal.out().checkError()) {
      try {
        TimeUnit.SECONDS.sleep(seconds);
        terminal.measure();
        show(filter);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return 0;
      } catch (Problem e) {
        // A ResourceManager that restarts comes back.
        terminal.out().println(isJson() ? JsonText.of(e.document(), true)
            : terminal.home() + terminal.in(Terminal.Colour.BAD, Text.safe(e.getMessage())));
      }
    }
    return 0;
  }

  private void show(QueueFilter filter) throws Problem {
    Reading reading = read();
    List<Row> queues = filter.of(reading.queues());
    Rooms rooms = queues.isEmpty() ? null
        : ask(reading.address() + " for room", () -> resourceManagers.rooms(reading.address()));
    if (isJson()) {
      print(answer(0, reading, "queues", queues.stream().map(queue -> document(queue, reading, rooms))
          .collect(Collectors.toList())), watch);
      return;
    }
    List<String> lines = new StatusText(reading, rooms, terminal).of(queues);
    boolean live = watch && terminal.isLive();
    int most = live ? Math.max(1, terminal.height() - 2) : lines.size();
    String text = lines.stream().limit(most).map(line -> line + System.lineSeparator())
        .collect(Collectors.joining());
    terminal.out().print((live ? terminal.home() : "") + text + (lines.size() <= most ? ""
        : "... " + Text.count((long) lines.size() - most, "more line") + "; all of them without --watch"
            + System.lineSeparator()));
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
