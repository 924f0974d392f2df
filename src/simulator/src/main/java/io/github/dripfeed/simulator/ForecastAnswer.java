// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.Serializable;

/**
 * What a waiting application was told about its start, and when it started.
 *
 * @param place its place in the line; 1 is next
 * @param known whether it was given a range
 * @param earliest the range begins so many seconds after the question
 * @param latest it ends so many seconds after it
 * @param started its driver was allocated so many seconds after it; infinite if it never was
 */
record ForecastAnswer(int place, boolean known, long earliest, long latest, double started)
    implements Serializable {

  /** It started before the range. */
  boolean isEarlier() {
    return known && started < earliest;
  }

  /** It started after the range, or never. */
  boolean isLater() {
    return known && started > latest;
  }

  boolean isWithin() {
    return known && !isEarlier() && !isLater();
  }

  long width() {
    return latest - earliest;
  }
}
