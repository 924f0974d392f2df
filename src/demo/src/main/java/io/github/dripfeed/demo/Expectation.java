// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.util.List;

/** A claim of the demo, and whether it was observed. */
record Expectation(String text, boolean observed) {

  /**
   * One run deadlocks, and the other one does not.
   *
   * @param stuck the title of the first one
   * @param dripfed the title of the other one
   */
  static List<Expectation> of(String stuck, Outcome one, String dripfed, Outcome other) {
    return List.of(
        new Expectation(stuck + ": deadlock, every live container a driver",
            one.deadlocked() && one.executors() == 0 && one.mostDriversAtOnce() > 1),
        new Expectation(stuck + ": no application succeeded", one.succeeded() == 0),
        new Expectation(dripfed + ": every application succeeded", other.allSucceeded()));
  }

  @Override
  public String toString() {
    return (observed ? "observed      " : "NOT OBSERVED  ") + text;
  }
}
