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
import io.github.dripfeed.wire.Wire.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
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

  /** Why something happened, named as the codes are. */
  enum Reason {
    AM_ALLOCATED, EXECUTORS, TIMEOUT, IDLE, EXEMPT, INHERITED, UNDETERMINED, TAKEN_BACK, ENDED;

    boolean is(Row event) {
      return this == ENDED ? event.is(Column.TO, name())
          : event.is(Column.CODE, name())
              || this == EXEMPT && event.is(Column.CODE, Event.EXEMPT_NOW.name());
    }

    /** Whether a time limit, and nothing that the application did, made it run. */
    boolean isByLimit() {
      return Event.valueOf(name()).isByLimit();
    }
  }

  /** No event is the submission: YARN tells that. One that was there before is NEW. */
  enum From { NEW, ACCEPTED, STARTING, RUNNING }

  enum To { STARTING, RUNNING, ENDED }

  private static final String SINCE = "--since";
  private static final String UNTIL = "--until";
  private static final String LAST = "--last";
  private static final int MOST = 1_000_000;
  private static final int ONE_LINE = 150;
  private static final String INDENT = "          ";

  @Option(names = QueueFilter.OPTION, paramLabel = "PATH",
      description = "only events of this queue (or below this parent)")
  private String path;
  @Option(names = "--user", paramLabel = "NAME", description = "only of this user")
  private String user;
  @Option(names = "--type", paramLabel = "TYPE", description = "only of applications of this type")
  private String type;
  @Option(names = "--application", paramLabel = "ID", description = "only of this application")
  private String application;
  @Option(names = "--from", paramLabel = "STATE", description = "only changes from: NEW (it was there"
      + " before Dripfeed looked at it, as after a restart), ACCEPTED, STARTING, RUNNING")
  private From from;
  @Option(names = "--to", paramLabel = "STATE", description = "only changes to: STARTING, RUNNING, ENDED")
  private To to;
  @Option(names = "--reason", paramLabel = "WORD", split = " *, *", splitSynopsisLabel = ",",
      description = "only for one of these reasons, with commas: am_allocated, executors, timeout"
          + " (starting-timeout was over), idle (idle-timeout was over), exempt, inherited, undetermined,"
          + " taken_back, ended")
  private Set<Reason> reasons;
  @Option(names = "--text", paramLabel = "TEXT", description = "only with this text in the reason")
  private String text;
  @Option(names = SINCE, paramLabel = "WHEN", description = "30m, 8h or 2d ago; 22:00 (the last one);"
      + " 2026-11-22; 2026-11-22T22:00, in the time zone of this machine")
  private String since;
  @Option(names = UNTIL, paramLabel = "WHEN",
      description = "the same; 22:00 is the first one after --since")
  private String until;
  @Option(names = LAST, paramLabel = "N", description = "only the last so many of these")
  private String most = String.valueOf(MOST);
  @Option(names = EventSummary.OPTION, paramLabel = "COLUMNS", arity = "0..1",
      fallbackValue = "user,type", description = "instead of the events: start-up times and waits by these"
          + " columns (user, type, queue, application; user and type unless given): how many became"
          + " running, median, 95%%")
  private String columns;

  @Override
  int ask() throws Problem {
    QueueFilter queue = new QueueFilter(path);
    application = application == null ? null : application(application);
    int last = number(LAST, most, 1, MOST);
    // What is wrong is told before anybody is asked.
    until(0, since(0));
    EventSummary summary = columns == null ? null : new EventSummary(columns);
    Reading reading = read();
    long earliest = since(reading.time);
    long latest = until(reading.time, earliest);
    if (latest < earliest) {
      throw Problem.wrong(UNTIL, until, "is a time after --since = '" + since + "'");
    }
    // The only kind of events that is asked for.
    Attribute kind = reasons != null && reasons.stream().allMatch(Reason::isByLimit) ? Attribute.PROMOTIONS
        : from == From.STARTING && to == To.ENDED ? Attribute.ENDED_WHILE_STARTING : Attribute.EVENTS;
    List<Reading> standbys = earliest >= reading.knownSince(kind) ? Collections.emptyList()
        : resourceManagers.standbys();
    // The older ones of some kinds alone would bias a summary.
    boolean withOlder = kind == Attribute.EVENTS && summary == null;
    List<Row> all = Stream.concat(standbys.stream(), Stream.of(reading))
        .flatMap(each -> (withOlder ? each.allKept() : each.events(kind)).stream()
            // Each ResourceManager numbers its own.
            .map(row -> row.with("resourceManager", each.address.toString())))
        .sorted(Comparator.comparingLong(row -> row.number(Column.TIME))).collect(Collectors.toList());
    if (Stream.concat(all.stream(), reading.allKept().stream())
        .noneMatch(event -> queue.matches(event.text(Column.QUEUE)))) {
      queue.of(reading.queues());
    }
    List<Row> found = Reading.where(all, event -> event.number(Column.TIME) >= earliest
        && event.number(Column.TIME) <= latest && queue.matches(event.text(Column.QUEUE))
        && matches(event));
    List<Row> events = found.subList(Math.max(0, found.size() - last), found.size());
    List<String> others =
        standbys.stream().map(each -> each.address.toString()).collect(Collectors.toList());
    String gap = reading.gap(others, kind, earliest);
    print(answer(0, reading, "knownSince", reading.knownSince(kind), "standbys", others, "gap", gap,
        summary == null ? "events" : "groups", summary == null ? events : summary.documents(events)), false,
        events.isEmpty() ? Collections.singletonList("No such event.")
            : summary == null ? lines(events, reading.time) : summary.lines(events, terminal.width()));
    if (!json && !gap.isEmpty()) {
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

  private boolean matches(Row event) {
    return (user == null || event.is(Column.USER, user))
        && (type == null || event.text(Column.TYPE).equalsIgnoreCase(type))
        && (application == null || event.is(Column.APPLICATION, application))
        && (from == null || event.is(Column.FROM, from.name()))
        && (to == null || event.is(Column.TO, to.name()))
        && (reasons == null || reasons.stream().anyMatch(reason -> reason.is(event)))
        && (text == null || event.text(Column.REASON).toLowerCase(Locale.ROOT)
            .contains(text.toLowerCase(Locale.ROOT)));
  }

  /** The earliest time that is asked for; -1 without a limit. */
  long since(long now) throws Problem {
    return since == null ? -1 : Times.parse(SINCE, since, now, -1);
  }

  /** A time of day is the first one after {@code --since}. */
  private long until(long now, long earliest) throws Problem {
    return until == null ? Long.MAX_VALUE : Times.parse(UNTIL, until, now, earliest);
  }
}
