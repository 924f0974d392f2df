// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Problem;
import io.github.dripfeed.terminal.Terminal;
import io.github.dripfeed.terminal.Text;
import io.github.dripfeed.terminal.Times;
import io.github.dripfeed.wire.Wire.Column;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code explain}: one application. */
@Command(name = "explain", customSynopsis = "explain [--rm URL] <application>",
    description = {
        "  Says where an application stands, why, since when, what would let it go, and when it will",
        "  probably start; and what has become of it so far. The id of an attempt will do, too."},
    footer = {
        "Exit codes: 0 explained, 1 not under Dripfeed, or not known at all,", AskingTool.EXIT_CODES})
final class ExplainCommand extends AskingTool {

  private static final int LABEL = 11;

  @Parameters(paramLabel = "<application>")
  private List<String> applications;

  ExplainCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  int run() throws Problem {
    if (applications == null || applications.size() != 1) {
      throw new Problem(Problem.WRONG_CALL, "The id of one application is expected");
    }
    String application = Values.application(applications.get(0));
    Reading reading = read();
    Explanation explanation = new Explanation(reading, application, () ->
        ask(reading.address() + " for " + application,
            () -> resourceManagers().application(reading.address(), application)));
    boolean known = explanation.where() != Explanation.Where.UNKNOWN
        && explanation.where() != Explanation.Where.ELSEWHERE;
    int exitCode = known ? 0 : Problem.NOT_FOUND;
    if (isJson()) {
      print(document(exitCode, application, explanation, reading), false);
    } else {
      print(application, explanation, reading);
    }
    return exitCode;
  }

  private void print(String application, Explanation explanation, Reading reading) {
    Row row = explanation.row();
    StringBuilder title = new StringBuilder();
    if (row != null) {
      title.append("  ").append(Wording.name(row)).append(title.length() > 2 ? " " : "")
          .append(row.text(Column.NAME).isEmpty() ? "" : " ").append("of ").append(row.text(Column.USER));
      String type = row.text(row.text(Column.TYPE).isEmpty() ? "applicationType" : "type");
      title.append(type.isEmpty() ? "" : ", " + type);
    }
    terminal.out().println(terminal.in(Terminal.Colour.TITLE, application) + Text.safe(title.toString()));
    explanation.facts().forEach((label, text) -> {
      print(label, text);
      if (label.equals("where") && explanation.since() > 0) {
        print("since", Times.moment(explanation.since(), reading.time(), zone()) + ", for "
            + Times.duration(TimeUnit.MILLISECONDS.toSeconds(
                Math.max(0, reading.time() - explanation.since()))));
      }
    });
    String label = "so far";
    for (Row event : explanation.events()) {
      print(label, Times.moment(event.number(Column.TIME), reading.time(), zone()) + "  "
          + EventsText.sentence(event));
      label = "";
    }
    print("before", explanation.gap());
  }

  private void print(String label, String text) {
    if (text.isEmpty()) {
      return;
    }
    String before = label;
    for (String line : Text.wrap(Text.safe(text), terminal.width() - LABEL)) {
      String padded = Text.pad("  " + before, LABEL, false);
      terminal.out().println(terminal.in(Terminal.Colour.QUIET, padded) + line);
      before = "";
    }
  }

  private static Map<String, Object> document(
      int exitCode, String application, Explanation explanation, Reading reading) {
    Map<String, Object> document = answer(exitCode, reading);
    if (exitCode != 0) {
      document.put("errors",
          Collections.singletonList(application + ": " + explanation.facts().get("where")));
    }
    document.put("application", application);
    document.put("state", explanation.where().name().toLowerCase(Locale.ROOT));
    document.put("since", explanation.since());
    explanation.facts().forEach((label, text) -> document.put(label.replace(" g", "G"), text));
    document.put("rowOf", explanation.rowOf());
    document.put("row", explanation.row() == null ? Collections.emptyMap() : explanation.row().json());
    document.put("gap", explanation.gap());
    document.put("events", explanation.events().stream().map(Row::json).collect(Collectors.toList()));
    return document;
  }
}
