// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.EventTable;
import io.github.dripfeed.command.remote.Problem;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which events a call asks for: all conditions hold. */
final class EventFilter {

  private static final String UNTIL = "--until";
  /** The options that it reads. */
  static final List<String> OPTIONS = Arrays.asList("--queue", "--user", "--type", "--application",
      "--from", "--to", "--reason", "--text", "--since", UNTIL);
  /** No event is the submission: YARN tells that. One that was there before is NEW. */
  private static final String[] FROM = {Wire.NEW, Wire.ACCEPTED, Wire.STARTING, Wire.RUNNING};
  private static final String[] TO = {Wire.STARTING, Wire.RUNNING, Wire.ENDED};

  private final List<Predicate<Row>> conditions = new ArrayList<>();
  private final EventTable kind;
  private final String since;
  private final String until;

  /** @throws Problem if a value is not allowed */
  EventFilter(Options options) throws Problem {
    QueueFilter queue = new QueueFilter(options.queue());
    conditions.add(event -> queue.matches(event.text(Column.QUEUE)));
    equal(Column.USER, options.value("--user"));
    String type = options.value("--type");
    if (type != null) {
      conditions.add(event -> event.text(Column.TYPE).equalsIgnoreCase(type));
    }
    String application = options.value("--application");
    equal(Column.APPLICATION, application == null ? null : Options.application(application));
    String from = options.word("--from", FROM);
    equal(Column.FROM, from);
    String to = options.word("--to", TO);
    equal(Column.TO, to);
    List<EventReason> reasons = options.words("--reason", EventReason.words()).stream()
        .map(EventReason::of).collect(Collectors.toList());
    if (!reasons.isEmpty()) {
      conditions.add(event -> reasons.stream().anyMatch(reason -> reason.matches(event)));
    }
    kind = !reasons.isEmpty() && EventReason.BY_LIMIT.containsAll(reasons) ? EventTable.PROMOTIONS
        : Wire.STARTING.equals(from) && Wire.ENDED.equals(to) ? EventTable.ENDED_WHILE_STARTING
        : EventTable.EVENTS;
    String text = options.value("--text");
    if (text != null) {
      String part = text.toLowerCase(Locale.ROOT);
      conditions.add(event -> event.text(Column.REASON).toLowerCase(Locale.ROOT).contains(part));
    }
    since = options.value("--since");
    until = options.value(UNTIL);
    // What is wrong is told before anybody is asked.
    until(0, since(0));
  }

  private void equal(Column column, String value) {
    if (value != null) {
      conditions.add(event -> event.is(column, value));
    }
  }

  /** The only kind of events that it asks for. */
  EventTable kind() {
    return kind;
  }

  /** The earliest time that is asked for; -1 without a limit. */
  long since(long now) throws Problem {
    return since == null ? -1 : Moment.parse("--since", since, now, Call.zone());
  }

  /** A time of day is the first one after {@code --since}. */
  private long until(long now, long earliest) throws Problem {
    if (until == null) {
      return Long.MAX_VALUE;
    }
    return since != null && Moment.isTimeOfDay(until)
        ? Moment.firstFrom(UNTIL, until, earliest, Call.zone())
        : Moment.parse(UNTIL, until, now, Call.zone());
  }

  /**
   * The events that are asked for, in their order.
   *
   * @param now the time on the clock of the events
   */
  List<Row> of(List<Row> events, long now) throws Problem {
    long earliest = since(now);
    long latest = until(now, earliest);
    if (latest < earliest) {
      throw new Problem(Problem.WRONG_CALL,
          UNTIL + " = '" + until + "': allowed is a time after --since = '" + since + "'");
    }
    List<Row> found = new ArrayList<>(events);
    found.removeIf(event -> event.number(Column.TIME) < earliest || event.number(Column.TIME) > latest
        || !conditions.stream().allMatch(condition -> condition.test(event)));
    return found;
  }
}
