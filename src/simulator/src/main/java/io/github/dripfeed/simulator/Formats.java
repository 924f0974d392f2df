// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.Locale;

/** Formats figures for people. */
final class Formats {

  private Formats() {
  }

  /** Hours, minutes and seconds. */
  static String time(double seconds) {
    if (Double.isInfinite(seconds)) {
      return "never";
    }
    long whole = Math.round(seconds);
    return whole < 3600 ? String.format("%d:%02d", whole / 60, whole % 60)
        : String.format("%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
  }

  static String percent(double part) {
    return Math.round(part * 100) + "%";
  }

  static String ratio(double ratio) {
    if (Double.isNaN(ratio)) {
      return "";
    }
    return Double.isInfinite(ratio) ? "endless" : String.format(Locale.ROOT, "%.2f", ratio);
  }
}
