// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;

/** The results, for a terminal of 80 columns. */
final class TextTable {

  private static final int[] WIDTHS = {27, 9, 9, 9, 9, 9, 7};
  private static final int[] OVERALL_WIDTHS = {36, 9, 13, 8, 13};
  private static final int OVERALL_SHOWN = 8;
  private static final int[] TENANTS_WIDTHS = {7, 9, 9, 13, 12, 10, 10, 10};
  private static final int[] SCALE_WIDTHS = {29, 8, 7, 7, 7, 9, 7, 9};
  private static final int[] IDLE_WIDTHS = {6, 8, 9, 7, 8, 8, 8, 9, 7};

  private TextTable() {
  }

  static String of(Experiment study) {
    Help.TextTable times = table(WIDTHS);
    Help.TextTable ratios = table(WIDTHS);
    head(times, "stuck");
    head(ratios, "");
    WorkloadResult round = study.first();
    for (Outcome outcome : shown(round)) {
      SchedulerVariant setting = outcome.setting();
      row(times, setting, measure -> Formats.time(measure.of(outcome)),
          Formats.percent(outcome.stuckShare()));
      row(ratios, setting, measure -> Formats.ratio(study.medianRatio(setting, measure)), "");
    }
    String rounds = study.rounds().size() == 1 ? ""
        : "\n(medians of " + study.rounds().size() + " rounds)";
    return study.title() + "\n" + times + "wait: for the first executor; turn: turnaround, from submission "
        + "to end. The same\nas multiples of the static limit that is best in the column" + rounds + "\n"
        + ratios + round.deadlockedStatic() + " of " + round.staticLimits()
        + " static limits deadlock.\n" + comparison(study) + failures(study)
        + "The slowest simulation took " + Math.round(study.slowestSeconds()) + " s.\n";
  }

  private static void head(Help.TextTable table, String last) {
    table.addRowValues("", "", "wait", "wait", "turn", "turn", "");
    table.addRowValues("", "makespan", "mean", "95%", "mean", "95%", last);
  }

  private static void row(Help.TextTable table, SchedulerVariant setting,
      Function<Measure, String> cell, String last) {
    List<String> cells = new ArrayList<>(List.of(setting.shortName()));
    Measure.ALL.forEach(measure -> cells.add(cell.apply(measure)));
    cells.add(last);
    table.addRowValues(cells.toArray(new String[0]));
  }

  /** The best by any measure, and the worst, of the many static limits. */
  private static List<Outcome> shown(WorkloadResult round) {
    List<Outcome> shown = new ArrayList<>(round.outcomes());
    shown.removeIf(outcome -> outcome.setting().kind().isLimit()
        && !round.isBestOfItsOrder(outcome) && outcome != round.worstStatic());
    return shown;
  }

  private static String comparison(Experiment study) {
    double ratio = study.medianRatio(study.dripfeed());
    return Double.isNaN(ratio) ? "Under none of them all applications end.\n"
        : "Dripfeed's makespan is " + Formats.ratio(ratio) + " times the best of them" + spread(study)
            + ".\n";
  }

  private static String failures(Experiment study) {
    return study.mostFailed() == 0 ? "" : "Up to " + study.mostFailed() + " applications were refused by"
        + " YARN, or failed though they should not\nhave. Where one did, the makespan is \"never\".\n";
  }

  private static String spread(Experiment study) {
    return study.rounds().size() == 1 ? "" : "\n(median of " + study.rounds().size() + " rounds, "
        + Formats.ratio(study.leastRatio()) + " to " + Formats.ratio(study.largestRatio()) + ")";
  }

  /** @return nothing if there is only one workload */
  static String ofOverall(List<Results.Overall> overall) {
    if (overall.isEmpty()) {
      return "";
    }
    Help.TextTable table = table(OVERALL_WIDTHS);
    table.addRowValues("", "makespan", "", "mean", "wait");
    int best = 0;
    for (Results.Overall each : overall) {
      if (best++ < OVERALL_SHOWN || !each.setting().kind().isLimit()) {
        table.addRowValues(each.setting().name(), Formats.ratio(each.makespan().ratio()),
            each.makespan().workload(), Formats.ratio(each.meanWait().ratio()),
            each.meanWait().workload());
      }
    }
    return "One setting for all: its worst makespan and its worst mean wait, as multiples of\n"
        + "the static limit that is best by the same figure for that workload\n" + table;
  }

  /** @return nothing if there are no studies of several queues */
  static String ofTenants(List<Experiment> studies) {
    if (studies.isEmpty()) {
      return "";
    }
    Help.TextTable table = table(TENANTS_WIDTHS);
    table.addRowValues("queues", "stock", "AM 1.00", "best static", "each alone", "a group", "2 slots",
        "4 slots");
    for (Experiment study : studies) {
      WorkloadResult round = study.first();
      table.addRowValues(study.name().replaceAll("\\D", ""), time(round, SchedulerVariants.fifo()),
          time(round, SchedulerVariants.amPercent(100)),
          Formats.time(round.bestStatic(Measure.MAKESPAN).map(Outcome::makespanSeconds)
              .orElse(Double.POSITIVE_INFINITY)), time(round, SchedulerVariants.perQueue()),
          time(round, SchedulerVariants.group()), time(round, SchedulerVariants.group(2)),
          time(round, SchedulerVariants.group(4)));
    }
    return "The same bursts over more and more queues: makespan\n" + table;
  }

  private static String time(WorkloadResult round, SchedulerVariant setting) {
    return Formats.time(round.outcome(setting).makespanSeconds());
  }

  static String of(IdleStudy idle) {
    Help.TextTable table = table(IDLE_WIDTHS);
    table.addRowValues("nodes", "largest", "start-up", "stock", "AM 1.00", "one", "ten", "auto", "cold");
    for (IdleStudy.Row row : idle.rows()) {
      table.addRowValues("" + row.nodes(), row.largestMb() / 1024 + " GB", row.startUpSeconds() + " s",
          Formats.time(row.stock()), Formats.time(row.unlimited()), Formats.time(row.one()),
          Formats.time(row.ten()), Formats.time(row.auto()), Formats.time(row.cold()));
    }
    return idle.applications() + " applications at once on an idle queue: when the last of them has its\n"
        + "first executor, by the nodes of 64 GB, the largest container that YARN allows,\n"
        + "and the start-up of an AM. stock is fifo with its defaults, AM 1.00 the same\n"
        + "without an AM limit; one, ten and auto are Dripfeed's max-starting; cold is\n"
        + "auto where nothing had run before.\n" + table;
  }

  static String of(ScaleStudy scale) {
    Help.TextTable table = table(SCALE_WIDTHS);
    table.addRowValues("", "span", "wait", "took", "CPU", "heap", "ours", "ours/s");
    for (SimulationResult result : scale.results()) {
      Outcome outcome = result.outcome();
      table.addRowValues(outcome.setting().shortName(), Formats.time(outcome.makespanSeconds()),
          Formats.time(outcome.meanWaitSeconds()), Formats.time(result.seconds()),
          Formats.time(result.cpuSeconds()), result.heapMb() + " MB",
          String.format(Locale.ROOT, "%.1f%%", result.dripfeedShare() * 100),
          String.format(Locale.ROOT, "%.2f ms", result.dripfeedMillisPerSecond()));
    }
    return scale.workload().title() + "\n" + table
        + "span: makespan, and wait: mean wait for the first executor, in virtual time; took:\n"
        + "real time of the simulation; CPU: of its thread; heap: no more than that;\n"
        + "ours: the part of the thread's time in Dripfeed's code and what that calls;\n"
        + "ours/s: the same for each second of virtual time.\n";
  }

  private static Help.TextTable table(int... widths) {
    Column[] columns = new Column[widths.length];
    for (int i = 0; i < widths.length; i++) {
      columns[i] = new Column(widths[i], 1, i == 0 ? Overflow.WRAP : Overflow.TRUNCATE);
    }
    return Help.TextTable.forColumns(Help.defaultColorScheme(Ansi.OFF), columns);
  }
}
