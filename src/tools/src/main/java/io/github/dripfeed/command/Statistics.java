// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a command says of many times, in milliseconds; each figure is -1 without times. */
final class Statistics {

  private static final int MEDIAN = 50;
  private static final int HIGH = 95;
  private static final int WHOLE = 100;

  private final List<Long> sorted;

  Statistics(List<Long> times) {
    sorted = new ArrayList<>(times);
    Collections.sort(sorted);
  }

  long median() {
    return percentile(MEDIAN);
  }

  /** The time that 95 % of all do not exceed. */
  long high() {
    return percentile(HIGH);
  }

  long longest() {
    return percentile(WHOLE);
  }

  /** The smallest time that is not below this share of all. */
  private long percentile(int percent) {
    return sorted.isEmpty() ? -1 : sorted.get((percent * sorted.size() + WHOLE - 1) / WHOLE - 1);
  }
}
