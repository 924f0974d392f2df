// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import io.github.dripfeed.terminal.JsonText;
import io.github.dripfeed.terminal.Text;
import io.github.dripfeed.version.Version;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * {@code check [options] <capacity-scheduler.xml> [<yarn-site.xml>]}: lists the properties in effect, all
 * errors and all advice for every leaf queue, and what YARN's own validation says.
 */
public final class CheckCommand {

  private static final String JSON = "--json";
  private static final String CLUSTER_MEMORY = "--cluster-memory";
  private static final String USAGE =
      "Usage: check [options] <capacity-scheduler.xml> [<yarn-site.xml>]\n"
          + "  Lists for every leaf queue the properties in effect, errors and advice, and lets YARN\n"
          + "  validate the files, without starting anything. Without the second file, a\n"
          + "  yarn-site.xml beside the first one is read.\n"
          + "  --json            machine-readable output, whatever the outcome\n"
          + "  --cluster-memory MB\n"
          + "                    memory of all nodes, to compute the size of each queue\n"
          + "  --external        read network addresses, external entities and document types that the\n"
          + "                    files refer to\n"
          + "  --rules-only      Dripfeed's own rules, without YARN's validation\n"
          + "  --help, --version\n"
          + "Exit code: 0 without errors and advice, 1 with advice only, 2 with errors, if a file cannot\n"
          + "be read, or if the call is wrong.";

  private final List<File> files = new ArrayList<>();
  private final boolean json;
  private boolean external;
  private boolean rulesOnly;
  private double clusterMb = -1;

  private CheckCommand(boolean json) {
    this.json = json;
  }

  /**
   * Runs the command.
   *
   * @return the exit code: 0 without errors and advice, 1 with advice only, 2 with errors, including
   *     files that cannot be read and invalid arguments
   */
  public static int run(String[] args, PrintStream out, PrintStream err) {
    List<String> all = Arrays.asList(args);
    CheckCommand command = new CheckCommand(all.contains(JSON));
    boolean isCheck = args.length > 0 && (args[0].equals("check") || args[0].startsWith("-"));
    if (isCheck && (all.contains("--help") || all.contains("-h"))) {
      return command.say(CheckResult.FINE, "usage", USAGE, out);
    }
    if (isCheck && all.contains("--version")) {
      return command.say(CheckResult.FINE, "version", Version.line(), out);
    }
    String problem = command.read(args);
    if (problem != null) {
      return command.json ? command.fail(problem, out)
          : command.fail(problem + "\n" + USAGE, err);
    }
    try {
      return command.check(out);
    } catch (IOException e) {
      return command.fail(e.getMessage(), command.json ? out : err);
    } catch (StackOverflowError e) {
      return command.fail("Nested too deeply: " + command.files.get(0), command.json ? out : err);
    } catch (RuntimeException | LinkageError e) {
      return command.fail("Not readable as a configuration: " + command.files.get(0) + ": "
          + rootOf(e), command.json ? out : err);
    }
  }

  private static String rootOf(Throwable e) {
    return e.getCause() != null ? rootOf(e.getCause())
        : e.getMessage() == null ? e.toString() : e.getMessage();
  }

  private int fail(String problem, PrintStream stream) {
    if (json) {
      return print(CheckResult.ERRORS, "errors", Collections.singletonList(problem), stream);
    }
    for (String line : problem.split("\n")) {
      stream.println(Text.safe(line));
    }
    return CheckResult.ERRORS;
  }

  private int say(int exit, String name, String text, PrintStream out) {
    if (json) {
      return print(exit, name, text, out);
    }
    out.println(text);
    return exit;
  }

  private static int print(int exit, String name, Object content, PrintStream out) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("exitCode", exit);
    document.put(name, content);
    return print(exit, document, out);
  }

  private static int print(int exit, Object document, PrintStream out) {
    out.println(JsonText.indented(document));
    return exit;
  }

  /** @return the problem of the arguments, or null if they are valid */
  private String read(String[] args) {
    if (args.length == 0 || !args[0].equals("check")) {
      return "No such command: '" + (args.length == 0 ? "" : args[0]) + "'; there is: check";
    }
    for (int i = 1; i < args.length; i++) {
      if (args[i].equals("--external")) {
        external = true;
      } else if (args[i].equals("--rules-only")) {
        rulesOnly = true;
      } else if (args[i].equals(CLUSTER_MEMORY) || args[i].startsWith(CLUSTER_MEMORY + "=")) {
        String mb = args[i].length() > CLUSTER_MEMORY.length()
            ? args[i].substring(CLUSTER_MEMORY.length() + 1) : ++i < args.length ? args[i] : "";
        if (!mb.matches("\\d{1,12}")) {
          return CLUSTER_MEMORY + " = '" + mb + "': allowed is a number of MB";
        }
        clusterMb = Double.parseDouble(mb);
      } else if (args[i].startsWith("-") && !args[i].equals(JSON)) {
        return "No such option: '" + args[i] + "'; there are --json, --cluster-memory, --external,"
            + " --rules-only, --help and --version";
      } else if (!args[i].equals(JSON)) {
        files.add(new File(args[i]));
      }
    }
    return files.isEmpty() || files.size() > 2 ? "One or two files are required" : null;
  }

  @SuppressWarnings("try")
  private int check(PrintStream out) throws IOException {
    SchedulerFiles scheduler;
    // Hadoop's warnings while it reads are of use, such as on a property that another file makes final.
    try (QuietLogs logs = new QuietLogs("WARN")) {
      scheduler = read();
    }
    CheckResult result = new CheckResult(files.get(0).toString());
    try (QuietLogs logs = new QuietLogs("OFF")) {
      result.queues.addAll(new QueueCheck(scheduler, new QueueSizes(scheduler, clusterMb)).reports());
      YarnCheck yarn = new YarnCheck(scheduler, result);
      yarn.checkNames();
      if (!rulesOnly) {
        yarn.validate();
      }
    }
    if (json) {
      print(result.getExitCode(), result, out);
    } else {
      out.print(CheckText.of(result));
      out.flush();
    }
    return result.getExitCode();
  }

  private SchedulerFiles read() throws IOException {
    Configuration conf = new Configuration(false);
    File beside = new File(files.get(0).getAbsoluteFile().getParentFile(), "yarn-site.xml");
    File yarnSite = files.size() == 2 ? files.get(1) : beside;
    boolean knowsYarnSite = files.size() == 2 || yarnSite.exists();
    if (knowsYarnSite) {
      SafeXml.read(yarnSite, external, conf);
    }
    SafeXml.read(files.get(0), external, conf);
    return new SchedulerFiles(conf, knowsYarnSite);
  }
}
