// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.EventTable;
import io.github.dripfeed.command.remote.Problem;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Terminal;
import io.github.dripfeed.terminal.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code events}: what happened, and start-up times. */
final class EventsCommand implements Command {

  private static final String SUMMARY = "--summary";
  private static final String LAST = "--last";
  private static final int MOST = 1_000_000;

  @Override
  public String usage() {
    return "Usage: events [--rm URL] [options]\n"
        + "  Shows what happened in the queues under Dripfeed, oldest first: who started, ran or\n"
        + "  ended, when, after how long and why. A ResourceManager keeps the last 1,000 events\n"
        + "  since it started, and as many again that say who was promoted by a time limit and who\n"
        + "  ended while starting; all of them are in its log. For a time before it became the active\n"
        + "  one, those of a standby are shown too, if its address is known.\n"
        + "  --queue PATH, --user NAME, --type TYPE, --application ID\n"
        + "                   only events of this queue (or below it), user, type, application\n"
        + "  --from STATE     only changes from: NEW (it was there before Dripfeed looked at it, as after\n"
        + "                   a restart), ACCEPTED, STARTING, RUNNING\n"
        + "  --to STATE       only changes to: STARTING, RUNNING, ENDED\n"
        + "  --reason WORDS   only for one of these reasons, with commas: driver, executors, timeout\n"
        + "                   (starting-timeout was over), idle (idle-timeout was over), exempt,\n"
        + "                   inherited, undetermined, taken-back, ended\n"
        + "  --text TEXT      only with this text in the reason\n"
        + "  --since WHEN, --until WHEN\n"
        + "                   30m, 8h or 2d ago; 22:00 (the last one; for --until, the first one after\n"
        + "                   --since); 2026-11-22; 2026-11-22T22:00, in the time zone of this machine\n"
        + "  --last N         only the last so many of these\n"
        + "  --summary user,type\n"
        + "                   instead of the events: start-up times and waits by these columns (user,\n"
        + "                   type, queue, application): how many became running, median, 95 %\n"
        + "  --json           machine-readable output, whatever the outcome\n"
        + Call.USAGE
        + "  Who was promoted by a time limit last night:\n"
        + "    events --reason timeout,idle --since 18:00\n"
        + "  Who ended while starting, and why:\n"
        + "    events --from STARTING --to ENDED\n"
        + "Exit codes: 0 shown, also if there is no such event, 1 no such queue under Dripfeed,\n"
        + Call.EXIT_CODES;
  }

  @Override
  public int run(List<String> arguments, Terminal terminal) throws Problem {
    List<String> valued = new ArrayList<>(EventFilter.OPTIONS);
    valued.add(SUMMARY);
    valued.add(LAST);
    Call call = new Call(arguments, Collections.singletonList(Call.JSON), valued, terminal);
    call.options().requireNoArguments();
    EventFilter filter = new EventFilter(call.options());
    int last = call.options().number(LAST, 1, MOST, MOST);
    EventSummary summary = call.options().has(SUMMARY)
        ? new EventSummary(call.options().value(SUMMARY)) : null;
    Reading reading = call.read();
    long since = filter.since(reading.time());
    EventTable kind = filter.kind();
    KnownEvents known = new KnownEvents(reading,
        since >= reading.knownSince(kind) ? Collections.emptyList() : call.standbys(reading), kind);
    // The older ones of some kinds alone would bias a summary.
    List<Row> all = summary == null ? known.eventsAndOlder() : known.events();
    List<Row> ofAnyKind = new ArrayList<>(all);
    ofAnyKind.addAll(reading.allKept());
    new QueueFilter(call.options().queue()).requireKnown(ofAnyKind, reading.queues());
    List<Row> found = filter.of(all, reading.time());
    List<Row> events = found.subList(Math.max(0, found.size() - last), found.size());
    if (summary != null) {
      summary.add(events);
    }
    String gap = known.gap(since);
    if (call.isJson()) {
      call.print(document(reading, known, gap, events, summary), false);
      return 0;
    }
    if (events.isEmpty()) {
      terminal.out().println("No such event.");
    } else {
      List<String> lines = summary == null ? EventsText.of(events, reading.time(), terminal)
          : summary.lines(terminal.width());
      lines.forEach(terminal.out()::println);
    }
    if (!gap.isEmpty()) {
      terminal.err().println(terminal.inErrors(Terminal.Colour.QUIET, Text.safe(gap)));
    }
    return 0;
  }

  private static Map<String, Object> document(
      Reading reading, KnownEvents known, String gap, List<Row> events, EventSummary summary) {
    Map<String, Object> document = Call.answer(0, reading);
    document.put("knownSince", known.knownSince());
    document.put("standbys", known.standbys());
    document.put("gap", gap);
    if (summary == null) {
      document.put("events", events.stream().map(Row::json).collect(Collectors.toList()));
    } else {
      document.put("groups", summary.documents());
    }
    return document;
  }
}
