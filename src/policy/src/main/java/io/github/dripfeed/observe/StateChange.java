// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.admission.Transition;

/** From which state to which, and why. Immutable. */
public final class StateChange {

  private final String from;
  private final String to;
  private final String reason;
  private final long millis;
  private final boolean promotion;

  private StateChange(String from, String to, String reason, long millis, boolean promotion) {
    this.from = from;
    this.to = to;
    this.reason = reason;
    this.millis = millis;
    this.promotion = promotion;
  }

  /** @param millis the time in the state that it leaves */
  static StateChange of(Transition transition, long millis) {
    return new StateChange(transition.from().name(), transition.to().name(), transition.reason(), millis,
        isByLimit(transition));
  }

  /** A transition that must have happened before the policy looked at the attempt. */
  static StateChange discovered(Transition transition) {
    return new StateChange(StateEvent.NEW, transition.to().name(),
        transition.reason() + ", before this policy looked at it", -1, isByLimit(transition));
  }

  /**
   * @param reason the second half of a sentence
   * @param millis the time in the state that it leaves
   */
  static StateChange ended(State from, String reason, long millis) {
    return new StateChange(from.name(), StateEvent.ENDED, reason, millis, false);
  }

  private static boolean isByLimit(Transition transition) {
    return transition == Transition.STARTING_TIMED_OUT || transition == Transition.STARTING_IDLE;
  }

  public String from() {
    return from;
  }

  public String to() {
    return to;
  }

  /** The second half of a sentence. */
  public String reason() {
    return reason;
  }

  /** The time in the state that it leaves, in milliseconds; -1 if it is unknown. */
  public long millis() {
    return millis;
  }

  /** Whether a time limit, and nothing that the application did, made it run. */
  boolean isPromotion() {
    return promotion;
  }

  boolean isEndWhileStarting() {
    return from.equals(State.STARTING.name()) && to.equals(StateEvent.ENDED);
  }
}
