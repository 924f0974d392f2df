/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.simulator;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the simulator. Exits with 0 if every claim was observed. */
@Command(name = "simulate", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Runs workloads on the real Capacity Scheduler in virtual time, under stock "
        + "policies, static limits and Dripfeed, and compares.")
public final class Main implements Callable<Integer> {

  private static final int DEFAULT_NODES = 6;
  private static final List<String> FORECAST = List.of("burst", "short", "steady", "mixed", "autoscaled",
      "wide-20", "fb-2009", "fb-2010");
  private static final int[] TENANTS = {5, 20, 50, 200};
  private static final int DEFAULT_NODE_MEMORY = 16 * 1024;

  @Spec
  private CommandLine.Model.CommandSpec spec;

  @Option(names = "--workload", paramLabel = "NAME", split = ",",
      description = "Only these: burst, short, steady, mixed, autoscaled, changing, replay-apps, "
          + "replay-sls, fb-2009, fb-2009-last, fb-2010, wide-4, wide-20, wide-50, idle, tenants, large, "
          + "scale. All but large and scale if none is named.")
  private List<String> names = new ArrayList<>();

  @Option(names = "--settings", paramLabel = "NAME", split = ",",
      description = "Only the settings whose name contains one of these, as in headroom. Prints their "
          + "times alone: no comparison, no page, no CSV. Skips workloads that have none of them. Does "
          + "not apply to idle.")
  private List<String> settingNames = new ArrayList<>();

  @Option(names = "--seed", defaultValue = "1",
      description = "Of the first round. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--rounds", defaultValue = "3",
      description = "How often each random workload is made anew. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(names = "--trace", paramLabel = "FILE|URL",
      description = "Replays recorded applications instead: those that a live ResourceManager knows "
          + "(http://HOST:8088), its answer at /ws/v1/cluster/apps in a file, the JSON input of YARN's "
          + "scheduler load simulator, or a table in the format of SWIM.")
  private String trace;

  @Option(names = "--from", paramLabel = "SECOND", defaultValue = "0",
      description = "Replays only what is submitted in this second of the trace or later.")
  private long fromSecond;

  @Option(names = "--to", paramLabel = "SECOND",
      description = "Replays only what is submitted before this second of the trace.")
  private Long toSecond;

  @Option(names = "--queue", paramLabel = "PATH",
      description = "The queue whose applications are replayed, from root.")
  private String queue;

  @Option(names = "--scheduler", paramLabel = "FILE",
      description = "The capacity-scheduler.xml that has this queue. Default: one queue, root.batch.")
  private Path scheduler;

  @Option(names = "--nodes", paramLabel = "COUNTxMB",
      description = "The cluster of a trace. Default: what the trace says, else 6x16384.")
  private String nodes;

  @Option(names = "--driver-memory", paramLabel = "MB", defaultValue = "2048",
      description = "Assumed where the trace does not tell. Default: ${DEFAULT-VALUE}.")
  private int driverMemory;

  @Option(names = "--executor-memory", paramLabel = "MB", defaultValue = "4096",
      description = "Assumed where the trace does not tell. Default: ${DEFAULT-VALUE}.")
  private int executorMemory;

  @Option(names = "--executor-vcores", paramLabel = "COUNT", defaultValue = "0",
      description = "The virtual cores of an executor: with them, number and memory of executors follow "
          + "from the vcore-seconds of a ResourceManager instead of --executor-memory. Default: unused.")
  private int executorVcores;

  @Option(names = "--start-up", paramLabel = "SECONDS", defaultValue = "15",
      description = "Assumed from a driver's allocation until it asks. Default: ${DEFAULT-VALUE}.")
  private int startUpSeconds;

  @Option(names = "--executor-data", paramLabel = "MB", defaultValue = "2000",
      description = "One executor for each of so many million bytes of input, shuffle and output. Only "
          + "for SWIM. Default: ${DEFAULT-VALUE}.")
  private long executorData;

  @Option(names = "--max-executors", paramLabel = "COUNT", defaultValue = "40",
      description = "The most executors of an application. Only for SWIM. Default: ${DEFAULT-VALUE}.")
  private int maxExecutors;

  @Option(names = "--throughput", paramLabel = "MB", defaultValue = "60",
      description = "The million bytes that an executor processes in a second. Only for SWIM. "
          + "Default: ${DEFAULT-VALUE}.")
  private long throughput;

  @Option(names = "--shortest-task", paramLabel = "SECONDS", defaultValue = "20",
      description = "The time of a task that has next to no data. Only for SWIM. "
          + "Default: ${DEFAULT-VALUE}.")
  private int shortestTaskSeconds;

  @Option(names = "--forecast-accuracy",
      description = "How often the range in which a waiting application is expected to start is right: "
          + "writes forecast-accuracy.csv instead. Only settings of Dripfeed: untuned, max-starting = 4 "
          + "and headroom, or those that --settings names.")
  private boolean forecastAccuracy;

  @Option(names = "--ask-every", paramLabel = "SECONDS", defaultValue = "10",
      description = "How often waiting applications ask for the range. Default: ${DEFAULT-VALUE}.")
  private int askSeconds;

  @Option(names = "--processes", paramLabel = "COUNT",
      description = "How many simulations run at once, each in a process of its own; with 1, in this one. "
          + "Default: as many as there are processors. The figures do not depend on it.")
  private int processes = Runtime.getRuntime().availableProcessors();

  @Option(names = "--progress", paramLabel = "HOW", defaultValue = "AUTO",
      description = "${COMPLETION-CANDIDATES}; AUTO: a bar on a terminal, elsewhere a line every 30 s. "
          + "Default: ${DEFAULT-VALUE}.")
  private Progress.Kind progressKind;

  @Option(names = "--out", paramLabel = "FOLDER", defaultValue = "${sys:simulate.out:-simulate}",
      description = "For the page, the charts and the CSV. Default: ${DEFAULT-VALUE}.")
  private Path out;

  private SettingSelection settings;
  private final List<Experiment> studies = new ArrayList<>();
  private final List<Experiment> tenants = new ArrayList<>();
  private IdleStudy idle;
  private ScaleStudy scale;
  private Progress progress;

  /** @param args see {@code --help} */
  public static void main(String[] args) {
    // Jersey and Guice bypass log4j.
    Logger.getLogger("").setLevel(Level.OFF);
    System.exit(commandLine().execute(args));
  }

  /** The command, which names a simulation that fails and shows where it did. */
  static CommandLine commandLine() {
    return new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((failure, command, parsed) -> {
          if (!(failure instanceof SimulationFailed failed)) {
            throw failure;
          }
          command.getErr().println(failed.getMessage());
          command.getErr().println(failed.details());
          command.getErr().flush();
          return CommandLine.ExitCode.SOFTWARE;
        });
  }

  @Override
  public Integer call() throws Exception {
    check();
    settings = new SettingSelection(settingNames);
    if (forecastAccuracy) {
      return forecasts();
    }
    // Errors in what was typed come before the first simulation.
    List<Step> steps = steps();
    refuseUnknown(settings);
    settings.without().forEach(workload ->
        say(workload + ": skipped, it has no setting that --settings names"));
    Files.createDirectories(out);
    List<Step.Started> started = new ArrayList<>();
    try (Progress shown = new Progress(progressKind, System.err, "simulations");
        Simulations simulations = new Simulations(processes, shown)) {
      progress = shown;
      for (Step step : steps) {
        started.add(step.start(simulations));
      }
      for (Step.Started each : started) {
        each.await();
      }
    } finally {
      progress = null;
    }
    boolean ended = scale == null || scale.isAllEnded();
    if (scale != null && settingNames.isEmpty()) {
      CsvFile.writeScale(scale, out.resolve("scale.csv"));
    }
    if (!settingNames.isEmpty() || scale != null && steps.size() == 1) {
      // There is nothing to compare.
      return ended ? 0 : 1;
    }
    return write(new Results(studies, tenants, idle));
  }

  private int forecasts() throws Exception {
    List<Plan> plans = new ArrayList<>();
    if (trace != null) {
      plans.add(replay(recording(), "replay"));
    }
    for (String name : trace != null ? List.<String>of() : names.isEmpty() ? FORECAST : names) {
      plans.add(study(name));
    }
    SettingSelection ofDripfeed = new SettingSelection(settingNames);
    List<SchedulerVariant> asked = settingNames.isEmpty() ? SchedulerVariants.forecast()
        : ofDripfeed.of("", SchedulerVariants.all().stream().filter(each -> each.kind().isDripfeed())
            .toList());
    refuseUnknown(ofDripfeed);
    plans.replaceAll(plan -> new Plan(plan.workloads(), plan.queue(), asked));
    Files.createDirectories(out);
    ForecastStudy done;
    try (Progress shown = new Progress(progressKind, System.err, "simulations");
        Simulations simulations = new Simulations(processes, shown)) {
      done = ForecastStudy.start(simulations, plans, askSeconds * 1000L).await();
    }
    say(done.text());
    Path file = out.resolve("forecast-accuracy.csv");
    done.write(file);
    say("All figures: " + file);
    return 0;
  }

  /** A part of the whole: its simulations all start before the first of them is waited for. */
  private interface Step {

    /** Waits for the simulations, and prints and keeps what they returned. */
    interface Started {
      void await() throws Exception;
    }

    Started start(Simulations simulations);
  }

  private List<Step> steps() throws Exception {
    List<Step> steps = new ArrayList<>();
    if (trace != null) {
      add(steps, replay(recording(), "replay"), studies);
      return steps;
    }
    for (String name : names.isEmpty() ? Workloads.NAMES : names) {
      if (name.equals("idle")) {
        steps.add(simulations -> {
          IdleStudy.Started started = IdleStudy.start(simulations);
          return () -> {
            idle = started.await();
            say(TextTable.of(idle));
          };
        });
      } else if (name.equals(ScaleStudy.NAME)) {
        addScale(steps);
      } else if (name.equals("tenants")) {
        for (int users : TENANTS) {
          add(steps, ofTenants(users), tenants);
        }
        steps.add(simulations -> () -> {
          if (settingNames.isEmpty()) {
            say(TextTable.ofTenants(tenants));
          }
        });
      } else {
        add(steps, study(name), studies);
      }
    }
    return steps;
  }

  private void addScale(List<Step> steps) throws IOException {
    List<SchedulerVariant> selected =
        settings.of(ScaleStudy.NAME, ScaleStudy.settings(ScaleStudy.QUEUES));
    if (selected.isEmpty()) {
      return;
    }
    Workload workload = ScaleStudy.workload(ScaleStudy.NODES, ScaleStudy.JOBS, ScaleStudy.QUEUES, seed);
    steps.add(simulations -> {
      ScaleStudy.Started started = ScaleStudy.start(simulations, workload, ScaleStudy.QUEUES, selected);
      return () -> {
        scale = started.await();
        say(TextTable.of(scale));
      };
    });
  }

  /** Nothing if the plan has none of the selected settings. */
  private void add(List<Step> steps, Plan plan, List<Experiment> done) {
    if (!plan.settings().isEmpty()) {
      steps.add(step(plan, done));
    }
  }

  private Step step(Plan plan, List<Experiment> done) {
    return simulations -> {
      Plan.Started started = plan.start(simulations);
      return () -> {
        if (!settingNames.isEmpty()) {
          tell(plan, started);
        }
        Experiment study = started.await();
        done.add(study);
        if (settingNames.isEmpty()) {
          say(TextTable.of(study));
        }
      };
    };
  }

  /** A line for each simulation, as soon as it has ended. */
  private void tell(Plan plan, Plan.Started started) throws Exception {
    for (int round = 0; round < plan.workloads().size(); round++) {
      for (Future<SimulationResult> each : started.round(round)) {
        Outcome outcome = Simulations.await(each).outcome();
        say(String.format(Locale.ROOT, "%s, round %d, %s: makespan %.0f s, mean wait %.0f s",
            outcome.workload(), round + 1, outcome.setting().name(), outcome.makespanSeconds(),
            outcome.meanWaitSeconds()));
      }
    }
  }

  private int write(Results results) throws Exception {
    say(TextTable.ofOverall(results.overall()));
    CsvFile.writeOutcomes(results, out.resolve("results.csv"));
    CsvFile.writeRatios(results, out.resolve("ratios.csv"));
    if (idle != null) {
      CsvFile.writeIdle(idle, out.resolve("idle.csv"));
    }
    Path page = new HtmlReport(out).write(results);
    results.claims().forEach(
        claim -> say((claim.observed() ? "observed:     " : "NOT observed: ") + claim.text()));
    say("\nCharts and all figures: " + page + ", " + out.resolve("results.csv"));
    return results.claims().stream().allMatch(Results.Claim::observed) ? 0 : 1;
  }

  private Plan study(String name) throws Exception {
    if (name.startsWith("replay-")) {
      try (InputStream example = Main.class.getResourceAsStream("traces/" + name + ".json")) {
        if (example == null) {
          throw unknown(name);
        }
        return replay(Trace.read(name, example.readAllBytes(), selection(), assumptions()), name);
      }
    }
    Optional<FacebookTrace> facebook = FacebookTrace.of(name);
    if (facebook.isPresent()) {
      Workload workload = facebook.get().workload(selection().span(), assumptions());
      return plan(List.of(nodes == null ? workload : workload.on(cluster()[0], cluster()[1])),
          QueueSetup.wholeCluster(), SchedulerVariants.all());
    }
    List<Workload> workloads = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      workloads.add(Workloads.of(name, seed + round));
    }
    if (workloads.contains(null)) {
      throw unknown(name);
    }
    QueueSetup setup = name.startsWith("wide-")
        ? QueueSetup.wholeCluster(Workloads.WIDE_LARGEST_MB) : QueueSetup.wholeCluster();
    return plan(workloads, setup,
        name.equals(Workloads.LARGE) ? SchedulerVariants.few() : SchedulerVariants.all());
  }

  private Plan ofTenants(int users) {
    List<Workload> workloads = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      workloads.add(Workloads.tenants(users, seed + round));
    }
    return plan(workloads, QueueSetup.ofUsers(Workloads.users(users)), SchedulerVariants.ofTenants());
  }

  private ParameterException unknown(String name) {
    return new ParameterException(spec.commandLine(), "There is no workload '" + name + "'");
  }

  private Trace.Assumptions assumptions() {
    return new Trace.Assumptions(driverMemory, executorMemory, executorVcores, startUpSeconds * 1000L,
        new Trace.DataAssumptions(executorData * 1_000_000, maxExecutors, throughput * 1_000_000,
            shortestTaskSeconds * 1000L));
  }

  private Trace.Selection selection() {
    return new Trace.Selection(queue, new Trace.Span(fromSecond * 1000,
        toSecond == null ? Long.MAX_VALUE : toSecond * 1000));
  }

  private void check() {
    positive("--driver-memory", driverMemory);
    positive("--executor-memory", executorMemory);
    positive("--executor-data", executorData);
    positive("--max-executors", maxExecutors);
    positive("--throughput", throughput);
    positive("--shortest-task", shortestTaskSeconds);
    positive("--processes", processes);
    positive("--ask-every", askSeconds);
    if (executorVcores < 0) {
      throw refused("--executor-vcores = '" + executorVcores + "': allowed is 0 or more");
    }
    if (startUpSeconds < 0) {
      throw refused("--start-up = '" + startUpSeconds + "': allowed is 0 or more");
    }
    if (fromSecond < 0 || toSecond != null && toSecond <= fromSecond) {
      throw refused("--from = '" + fromSecond + "', --to = '" + toSecond
          + "': allowed is 0 or more, and --to after --from");
    }
  }

  private void positive(String option, long value) {
    if (value <= 0 || value > Integer.MAX_VALUE) {
      throw refused(option + " = '" + value + "': allowed is 1 to " + Integer.MAX_VALUE);
    }
  }

  private ParameterException refused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Trace recording() {
    if (!LiveTrace.isAddress(trace) && !Files.isReadable(Path.of(trace))) {
      throw refused("--trace = '" + trace + "': there is no such file, or it cannot be read");
    }
    try {
      return LiveTrace.isAddress(trace) ? LiveTrace.read(trace, selection(), assumptions())
          : Trace.read(Path.of(trace), selection(), assumptions());
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), "--trace: " + e.getMessage(), e);
    }
  }

  private Plan replay(Trace recorded, String name) throws Exception {
    recorded.leftOut().forEach(reason -> say("Left out: " + reason));
    Workload.Size size = new Workload.Size(0,
        nodes != null ? cluster()[0] : recorded.nodes() > 0 ? recorded.nodes() : DEFAULT_NODES);
    Workload workload = new Workload(name,
        recorded.jobs().size() + " recorded applications on " + size.nodes() + " nodes",
        recorded.jobs(), nodes != null ? cluster()[1]
            : recorded.nodeMemory() > 0 ? recorded.nodeMemory() : DEFAULT_NODE_MEMORY, List.of(size));
    List<SchedulerVariant> all = new ArrayList<>();
    if (scheduler != null) {
      all.add(SchedulerVariants.asConfigured());
    }
    all.addAll(SchedulerVariants.all());
    return plan(List.of(workload), queueSetup(), all);
  }

  private QueueSetup queueSetup() throws IOException {
    if (scheduler == null) {
      return QueueSetup.wholeCluster();
    }
    if (queue == null) {
      throw new ParameterException(spec.commandLine(), "--scheduler needs --queue");
    }
    return QueueSetup.of(scheduler, queue);
  }

  private int[] cluster() {
    if (!nodes.matches("[1-9]\\d{0,4}x[1-9]\\d{0,8}")) {
      throw new ParameterException(spec.commandLine(),
          "--nodes = '" + nodes + "': allowed is COUNTxMB, as in 20x65536");
    }
    int by = nodes.indexOf('x');
    return new int[] {
        Integer.parseInt(nodes.substring(0, by)), Integer.parseInt(nodes.substring(by + 1))};
  }

  private Plan plan(List<Workload> workloads, QueueSetup setup, List<SchedulerVariant> all) {
    return new Plan(workloads, setup, settings.of(workloads.get(0).name(), all));
  }

  private void refuseUnknown(SettingSelection selected) {
    if (!selected.unknown().isEmpty()) {
      throw refused("--settings: no setting has '" + String.join("', or '", selected.unknown())
          + "' in its name");
    }
  }

  private void say(String line) {
    Runnable printing = () -> {
      spec.commandLine().getOut().println(line);
      spec.commandLine().getOut().flush();
    };
    if (progress == null) {
      printing.run();
    } else {
      progress.print(printing);
    }
  }
}
