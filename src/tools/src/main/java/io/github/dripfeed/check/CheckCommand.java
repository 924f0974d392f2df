// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Tool;
import io.github.dripfeed.version.Version;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code check}: errors and advice for every leaf queue, and what YARN's own validation says. */
@Command(name = "check", customSynopsis = "check [options] <capacity-scheduler.xml> [<yarn-site.xml>]",
    description = {
        "  Lists for every leaf queue the properties in effect, errors and advice, and lets YARN",
        "  validate the files, without starting anything. Without the second file, a",
        "  yarn-site.xml beside the first one is read. check --rm URL[,URL] says instead with which",
        "  of Dripfeed's jars each ResourceManager of a pair was started."},
    footer = {
        "Exit code: 0 without errors and advice, 1 with advice only, 2 with errors, if a file cannot",
        "be read, or if the call is wrong."})
public final class CheckCommand extends Tool {

  private static final String CLUSTER_MEMORY = "--cluster-memory";

  @Parameters(paramLabel = "<file>")
  private List<File> files = new ArrayList<>();
  @Option(names = CLUSTER_MEMORY, paramLabel = "MB", order = 2, arity = "0..1", fallbackValue = "",
      description = "memory of all nodes, to compute the size of each queue")
  private String clusterMemory;
  @Option(names = "--external", order = 2,
      description = "read what the files include, and document types, on the network too")
  private boolean external;
  @Option(names = "--all", order = 2, description = "also the properties that have the default")
  private boolean all;
  @Option(names = "--rules-only", order = 2,
      description = "Dripfeed's own rules, without YARN's validation")
  private boolean rulesOnly;
  @Spec
  private CommandSpec spec;

  public CheckCommand(Terminal terminal) {
    super(terminal);
  }

  /** Returns the exit code: 0 without errors and advice, 1 with advice only, 2 with errors. */
  @Override
  public Integer call() throws Problem {
    if (clusterMemory != null && !clusterMemory.matches("\\d{1,12}")) {
      throw new ParameterException(spec.commandLine(),
          CLUSTER_MEMORY + " = '" + clusterMemory + "': allowed is a number of MB");
    } else if (files.isEmpty() || files.size() > 2) {
      throw new ParameterException(spec.commandLine(), "One or two files are required");
    }
    // The jar of the ResourceManager may be on the class path.
    Version.numbers().stream().distinct().filter(number -> !number.equals(Version.number()))
        .forEach(other -> terminal.err().println("This check is of Dripfeed " + Version.number()
            + ", and on the class path is another one: dripfeed-yarn " + other));
    try {
      return check();
    } catch (IOException e) {
      throw new Problem(Problem.WRONG_CALL, e.getMessage(), e);
    } catch (StackOverflowError | PatternSyntaxException e) {
      // Java says the latter where the stack ends within one.
      throw new Problem(Problem.WRONG_CALL, "Nested too deeply: " + files.get(0), e);
    } catch (RuntimeException | LinkageError e) {
      throw new Problem(Problem.WRONG_CALL, "Not readable as a configuration: " + files.get(0) + ": "
          + rootOf(e), e);
    }
  }

  private static String rootOf(Throwable e) {
    return e.getCause() != null ? rootOf(e.getCause())
        : e.getMessage() == null ? e.toString() : e.getMessage();
  }

  private int check() throws IOException {
    CheckResult result = new CheckResult(files.get(0).toString());
    try (QuietLogs logs = new QuietLogs()) {
      // Hadoop's warnings while it reads are of use, such as on a property that another file makes final.
      logs.showFrom("WARN");
      SchedulerFiles scheduler = read(result);
      logs.showFrom("OFF");
      result.queues.addAll(new QueueCheck(scheduler, new QueueSizes(scheduler,
          clusterMemory == null ? -1 : Double.parseDouble(clusterMemory))).reports());
      YarnCheck yarn = new YarnCheck(scheduler, result);
      yarn.checkNames();
      if (!rulesOnly) {
        yarn.validate();
      }
    }
    if (isJson()) {
      print(result, false);
    } else {
      terminal.out().print(CheckText.of(result, all));
      terminal.out().flush();
    }
    return result.getExitCode();
  }

  private SchedulerFiles read(CheckResult result) throws IOException {
    File beside = new File(files.get(0).getAbsoluteFile().getParentFile(), "yarn-site.xml");
    List<File> all = new ArrayList<>(files);
    if (all.size() == 1 && beside.exists()) {
      all.add(beside);
    }
    Collections.reverse(all);
    Configuration conf = new Configuration(false);
    for (File file : all) {
      Set<String> twice = SafeXml.read(file, external, conf);
      if (!twice.isEmpty()) {
        result.advice.add(
            file + " has more than once, of which the last counts: " + String.join(", ", twice));
      }
    }
    return new SchedulerFiles(conf, all.size() > 1);
  }
}
