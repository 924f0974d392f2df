// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import io.github.dripfeed.wire.Wire.Event;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Option;

/** Which events a call asks for: all conditions hold. */
final class EventFilter {

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
  QueueFilter queue;
  /** The only kind of events that it asks for. */
  Attribute kind = Attribute.EVENTS;

  /** @throws Problem if a value is not allowed */
  void prepare() throws Problem {
    queue = new QueueFilter(path);
    application = application == null ? null : Values.application(application);
    kind = reasons != null && reasons.stream().allMatch(Reason::isByLimit) ? Attribute.PROMOTIONS
        : from == From.STARTING && to == To.ENDED ? Attribute.ENDED_WHILE_STARTING : kind;
    // What is wrong is told before anybody is asked.
    until(0, since(0));
  }

  private boolean matches(Row event) {
    return queue.matches(event.text(Column.QUEUE))
        && (user == null || event.is(Column.USER, user))
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
    return since == null ? -1 : Values.moment(SINCE, since, now, -1);
  }

  /** A time of day is the first one after {@code --since}. */
  private long until(long now, long earliest) throws Problem {
    return until == null ? Long.MAX_VALUE : Values.moment(UNTIL, until, now, earliest);
  }

  /** The events that are asked for, in their order; now is the time on their clock. */
  List<Row> of(List<Row> events, long now) throws Problem {
    long earliest = since(now);
    long latest = until(now, earliest);
    if (latest < earliest) {
      throw Values.wrong(UNTIL, until, "is a time after --since = '" + since + "'");
    }
    return Reading.where(events, event -> event.number(Column.TIME) >= earliest
        && event.number(Column.TIME) <= latest && matches(event));
  }
}
