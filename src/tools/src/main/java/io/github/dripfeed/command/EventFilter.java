// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Problem;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** Which events a call asks for: all conditions hold. */
final class EventFilter {

  private static final String SINCE = "--since";
  private static final String UNTIL = "--until";
  /** No event is the submission: YARN tells that. One that was there before is NEW. */
  private static final List<String> FROM =
      Arrays.asList(Wire.NEW, Wire.ACCEPTED, Wire.STARTING, Wire.RUNNING);
  private static final List<String> TO = Arrays.asList(Wire.STARTING, Wire.RUNNING, Wire.ENDED);

  @Option(names = QueueFilter.OPTION, paramLabel = "PATH")
  private String path;
  @Option(names = "--user", paramLabel = "NAME")
  private String user;
  @Option(names = "--type", paramLabel = "TYPE")
  private String type;
  @Option(names = "--application", paramLabel = "ID",
      description = "only events of this queue (or below it), user, type, application")
  private String application;
  @Option(names = "--from", paramLabel = "STATE", description = {
      "only changes from: NEW (it was there before Dripfeed looked at it, as after",
      "a restart), ACCEPTED, STARTING, RUNNING"})
  private String from;
  @Option(names = "--to", paramLabel = "STATE", description = "only changes to: STARTING, RUNNING, ENDED")
  private String to;
  @Option(names = "--reason", paramLabel = "WORDS", description = {
      "only for one of these reasons, with commas: driver, executors, timeout",
      "(starting-timeout was over), idle (idle-timeout was over), exempt,",
      "inherited, undetermined, taken-back, ended"})
  private String words;
  @Option(names = "--text", paramLabel = "TEXT", description = "only with this text in the reason")
  private String text;
  @Option(names = SINCE, paramLabel = "WHEN")
  private String since;
  @Option(names = UNTIL, paramLabel = "WHEN", description = {
      "30m, 8h or 2d ago; 22:00 (the last one; for --until, the first one after",
      "--since); 2026-11-22; 2026-11-22T22:00, in the time zone of this machine"})
  private String until;
  private final List<Predicate<Row>> conditions = new ArrayList<>();
  private QueueFilter queue;
  private Attribute kind;

  /** @throws Problem if a value is not allowed */
  void prepare() throws Problem {
    queue = new QueueFilter(path);
    conditions.add(event -> queue.matches(event.text(Column.QUEUE)));
    equal(Column.USER, user);
    if (type != null) {
      conditions.add(event -> event.text(Column.TYPE).equalsIgnoreCase(type));
    }
    equal(Column.APPLICATION, application == null ? null : Values.application(application));
    String begin = Values.word("--from", from, FROM);
    equal(Column.FROM, begin);
    String end = Values.word("--to", to, TO);
    equal(Column.TO, end);
    List<EventReason> reasons = new ArrayList<>();
    for (String word : words == null ? new String[0] : words.split(",", -1)) {
      reasons.add(EventReason.of(Values.word("--reason", word.trim(), EventReason.words())));
    }
    if (!reasons.isEmpty()) {
      conditions.add(event -> reasons.stream().anyMatch(reason -> reason.matches(event)));
    }
    kind = !reasons.isEmpty() && EventReason.BY_LIMIT.containsAll(reasons) ? Attribute.PROMOTIONS
        : Wire.STARTING.equals(begin) && Wire.ENDED.equals(end) ? Attribute.ENDED_WHILE_STARTING
        : Attribute.EVENTS;
    if (text != null) {
      String part = text.toLowerCase(Locale.ROOT);
      conditions.add(event -> event.text(Column.REASON).toLowerCase(Locale.ROOT).contains(part));
    }
    // What is wrong is told before anybody is asked.
    until(0, since(0));
  }

  QueueFilter queue() {
    return queue;
  }

  private void equal(Column column, String value) {
    if (value != null) {
      conditions.add(event -> event.is(column, value));
    }
  }

  /** The only kind of events that it asks for. */
  Attribute kind() {
    return kind;
  }

  /** The earliest time that is asked for; -1 without a limit. */
  long since(long now) throws Problem {
    return since == null ? -1 : Moment.parse(SINCE, since, now, AskingTool.zone());
  }

  /** A time of day is the first one after {@code --since}. */
  private long until(long now, long earliest) throws Problem {
    if (until == null) {
      return Long.MAX_VALUE;
    }
    return since != null && Moment.isTimeOfDay(until)
        ? Moment.firstFrom(UNTIL, until, earliest, AskingTool.zone())
        : Moment.parse(UNTIL, until, now, AskingTool.zone());
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
