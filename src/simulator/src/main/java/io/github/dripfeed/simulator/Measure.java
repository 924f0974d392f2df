// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** What the variants are compared by. Less is better; in seconds, infinite if an application never ends. */
enum Measure {

  MAKESPAN("makespan", "makespan", Outcome::makespanSeconds),
  MEAN_WAIT("mean wait", "wait_mean", Outcome::meanWaitSeconds),
  WAIT_95("95% wait", "wait_95", outcome -> outcome.waitSeconds(0.95)),
  MEAN_TURNAROUND("mean turnaround", "turnaround_mean", Outcome::meanTurnaroundSeconds),
  TURNAROUND_95("95% turnaround", "turnaround_95", outcome -> outcome.turnaroundSeconds(0.95));

  static final List<Measure> ALL = List.of(values());

  private final String title;
  private final String column;
  private final ToDoubleFunction<Outcome> figure;

  Measure(String title, String column, ToDoubleFunction<Outcome> figure) {
    this.title = title;
    this.column = column;
    this.figure = figure;
  }

  String title() {
    return title;
  }

  /** Its name in the CSV file. */
  String column() {
    return column;
  }

  double of(Outcome outcome) {
    return figure.applyAsDouble(outcome);
  }
}
