// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * How often applications started within the range that they were given while they waited.
 *
 * @param rows of each workload and variant, and of all of them together: one for each place, one for all
 */
record ForecastStudy(List<Row> rows) {

  /** The place of a row that is of all places. */
  private static final int ALL = 0;
  /** In place of the name of a workload or a variant. */
  private static final String EACH = "all";

  /**
   * The answers at one place of the line.
   *
   * @param asked how many there are
   * @param answered those of them that gave a range
   * @param width the median of the width of these ranges, in seconds
   * @param startIn the median of the real time until the start where a range was given, in seconds
   */
  record Row(String workload, String setting, int place, long asked, long answered, long within,
      long earlier, long later, double width, double startIn) {

    static Row of(String workload, String setting, int place, List<ForecastAnswer> all) {
      List<ForecastAnswer> answers = all.stream()
          .filter(answer -> place == ALL || answer.place() == place).toList();
      List<ForecastAnswer> ranges = answers.stream().filter(ForecastAnswer::known).toList();
      return new Row(workload, setting, place, answers.size(), ranges.size(),
          ranges.stream().filter(ForecastAnswer::isWithin).count(),
          ranges.stream().filter(ForecastAnswer::isEarlier).count(),
          ranges.stream().filter(ForecastAnswer::isLater).count(),
          median(ranges, ForecastAnswer::width), median(ranges, ForecastAnswer::started));
    }

    private static double median(List<ForecastAnswer> ranges, ToDoubleFunction<ForecastAnswer> of) {
      double[] sorted = ranges.stream().mapToDouble(of).sorted().toArray();
      return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) / 2];
    }

    String placeText() {
      return place == ALL ? "all" : String.valueOf(place);
    }
  }

  /** Simulations that run. */
  record Started(List<Plan> plans, List<List<Future<SimulationResult>>> simulations) {

    /** Returns when all of them have ended. */
    ForecastStudy await() throws Exception {
      List<Row> rows = new ArrayList<>();
      Map<String, List<ForecastAnswer>> ofAll = new LinkedHashMap<>();
      for (int plan = 0; plan < plans.size(); plan++) {
        List<SchedulerVariant> settings = plans.get(plan).settings();
        List<List<ForecastAnswer>> answers = new ArrayList<>();
        settings.forEach(setting -> answers.add(new ArrayList<>()));
        List<Future<SimulationResult>> started = simulations.get(plan);
        for (int i = 0; i < started.size(); i++) {
          answers.get(i % settings.size())
              .addAll(Simulations.await(started.get(i)).outcome().forecasts());
        }
        String workload = plans.get(plan).workloads().get(0).name();
        for (int i = 0; i < settings.size(); i++) {
          List<ForecastAnswer> of = answers.get(i);
          String setting = settings.get(i).name();
          addRows(workload, setting, of, rows);
          ofAll.computeIfAbsent(setting, s -> new ArrayList<>()).addAll(of);
          ofAll.computeIfAbsent(EACH, s -> new ArrayList<>()).addAll(of);
        }
      }
      if (plans.size() > 1) {
        ofAll.forEach((setting, of) -> addRows(EACH, setting, of, rows));
      }
      return new ForecastStudy(rows);
    }

    private static void addRows(String workload, String setting, List<ForecastAnswer> answers,
        List<Row> rows) {
      Stream.concat(ForecastQuestions.PLACES.stream().sorted(), Stream.of(ALL))
          .forEach(place -> rows.add(Row.of(workload, setting, place, answers)));
    }
  }

  /**
   * Starts the simulations of these workloads; a variant without Dripfeed gives no ranges.
   *
   * @param askMillis how often each line is asked
   */
  static Started start(Simulations simulations, List<Plan> plans, long askMillis) {
    List<List<Future<SimulationResult>>> started = new ArrayList<>();
    for (Plan plan : plans) {
      started.add(plan.workloads().stream().flatMap(workload -> {
        QueueSetup queue = plan.queues().apply(workload);
        return plan.settings().stream().map(setting -> simulations.start(
            new SimulationTask(workload, queue, setting, askMillis, false)));
      }).toList());
    }
    return new Started(plans, started);
  }

  /** A line for each row, with percentages of the ranges that were given. */
  String text() {
    StringBuilder text = new StringBuilder(String.format("%-12s %-26s %5s %6s %6s %7s %8s %6s %8s %8s%n",
        "workload", "setting", "place", "asked", "range", "within", "earlier", "later", "width",
        "start in"));
    for (Row row : rows) {
      text.append(String.format("%-12s %-26s %5s %6d %6s %7s %8s %6s %8s %8s%n", row.workload(),
          row.setting(), row.placeText(), row.asked(), percent(row.answered(), row.asked()),
          percent(row.within(), row.answered()), percent(row.earlier(), row.answered()),
          percent(row.later(), row.answered()), time(row.width()), time(row.startIn())));
    }
    return text.toString();
  }

  private static String percent(long part, long whole) {
    return whole == 0 ? "" : Formats.percent((double) part / whole);
  }

  private static String time(double seconds) {
    return Double.isNaN(seconds) ? "" : Formats.time(seconds);
  }

  void write(Path file) throws IOException {
    CSVFormat format = CSVFormat.RFC4180.builder().setRecordSeparator('\n').setHeader("workload",
        "setting", "place", "asked", "with_range", "within", "earlier", "later", "width_median",
        "start_in_median").get();
    try (CSVPrinter csv = format.print(Files.newBufferedWriter(file))) {
      for (Row row : rows) {
        csv.printRecord(Arrays.asList(row.workload(), row.setting(), row.placeText(), row.asked(),
            row.answered(), row.within(), row.earlier(), row.later(), seconds(row.width()),
            seconds(row.startIn())));
      }
    }
  }

  private static String seconds(double value) {
    return Double.isNaN(value) || Double.isInfinite(value) ? "" : String.format(Locale.ROOT, "%.3f", value);
  }
}
