/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.demo;

import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Writes what was observed as a page, and as a picture that stands alone. */
final class Report {

  private final Path folder;
  private final Configuration templates = new Configuration(Configuration.VERSION_2_3_34);

  Report(Path folder) {
    this.folder = folder;
    templates.setClassForTemplateLoading(Report.class, "");
    templates.setLocale(Locale.ROOT);
    templates.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    templates.setLogTemplateExceptions(false);
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
    write("timeline-svg.ftlh", model, "timeline.svg");
    return write("report.ftlh", model, "report.html");
  }

  private Path write(String template, Map<String, Object> model, String file)
      throws IOException, TemplateException {
    Files.createDirectories(folder);
    try (Writer out = Files.newBufferedWriter(folder.resolve(file))) {
      templates.getTemplate(template).process(model, out);
    }
    return folder.resolve(file);
  }
}
