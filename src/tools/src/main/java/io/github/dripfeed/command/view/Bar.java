// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.JsonText;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** One application of a queue, with all its attempts, as a bar. For one thread. */
final class Bar {

  /** As the queue let them go: those that started first, then the line in its order. */
  static final Comparator<Bar> ORDER = Comparator.comparing((Bar bar) -> bar.isInLine())
      .thenComparingLong(bar -> bar.isInLine() ? bar.place : bar.start)
      .thenComparing(bar -> bar.application);

  private final String application;
  /** By their ids, which end with their numbers in six digits. */
  private final NavigableMap<String, Track> attempts = new TreeMap<>();
  private final List<Segment> segments = new ArrayList<>();
  private String user = "";
  private String type = "";
  private String name = "";
  private long place = Long.MAX_VALUE;
  private long start;

  Bar(String application) {
    this.application = application;
  }

  private Track attempt(Row row) {
    user = row.text(Column.USER).isEmpty() ? user : row.text(Column.USER);
    type = row.text(Column.TYPE).isEmpty() ? type : row.text(Column.TYPE);
    name = row.text(Column.NAME).isEmpty() ? name : row.text(Column.NAME);
    return attempts.computeIfAbsent(row.text(Column.ATTEMPT), id -> new Track());
  }

  void event(Row row) {
    attempt(row).event(row);
  }

  /** The attempt is in another queue by now, as a later row of it tells: a move itself is no event. */
  void moved(Row row) {
    attempt(row).moved(row.number(Column.TIME), row.text(Column.QUEUE));
  }

  void starting(Row row) {
    attempt(row).present(Track.STARTING, row.number(Column.SINCE));
  }

  void waiting(Row row) {
    // A later attempt is in line since the one before it has ended.
    long from = row.number(Column.SINCE);
    for (Track track : attempts.values()) {
      for (Segment segment : track.past()) {
        from = Math.max(from, segment.to);
      }
    }
    attempt(row).present(Track.ACCEPTED, from);
    place = row.number(Column.PLACE) < 0 ? Long.MAX_VALUE - 1 : row.number(Column.PLACE);
  }

  /** Finds its stretches of time, once all is added; false if none of them reaches into the window. */
  boolean lay(long from, long now) {
    List<Segment> all = new ArrayList<>();
    attempts.forEach((id, track) ->
        all.addAll(id.equals(attempts.lastKey()) ? track.segments(now) : track.past()));
    all.sort(Comparator.comparingLong((Segment segment) -> segment.from));
    start = all.stream().filter(segment -> segment.state.equals(Track.STARTING)).findFirst()
        .map(segment -> segment.from).orElse(all.isEmpty() ? now : all.get(0).from);
    long end = Long.MIN_VALUE;
    for (Segment segment : all) {
      if (segment.to > Math.max(from, end)) {
        // Its true beginning, also before the window: the page draws what is within, and tells all of it.
        segments.add(segment.notBefore(end));
      }
      end = Math.max(end, segment.to);
    }
    return !segments.isEmpty();
  }

  /** When the first of its stretches began, which may be before the window. */
  long first() {
    return segments.get(0).from;
  }

  /** Whether its last attempt is in this state. */
  boolean is(String state) {
    return attempts.lastEntry().getValue().is(state);
  }

  private boolean isInLine() {
    return place != Long.MAX_VALUE;
  }

  Map<String, Object> document() {
    return JsonText.document("application", application, "name", name, "user", user, "type", type,
        "state", state(),
        "segments", segments.stream().map(Segment::document).collect(Collectors.toList()));
  }

  private String state() {
    for (String state : new String[] {Track.RUNNING, Track.STARTING, Track.ACCEPTED}) {
      if (is(state)) {
        return state.toLowerCase(Locale.ROOT);
      }
    }
    return is(Track.MOVED) ? "moved" : "ended";
  }
}
