// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.util.ArrayList;
import java.util.List;

/** A claim of the demo, and whether it was observed. */
record Expectation(String text, boolean observed) {

  /** The first run deadlocks, and the others do not. */
  static List<Expectation> of(List<BurstRun> runs) {
    String stuck = runs.get(0).title();
    Outcome one = runs.get(0).outcome();
    List<Expectation> claims = new ArrayList<>();
    claims.add(new Expectation(stuck + ": deadlock, every live container an AM",
        one.deadlocked() && one.executors() == 0 && one.mostDriversAtOnce() > 1));
    claims.add(new Expectation(stuck + ": no application succeeded", one.succeeded() == 0));
    runs.subList(1, runs.size()).forEach(run -> claims.add(
        new Expectation(run.title() + ": every application succeeded", run.outcome().allSucceeded())));
    return claims;
  }

  @Override
  public String toString() {
    return (observed ? "observed      " : "NOT OBSERVED  ") + text;
  }
}
