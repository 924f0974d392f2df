// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * One workload under all variants, side by side.
 *
 * @param slowestSeconds the real time of the slowest simulation
 */
record WorkloadResult(Workload workload, List<Outcome> outcomes, double slowestSeconds) {

  Outcome outcome(SchedulerVariant setting) {
    return outcomes.stream().filter(outcome -> outcome.setting().equals(setting)).findFirst()
        .orElseThrow(() -> new NoSuchElementException(setting.name()));
  }

  private List<Outcome> underStaticLimits() {
    return outcomes.stream().filter(outcome -> outcome.setting().kind().isStatic()).toList();
  }

  /** What charts show: they have no room for the limits in fair order too. */
  List<Outcome> charted() {
    return outcomes.stream()
        .filter(outcome -> outcome.setting().kind() != SchedulerVariant.Kind.FAIR_AM_PERCENT).toList();
  }

  /**
   * The static limit that is best by this measure; each measure may have another one. None if under each of
   * them an application never ends.
   */
  Optional<Outcome> bestStatic(Measure measure) {
    return best(underStaticLimits(), measure);
  }

  private static Optional<Outcome> best(List<Outcome> outcomes, Measure measure) {
    return outcomes.stream().filter(outcome -> Double.isFinite(outcome.makespanSeconds()))
        .min(Comparator.comparingDouble(measure::of));
  }

  /** Whether no limit in the order of this one is better, by one of the measures. */
  boolean isBestOfItsOrder(Outcome outcome) {
    List<Outcome> sameOrder = outcome.setting().kind().isStatic() ? underStaticLimits()
        : outcomes.stream().filter(other -> other.setting().kind() == outcome.setting().kind()).toList();
    return Measure.ALL.stream()
        .anyMatch(measure -> best(sameOrder, measure).filter(best -> best == outcome).isPresent());
  }

  /** The static limit with the longest makespan, or one that deadlocks. */
  Outcome worstStatic() {
    return underStaticLimits().stream()
        .max(Comparator.comparingDouble(Outcome::makespanSeconds)).orElseThrow();
  }

  long deadlockedStatic() {
    return underStaticLimits().stream().filter(Outcome::isDeadlocked).count();
  }

  int staticLimits() {
    return underStaticLimits().size();
  }

  /** The makespan under the variant as a multiple of that under the best static limit. */
  double ratio(SchedulerVariant setting) {
    return ratio(setting, Measure.MAKESPAN);
  }

  /**
   * The measure under the variant as a multiple of that under the static limit that is best by it; not a
   * number if both are 0, or if there is no such limit.
   */
  double ratio(SchedulerVariant setting, Measure measure) {
    return measure.of(outcome(setting)) / bestStatic(measure).map(measure::of).orElse(Double.NaN);
  }

  /** The measure under the setting as a multiple of that under another one. */
  double ratio(SchedulerVariant setting, SchedulerVariant base, Measure measure) {
    return measure.of(outcome(setting)) / measure.of(outcome(base));
  }
}
