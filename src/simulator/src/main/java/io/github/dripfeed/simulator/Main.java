// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the simulator. Exits with 0 if every claim was observed. */
@Command(name = "simulate", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Runs workloads on the real Capacity Scheduler in virtual time, under stock "
        + "policies, static limits and Dripfeed, and compares.")
public final class Main implements Callable<Integer> {

  private static final List<String> FORECAST = List.of("burst", "short", "steady", "mixed", "autoscaled",
      "changing", "wide-20", "fb-2009", "fb-2009-last", "fb-2010");
  private static final int MOST_TENANTS = 200;
  private static final int[] TENANTS = {5, 20, 50, MOST_TENANTS};
  /** They are of several queues, or of none that could be asked. */
  private static final List<String> NOT_ASKED =
      List.of("idle", "tenants", Workloads.STEADY_TENANTS, ScaleStudy.NAME);

  @Spec
  private CommandLine.Model.CommandSpec spec;

  @Option(names = "--workload", paramLabel = "NAME", split = ",",
      description = "Only these: burst, short, steady, mixed, autoscaled, changing, replay-apps, "
          + "replay-sls, fb-2009, fb-2009-last, fb-2010, wide-4, wide-20, wide-50, idle, tenants; "
          + "sessions, launchers, driver-only, slow-start, labels, profiles, one-attempt, steady-200, "
          + "large, scale. "
          + "Those before the semicolon if none is named.")
  private List<String> names = new ArrayList<>();

  @Option(names = "--settings", paramLabel = "NAME", split = ",(?! )", splitSynopsisLabel = ",",
      description = "Only the settings with one of these names or, where none is the same, with one of "
          + "these in their names, as in auto. A comma with a space behind it is part of a name, as in "
          + "\"Dripfeed, fair\". Prints their times; ratios.csv has multiples of the first named. No "
          + "page. Skips workloads that have none of them. Does not apply to idle.")
  private List<String> settingNames = new ArrayList<>();

  @Option(names = "--seed", defaultValue = "1",
      description = "Of the first round. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--rounds", defaultValue = "3",
      description = "How often each random workload is made anew. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Mixin
  private ReplayOptions replay = new ReplayOptions();

  @Option(names = "--dominant",
      description = "Virtual cores count as well, by DominantResourceCalculator. Nodes have one for each "
          + "GB; executors of the first application want one for two GB, those of the second two for each "
          + "GB, and so on in turns.")
  private boolean dominant;

  @Option(names = "--forecast-accuracy",
      description = "How often the range in which a waiting application is expected to start is right: "
          + "writes forecast-accuracy.csv instead. Only settings of Dripfeed: untuned, max-starting = 4 "
          + "and auto, or those that --settings names.")
  private boolean forecastAccuracy;

  @Option(names = "--hours",
      description = "All hours of a trace in the format of SWIM, or of stages, that have more than 150 "
          + "jobs, each on as many nodes as are busy for 60 to 90%% with an AM limit of 0.30: writes "
          + "hours.csv instead. --nodes says where the search begins. Limit 0.30 and auto run whatever "
          + "--settings names.")
  private boolean hours;

  @Option(names = "--ask-every", paramLabel = "SECONDS", defaultValue = "10",
      description = "How often waiting applications ask for the range. Default: ${DEFAULT-VALUE}.")
  private int askSeconds;

  @Option(names = "--processes", paramLabel = "COUNT",
      description = "How many simulations run at once, in as many processes; each runs one after "
          + "the other. With 1, in this one. "
          + "Default: as many as there are processors. The figures do not depend on it.")
  private int processes = Runtime.getRuntime().availableProcessors();

  @Option(names = "--fresh-processes",
      description = "Each simulation has a new process, which ends with it, also with --processes 1. Takes "
          + "several times as long. The figures do not depend on it.")
  private boolean freshProcesses;

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
    if (hours) {
      return hours();
    }
    // Errors in what was typed come before the first simulation.
    List<Step> steps = steps();
    refuseUnknown(settings);
    settings.without().forEach(workload ->
        say(workload + ": skipped, it has no setting that --settings names"));
    Files.createDirectories(out);
    List<Step.Started> started = new ArrayList<>();
    try (Progress shown = new Progress(progressKind, System.err, "simulations");
        Simulations simulations = new Simulations(processes, freshProcesses, shown)) {
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
    if (scale != null) {
      CsvFile.writeScale(scale, out.resolve("scale.csv"));
    }
    Results results = new Results(studies, tenants, idle);
    if (!settingNames.isEmpty() && !results.all().isEmpty()) {
      CsvFile.writeRatios(results, settings, out.resolve("ratios.csv"));
    }
    if (!settingNames.isEmpty() || scale != null && steps.size() == 1) {
      // There is no best limit to compare with.
      return ended ? 0 : 1;
    }
    int written = write(results);
    return ended ? written : 1;
  }

  private int forecasts() throws Exception {
    List<Plan> plans = new ArrayList<>();
    if (replay.isOfTrace()) {
      plans.add(replay(replay.recording(), "replay"));
    } else {
      for (String name : workloads()) {
        plans.add(study(name));
      }
    }
    SettingSelection ofDripfeed = new SettingSelection(settingNames);
    List<SchedulerVariant> asked = settingNames.isEmpty() ? SchedulerVariants.forecast()
        : ofDripfeed.of("", SchedulerVariants.all().stream().filter(each -> each.kind().isDripfeed())
            .toList());
    refuseUnknown(ofDripfeed);
    plans.replaceAll(plan -> new Plan(plan.workloads(), plan.queues(), asked));
    Files.createDirectories(out);
    ForecastStudy done;
    try (Progress shown = new Progress(progressKind, System.err, "simulations");
        Simulations simulations = new Simulations(processes, freshProcesses, shown)) {
      done = ForecastStudy.start(simulations, plans, askSeconds * 1000L).await();
    }
    say(done.text());
    Path file = out.resolve("forecast-accuracy.csv");
    done.write(file);
    say("All figures: " + file);
    return 0;
  }

  private int hours() throws Exception {
    List<Workload> workloads = replay.hours();
    List<SchedulerVariant> selected = settings.of("--hours", HoursStudy.settings());
    refuseUnknown(settings);
    Files.createDirectories(out);
    HoursStudy done;
    try (Progress shown = new Progress(progressKind, System.err, "simulations");
        Simulations simulations = new Simulations(processes, freshProcesses, shown)) {
      done = HoursStudy.run(simulations, workloads, replay.queueSetup(), selected);
    }
    say(done.text());
    Path file = out.resolve("hours.csv");
    CsvFile.writeHours(done, file);
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
    if (replay.isOfTrace()) {
      add(steps, replay(replay.recording(), "replay"), studies);
      return steps;
    }
    for (String name : workloads()) {
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
        List<Experiment> bursts = new ArrayList<>();
        for (int users : TENANTS) {
          add(steps, ofTenants(users, Workloads::tenants, SchedulerVariants.ofTenants()), bursts);
        }
        steps.add(simulations -> () -> {
          tenants.addAll(bursts);
          if (settingNames.isEmpty()) {
            say(TextTable.ofTenants(bursts));
          }
        });
      } else if (name.equals(Workloads.STEADY_TENANTS)) {
        add(steps, ofTenants(MOST_TENANTS, Workloads::steadyTenants,
            SchedulerVariants.ofSteadyTenants()), tenants);
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
    QueueSetup queues = ScaleStudy.queues(workload, ScaleStudy.QUEUES);
    steps.add(simulations -> {
      ScaleStudy.Started started = ScaleStudy.start(simulations, workload, queues, selected);
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
        say(String.format(Locale.ROOT, "%s, round %d, %s: makespan %.0f s, mean wait %.0f s%s",
            outcome.workload(), round + 1, outcome.setting().name(), outcome.makespanSeconds(),
            outcome.meanWaitSeconds(),
            outcome.failed() == 0 ? "" : ", " + outcome.failed() + " applications failed"));
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

  private Plan study(String name) {
    Optional<Trace> example = replay.example(name);
    if (example.isPresent()) {
      return replay(example.get(), name);
    }
    Optional<FacebookTrace> facebook = FacebookTrace.of(name);
    if (facebook.isPresent()) {
      return plan(List.of(replay.workload(facebook.get())), QueueSetup.wholeCluster(),
          SchedulerVariants.all());
    }
    List<Workload> workloads = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      workloads.add(Workloads.of(name, seed + round));
    }
    if (workloads.contains(null)) {
      throw unknown(name);
    }
    return plan(workloads, QueueSetup.wholeCluster(),
        name.equals(Workloads.LARGE) ? SchedulerVariants.few() : SchedulerVariants.all());
  }

  private Plan replay(Trace recorded, String name) {
    List<SchedulerVariant> all = new ArrayList<>();
    if (replay.hasScheduler()) {
      all.add(SchedulerVariants.asConfigured());
    }
    all.addAll(SchedulerVariants.all());
    QueueSetup queue = replay.queueSetup();
    Trace fitting = replay.fitting(recorded);
    List<SchedulerVariant> selected =
        forecastAccuracy ? SchedulerVariants.forecast() : settings.of(name, all);
    if (replay.hasScheduler() && !selected.isEmpty()) {
      // Of those selected only the first may be as the file has it.
      fitting = replay.fitting(fitting, queue, selected.get(0));
    }
    fitting.leftOut().forEach(reason -> say("Left out: " + reason));
    fitting.remarks().forEach(this::say);
    return plan(List.of(replay.workload(fitting, name)), queue, all);
  }

  private Plan ofTenants(int users, BiFunction<Integer, Long, Workload> made,
      List<SchedulerVariant> all) {
    List<Workload> workloads = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      workloads.add(made.apply(users, seed + round));
    }
    return plan(workloads, QueueSetup.ofUsers(Workloads.users(users)), all);
  }

  private ParameterException unknown(String name) {
    return new ParameterException(spec.commandLine(), "There is no workload '" + name + "'");
  }

  private void check() {
    positive("--rounds", rounds);
    positive("--processes", processes);
    positive("--ask-every", askSeconds);
    Path existing = out.toAbsolutePath();
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (!Files.isDirectory(existing) || !Files.isWritable(existing)) {
      throw refused("--out = '" + out + "': " + existing + " is no folder into which one can write");
    }
    replay.check(workloads(), !names.isEmpty());
    refuseUnused("--rounds", "idle|scale|--trace|replay-.*|fb-.*");
    refuseUnused("--seed", "idle|--trace|replay-.*|fb-.*");
    refuseUnused("--settings", "idle");
    refuseUnused("--dominant", "idle|scale|profiles");
    if (hours && (forecastAccuracy || dominant)) {
      throw refused("--hours allows neither --forecast-accuracy nor --dominant");
    }
    if (!forecastAccuracy && spec.commandLine().getParseResult().hasMatchedOption("--ask-every")) {
      throw refused("--ask-every does nothing without --forecast-accuracy");
    }
    if (forecastAccuracy && names.stream().anyMatch(NOT_ASKED::contains)) {
      throw refused("--forecast-accuracy: the workloads " + String.join(", ", NOT_ASKED)
          + " cannot be asked; allowed are the others");
    }
  }

  /** @param without the workloads for which it does nothing */
  private void refuseUnused(String option, String without) {
    List<String> chosen = replay.isOfTrace() ? List.of("--trace") : workloads();
    if (spec.commandLine().getParseResult().hasMatchedOption(option)
        && chosen.stream().allMatch(name -> name.matches(without))) {
      throw refused(option + " does nothing for " + String.join(", ", chosen));
    }
  }

  /** Those that were named, or those that run if none is. */
  private List<String> workloads() {
    return !names.isEmpty() ? names : forecastAccuracy ? FORECAST : Workloads.NAMES;
  }

  private void positive(String option, long value) {
    if (value <= 0 || value > Integer.MAX_VALUE) {
      throw refused(option + " = '" + value + "': allowed is 1 to " + Integer.MAX_VALUE);
    }
  }

  private ParameterException refused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Plan plan(List<Workload> workloads, QueueSetup setup, List<SchedulerVariant> all) {
    return new Plan(dominant ? workloads.stream().map(Workload::withVcores).toList() : workloads,
        workload -> Workloads.limited(setup, workload.name()), settings.of(workloads.get(0).name(), all));
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
