// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A kind of workload, generated from several seeds, each under all variants. */
record Experiment(List<WorkloadResult> rounds) {

  /** The tolerance for the untuned default: the makespan as a multiple of the best static limit's. */
  static final double TOLERANCE = 1.05;

  String name() {
    return first().workload().name();
  }

  String title() {
    return first().workload().title();
  }

  /** The workload that the report shows. */
  WorkloadResult first() {
    return rounds.get(0);
  }

  List<SchedulerVariant> settings() {
    return first().outcomes().stream().map(Outcome::setting).toList();
  }

  private List<SchedulerVariant> settings(SchedulerVariant.Kind kind) {
    return settings().stream().filter(setting -> setting.kind() == kind).toList();
  }

  SchedulerVariant dripfeed() {
    return settings(SchedulerVariant.Kind.DRIPFEED).get(0);
  }

  boolean isUnder(SchedulerVariant setting) {
    return first().outcomes().stream().anyMatch(outcome -> outcome.setting().equals(setting));
  }

  /** The median of the ratios of the makespan to that of the best static limit. */
  double medianRatio(SchedulerVariant setting) {
    return medianRatio(setting, Measure.MAKESPAN);
  }

  /** The median of the ratios to the static limit that is best by this measure. */
  double medianRatio(SchedulerVariant setting, Measure measure) {
    return median(round -> round.ratio(setting, measure));
  }

  /** The median of the multiples of the measure under another setting. */
  double medianRatio(SchedulerVariant setting, SchedulerVariant base, Measure measure) {
    return median(round -> round.ratio(setting, base, measure));
  }

  private double median(ToDoubleFunction<WorkloadResult> ratio) {
    double[] ratios = rounds.stream().mapToDouble(ratio).sorted().toArray();
    return (ratios[(ratios.length - 1) / 2] + ratios[ratios.length / 2]) / 2;
  }

  double leastRatio() {
    return rounds.stream().mapToDouble(round -> round.ratio(dripfeed())).min().orElseThrow();
  }

  double largestRatio() {
    return rounds.stream().mapToDouble(round -> round.ratio(dripfeed())).max().orElseThrow();
  }

  double slowestSeconds() {
    return rounds.stream().mapToDouble(WorkloadResult::slowestSeconds).max().orElseThrow();
  }

  /** Whether Dripfeed with its defaults keeps within the tolerance. */
  boolean isWithinTolerance() {
    return medianRatio(dripfeed()) <= TOLERANCE;
  }

  /** Whether all applications end under Dripfeed with its defaults. */
  boolean isEndingUntuned() {
    return rounds.stream().allMatch(
        round -> Double.isFinite(round.outcome(dripfeed()).makespanSeconds()));
  }

  /** The most applications that failed under one of the variants though they were meant to succeed. */
  long mostFailed() {
    return rounds.stream().flatMap(round -> round.outcomes().stream()).mapToLong(Outcome::failed).max()
        .orElse(0);
  }

  /** The values of one property that keep within the tolerance. */
  List<SchedulerVariant> fixes() {
    List<SchedulerVariant> fixes = new ArrayList<>(settings(SchedulerVariant.Kind.DRIPFEED_TUNED));
    fixes.removeIf(setting -> !(medianRatio(setting) <= TOLERANCE));
    return fixes;
  }

  /** Whether Dripfeed deadlocked in any variant in which it promises not to. */
  boolean isEverDeadlocked() {
    return rounds.stream().flatMap(round -> round.outcomes().stream())
        .anyMatch(outcome -> outcome.setting().isDeadlockFree() && outcome.isDeadlocked());
  }
}
