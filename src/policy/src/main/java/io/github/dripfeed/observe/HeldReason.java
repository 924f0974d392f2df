// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.forecast.StartForecast;

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
  private final String text;
  private final boolean shared;
  private final StartForecast forecast;

  private HeldReason(
      AttemptView<S> attempt, int place, String text, boolean shared, StartForecast forecast) {
    this.attempt = attempt;
    this.place = place;
    this.text = text;
    this.shared = shared;
    this.forecast = forecast;
  }

  /** A reason of its own, which changes with time. */
  static <S> HeldReason<S> of(AttemptView<S> attempt, int place, String text, StartForecast forecast) {
    return new HeldReason<>(attempt, place, text, false, forecast);
  }

  /** A reason that many applications share, and that seldom changes. */
  static <S> HeldReason<S> shared(
      AttemptView<S> attempt, int place, String text, StartForecast forecast) {
    return new HeldReason<>(attempt, place, text, true, forecast);
  }

  public AttemptView<S> attempt() {
    return attempt;
  }

  /** Its place in the line; 1 is next, and {@link #NONE} is in no line. */
  public int place() {
    return place;
  }

  /** The reason as a sentence; null where YARN's own diagnostics tell it. */
  public String text() {
    return text;
  }

  /** Whether many applications have the same reason, which seldom changes. */
  boolean isShared() {
    return shared;
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
