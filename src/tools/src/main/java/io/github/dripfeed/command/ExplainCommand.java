// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code explain}: one application. */
@Command(name = "explain",
    description = {
        "Where an application stands, why, and what would let it go.",
        "Also since when, when it will probably start, and what has become of it so far."},
    footer = "Exit codes: 0 explained, 1 not under Dripfeed, or not known at all, " + AskingTool.EXIT_CODES)
final class ExplainCommand extends AskingTool {

  private static final int LABEL = 11;

  @Parameters(paramLabel = "<application>",
      description = "its id; that of one of its attempts will do, too")
  private String id;

  ExplainCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  int ask() throws Problem {
    String application = Values.application(id);
    Reading reading = read();
    Explanation explanation = new Explanation(reading, application, resourceManagers);
    int exitCode = explanation.isUnderDripfeed() ? 0 : Problem.NOT_FOUND;
    print(document(exitCode, application, explanation, reading), false,
        lines(application, explanation, reading.time));
    return exitCode;
  }

  private List<String> lines(String application, Explanation explanation, long now) {
    Row row = explanation.row;
    String name = row.text(Column.NAME);
    String type = row.text(row.is(Column.TYPE, "") ? "applicationType" : "type");
    List<String> lines = new ArrayList<>();
    lines.add(terminal.in(Terminal.Colour.TITLE, application)
        + (explanation.rowOf.isEmpty() ? "" : "  " + Text.safe((name.isEmpty() ? "" : "\"" + name + "\"  ")
            + "of " + row.text(Column.USER) + (type.isEmpty() ? "" : ", " + type))));
    explanation.facts.forEach((label, text) -> {
      add(lines, label, text);
      if (label.equals("where") && explanation.since > 0) {
        add(lines, "since", Times.moment(explanation.since, now) + ", for " + Times.duration(
            TimeUnit.MILLISECONDS.toSeconds(Math.max(0, now - explanation.since))));
      }
    });
    String label = "so far";
    for (Row event : explanation.events) {
      add(lines, label, Times.moment(event.number(Column.TIME), now) + "  " + event.sentence());
      label = "";
    }
    add(lines, "before", explanation.gap);
    return lines;
  }

  private void add(List<String> lines, String label, String text) {
    String before = "  " + label;
    for (String line : Text.wrap(Text.safe(text), terminal.width() - LABEL)) {
      if (!text.isEmpty()) {
        lines.add(terminal.in(Terminal.Colour.QUIET, Text.pad(before, LABEL, false)) + line);
      }
      before = "";
    }
  }

  private static Map<String, Object> document(
      int exitCode, String application, Explanation explanation, Reading reading) {
    Map<String, Object> document = answer(exitCode, reading);
    if (exitCode != 0) {
      document.put("errors",
          Collections.singletonList(application + ": " + explanation.facts.get("where")));
    }
    document.putAll(JsonText.document("application", application,
        "state", explanation.where.name().toLowerCase(Locale.ROOT), "since", explanation.since));
    explanation.facts.forEach((label, text) -> document.put(label.replace(" g", "G"), text));
    document.putAll(JsonText.document("rowOf", explanation.rowOf, "row", explanation.row,
        "gap", explanation.gap, "events", explanation.events));
    return document;
  }
}
