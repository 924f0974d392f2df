// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * All busy hours of a recording, which nothing was tuned on: a limit that people guess, the static limit
 * that is best for the hour, and {@code auto}.
 */
record HoursStudy(List<Row> rows) {

  /** An hour with fewer jobs leaves little to order. */
  static final int LEAST_JOBS = 150;
  static final SchedulerVariant GUESSED = SchedulerVariants.amPercent(30);

  static final List<Measure> MEASURES = List.of(Measure.MAKESPAN, Measure.MEAN_WAIT);

  private static final double BOUND = 1.02;

  /**
   * An hour under all settings.
   *
   * @param busy the part of the cluster that containers held under the guessed limit, from 0 to 1
   */
  record Row(int nodes, double busy, WorkloadResult result) {

    String hour() {
      return result.workload().name();
    }


    /** The measure under the setting, as a multiple of that under the best static limit. */
    double ratio(SchedulerVariant setting, Measure measure) {
      return result.ratio(setting, measure);
    }

    /** {@code auto} as a multiple of the guessed limit. */
    double toGuessed(Measure measure) {
      return measure.of(result.outcome(SchedulerVariants.auto())) / measure.of(result.outcome(GUESSED));
    }
  }

  static List<SchedulerVariant> settings() {
    return Stream.concat(SchedulerVariants.all().stream().filter(each -> each.kind().isStatic()),
        Stream.of(SchedulerVariants.auto())).toList();
  }

  /**
   * Looks for the size of the cluster for each hour, and then runs all settings on it.
   *
   * @param hours those with more than {@link #LEAST_JOBS} jobs, on clusters at which the search begins
   * @param selected of the settings; the guessed limit and {@code auto} run anyway
   */
  static HoursStudy run(Simulations simulations, List<Workload> hours, QueueSetup queue,
      List<SchedulerVariant> selected) throws Exception {
    List<SchedulerVariant> settings = settings().stream().filter(each -> selected.contains(each)
        || each.equals(GUESSED) || each.equals(SchedulerVariants.auto())).toList();
    List<ClusterSearch> searches = hours.stream().map(ClusterSearch::new).toList();
    List<ClusterSearch> open = searches;
    while (!open.isEmpty()) {
      List<Future<SimulationResult>> tries = open.stream().map(search -> simulations.start(
          new SimulationTask(search.tried(), queue, GUESSED))).toList();
      for (int i = 0; i < open.size(); i++) {
        open.get(i).learn(Simulations.await(tries.get(i)).outcome().utilisation());
      }
      open = open.stream().filter(search -> !search.isOver()).toList();
    }
    List<Plan.Started> started = searches.stream().map(search -> new Plan(List.of(search.tried()),
        workload -> queue, settings).start(simulations)).toList();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < searches.size(); i++) {
      ClusterSearch found = searches.get(i);
      rows.add(new Row(found.nodes(), found.busy(), started.get(i).await().first()));
    }
    return new HoursStudy(rows);
  }

  /** The geometric mean, how many are within the bound, and the largest; infinite where one never ended. */
  private String summary(String what, ToDoubleFunction<Row> ratio) {
    double mean = Math.exp(rows.stream().mapToDouble(row -> Math.log(ratio.applyAsDouble(row)))
        .average().orElse(Double.NaN));
    long within = rows.stream().filter(row -> ratio.applyAsDouble(row) <= BOUND).count();
    Row worst = rows.stream().max(Comparator.comparingDouble(ratio)).orElseThrow();
    return String.format(Locale.ROOT, "%-30s geometric mean %s, %d of %d at most %.2f, worst %s (%s)%n",
        what, Formats.ratio(mean), within, rows.size(), BOUND, Formats.ratio(ratio.applyAsDouble(worst)),
        worst.hour());
  }

  /** A line for each hour, with multiples of the best static limit, and what they come to together. */
  String text() {
    StringBuilder text = new StringBuilder("Multiples of the static limit that is best for the hour\n");
    text.append(String.format("%-7s %5s %6s %5s %9s %10s %6s %9s %10s %6s%n", "hour", "jobs", "nodes",
        "busy", "makespan", "limit 0.30", "auto", "mean wait", "limit 0.30", "auto"));
    for (Row row : rows) {
      text.append(String.format("%-7s %5d %6d %5s", row.hour(), row.result().workload().jobs().size(),
          row.nodes(), Formats.percent(row.busy())));
      for (Measure measure : MEASURES) {
        text.append(String.format(" %9s %10s %6s", Formats.time(best(row, measure)),
            ratio(row, GUESSED, measure), ratio(row, SchedulerVariants.auto(), measure)));
      }
      text.append(System.lineSeparator());
    }
    for (Measure measure : MEASURES) {
      for (SchedulerVariant setting : List.of(GUESSED, SchedulerVariants.auto())) {
        text.append(summary(measure.title() + (setting == GUESSED ? ", limit 0.30" : ", auto"),
            row -> row.ratio(setting, measure)));
      }
      text.append(summary(measure.title() + ", auto to limit 0.30", row -> row.toGuessed(measure)));
    }
    return text.toString();
  }

  private static String ratio(Row row, SchedulerVariant setting, Measure measure) {
    return Formats.ratio(row.ratio(setting, measure));
  }

  static double best(Row row, Measure measure) {
    return row.result().bestStatic(measure).map(measure::of).orElse(Double.NaN);
  }
}
