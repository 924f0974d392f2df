/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.dripfeed.config.PolicyKind;
import java.io.File;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * {@code check [--json] [--cluster-memory <MB>] <capacity-scheduler.xml> [<yarn-site.xml>]}: lists the
 * properties in effect, all errors and all advice for every leaf queue.
 */
public final class CheckCommand {

  static final int FINE = 0;
  static final int ADVICE = 1;
  static final int ERRORS = 2;

  private static final String USAGE =
      "Usage: check [--json] [--cluster-memory <MB>] <capacity-scheduler.xml> [<yarn-site.xml>]\n"
          + "  Lists for every leaf queue the properties in effect, errors and advice. Without the\n"
          + "  second file, a yarn-site.xml beside the first one is read.\n"
          + "  --json            machine-readable output\n"
          + "  --cluster-memory  memory of all nodes, to compute the size of each queue\n"
          + "Exit code: 0 without errors and advice, 1 with advice only, 2 with errors.";

  private final List<File> files = new ArrayList<>();
  private boolean json;
  private double clusterMb = -1;

  private CheckCommand() {
  }

  /**
   * Runs the command.
   *
   * @return the exit code: 0 without errors and advice, 1 with advice only, 2 with errors, including
   *     invalid arguments
   */
  public static int run(String[] args, PrintStream out, PrintStream err) {
    CheckCommand command = new CheckCommand();
    String problem = command.read(args);
    if (problem != null) {
      err.println(problem);
      err.println(USAGE);
      return ERRORS;
    }
    try {
      return command.check(out);
    } catch (RuntimeException | JsonProcessingException e) {
      err.println("Not readable as a configuration: " + command.files.get(0) + ": "
          + rootOf(e).getMessage());
      return ERRORS;
    }
  }

  private static Throwable rootOf(Throwable e) {
    return e.getCause() == null ? e : rootOf(e.getCause());
  }

  /** @return the problem of the arguments, or null if they are valid */
  private String read(String[] args) {
    if (args.length == 0 || !args[0].equals("check")) {
      return "No such command: '" + (args.length == 0 ? "" : args[0]) + "'; there is: check";
    }
    for (int i = 1; i < args.length; i++) {
      if (args[i].equals("--json")) {
        json = true;
      } else if (args[i].equals("--cluster-memory")) {
        i++;
        if (i == args.length || !args[i].matches("\\d{1,12}")) {
          return "--cluster-memory = '" + (i == args.length ? "" : args[i])
              + "': allowed is a number of MB";
        }
        clusterMb = Double.parseDouble(args[i]);
      } else if (args[i].startsWith("-")) {
        return "No such option: '" + args[i] + "'; there are --json and --cluster-memory";
      } else {
        files.add(new File(args[i]));
      }
    }
    if (files.isEmpty() || files.size() > 2) {
      return "One or two files are required";
    }
    for (File file : files) {
      if (!file.isFile()) {
        return "No such file: " + file;
      }
    }
    return null;
  }

  private int check(PrintStream out) throws JsonProcessingException {
    Configuration conf = new Configuration(false);
    conf.setAllowNullValueProperties(true);
    File beside = new File(files.get(0).getAbsoluteFile().getParentFile(), "yarn-site.xml");
    File yarnSite = files.size() == 2 ? files.get(1) : beside;
    if (yarnSite.isFile()) {
      conf.addResource(new Path(yarnSite.toURI()));
    }
    conf.addResource(new Path(files.get(0).toURI()));
    List<QueueReport> reports =
        new QueueCheck(new SchedulerFiles(conf, yarnSite.isFile()), clusterMb).reports();
    int exit = reports.stream().anyMatch(report -> !report.getErrors().isEmpty()) ? ERRORS
        : reports.stream().anyMatch(report -> !report.getAdvice().isEmpty()) ? ADVICE : FINE;
    if (json) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("file", files.get(0).toString());
      document.put("exitCode", exit);
      document.put("queues", reports);
      out.println(new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)
          .writeValueAsString(document));
    } else {
      print(reports, out);
    }
    return exit;
  }

  private static void print(List<QueueReport> reports, PrintStream out) {
    for (QueueReport report : reports) {
      out.println(report.getQueue() + ": " + report.getOrderingPolicy());
      report.getProperties().forEach((name, value) ->
          out.println(String.format("    %-30s %s", name, value.isEmpty() ? "(empty)" : value)));
      report.getErrors().forEach(error -> out.println("  ERROR   " + error));
      report.getAdvice().forEach(advice -> out.println("  ADVICE  " + advice));
    }
    long errors = reports.stream().mapToLong(report -> report.getErrors().size()).sum();
    long advice = reports.stream().mapToLong(report -> report.getAdvice().size()).sum();
    long stateAware = reports.stream().filter(report ->
        PolicyKind.of(report.getOrderingPolicy()) != null).count();
    out.println("Queues: " + reports.size() + ", state-aware: " + stateAware + ", errors: " + errors
        + ", advice: " + advice);
  }
}
