// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;

import io.github.dripfeed.wire.Wire.Event;

/**
 * The state machine of an application attempt: every transition from one state to a later one, and, in
 * {@link #next}, its condition (docs/design.md#states). There is no transition back.
 */
public enum Transition {
  DRIVER_ALLOCATED(ACCEPTED, STARTING, Event.AM_ALLOCATED),
  NOTHING_TO_DRIP(ACCEPTED, RUNNING, Event.EXEMPT),
  EXECUTORS_INHERITED(ACCEPTED, RUNNING, Event.INHERITED),
  EXECUTORS_ALLOCATED(STARTING, RUNNING, Event.EXECUTORS),
  STARTING_TIMED_OUT(STARTING, RUNNING, Event.TIMEOUT),
  STARTING_IDLE(STARTING, RUNNING, Event.IDLE),
  STARTING_EXEMPT(STARTING, RUNNING, Event.EXEMPT_NOW),
  ACCEPTED_UNDETERMINED(ACCEPTED, RUNNING, Event.UNDETERMINED),
  STARTING_UNDETERMINED(STARTING, RUNNING, Event.UNDETERMINED);

  private final State from;
  private final State to;
  private final Event reason;

  Transition(State from, State to, Event reason) {
    this.from = from;
    this.to = to;
    this.reason = reason;
  }

  /**
   * The transition that is due, or null if the attempt stays where it is.
   *
   * @param released the number of executors that were live until just now; they still count, because an
   *     attempt is running once {@code min-executors} executors have been live at the same time
   * @param now the current time in milliseconds on the clock of {@code history}
   */
  static Transition next(
      AttemptHistory history, Attempt attempt, AttemptSettings settings, int released, long now) {
    switch (history.state()) {
      case ACCEPTED:
        if (attempt.isExempt()) {
          return NOTHING_TO_DRIP;
        }
        if (attempt.isDriverAllocated()) {
          return DRIVER_ALLOCATED;
        }
        // A new attempt that kept executors already holds resources, so holding it back would only waste
        // them (docs/design.md#a-new-attempt-is-a-new-entity).
        return attempt.liveExecutors() + released > 0 ? EXECUTORS_INHERITED : null;
      case STARTING:
        // A refresh, or another queue, may exempt it at any time.
        if (attempt.isExempt()) {
          return STARTING_EXEMPT;
        }
        // Read before the executors, because an allocation changes the requests last.
        boolean idle = settings.idleTimeout() > 0
            && history.millisIdle(attempt.hasOutstandingRequest(), now) >= settings.idleTimeout();
        if (attempt.liveExecutors() + released >= settings.minExecutors()) {
          return EXECUTORS_ALLOCATED;
        }
        if (startingTimeLeft(history, settings, history.millisStarting(attempt, now)) <= 0) {
          return STARTING_TIMED_OUT;
        }
        return idle ? STARTING_IDLE : null;
      default:
        return null;
    }
  }

  /**
   * How long the attempt may still be starting, in milliseconds. The time of all attempts of an
   * application adds up. If earlier attempts have used it up, this attempt has the full time limit, but
   * takes no slot from attempts of other applications.
   *
   * @param millis the time that it has been starting
   */
  static long startingTimeLeft(AttemptHistory history, AttemptSettings settings, long millis) {
    long before = history.startedBefore;
    return settings.startingTimeout() - millis
        - (before >= settings.startingTimeout() ? 0 : before);
  }

  /** The result of {@link #next} if the facts cannot be read: when in doubt, let the attempt run. */
  static Transition whenUndetermined(AttemptHistory history) {
    switch (history.state()) {
      case ACCEPTED:
        return ACCEPTED_UNDETERMINED;
      case STARTING:
        return STARTING_UNDETERMINED;
      default:
        return null;
    }
  }

  public State from() {
    return from;
  }

  public State to() {
    return to;
  }

  public Event reason() {
    return reason;
  }

  /** Whether this is the transition for facts that cannot be read. */
  public boolean isUndetermined() {
    return this == ACCEPTED_UNDETERMINED || this == STARTING_UNDETERMINED;
  }
}
