// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Event;

/** One change of the state of an attempt, and why. Immutable. */
public final class StateEvent {

  /** Its number; the events of one process are numbered from 1 on, without gaps. */
  public final long sequence;
  /** In milliseconds since 1970. */
  public final long time;
  public final AttemptLabel attempt;
  public final String from;
  public final String to;
  public final Event code;
  /** The time in the state that it leaves, in milliseconds; -1 if it is unknown. */
  public final long millis;
  private final String details;

  /** @param details what else is known of the reason; may be empty */
  StateEvent(long sequence, long time, AttemptLabel attempt, String from, String to, Event code,
      String details, long millis) {
    this.sequence = sequence;
    this.time = time;
    this.attempt = attempt;
    this.from = from;
    this.to = to;
    this.code = code;
    this.details = details;
    this.millis = millis;
  }

  /** The second half of a sentence. */
  public String reason() {
    return why() + (isDiscovered() ? ", before this policy looked at it" : "");
  }

  private String why() {
    return code.sentence + (details.isEmpty() ? "" : ": " + details);
  }

  private boolean isDiscovered() {
    return from.equals(Wire.NEW);
  }

  boolean isEndWhileStarting() {
    return from.equals(Wire.STARTING) && to.equals(Wire.ENDED);
  }

  /** Its line in the state log. */
  @Override
  public String toString() {
    return attempt + (isDiscovered() ? ": was " + to + " before this policy looked at it, because "
        : ": " + from + " -> " + to + " after " + millis + " ms, because ") + why();
  }
}
