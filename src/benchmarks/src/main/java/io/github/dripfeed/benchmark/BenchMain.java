// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import io.github.dripfeed.simulator.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs each benchmark under the stock policy and under ours in turn, several times, and compares the
 * fastest runs, or iterations within a process, since other load on the machine slows the rest.
 */
public final class BenchMain {

  private static final String[] PAIRS = {"fifo+state-aware", "fair+state-aware-fair"};
  private static final String LARGEST = "10000";
  private static final String ARRIVALS = "PolicyBenchmark.arriveAndEnd";
  private static final int WARMUP_TURNS = 4;
  private static final String[] SIZES = {"10", "100", "1000", LARGEST};

  private final int rounds;
  private final String only;
  private final String profiler;
  private final List<String[]> pairs;
  private final Progress progress;
  private final List<BenchRow> rows = new ArrayList<>();
  /** The comparisons to make, in this order. */
  private final List<Comparison> planned = new ArrayList<>();

  private interface Comparison {
    void run() throws RunnerException;
  }

  private BenchMain(int rounds, String only, String profiler, String[] pairs, Progress progress) {
    this.rounds = rounds;
    this.only = only;
    this.profiler = profiler;
    this.pairs = Arrays.stream(pairs).map(pair -> pair.split("\\+")).collect(Collectors.toList());
    this.progress = progress;
  }

  /**
   * @param args how many rounds; where to write the figures; {@code all}, or part of the names of those
   *     to run, or {@code ReclaimCost} for that alone; the name of one of JMH's profilers, if one is
   *     wanted; and pairs of policies or classes, if others than stock's and ours are to be compared
   */
  public static void main(String[] args) throws Exception {
    if (args[2].equals("ReclaimCost")) {
      ReclaimCost.main(new String[0]);
      return;
    }
    try (Progress progress = new Progress(Progress.Kind.AUTO, System.err, "measurements")) {
      String[] pairs = args.length > 4 ? Arrays.copyOfRange(args, 4, args.length) : PAIRS;
      BenchMain bench = new BenchMain(Integer.parseInt(args[0]), args[2].equals("all") ? "" : args[2],
          args.length > 3 ? args[3] : "", pairs, progress);
      bench.plan();
      System.out.println(BenchRow.HEADER);
      for (Comparison each : bench.planned) {
        each.run();
      }
      bench.write(Path.of(args[1]));
    }
    System.out.println("\nAll figures: " + args[1]);
  }

  private void plan() {
    for (String mix : new String[] {"held", "mixed", "running"}) {
      for (String size : SIZES) {
        compare("PolicyBenchmark.first", 1, "n", size, "mix", mix);
        compare("PolicyBenchmark.walk", 1, "n", size, "mix", mix);
      }
    }
    for (String size : SIZES) {
      compare("PolicyBenchmark.addRemove", 1, "n", size, "mix", "mixed");
      compare(ARRIVALS, 1, "n", size, "mix", "mixed");
      compare("PolicyBenchmark.allocateFirst", 1, "n", size, "mix", "mixed");
    }
    compare("PolicyBenchmark.first", 1, "n", "1000", "mix", "starting");
    compare("PolicyBenchmark.walk", 1, "n", "1000", "mix", "starting");
    for (int threads = 2; threads <= 4; threads++) {
      compare("PolicyBenchmark.first", threads, "n", "1000", "mix", "mixed");
      compare("PolicyBenchmark.walk", threads, "n", "1000", "mix", "mixed");
    }
    for (String[] size : new String[][] {{"1000", "1000"}, {"4000", LARGEST}}) {
      compare("SchedulerBenchmark.fullQueue", 1, "nodes", size[0], "n", size[1]);
      compare("SchedulerBenchmark.replace", 1, "nodes", size[0], "n", size[1]);
      compare("SchedulerBenchmark.resize", 1, "nodes", size[0], "n", size[1]);
    }
    ofOursAlone("PolicyBenchmark.clock");
    for (String mode : new String[] {"off", "headroom"}) {
      ofOursAlone("HeadroomBenchmark.offer", "n", "1000", "mix", "held", "mode", mode);
    }
    for (String scheduling : new String[] {"synchronous", "asynchronous"}) {
      ofOursAlone("HeadroomBenchmark.offerInVain", "n", "1000", "mix", "held", "mode", "headroom",
          "scheduling", scheduling);
    }
    ofOursAlone("HeadroomBenchmark.plan", "nodes", "1000", "n", "1000");
    ofOursAlone("HeadroomBenchmark.plan", "nodes", "4000", "n", LARGEST);
    for (String mix : new String[] {"held", "running"}) {
      for (String size : SIZES) {
        ofOursAlone("MonitorBenchmark.tick", "n", size, "mix", mix);
      }
    }
    for (String queues : new String[] {"500", "2000"}) {
      ofOursAlone("MonitorBenchmark.round", "queues", queues);
    }
  }

  /** A benchmark without a counterpart among stock policies. */
  private void ofOursAlone(String benchmark, String... parameters) {
    if (isWanted(benchmark, 1, parameters)) {
      plan(1, () -> add(BenchRow.ofOursAlone(
          benchmark, measure(benchmark, 1, "state-aware", parameters), parameters)));
    }
  }

  private void compare(String benchmark, int threads, String... parameters) {
    if (isWanted(benchmark, threads, parameters)) {
      if (isOfScheduler(benchmark)) {
        plan(pairs.size() * (rounds + 2), () -> compareInTurn(benchmark, parameters));
      } else {
        plan(pairs.size() * 2 * rounds, () -> comparePairs(benchmark, threads, parameters));
      }
    }
  }

  private void plan(int measurements, Comparison comparison) {
    planned.add(comparison);
    for (int i = 0; i < measurements; i++) {
      progress.planned(1);
    }
  }

  private void comparePairs(String benchmark, int threads, String... parameters) throws RunnerException {
    for (String[] pair : pairs) {
      Figure stock = null;
      Figure ours = null;
      for (int round = 0; round < rounds; round++) {
        stock = Figure.faster(stock, measure(benchmark, threads, pair[0], parameters));
        ours = Figure.faster(ours, measure(benchmark, threads, pair[1], parameters));
      }
      add(BenchRow.ofPair(benchmark, threads, pair[0], stock, ours, parameters));
    }
  }

  /**
   * In one process, whose iterations take turns. Between processes the time of a walk of the scheduler
   * differs by tens of percent, by where objects lie in memory and by what else runs on the machine. Bytes
   * do not, and a process of each measures them: a change of the policy allocates, too.
   */
  private void compareInTurn(String benchmark, String... parameters) throws RunnerException {
    for (String[] pair : pairs) {
      Turns turns = new Turns();
      for (int round = 0; round < rounds; round++) {
        turns.add(run(benchmark, 1, pair[0] + "+" + pair[1], parameters));
      }
      Figure stock =
          new Figure(turns.stock.getPercentile(50), measure(benchmark, 1, pair[0], parameters).bytes);
      Figure ours =
          new Figure(turns.ours.getPercentile(50), measure(benchmark, 1, pair[1], parameters).bytes);
      add(BenchRow.ofTurns(benchmark, pair[0], stock, ours, turns, parameters));
    }
  }

  private boolean isWanted(String benchmark, int threads, String... parameters) {
    return (benchmark + "." + threads + "." + String.join(".", parameters)).contains(only);
  }

  private void add(BenchRow row) {
    rows.add(row);
    progress.print(() -> System.out.println(row));
  }

  /** A round of the monitor takes milliseconds, and its code is compiled only after some hundred rounds. */
  private static int warmupMillis(String benchmark) {
    return benchmark.startsWith("MonitorBenchmark") ? 4000 : 400;
  }

  /** Short where policies take turns, so that what else runs on the machine meets both. */
  private static int measurementMillis(String benchmark, String... parameters) {
    if (isLongHeartbeat(benchmark, parameters)) {
      return 1000;
    }
    return !isOfScheduler(benchmark) ? 400 : isLargest(parameters) ? 300 : 100;
  }

  /** So often each policy of a pair is measured in a process where they take turns. */
  private static int turns(String benchmark, String... parameters) {
    return isLongHeartbeat(benchmark, parameters) ? 20 : 40;
  }

  /** Takes milliseconds, so a turn has few, and the first after a change of the policy take longer. */
  private static boolean isLongHeartbeat(String benchmark, String... parameters) {
    return benchmark.equals("SchedulerBenchmark.fullQueue") && isLargest(parameters);
  }

  private static boolean isLargest(String... parameters) {
    return Arrays.asList(parameters).contains(LARGEST);
  }

  private static boolean isOfScheduler(String benchmark) {
    return benchmark.startsWith("SchedulerBenchmark");
  }

  private Figure measure(
      String benchmark, int threads, String policy, String... parameters) throws RunnerException {
    return Figure.fastest(run(benchmark, threads, policy, parameters));
  }

  private RunResult run(
      String benchmark, int threads, String policy, String... parameters) throws RunnerException {
    boolean arrivals = benchmark.equals(ARRIVALS);
    boolean inTurn = policy.contains("+");
    int warmups = arrivals ? ArrivalsState.WARMUPS : inTurn ? 2 * WARMUP_TURNS : 4;
    int measured = arrivals ? ArrivalsState.MEASURED : inTurn ? 2 * turns(benchmark, parameters) : 4;
    ChainedOptionsBuilder options = new OptionsBuilder()
        .include("\\." + benchmark.replace(".", "\\.") + "$").param("policy", policy)
        .threads(threads).forks(1).warmupIterations(warmups)
        .warmupTime(TimeValue.milliseconds(warmupMillis(benchmark)))
        .measurementIterations(measured)
        .measurementTime(TimeValue.milliseconds(measurementMillis(benchmark, parameters)))
        .addProfiler(GCProfiler.class).verbosity(VerboseMode.SILENT).shouldFailOnError(true);
    if (!profiler.isEmpty()) {
      options.addProfiler(profiler, "dir=target/bench");
    }
    for (int i = 0; i < parameters.length; i += 2) {
      options.param(parameters[i], parameters[i + 1]);
    }
    Progress.Part part =
        progress.begin(benchmark + " " + policy + " " + String.join(" ", parameters), 1);
    try {
      return new Runner(options.build()).run().iterator().next();
    } finally {
      part.end();
    }
  }

  private void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    CSVFormat format = CSVFormat.RFC4180.builder().setRecordSeparator('\n')
        .setHeader(BenchRow.COLUMNS).get();
    try (CSVPrinter csv = format.print(Files.newBufferedWriter(file))) {
      for (BenchRow row : rows) {
        csv.printRecord(row.values());
      }
    }
  }
}
