// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * All results of a simulation.
 *
 * @param studies of one queue
 * @param tenants of several queues, by their number
 * @param idle null if it was not requested
 */
record Results(List<Experiment> studies, List<Experiment> tenants, IdleStudy idle) {

  /** A promise of Dripfeed, and whether it was observed. */
  record Claim(String text, boolean observed) {
  }

  /** The largest ratio to the best static limit in any workload, and that workload. */
  record Worst(double ratio, String workload) {
  }

  /** The worst results of a variant; what is waited for need not be worst where the makespan is. */
  record Overall(SchedulerVariant setting, Worst makespan, Worst meanWait) {
  }

  /** All studies, those of several queues last. */
  List<Experiment> all() {
    return Stream.concat(studies.stream(), tenants.stream()).toList();
  }

  /**
   * One variant for all workloads of one queue, each with its worst ratios, the best makespan first; empty
   * for one workload.
   */
  List<Overall> overall() {
    if (studies.size() < 2) {
      return List.of();
    }
    List<Overall> overall = new ArrayList<>();
    for (Outcome outcome : studies.get(0).first().outcomes()) {
      SchedulerVariant setting = outcome.setting();
      if (studies.stream().allMatch(study -> study.isUnder(setting))) {
        overall.add(new Overall(setting, worst(setting, Measure.MAKESPAN),
            worst(setting, Measure.MEAN_WAIT)));
      }
    }
    overall.sort(Comparator.comparingDouble(each -> each.makespan().ratio()));
    return overall;
  }

  private double worstRatio(SchedulerVariant setting) {
    return worst(setting, Measure.MAKESPAN).ratio();
  }

  private Worst worst(SchedulerVariant setting, Measure measure) {
    // A workload without anything to wait for has no ratio.
    return studies.stream()
        .map(study -> new Worst(study.medianRatio(setting, measure), study.name()))
        .filter(each -> !Double.isNaN(each.ratio()))
        .max(Comparator.comparingDouble(Worst::ratio)).orElse(new Worst(Double.NaN, ""));
  }

  List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    if (!all().isEmpty()) {
      claims.add(new Claim("Dripfeed never deadlocks, in one queue or in a group",
          all().stream().noneMatch(Experiment::isEverDeadlocked)));
    }
    for (Experiment study : all()) {
      if (study.mostFailed() > 0) {
        claims.add(new Claim(study.name() + ": every application succeeds under each setting (up to "
            + study.mostFailed() + " did not: was there room for them in maximum-applications?)", false));
      }
      if (Double.isNaN(study.medianRatio(study.dripfeed()))) {
        claims.add(new Claim(study.name() + ": no static limit lets all applications end, the default does",
            study.isEndingUntuned()));
        continue;
      }
      String limit = Formats.ratio(Experiment.TOLERANCE);
      String ratio = Formats.ratio(study.medianRatio(study.dripfeed()));
      if (study.isWithinTolerance()) {
        claims.add(new Claim(study.name() + ": untuned within " + limit
            + " times the best static limit (" + ratio + ")", true));
      } else {
        List<String> fixes = study.fixes().stream().map(SchedulerVariant::name).toList();
        claims.add(new Claim(study.name() + ": untuned " + ratio + ", but within " + limit + " with "
            + (fixes.isEmpty() ? "no single property" : String.join(", or ", fixes)),
            !fixes.isEmpty()));
      }
    }
    if (!studies.isEmpty()
        && studies.stream().allMatch(study -> study.isUnder(SchedulerVariants.auto()))) {
      double one = worstRatio(SchedulerVariants.dripfeed());
      double auto = worstRatio(SchedulerVariants.auto());
      if (!Double.isNaN(one)) {
        claims.add(new Claim("max-starting = auto: at most " + Formats.ratio(auto)
            + " times the best static limit, where 1 comes to " + Formats.ratio(one), auto <= one));
      }
    }
    if (idle != null) {
      claims.add(new Claim("max-starting = auto: an idle queue with room for all starts a burst in"
          + " at most " + Formats.ratio(IdleStudy.TOLERANCE)
          + " times the time of stock fifo without an AM limit ("
          + Formats.ratio(idle.worstRatio()) + ")", idle.worstRatio() <= IdleStudy.TOLERANCE));
    }
    return claims;
  }
}
