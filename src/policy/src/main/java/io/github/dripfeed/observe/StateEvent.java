// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

/** One change of the state of an attempt. Immutable. */
public final class StateEvent {

  private final long sequence;
  private final long time;
  private final AttemptLabel attempt;
  private final StateChange change;

  /** @param time in milliseconds since 1970 */
  StateEvent(long sequence, long time, AttemptLabel attempt, StateChange change) {
    this.sequence = sequence;
    this.time = time;
    this.attempt = attempt;
    this.change = change;
  }

  /** Its number; the events of one process are numbered from 1 on, without gaps. */
  public long sequence() {
    return sequence;
  }

  /** In milliseconds since 1970. */
  public long time() {
    return time;
  }

  public AttemptLabel attempt() {
    return attempt;
  }

  public StateChange change() {
    return change;
  }
}
