// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What one attempt of an application went through. For one thread. */
final class Track {

  static final String ACCEPTED = Wire.ACCEPTED;
  static final String STARTING = Wire.STARTING;
  static final String RUNNING = Wire.RUNNING;
  /** In another queue. */
  static final String MOVED = "MOVED";
  private static final List<String> SHOWN = Arrays.asList(ACCEPTED, STARTING, RUNNING);

  private final List<Segment> segments = new ArrayList<>();
  private String state = "";
  private long since = -1;

  /** Adds an event; they come in the order of their times. */
  void event(Row event) {
    long time = event.number(Column.TIME);
    long millis = event.number(Column.MILLISECONDS);
    String from = event.text(Column.FROM);
    long begin = millis >= 0 ? time - millis : state.equals(from) ? since : -1;
    if (SHOWN.contains(from) && begin >= 0) {
      boolean failed = STARTING.equals(from) && event.is(Column.TO, Wire.ENDED);
      segments.add(new Segment(from, begin, time, event.text(Column.REASON),
          failed ? Segment.End.FAILED : Segment.End.NEXT));
    }
    state = event.text(Column.TO);
    since = time;
  }

  /** It is in another queue by this time, or was so before; nobody knows when it left. */
  void moved(long time, String queue) {
    if (SHOWN.contains(state) && since >= 0 && time > since) {
      segments.add(new Segment(state, since, time, "it was moved to " + queue, Segment.End.NEXT));
    }
    state = MOVED;
    since = time;
  }

  /** Adds what a table says of the present. An event says more, where there is one. */
  void present(String present, long from) {
    if (state.isEmpty() || state.equals(MOVED) || state.equals(ACCEPTED) && !present.equals(ACCEPTED)) {
      if (state.equals(ACCEPTED)) {
        segments.add(new Segment(ACCEPTED, since, from, "", Segment.End.NEXT));
      }
      state = present;
      since = from;
    }
  }

  /** Whether it is in this state. */
  boolean is(String other) {
    return state.equals(other);
  }

  /** Those that are over, in order. */
  List<Segment> past() {
    return segments;
  }

  /** All, in order; the last one until {@code now} if it lasts. */
  List<Segment> segments(long now) {
    List<Segment> all = new ArrayList<>(segments);
    if (SHOWN.contains(state) && since >= 0) {
      all.add(new Segment(state, since, Math.max(since, now), "", Segment.End.NONE));
    }
    return all;
  }
}
