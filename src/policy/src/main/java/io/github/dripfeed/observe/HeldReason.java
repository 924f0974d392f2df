// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.forecast.StartForecast;
import io.github.dripfeed.wire.Wire.Wait;

/**
 * Why one application waits for its driver, and at which place. Immutable.
 *
 * @param <S> the applications of the queue
 */
public final class HeldReason<S> {

  /** The place of an application that is not in line at the moment. */
  public static final int NONE = -1;

  public final AttemptView<S> attempt;
  /** Its place in the line; 1 is next, and {@link #NONE} is in no line. */
  public final int place;
  public final Wait code;
  /** What belongs to the code: {@code name=value; name=value}; may be empty. */
  public final String arguments;
  /** The reason as a sentence; null where YARN's own diagnostics tell it. */
  public final String reason;
  /** When it is expected to start. */
  public final StartForecast forecast;
  private final String lead;

  /** @param lead what comes before the reason where nothing else says who holds it, and at which place */
  HeldReason(AttemptView<S> attempt, int place, Wait code, String arguments, String lead, String reason,
      StartForecast forecast) {
    this.attempt = attempt;
    this.place = place;
    this.code = code;
    this.arguments = arguments;
    this.lead = lead;
    this.reason = reason;
    this.forecast = forecast;
  }

  /** The reason with who holds it and its place. */
  String text() {
    return reason == null ? null : lead + reason;
  }

  /** Whether many applications have the same reason, which seldom changes. */
  boolean isShared() {
    return code.isLast() || place > HeldReasons.DETAILED;
  }

  /** Whether a range can be given for its start. */
  public boolean isExpected() {
    return place > 0 && forecast.isKnown(place);
  }
}
