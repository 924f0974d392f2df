// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Column;
import io.github.dripfeed.wire.Wire.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One application of a queue, with all its attempts, as a bar. For one thread. */
final class Bar {

  /** As the queue let them go: those that started first, then the line in its order. */
  static final Comparator<Bar> ORDER = Comparator.comparingLong((Bar bar) -> bar.place)
      .thenComparingLong(bar -> bar.place < 0 ? bar.start : 0).thenComparing(bar -> bar.application);
  /** The state of an attempt that is in another queue. */
  private static final String MOVED = "MOVED";
  private static final List<String> SHOWN = Arrays.asList(Wire.ACCEPTED, Wire.STARTING, Wire.RUNNING);

  /** A stretch of time in one state. */
  private static final class Segment {
    final String state;
    final long to;
    /** How an attempt ended there that was starting, as the page names it; else empty. */
    final String end;
    long from;
    String text;

    Segment(String state, long from, long to, String text, String end) {
      this.state = state.toLowerCase(Locale.ROOT);
      this.from = from;
      this.to = to;
      this.text = text;
      this.end = end;
    }

    Map<String, Object> document() {
      return JsonText.document("state", state, "from", from, "to", to, "text", text, "end", end);
    }
  }

  /** Where one attempt stands. */
  private static final class Attempt {
    String state = "";
    long since = -1;
  }

  private final String application;
  /** By their ids, which end with their numbers in six digits. */
  private final NavigableMap<String, Attempt> attempts = new TreeMap<>();
  private final Map<String, Object> document;
  /** In line; -1 if it is not. */
  private long place = -1;
  private long start;
  private final List<Segment> segments = new ArrayList<>();

  Bar(String application) {
    this.application = application;
    document = JsonText.document("application", application);
  }

  private Attempt attempt(Row row) {
    for (Column column : new Column[] {Column.NAME, Column.USER, Column.TYPE}) {
      document.merge(column.toString(), row.text(column), (old, now) -> now.equals("") ? old : now);
    }
    return attempts.computeIfAbsent(row.text(Column.ATTEMPT), id -> new Attempt());
  }

  private void change(Attempt attempt, String before, long begin, String next, long time, String text) {
    change(attempt, before, begin, next, time, text, "");
  }

  private void change(Attempt attempt, String before, long begin, String next, long time, String text,
      String end) {
    if (SHOWN.contains(before) && begin >= 0) {
      segments.add(new Segment(before, begin, time, text, end));
    }
    attempt.state = next;
    attempt.since = time;
  }

  /** Adds an event; they come in the order of their times. */
  void event(Row row) {
    Attempt attempt = attempt(row);
    long time = row.number(Column.TIME);
    long millis = row.number(Column.MILLISECONDS);
    String from = row.text(Column.FROM);
    change(attempt, from, millis >= 0 ? time - millis : attempt.state.equals(from) ? attempt.since : -1,
        row.text(Column.TO), time,
        row.is(Column.REASON, "") ? "" : "; then: " + row.text(Column.REASON),
        !from.equals(Wire.STARTING) || !row.is(Column.TO, Wire.ENDED) ? ""
            : row.is(Column.CODE, Event.TAKEN_BACK.name()) ? "taken-back" : "failed");
  }

  /** The attempt is in another queue by now, as a later row of it tells: a move itself is no event. */
  void moved(Row row) {
    Attempt attempt = attempt(row);
    change(attempt, attempt.state, attempt.since, MOVED, row.number(Column.TIME),
        "; then: it was moved to " + row.text(Column.QUEUE));
  }

  void starting(Row row) {
    present(attempt(row), Wire.STARTING, row.number(Column.SINCE));
  }

  void waiting(Row row) {
    // A later attempt is in line since the one before it has ended.
    long ended = segments.stream().mapToLong(segment -> segment.to).max().orElse(-1);
    present(attempt(row), Wire.ACCEPTED, Math.max(row.number(Column.SINCE), ended));
    place = row.number(Column.PLACE) < 0 ? Long.MAX_VALUE : row.number(Column.PLACE);
  }

  /** An event says more than a table does of the present. */
  private void present(Attempt attempt, String state, long since) {
    if (attempt.state.isEmpty() || attempt.state.equals(MOVED)
        || attempt.state.equals(Wire.ACCEPTED) && !state.equals(Wire.ACCEPTED)) {
      change(attempt, attempt.state, attempt.since, state, since, "");
    }
  }

  /** Finds its stretches of time, once all is added; false if none of them reaches into the window. */
  boolean lay(long from, long now) {
    Attempt last = last();
    change(last, last.state, last.since, last.state, Math.max(last.since, now), " until now");
    segments.sort(Comparator.comparingLong(segment -> segment.from));
    start = Stream.concat(
            segments.stream().filter(each -> each.state.equals("starting")), segments.stream())
        .findFirst().map(segment -> segment.from).orElse(now);
    long end = Long.MIN_VALUE;
    for (Iterator<Segment> all = segments.iterator(); all.hasNext();) {
      Segment segment = all.next();
      if (segment.to > Math.max(from, end)) {
        // Its true beginning, also before the window: the page draws what is within, and tells all of it.
        segment.from = Math.max(segment.from, end);
        segment.text = segment.state + " for " + Times.millis(segment.to - segment.from) + segment.text;
      } else {
        all.remove();
      }
      end = Math.max(end, segment.to);
    }
    return !segments.isEmpty();
  }

  private Attempt last() {
    return attempts.lastEntry().getValue();
  }

  /** When the first of its stretches began, which may be before the window. */
  long first() {
    return segments.get(0).from;
  }

  /** Whether its last attempt is in this state. */
  boolean is(String state) {
    return last().state.equals(state);
  }

  Map<String, Object> document() {
    document.put("state", last().state.toLowerCase(Locale.ROOT));
    document.put("segments", segments.stream().map(Segment::document).collect(Collectors.toList()));
    return document;
  }
}
