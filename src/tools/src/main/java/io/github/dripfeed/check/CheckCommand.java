// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Tool;
import io.github.dripfeed.tool.Version;
import java.io.File;
import java.io.IOException;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code check}: errors and advice for every leaf queue, and what YARN's own validation says. */
@Command(name = "check",
    customSynopsis = {
        "dripfeed-tools check [OPTIONS] <capacity-scheduler.xml> [<yarn-site.xml>]",
        "       dripfeed-tools check [OPTIONS] <folder> [<folder of the other one>]",
        "       dripfeed-tools check --rm [URL[,URL]]"},
    description = {
        "Checks the files of a ResourceManager or of a pair, or the jars of a pair.",
        "Lists for every leaf queue the properties in effect, errors and advice, and lets YARN validate the"
            + " files, without starting anything.",
        "Two folders are those of a pair: check names each property of schedulers and failovers that"
            + " differs, with both values, and what keeps one of the pair from becoming active.",
        "check --rm [URL[,URL]] says instead with which of Dripfeed's jars each of them was started."},
    footer = "Exit codes: 0 without errors and advice, 1 with advice or differences only, 2 with errors,"
        + " if a file cannot be read, or if the call is wrong")
public final class CheckCommand extends Tool {

  /** A stock queue whose drivers may hold more of it leaves less than a half for their executors. */
  public static final double MOST_AM_SHARE = 0.5;
  /** YARN's default for the part of a queue that its drivers may hold. */
  public static final double YARNS_AM_LIMIT = 0.1;
  private static final String CLUSTER_MEMORY = "--cluster-memory";

  @Parameters(index = "0", paramLabel = "<file or folder>",
      description = "capacity-scheduler.xml of a ResourceManager, or the folder of its files")
  private File scheduler;
  @Parameters(index = "1", arity = "0..1", paramLabel = "<file or folder>",
      description = "yarn-site.xml of that ResourceManager (default: next to the first file), or the folder"
          + " of the second one")
  private File site;
  @Option(names = CLUSTER_MEMORY, paramLabel = "MB",
      description = "memory of all nodes, to compute the size of each queue")
  private String clusterMemory;
  @Option(names = "--external",
      description = "read what the files include, and document types, on the network too")
  private boolean external;
  @Option(names = "--all", description = "also the properties that have the default")
  private boolean all;
  @Option(names = "--rules-only", description = "Dripfeed's own rules, without YARN's validation")
  private boolean rulesOnly;

  /** Returns the exit code: 0 without errors and advice, 1 with advice only, 2 with errors. */
  @Override
  protected int run() throws Problem {
    if (clusterMemory != null && !clusterMemory.matches("\\d{1,12}")) {
      throw new Problem(Problem.WRONG_CALL,
          CLUSTER_MEMORY + " = '" + clusterMemory + "': allowed is a number of MB");
    }
    // The jar of the ResourceManager may be on the class path.
    Version.numbers().stream().distinct().filter(number -> !number.equals(Version.number()))
        .forEach(other -> terminal.err.println("This check is of Dripfeed " + Version.number()
            + ", and on the class path is another one: dripfeed-yarn " + other));
    try {
      if (site != null && scheduler.isDirectory() && site.isDirectory()) {
        PairCheck pair = new PairCheck(checked(scheduler, null), checked(site, null));
        print(pair.document(), false, terminal.wrapped(pair.lines()));
        return pair.exitCode();
      }
      CheckResult result = checked(scheduler, site);
      print(result, false, terminal.wrapped(result.lines(all)));
      return result.getExitCode();
    } catch (IOException e) {
      throw new Problem(Problem.WRONG_CALL, e.getMessage(), e);
    } catch (StackOverflowError | PatternSyntaxException e) {
      // Java says the latter where the stack ends within one.
      throw new Problem(Problem.WRONG_CALL, "Nested too deeply: " + scheduler, e);
    } catch (RuntimeException | LinkageError e) {
      throw new Problem(Problem.WRONG_CALL, "Not readable as a configuration: " + scheduler + ": "
          + rootOf(e), e);
    }
  }

  private static String rootOf(Throwable e) {
    return e.getCause() != null ? rootOf(e.getCause())
        : e.getMessage() == null ? e.toString() : e.getMessage();
  }

  /** @param yarnSite null for the one beside the first file, if there is one */
  private CheckResult checked(File given, File yarnSite) throws IOException {
    CheckResult result = new CheckResult(given.toString());
    File file = given.isDirectory() ? new File(given, "capacity-scheduler.xml") : given;
    File beside = new File(file.getAbsoluteFile().getParentFile(), "yarn-site.xml");
    File second = yarnSite != null ? yarnSite : beside.exists() ? beside : null;
    Level before = LogManager.getLoggerRepository().getThreshold();
    try {
      // Hadoop's warnings while it reads are of use, such as on a property that another file makes final.
      LogManager.getLoggerRepository().setThreshold(Level.WARN);
      Configuration conf = new Configuration(false);
      for (File each : second == null ? new File[] {file} : new File[] {second, file}) {
        Set<String> twice = SafeXml.read(each, external, conf);
        if (!twice.isEmpty()) {
          result.advice.add(
              each + " has more than once, of which the last counts: " + String.join(", ", twice));
        }
      }
      LogManager.getLoggerRepository().setThreshold(Level.OFF);
      result.files = new SchedulerFiles(conf, second != null);
      new QueueCheck(result, SchedulerFiles.number(clusterMemory, Double.NaN)).check();
      YarnCheck yarn = new YarnCheck(result);
      yarn.checkNames();
      if (!rulesOnly) {
        yarn.validate();
      }
    } finally {
      LogManager.getLoggerRepository().setThreshold(before);
    }
    return result;
  }
}
