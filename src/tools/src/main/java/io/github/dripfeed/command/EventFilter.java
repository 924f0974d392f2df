// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import io.github.dripfeed.wire.Wire.Event;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Which events a call asks for: all conditions hold. */
final class EventFilter {

  static final List<String> REASONS = words(Event.DRIVER, Event.EXECUTORS, Event.TIMEOUT, Event.IDLE,
      Event.EXEMPT, Event.INHERITED, Event.UNDETERMINED, Event.TAKEN_BACK, Event.ENDED);
  /** Those by which a time limit, and nothing that the application did, made it run. */
  static final List<String> BY_LIMIT =
      words(Stream.of(Event.values()).filter(Event::isByLimit).toArray(Event[]::new));
  private static final String SINCE = "--since";
  private static final String UNTIL = "--until";

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
  QueueFilter queue;
  /** The only kind of events that it asks for. */
  Attribute kind = Attribute.EVENTS;

  /** @throws Problem if a value is not allowed */
  void prepare() throws Problem {
    queue = new QueueFilter(path);
    conditions.add(event -> queue.matches(event.text(Column.QUEUE)));
    equal(Column.USER, user);
    equal(Column.APPLICATION, application == null ? null : Values.application(application));
    // No event is the submission: YARN tells that. One that was there before is NEW.
    from = Values.word("--from", from, Wire.NEW, Wire.ACCEPTED, Wire.STARTING, Wire.RUNNING);
    to = Values.word("--to", to, Wire.STARTING, Wire.RUNNING, Wire.ENDED);
    equal(Column.FROM, from);
    equal(Column.TO, to);
    conditions.add(event -> type == null || event.text(Column.TYPE).equalsIgnoreCase(type));
    conditions.add(event -> text == null || event.text(Column.REASON).toLowerCase(Locale.ROOT)
        .contains(text.toLowerCase(Locale.ROOT)));
    if (words != null) {
      List<String> reasons = new ArrayList<>();
      for (String word : words.split(",", -1)) {
        reasons.add(Values.word("--reason", word.trim(), REASONS.toArray(new String[0])));
      }
      conditions.add(event -> reasons.stream().anyMatch(reason -> isFor(reason, event)));
      kind = BY_LIMIT.containsAll(reasons) ? Attribute.PROMOTIONS : kind;
    }
    kind = kind == Attribute.EVENTS && Wire.STARTING.equals(from) && Wire.ENDED.equals(to)
        ? Attribute.ENDED_WHILE_STARTING : kind;
    // What is wrong is told before anybody is asked.
    until(0, since(0));
  }

  private static List<String> words(Event... codes) {
    return Stream.of(codes).map(code -> code.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .collect(Collectors.toList());
  }

  private void equal(Column column, String value) {
    conditions.add(event -> value == null || event.is(column, value));
  }

  /** Whether an event happened for this reason. */
  static boolean isFor(String reason, Row event) {
    String code = reason.toUpperCase(Locale.ROOT).replace('-', '_');
    return code.equals(Wire.ENDED) ? event.is(Column.TO, code) : event.is(Column.CODE, code)
        || code.equals(Event.EXEMPT.name()) && event.is(Column.CODE, Event.EXEMPT_NOW.name());
  }

  /** The earliest time that is asked for; -1 without a limit. */
  long since(long now) throws Problem {
    return since == null ? -1 : Values.moment(SINCE, since, now, ZoneId.systemDefault());
  }

  /** A time of day is the first one after {@code --since}. */
  private long until(long now, long earliest) throws Problem {
    return until == null ? Long.MAX_VALUE : since != null && Values.isTimeOfDay(until)
        ? Values.firstFrom(UNTIL, until, earliest, ZoneId.systemDefault())
        : Values.moment(UNTIL, until, now, ZoneId.systemDefault());
  }

  /** The events that are asked for, in their order; now is the time on their clock. */
  List<Row> of(List<Row> events, long now) throws Problem {
    long earliest = since(now);
    long latest = until(now, earliest);
    if (latest < earliest) {
      throw Values.wrong(UNTIL, until, "is a time after --since = '" + since + "'");
    }
    return Reading.where(events, event -> event.number(Column.TIME) >= earliest
        && event.number(Column.TIME) <= latest
        && conditions.stream().allMatch(condition -> condition.test(event)));
  }
}
