// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.admission.Transition;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Event;

/** From which state to which, and why. Immutable. */
public final class StateChange {

  public final String from;
  public final String to;
  public final Event code;
  /** The time in the state that it leaves, in milliseconds; -1 if it is unknown. */
  public final long millis;
  private final String details;

  private StateChange(String from, String to, Event code, String details, long millis) {
    this.from = from;
    this.to = to;
    this.code = code;
    this.details = details;
    this.millis = millis;
  }

  /** @param millis the time in the state that it leaves */
  static StateChange of(Transition transition, long millis) {
    return new StateChange(
        transition.from().name(), transition.to().name(), transition.reason(), "", millis);
  }

  /** A transition that must have happened before the policy looked at the attempt. */
  static StateChange discovered(Transition transition) {
    return new StateChange(Wire.NEW, transition.to().name(), transition.reason(), "", -1);
  }

  /**
   * @param details what else is known of the reason; may be empty
   * @param millis the time in the state that it leaves
   */
  static StateChange ended(State from, Event code, String details, long millis) {
    return new StateChange(from.name(), Wire.ENDED, code, details, millis);
  }

  /** What belongs to the code; may be empty. */
  public String arguments() {
    return details.isEmpty() ? "" : "details=" + details;
  }

  /** The second half of a sentence. */
  public String reason() {
    return Sentences.of(code) + (details.isEmpty() ? "" : ": " + details)
        + (from.equals(Wire.NEW) ? ", before this policy looked at it" : "");
  }

  boolean isEndWhileStarting() {
    return from.equals(State.STARTING.name()) && to.equals(Wire.ENDED);
  }
}
