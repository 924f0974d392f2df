// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Version;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code check --rm}: whether all ResourceManagers were started with the jar, and the same one. */
@Command(name = "check",
    description = "Whether each ResourceManager of a pair was started with the same jar of Dripfeed.")
final class CheckProcessesCommand extends AskingTool {

  @Override
  int ask() throws Problem {
    List<Row> all = resourceManagers.processes();
    List<String> lines = new ArrayList<>();
    List<String> errors = new ArrayList<>();
    for (Row each : all) {
      String jars = each.text("jars");
      lines.add(each.text("address") + ": " + each.text("problem")
          + (each.text("problem").isEmpty() ? each.text("state") + ", Hadoop " + each.text("hadoop") + ", "
              + (jars.isEmpty() ? "no dripfeed-yarn*.jar" : jars) : ""));
      if (!each.text("problem").isEmpty() || jars.isEmpty() || jars.contains(" ")) {
        errors.add(each.text("address") + ": not started with one dripfeed-yarn*.jar. Without the policy"
            + " of a queue it cannot become active: copy the jar, and restart it");
      }
    }
    if (all.stream().map(row -> row.text("jars")).filter(jars -> !jars.isEmpty()).distinct().count() > 1) {
      errors.add("The jars differ: a ResourceManager stays standby if its jar does not know a property");
    }
    // The version is that of the name, if the name has one.
    all.stream().map(row -> row.text("jars")).filter(jars -> jars.matches("dripfeed-yarn-\\d.*")
        && !Version.number().isEmpty() && !jars.contains("-" + Version.number() + ".jar")).distinct()
        .forEach(jars -> terminal.err.println(Text.safe(
            "This check is of Dripfeed " + Version.number() + ", and a ResourceManager has " + jars)));
    int exitCode = errors.isEmpty() ? 0 : Problem.WRONG_CALL;
    errors.stream().map(error -> "  ERROR   " + error).forEach(lines::add);
    lines.replaceAll(Text::safe);
    print(JsonText.document("exitCode", exitCode, "errors", errors, "resourceManagers", all), false,
        terminal.wrapped(lines));
    return exitCode;
  }
}
