// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** The figures of a run, as files that a program can read. */
final class CsvFile {

  private CsvFile() {
  }

  /**
   * All outcomes, a line each: times in seconds, fractions from 0 to 1, empty for what never happened. The
   * last columns have the ratios to the static limit of the same round that is best by that measure.
   */
  static void writeOutcomes(Results results, Path file) throws IOException {
    List<String> header = new ArrayList<>(List.of("workload", "round", "setting", "kind", "limit",
        "deadlocked_at", "applications", "ended", "makespan", "wait_mean", "wait_median", "wait_95",
        "wait_max", "turnaround_mean", "turnaround_95", "utilisation", "useful_utilisation",
        "stuck_share"));
    Measure.ALL.forEach(measure -> header.add(measure.column() + "_ratio"));
    try (CSVPrinter csv = printer(header, file)) {
      for (Experiment study : results.all()) {
        for (int i = 0; i < study.rounds().size(); i++) {
          WorkloadResult round = study.rounds().get(i);
          for (Outcome outcome : round.outcomes()) {
            csv.printRecord(line(study.name(), i + 1, round, outcome));
          }
        }
      }
    }
  }

  /** The same ratios, a line for each variant of a workload: medians of its rounds, empty for endless. */
  static void writeRatios(Results results, Path file) throws IOException {
    writeRatios(results, Experiment::medianRatio, file);
  }

  /** The same lines as multiples of one of the settings; empty also for a workload without that. */
  static void writeRatios(Results results, SettingSelection selected, Path file) throws IOException {
    writeRatios(results, (study, setting, measure) -> selected.base(study.settings())
        .map(base -> study.medianRatio(setting, base, measure)).orElse(Double.NaN), file);
  }

  private interface Ratio {
    double of(Experiment study, SchedulerVariant setting, Measure measure);
  }

  private static void writeRatios(Results results, Ratio ratio, Path file) throws IOException {
    List<String> header = new ArrayList<>(List.of("workload", "rounds", "setting"));
    Measure.ALL.forEach(measure -> header.add(measure.column()));
    try (CSVPrinter csv = printer(header, file)) {
      for (Experiment study : results.all()) {
        for (SchedulerVariant setting : study.settings()) {
          List<Object> line = new ArrayList<>(List.of(study.name(), study.rounds().size(), setting.name()));
          Measure.ALL.forEach(measure -> line.add(number("%.2f", ratio.of(study, setting, measure))));
          csv.printRecord(line);
        }
      }
    }
  }

  /**
   * The rows of an idle cluster: in seconds, the time at which the last application had its first executor;
   * empty for never.
   */
  static void writeIdle(IdleStudy idle, Path file) throws IOException {
    List<String> header = List.of("applications", "nodes", "largest_mb", "start_up", "stock", "am_limit_1",
        "one", "max_starting_10", "auto", "auto_cold");
    try (CSVPrinter csv = printer(header, file)) {
      for (IdleStudy.Row row : idle.rows()) {
        csv.printRecord(idle.applications(), row.nodes(), row.largestMb(), row.startUpSeconds(),
            number(row.stock()), number(row.unlimited()), number(row.one()), number(row.ten()),
            number(row.auto()), number(row.cold()));
      }
    }
  }

  /**
   * What the simulations of a large cluster cost. The columns up to turnaround_95 are seconds of virtual
   * time, took and cpu of real time; heap_mb is an upper bound that counts garbage too.
   */
  static void writeScale(ScaleStudy scale, Path file) throws IOException {
    List<String> header = new ArrayList<>(List.of("setting", "applications", "ended"));
    Measure.ALL.forEach(measure -> header.add(measure.column()));
    header.addAll(List.of("took", "cpu", "heap_mb", "dripfeed_share", "dripfeed_ms_per_second"));
    try (CSVPrinter csv = printer(header, file)) {
      for (SimulationResult result : scale.results()) {
        Outcome outcome = result.outcome();
        List<Object> line = new ArrayList<>(
            List.of(outcome.setting().name(), outcome.courses().size(), outcome.ended()));
        Measure.ALL.forEach(measure -> line.add(number(measure.of(outcome))));
        line.addAll(List.of(number(result.seconds()), number(result.cpuSeconds()), result.heapMb(),
            number(result.dripfeedShare()), number(result.dripfeedMillisPerSecond())));
        csv.printRecord(line);
      }
    }
  }

  /**
   * A line for each hour: nodes and what they were busy under the guessed limit, then for makespan and mean
   * wait the seconds under the best static limit and the multiples of that under the guessed one and auto.
   */
  static void writeHours(HoursStudy hours, Path file) throws IOException {
    List<String> header = new ArrayList<>(List.of("hour", "jobs", "nodes", "busy"));
    for (Measure measure : HoursStudy.MEASURES) {
      header.addAll(List.of(measure.column() + "_best", measure.column() + "_am_limit_0.30",
          measure.column() + "_auto"));
    }
    try (CSVPrinter csv = printer(header, file)) {
      for (HoursStudy.Row row : hours.rows()) {
        List<Object> line = new ArrayList<>(List.of(row.hour(), row.result().workload().jobs().size(),
            row.nodes(), number(row.busy())));
        for (Measure measure : HoursStudy.MEASURES) {
          line.addAll(List.of(number(HoursStudy.best(row, measure)),
              number(row.ratio(HoursStudy.GUESSED, measure)),
              number(row.ratio(SchedulerVariants.auto(), measure))));
        }
        csv.printRecord(line);
      }
    }
  }

  private static CSVPrinter printer(List<String> header, Path file) throws IOException {
    return CSVFormat.RFC4180.builder().setRecordSeparator('\n')
        .setHeader(header.toArray(new String[0])).get().print(Files.newBufferedWriter(file));
  }

  private static List<Object> line(String workload, int number, WorkloadResult round,
      Outcome outcome) {
    SchedulerVariant setting = outcome.setting();
    List<Object> line = new ArrayList<>(List.of(workload, number, setting.name(),
        setting.kind().name().toLowerCase(Locale.ROOT),
        setting.kind().isLimit() ? setting.number() : "",
        outcome.isDeadlocked() ? outcome.deadlockedAt() / 1000.0 : "",
        outcome.courses().size(), outcome.ended(), number(outcome.makespanSeconds()),
        number(outcome.meanWaitSeconds()), number(outcome.waitSeconds(0.5)),
        number(outcome.waitSeconds(0.95)), number(outcome.waitSeconds(1)),
        number(outcome.meanTurnaroundSeconds()), number(outcome.turnaroundSeconds(0.95)),
        number(outcome.utilisation()), number(outcome.usefulUtilisation()),
        number(outcome.stuckShare())));
    Measure.ALL.forEach(measure -> line.add(number(round.ratio(setting, measure))));
    return line;
  }

  private static String number(double value) {
    return number("%.3f", value);
  }

  private static String number(String format, double value) {
    return Double.isNaN(value) || Double.isInfinite(value) ? "" : String.format(Locale.ROOT, format, value);
  }
}
