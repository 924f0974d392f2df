// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import freemarker.template.TemplateException;
import io.github.dripfeed.report.Templates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes the results as an HTML page, and the charts of each workload as self-contained pictures. */
final class HtmlReport {

  private final Path folder;
  private final Templates templates = new Templates(HtmlReport.class);

  HtmlReport(Path folder) {
    this.folder = folder;
  }

  /** @return the page */
  Path write(Results results) throws IOException, TemplateException {
    List<Map<String, Object>> studies = new ArrayList<>();
    for (Experiment study : results.all()) {
      Map<String, Object> model = model(study);
      studies.add(model);
      templates.write("study-svg.ftlh", Map.of("study", model),
          folder.resolve(study.name() + ".svg"));
    }
    Map<String, Object> model = new HashMap<>();
    model.put("studies", studies);
    model.put("claims", results.claims().stream()
        .map(claim -> Map.of("text", claim.text(), "observed", claim.observed())).toList());
    model.put("overall", results.overall().stream().map(each -> List.of(each.setting().shortName(),
        Formats.ratio(each.makespan().ratio()), each.makespan().workload(),
        Formats.ratio(each.meanWait().ratio()), each.meanWait().workload())).toList());
    if (results.idle() != null) {
      model.put("idle", model(results.idle()));
    }
    return templates.write("report.ftlh", model, folder.resolve("report.html"));
  }

  private static Map<String, Object> model(Experiment study) {
    WorkloadResult round = study.first();
    int rounds = study.rounds().size();
    return Map.of("title", study.title(),
        "subtitle", rounds == 1 ? "" : "The first of " + rounds
            + " rounds; ratios.csv, and tables of ratios, have the medians of all.",
        "columns", columns(),
        "bars", new BarColumns(round.charted().stream().map(Outcome::setting).toList()),
        "charts", List.of(
            BarChart.of("makespan", round, Measure.MAKESPAN),
            BarChart.of("wait for the first executor, mean", round, Measure.MEAN_WAIT),
            BarChart.of("wait for the first executor, which 95% of the applications do not exceed", round,
                Measure.WAIT_95),
            BarChart.of("turnaround, from submission to end, mean", round, Measure.MEAN_TURNAROUND,
                Measure.TURNAROUND_95),
            BarChart.ofPart("share of what is used that AMs hold while they wait for executors", round,
                Outcome::stuckShare)),
        "rows", round.outcomes().stream().map(outcome -> row(round, outcome)).toList());
  }

  private static List<String> columns() {
    List<String> columns = new ArrayList<>();
    for (Measure measure : Measure.ALL) {
      columns.add(measure.title());
      columns.add("to best");
    }
    columns.addAll(List.of("longest wait", "utilisation", "useful", "stuck"));
    return columns;
  }

  private static List<String> row(WorkloadResult round, Outcome outcome) {
    List<String> row = new ArrayList<>(List.of(outcome.setting().name()));
    for (Measure measure : Measure.ALL) {
      row.add(Formats.time(measure.of(outcome)));
      row.add(Formats.ratio(round.ratio(outcome.setting(), measure)));
    }
    row.addAll(List.of(Formats.time(outcome.waitSeconds(1)), Formats.percent(outcome.utilisation()),
        Formats.percent(outcome.usefulUtilisation()), Formats.percent(outcome.stuckShare())));
    return row;
  }

  private static Map<String, Object> model(IdleStudy idle) {
    List<List<String>> rows = new ArrayList<>();
    for (IdleStudy.Row row : idle.rows()) {
      rows.add(List.of(row.nodes() + " nodes", row.largestMb() / 1024 + " GB",
          row.startUpSeconds() + " s", Formats.time(row.stock()), Formats.time(row.unlimited()),
          Formats.time(row.one()), Formats.time(row.ten()), Formats.time(row.auto()),
          Formats.time(row.cold())));
    }
    return Map.of("applications", idle.applications(), "rows", rows);
  }
}
