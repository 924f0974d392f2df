// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.report;

import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** Creates pages and pictures from the templates beside a class. */
public final class Templates {

  private final Configuration templates = new Configuration(Configuration.VERSION_2_3_34);

  public Templates(Class<?> beside) {
    templates.setClassForTemplateLoading(beside, "");
    templates.setLocale(Locale.ROOT);
    templates.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    templates.setLogTemplateExceptions(false);
  }

  /** @return the file; creates its folder if necessary */
  public Path write(String template, Map<String, Object> model, Path file)
      throws IOException, TemplateException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    try (Writer out = Files.newBufferedWriter(file)) {
      templates.getTemplate(template).process(model, out);
    }
    return file;
  }
}
