// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.JsonText;
import io.github.dripfeed.terminal.Times;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** One application of a queue, with all its attempts, as a bar. For one thread. */
final class Bar {

  /** As the queue let them go: those that started first, then the line in its order. */
  static final Comparator<Bar> ORDER = Comparator.comparingLong((Bar bar) -> bar.place)
      .thenComparingLong(bar -> bar.place < 0 ? bar.start : 0).thenComparing(bar -> bar.application);
  /** The state of an attempt that is in another queue. */
  private static final String MOVED = "MOVED";
  private static final List<String> SHOWN = Arrays.asList(Wire.ACCEPTED, Wire.STARTING, Wire.RUNNING);

  /** A stretch of time that an attempt spent in one state. Immutable. */
  private static final class Segment {
    final String state;
    final long from;
    final long to;
    final boolean failed;
    /** How it ended, if that is known. */
    final String end;

    Segment(String state, long from, long to, boolean failed, String end) {
      this.state = state;
      this.from = from;
      this.to = to;
      this.failed = failed;
      this.end = end;
    }
  }

  /** What one attempt went through. */
  private static final class Attempt {
    final List<Segment> segments = new ArrayList<>();
    String state = "";
    long since = -1;

    /** Nobody knows how an attempt came into a state that began at a negative time. */
    void change(String before, long begin, String next, long time, String reason) {
      if (SHOWN.contains(before) && begin >= 0) {
        segments.add(new Segment(before, begin, time,
            before.equals(Wire.STARTING) && next.equals(Wire.ENDED),
            reason.isEmpty() ? "" : "; then: " + reason));
      }
      state = next;
      since = time;
    }
  }

  private final String application;
  /** By their ids, which end with their numbers in six digits. */
  private final NavigableMap<String, Attempt> attempts = new TreeMap<>();
  private final Map<String, Object> document;
  /** In line; -1 if it is not. */
  private long place = -1;
  private long start;
  private long first;

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

  /** Adds an event; they come in the order of their times. */
  void event(Row row) {
    Attempt attempt = attempt(row);
    long time = row.number(Column.TIME);
    long millis = row.number(Column.MILLISECONDS);
    String from = row.text(Column.FROM);
    attempt.change(from, millis >= 0 ? time - millis : attempt.state.equals(from) ? attempt.since : -1,
        row.text(Column.TO), time, row.text(Column.REASON));
  }

  /** The attempt is in another queue by now, as a later row of it tells: a move itself is no event. */
  void moved(Row row) {
    Attempt attempt = attempt(row);
    attempt.change(attempt.state, attempt.since, MOVED, row.number(Column.TIME),
        "it was moved to " + row.text(Column.QUEUE));
  }

  void starting(Row row) {
    present(attempt(row), Wire.STARTING, row.number(Column.SINCE));
  }

  void waiting(Row row) {
    // A later attempt is in line since the one before it has ended.
    long ended = attempts.values().stream().flatMap(each -> each.segments.stream())
        .mapToLong(segment -> segment.to).max().orElse(-1);
    present(attempt(row), Wire.ACCEPTED, Math.max(row.number(Column.SINCE), ended));
    place = row.number(Column.PLACE) < 0 ? Long.MAX_VALUE : row.number(Column.PLACE);
  }

  /** An event says more than a table does of the present. */
  private static void present(Attempt attempt, String state, long since) {
    if (attempt.state.isEmpty() || attempt.state.equals(MOVED)
        || attempt.state.equals(Wire.ACCEPTED) && !state.equals(Wire.ACCEPTED)) {
      attempt.change(attempt.state, attempt.since, state, since, "");
    }
  }

  /** Finds its stretches of time, once all is added; false if none of them reaches into the window. */
  boolean lay(long from, long now) {
    List<Segment> all = new ArrayList<>();
    attempts.values().forEach(attempt -> all.addAll(attempt.segments));
    Attempt last = attempts.lastEntry().getValue();
    if (SHOWN.contains(last.state) && last.since >= 0) {
      all.add(new Segment(last.state, last.since, Math.max(last.since, now), false, " until now"));
    }
    all.sort(Comparator.comparingLong(segment -> segment.from));
    start = all.stream().filter(each -> each.state.equals(Wire.STARTING)).findFirst()
        .map(each -> each.from).orElse(all.isEmpty() ? now : all.get(0).from);
    List<Object> segments = new ArrayList<>();
    long end = Long.MIN_VALUE;
    for (Segment each : all) {
      if (each.to > Math.max(from, end)) {
        // Its true beginning, also before the window: the page draws what is within, and tells all of it.
        long begin = Math.max(each.from, end);
        first = segments.isEmpty() ? begin : first;
        String state = each.state.toLowerCase(Locale.ROOT);
        segments.add(JsonText.document("state", state, "from", begin, "to", each.to, "failed", each.failed,
            "text", state + " for " + Times.millis(each.to - begin) + each.end));
      }
      end = Math.max(end, each.to);
    }
    document.put("state", last.state.toLowerCase(Locale.ROOT));
    document.put("segments", segments);
    return !segments.isEmpty();
  }

  /** When the first of its stretches began, which may be before the window. */
  long first() {
    return first;
  }

  /** Whether its last attempt is in this state. */
  boolean is(String state) {
    return attempts.lastEntry().getValue().state.equals(state);
  }

  Map<String, Object> document() {
    return document;
  }
}
