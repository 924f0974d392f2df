// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Problem;
import io.github.dripfeed.command.remote.QueueTables;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Terminal;
import io.github.dripfeed.terminal.Text;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** {@code status}: who is starting in each queue, and the line with places, reasons and times. */
final class StatusCommand implements Command {

  static final String WATCH = "--watch";
  private static final int INTERVAL_SECONDS = 2;

  @Override
  public String usage() {
    return "Usage: status [--rm URL] [options]\n"
        + "  Shows for each queue under Dripfeed who is starting and what is lacking, the line in order\n"
        + "  with the reason of each wait, and when each will probably start: a range from how the\n"
        + "  queue has moved lately, and nothing where it has not.\n"
        + "  --queue PATH     only this queue (or all below this parent)\n"
        + "  --watch          again and again, until Ctrl-C\n"
        + "  --interval S     with --watch: every so many seconds (2)\n"
        + "  --json           machine-readable output, whatever the outcome; with --watch a line each\n"
        + Call.USAGE
        + "Exit codes: 0 shown, 1 no such queue under Dripfeed, 130 --watch ended by Ctrl-C,\n"
        + Call.EXIT_CODES;
  }

  @Override
  public int run(List<String> arguments, Terminal terminal) throws Problem {
    Call call = new Call(arguments, Arrays.asList(WATCH, Call.JSON),
        Arrays.asList("--queue", "--interval"), terminal);
    call.options().requireNoArguments();
    QueueFilter filter = new QueueFilter(call.options().queue());
    int interval = call.options().seconds("--interval", INTERVAL_SECONDS);
    show(call, filter);
    while (call.options().has(WATCH) && !terminal.out().checkError()) {
      try {
        TimeUnit.SECONDS.sleep(interval);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return 0;
      }
      terminal.measure();
      showOrSay(call, filter);
    }
    return 0;
  }

  /** A ResourceManager that restarts comes back. */
  private static void showOrSay(Call call, QueueFilter filter) {
    try {
      show(call, filter);
    } catch (Problem e) {
      if (call.isJson()) {
        call.print(Call.errors(e), true);
      } else {
        call.terminal().out().println(call.terminal().home()
            + call.terminal().in(Terminal.Colour.BAD, Text.safe(e.getMessage())));
        call.terminal().out().flush();
      }
    }
  }

  private static void show(Call call, QueueFilter filter) throws Problem {
    Reading reading = call.read();
    List<Row> queues = filter.of(reading.queues());
    if (call.isJson()) {
      call.print(document(reading, queues), call.options().has(WATCH));
      return;
    }
    List<String> lines = new StatusText(reading, call.terminal()).of(queues);
    boolean live = call.options().has(WATCH) && call.terminal().isLive();
    int most = live ? Math.max(1, call.terminal().height() - 2) : lines.size();
    StringBuilder text = new StringBuilder(live ? call.terminal().home() : "");
    lines.stream().limit(most).forEach(line -> text.append(line).append(System.lineSeparator()));
    if (lines.size() > most) {
      text.append("... ").append(Wording.count((long) lines.size() - most, "more line"))
          .append("; all of them without --watch").append(System.lineSeparator());
    }
    call.terminal().out().print(text);
    call.terminal().out().flush();
  }

  private static Map<String, Object> document(Reading reading, List<Row> queues) {
    Map<String, Object> document = Call.answer(0, reading);
    QueueTables tables = new QueueTables(reading);
    List<Object> all = new ArrayList<>();
    for (Row queue : queues) {
      Map<String, Object> one = new LinkedHashMap<>();
      queue.json().fields().forEachRemaining(field -> one.put(field.getKey(), field.getValue()));
      String path = queue.text(Column.QUEUE);
      one.put("startingApplications", json(tables.starting(path)));
      one.put("line", json(tables.line(path)));
      one.put("pending", json(tables.pending(path)));
      all.add(one);
    }
    document.put("queues", all);
    return document;
  }

  private static List<Object> json(List<Row> rows) {
    return rows.stream().map(Row::json).collect(Collectors.toList());
  }
}
