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

  private final AttemptView<S> attempt;
  private final int place;
  private final Wait code;
  private final String arguments;
  private final String lead;
  private final String reason;
  private final StartForecast forecast;

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

  public AttemptView<S> attempt() {
    return attempt;
  }

  /** Its place in the line; 1 is next, and {@link #NONE} is in no line. */
  public int place() {
    return place;
  }

  public Wait code() {
    return code;
  }

  /** What belongs to the code: {@code name=value; name=value}; may be empty. */
  public String arguments() {
    return arguments;
  }

  /** The reason as a sentence; null where YARN's own diagnostics tell it. */
  public String reason() {
    return reason;
  }

  /** The same with who holds it and its place. */
  String text() {
    return reason == null ? null : lead + reason;
  }

  /** Whether many applications have the same reason, which seldom changes. */
  boolean isShared() {
    return code.isLast() || place > HeldReasons.DETAILED;
  }

  /** When it is expected to start. */
  public StartForecast forecast() {
    return forecast;
  }

  /** Whether a range can be given for its start. */
  public boolean isExpected() {
    return place > 0 && forecast.isKnown(place);
  }
}
