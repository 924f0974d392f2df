// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import io.github.dripfeed.terminal.JsonText;
import io.github.dripfeed.terminal.Times;
import java.util.Locale;
import java.util.Map;

/** A stretch of time that an attempt of an application spent in one state. Immutable. */
final class Segment {

  /** How it ended. */
  enum End {
    /** It lasts. */
    NONE,
    /** With the next state, or with the end of an attempt that was not starting. */
    NEXT,
    /** With the end of an attempt that was starting. */
    FAILED
  }

  final String state;
  /** Milliseconds since the epoch. */
  final long from;
  final long to;
  /** Why it ended; empty if it lasts, or that is unknown. */
  private final String until;
  private final End end;

  Segment(String state, long from, long to, String until, End end) {
    this.state = state;
    this.from = from;
    this.to = to;
    this.until = until;
    this.end = end;
  }

  /** The same, later by the time that another one ends in it. */
  Segment notBefore(long time) {
    return time <= from ? this : new Segment(state, time, to, until, end);
  }

  Map<String, Object> document() {
    String name = state.toLowerCase(Locale.ROOT);
    return JsonText.document("state", name, "from", from, "to", to, "lasts", end == End.NONE,
        "failed", end == End.FAILED, "text", name + " for " + Times.millis(to - from)
            + (end == End.NONE ? " until now" : "") + (until.isEmpty() ? "" : "; then: " + until));
  }
}
