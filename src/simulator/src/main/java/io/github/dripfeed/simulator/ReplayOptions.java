// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What is replayed of a recording, in which queue, on which cluster, and what is assumed. */
final class ReplayOptions {

  private static final int DEFAULT_NODES = 6;
  private static final int DEFAULT_NODE_MEMORY = 16 * 1024;

  private static final String REPLAYED = "replay-.*";
  private static final String OF_SWIM = "fb-.*";
  private static final String OF_STAGES = Trace.Format.STAGES.example();
  private static final String RECORDED = REPLAYED + "|" + OF_SWIM + "|" + OF_STAGES;
  private static final String SIZED = "replay-apps|" + OF_SWIM;
  /** The workloads for which an option does something. */
  private static final Map<String, String> USED_BY = Map.ofEntries(Map.entry("--from", RECORDED),
      Map.entry("--to", RECORDED), Map.entry("--nodes", RECORDED), Map.entry("--start-up", RECORDED),
      Map.entry("--queue", REPLAYED), Map.entry("--scheduler", REPLAYED),
      Map.entry("--driver-memory", SIZED + "|" + OF_STAGES), Map.entry("--executor-memory", SIZED),
      Map.entry("--executor-vcores", "replay-apps"), Map.entry("--executor-data", OF_SWIM),
      Map.entry("--max-executors", OF_SWIM), Map.entry("--throughput", OF_SWIM),
      Map.entry("--shortest-task", OF_SWIM));

  @Spec(Spec.Target.MIXEE)
  private CommandLine.Model.CommandSpec spec;

  @Option(names = "--trace", paramLabel = "FILE|URL",
      description = "Replays recorded applications instead: those that a live ResourceManager knows "
          + "(http://HOST:8088), its answer at /ws/v1/cluster/apps in a file, the JSON input of YARN's "
          + "scheduler load simulator, a table in the format of SWIM, or a table of stages, which begins "
          + "with the line application,submit,tasks,seconds,memory.")
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
      description = "Assumed from an AM's allocation until it asks. Default: ${DEFAULT-VALUE}.")
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

  boolean isOfTrace() {
    return trace != null;
  }

  boolean hasScheduler() {
    return scheduler != null;
  }

  /**
   * @param workloads that run if there is no trace
   * @param named whether they were
   */
  void check(List<String> workloads, boolean named) {
    positive("--driver-memory", driverMemory);
    positive("--executor-memory", executorMemory);
    positive("--executor-data", executorData);
    positive("--max-executors", maxExecutors);
    positive("--throughput", throughput);
    positive("--shortest-task", shortestTaskSeconds);
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
    if (trace != null && named) {
      throw refused("--trace replays recorded applications instead of --workload: allowed is one of them");
    }
    if (trace == null) {
      USED_BY.forEach((option, users) -> {
        if (isTyped(option) && workloads.stream().noneMatch(workload -> workload.matches(users))) {
          throw refused(option + " does nothing for " + String.join(", ", workloads));
        }
      });
    }
  }

  private void refuseUnused(Trace.Format format) {
    USED_BY.forEach((option, users) -> {
      // Any trace runs in the queue of a file, also one that names no queues.
      boolean ofFile = scheduler != null && (option.equals("--scheduler") || option.equals("--queue"));
      if (isTyped(option) && !ofFile && !format.example().matches(users)) {
        throw refused(option + " does nothing for a trace " + format.title());
      }
    });
  }

  private boolean isTyped(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  private void positive(String option, long value) {
    if (value <= 0 || value > Integer.MAX_VALUE) {
      throw refused(option + " = '" + value + "': allowed is 1 to " + Integer.MAX_VALUE);
    }
  }

  private ParameterException refused(String message) {
    return new ParameterException(spec.commandLine(), message);
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

  /** What {@code --trace} names. */
  Trace recording() {
    if (!LiveTrace.isAddress(trace) && !Files.isReadable(Path.of(trace))) {
      throw refused("--trace = '" + trace + "': there is no such file, or it cannot be read");
    }
    try {
      Trace recorded =
          LiveTrace.isAddress(trace) ? LiveTrace.read(trace, selection(), assumptions(), nodes == null)
              : Trace.read(Path.of(trace), selection(), assumptions());
      refuseUnused(recorded.format());
      return recorded;
    } catch (IOException e) {
      throw refused("--trace", e);
    }
  }

  /** The busy hours of the recording, each on the cluster at which the search for its size begins. */
  List<Workload> hours() {
    if (trace == null || LiveTrace.isAddress(trace) || !Files.isReadable(Path.of(trace))) {
      throw refused("--hours wants --trace with a file in the format of SWIM or of stages, not '" + trace
          + "'");
    }
    try {
      SortedMap<Integer, Trace> recordings =
          Trace.hours(Path.of(trace), selection().span(), HoursStudy.LEAST_JOBS, assumptions());
      refuseUnused(recordings.get(recordings.firstKey()).format());
      List<Workload> hours = new ArrayList<>();
      recordings.forEach((hour, recorded) -> hours.add(workload(fitting(recorded), "hour-" + hour)));
      return hours;
    } catch (IOException e) {
      throw refused("--hours", e);
    }
  }

  /** A recording that comes with the simulator, if it has this name. */
  Optional<Trace> example(String name) {
    if (!name.startsWith("replay-")) {
      return Optional.empty();
    }
    try (InputStream example = ReplayOptions.class.getResourceAsStream("traces/" + name + ".json")) {
      return example == null ? Optional.empty()
          : Optional.of(Trace.read(name, example.readAllBytes(), selection(), assumptions()));
    } catch (IOException e) {
      throw refused("--workload", e);
    }
  }

  Workload workload(FacebookTrace recorded) {
    try {
      Workload workload = recorded.workload(selection().span(), assumptions());
      Workload sized = nodes == null ? workload : workload.on(cluster()[0], cluster()[1]);
      refuseLarger(sized.jobs(), ofNode(sized.nodeMemory()));
      return sized;
    } catch (IOException e) {
      throw refused("--workload", e);
    }
  }

  Workload workload(Trace recorded, String name) {
    Workload.Size size = new Workload.Size(0,
        nodes != null ? cluster()[0] : recorded.nodes() > 0 ? recorded.nodes() : DEFAULT_NODES);
    return new Workload(name,
        recorded.jobs().size() + " recorded applications on " + size.nodes() + " nodes",
        recorded.jobs(), nodeMemory(recorded), List.of(size));
  }

  private int nodeMemory(Trace recorded) {
    return nodes != null ? cluster()[1]
        : recorded.nodeMemory() > 0 ? recorded.nodeMemory() : DEFAULT_NODE_MEMORY;
  }

  /** The largest container, and whose limit that is. */
  private record Bound(long most, String ofWhom, String allowed) {
  }

  private static Bound ofNode(int memory) {
    return new Bound(memory, "a node has " + memory + " MB", "--nodes that hold it, or smaller containers");
  }

  /** The applications whose containers a node can hold. */
  Trace fitting(Trace recorded) {
    return fitting(recorded, ofNode(nodeMemory(recorded)));
  }

  /**
   * The applications whose containers the queue of the file allows.
   *
   * @param tried the setting with which YARN starts, to find out what it refuses
   */
  Trace fitting(Trace recorded, QueueSetup setup, SchedulerVariant tried) {
    try {
      long most = DryStart.largestContainer(setup, tried);
      return fitting(recorded, new Bound(most, queue + " allows " + most + " MB (maximum-allocation-mb)",
          "smaller containers, or a file that allows larger ones"));
    } catch (IOException e) {
      throw refused("--scheduler", new IOException(scheduler + ": YARN refuses it, " + tried.name() + ": "
          + e.getMessage(), e));
    }
  }

  private Trace fitting(Trace recorded, Bound bound) {
    Predicate<Job> fits = job -> job.largestContainer() <= bound.most;
    // Sizes that follow from virtual cores are of single applications, which may have been unlike others.
    if (executorVcores == 0 || recorded.format() != Trace.Format.APPLICATIONS
        || driverMemory > bound.most || recorded.jobs().stream().noneMatch(fits)) {
      refuseLarger(recorded.jobs(), bound);
    }
    return recorded.only(fits, "applications whose executors of --executor-vcores " + executorVcores
        + " would be too large: " + bound.ofWhom).startingAtZero();
  }

  private void refuseLarger(List<Job> jobs, Bound bound) {
    for (Job job : jobs) {
      if (job.largestContainer() > bound.most) {
        throw refused(job.name() + " wants a container of " + job.largestContainer() + " MB, and "
            + bound.ofWhom + ": allowed are " + bound.allowed);
      }
    }
  }

  QueueSetup queueSetup() {
    if (scheduler == null) {
      return QueueSetup.wholeCluster();
    }
    if (queue == null) {
      throw refused("--scheduler needs --queue");
    }
    try {
      return QueueSetup.of(scheduler, queue);
    } catch (IOException e) {
      throw refused("--scheduler", e);
    }
  }

  private ParameterException refused(String option, IOException cause) {
    String reason = String.valueOf(cause.getMessage()).replaceAll("\\s+", " ");
    return new ParameterException(spec.commandLine(), option + ": " + reason, cause);
  }

  private int[] cluster() {
    if (!nodes.matches("[1-9]\\d{0,4}x[1-9]\\d{0,8}")) {
      throw refused("--nodes = '" + nodes + "': allowed is COUNTxMB, as in 20x65536");
    }
    int by = nodes.indexOf('x');
    return new int[] {
        Integer.parseInt(nodes.substring(0, by)), Integer.parseInt(nodes.substring(by + 1))};
  }
}
