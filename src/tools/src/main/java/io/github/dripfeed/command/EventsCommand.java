// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Table;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code events}: what happened, and start-up times. */
@Command(name = "events",
    description = {
        "What happened: who started, ran or ended, when and why.",
        "Shows what happened in the queues under Dripfeed, oldest first. A ResourceManager keeps the last"
            + " 1,000 events since it started, and as many again that say who was promoted by a time limit"
            + " and who ended while starting; all of them are in its log. For a time before it became the"
            + " active one, those of a standby are shown too, if its address is known."},
    footer = {
        "Who was promoted by a time limit last night:",
        "  events --reason timeout,idle --since 18:00",
        "Who ended while starting, and why:",
        "  events --from STARTING --to ENDED",
        "Exit codes: 0 shown, also if there is no such event, 1 no such queue under Dripfeed, "
            + AskingTool.EXIT_CODES})
final class EventsCommand extends AskingTool {

  private static final String LAST = "--last";
  private static final int MOST = 1_000_000;
  private static final int ONE_LINE = 150;
  private static final String INDENT = "          ";

  @Mixin
  private EventFilter filter;
  @Option(names = LAST, paramLabel = "N", description = "only the last so many of these")
  private String most = String.valueOf(MOST);
  @Option(names = EventSummary.OPTION, paramLabel = "COLUMNS", arity = "0..1",
      fallbackValue = "user,type", description = "instead of the events: start-up times and waits by these"
          + " columns (user, type, queue, application; user and type unless given): how many became"
          + " running, median, 95 %%")
  private String columns;

  @Override
  int ask() throws Problem {
    filter.prepare();
    int last = Values.number(LAST, most, 1, MOST);
    EventSummary summary = columns == null ? null : new EventSummary(columns);
    Reading reading = read();
    long since = filter.since(reading.time);
    Attribute kind = filter.kind;
    List<Reading> standbys = since >= reading.knownSince(kind) ? Collections.emptyList()
        : resourceManagers.standbys();
    // The older ones of some kinds alone would bias a summary.
    boolean withOlder = kind == Attribute.EVENTS && summary == null;
    List<Row> all = Stream.concat(standbys.stream(), Stream.of(reading))
        .flatMap(each -> (withOlder ? each.allKept() : each.events(kind)).stream()
            // Each ResourceManager numbers its own.
            .map(row -> row.with("resourceManager", each.address.toString())))
        .sorted(Comparator.comparingLong(row -> row.number(Column.TIME))).collect(Collectors.toList());
    if (Stream.concat(all.stream(), reading.allKept().stream())
        .noneMatch(event -> filter.queue.matches(event.text(Column.QUEUE)))) {
      filter.queue.of(reading.queues());
    }
    List<Row> found = filter.of(all, reading.time);
    List<Row> events = found.subList(Math.max(0, found.size() - last), found.size());
    List<String> others =
        standbys.stream().map(each -> each.address.toString()).collect(Collectors.toList());
    String gap = reading.gap(others, kind, since);
    print(answer(0, reading, "knownSince", reading.knownSince(kind), "standbys", others, "gap", gap,
        summary == null ? "events" : "groups", summary == null ? events : summary.documents(events)), false,
        events.isEmpty() ? Collections.singletonList("No such event.")
            : summary == null ? lines(events, reading.time) : summary.lines(events, terminal.width()));
    if (!isJson() && !gap.isEmpty()) {
      terminal.err.println(terminal.inErrors(Terminal.Colour.QUIET, Text.safe(gap)));
    }
    return 0;
  }

  /** One line each where there is room, or where no person but a program reads. */
  private List<String> lines(List<Row> events, long now) {
    boolean oneLine = !terminal.live || terminal.width() >= ONE_LINE;
    Table table = oneLine
        ? new Table("time", "application", "~user", "~type", "queue", "change", ">after", "because")
        : new Table("time", "application", "~user", "~type");
    events.forEach(event -> table.row(Times.moment(event.number(Column.TIME), now),
        event.text(Column.APPLICATION), event.text(Column.USER), event.text(Column.TYPE),
        event.text(Column.QUEUE), event.change(), Times.millis(event.number(Column.MILLISECONDS)),
        event.text(Column.REASON)));
    List<String> text = table.lines(oneLine ? Integer.MAX_VALUE : terminal.width());
    List<String> lines = new ArrayList<>();
    lines.add(terminal.in(Terminal.Colour.QUIET, text.get(0)));
    for (int i = 0; i < events.size(); i++) {
      lines.add(text.get(i + 1));
      if (!oneLine) {
        terminal.wrap(lines, INDENT, Terminal.Colour.QUIET,
            events.get(i).text(Column.QUEUE) + ": " + events.get(i).sentence());
      }
    }
    return lines;
  }
}
