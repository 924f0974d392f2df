// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import freemarker.template.TemplateException;
import io.github.dripfeed.report.Templates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Writes the observations as an HTML page, and as a self-contained picture. */
final class Report {

  private final Path folder;
  private final Templates templates = new Templates(Report.class);

  Report(Path folder) {
    this.folder = folder;
  }

  /** @return the page */
  Path write(Findings findings) throws IOException, TemplateException {
    Map<String, Object> model = new HashMap<>();
    long span = Timeline.spanMillis(findings.parts());
    model.put("headline", findings.headline());
    model.put("introduction", findings.introduction());
    model.put("timelines", findings.parts().stream().map(part -> new Timeline(part, span)).toList());
    model.put("rows", findings.rows().stream()
        .map(row -> Map.of("what", row.what(), "values", row.values())).toList());
    model.put("claims", findings.claims().stream()
        .map(claim -> Map.of("text", claim.text(), "observed", claim.observed())).toList());
    templates.write("timeline-svg.ftlh", model, folder.resolve("timeline.svg"));
    return templates.write("report.ftlh", model, folder.resolve("report.html"));
  }
}
