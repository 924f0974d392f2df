/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
