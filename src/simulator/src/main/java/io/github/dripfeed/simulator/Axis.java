// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

/**
 * The vertical axis of a chart, from 0.
 *
 * @param top where it ends; larger bars are cut off
 * @param step between two lines of its grid
 * @param isOfParts whether it is of parts of a whole, and not of seconds
 */
record Axis(double top, double step, boolean isOfParts) {

  /** With much more than that, one deadlock that barely ended would flatten all good settings. */
  private static final double MOST = 2;
  private static final int LINES = 8;
  private static final double[] STEP_SECONDS = {1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800,
      3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400};

  /**
   * For times. It ends at a round time, at most {@value #MOST} times the best, and no later than needed.
   *
   * @param best of the static limits, 0 if there is none
   * @param most of all
   */
  static Axis ofSeconds(double best, double most) {
    double step = step(best > 0 ? Math.min(most, MOST * best) : most);
    double top = Math.ceil(most / step) * step;
    if (best > 0) {
      top = Math.min(top, Math.floor(MOST * best / step) * step);
    }
    return new Axis(Math.max(top, step), step, false);
  }

  /** For parts of a whole. */
  static Axis ofParts() {
    return new Axis(1, 0.25, true);
  }

  private static double step(double end) {
    for (double step : STEP_SECONDS) {
      if (end <= step * LINES) {
        return step;
      }
    }
    double longest = STEP_SECONDS[STEP_SECONDS.length - 1];
    return Math.ceil(end / LINES / longest) * longest;
  }

  /** How far up the value is, from 0 to 1. */
  double part(double value) {
    return Math.min(1, value / top);
  }
}
