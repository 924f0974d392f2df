// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Future;

/**
 * What a large cluster with many queues costs: time and memory of its simulation, and how much of the time
 * is Dripfeed's.
 *
 * @param results in the order of the settings
 */
record ScaleStudy(Workload workload, List<SimulationResult> results) {

  static final String NAME = "scale";
  static final int NODES = 4000;
  static final int JOBS = 10_000;
  static final int QUEUES = 200;

  private static final String ROWS = "traces/fb-2010-scale.tsv";
  private static final int NODE_MEMORY = 64 * 1024;
  private static final int HEARTBEAT_SECONDS = 10;
  private static final int MOST_EXECUTORS = 1000;
  /** What was submitted in eight hours and a half is submitted within four minutes. */
  private static final int TIMES_AS_FAST = 128;
  private static final Trace.Assumptions ASSUMPTIONS = new Trace.Assumptions(2048, 4096, 15_000,
      new Trace.DataAssumptions(2_000_000_000L, MOST_EXECUTORS, 60_000_000, 20_000));

  /** Its simulations, which run. */
  record Started(Workload workload, List<Future<SimulationResult>> simulations) {

    /** Returns when all of them have ended. */
    ScaleStudy await() throws Exception {
      List<SimulationResult> done = new ArrayList<>();
      for (Future<SimulationResult> each : simulations) {
        done.add(Simulations.await(each));
      }
      return new ScaleStudy(workload, done);
    }
  }

  /**
   * The first jobs of Facebook's cluster in 2010, faster. By Zipf's law, the second user submits half as
   * many as the first one, the third a third, and so on.
   *
   * @param jobs how many; at most 10,000
   * @param users each has a queue
   */
  static Workload workload(int nodes, int jobs, int users, long seed) throws IOException {
    List<Job> faster = new ArrayList<>();
    Random random = new Random(seed);
    List<String> names = Workloads.users(users);
    for (Job job : recorded().subList(0, jobs)) {
      faster.add(job.of(Workloads.byZipf(names, random)).at(job.submitMillis() / TIMES_AS_FAST));
    }
    String title = String.format(Locale.ROOT,
        "%,d jobs of Facebook's cluster in 2010 on %,d nodes, in %,d queues", jobs, nodes, users);
    return new Workload(NAME, title, faster, NODE_MEMORY, List.of(new Workload.Size(0, nodes)));
  }

  private static List<Job> recorded() throws IOException {
    try (InputStream rows = ScaleStudy.class.getResourceAsStream(ROWS)) {
      if (rows == null) {
        throw new FileNotFoundException(ROWS);
      }
      return Trace.read(ROWS, rows.readAllBytes(), Trace.Selection.ALL, ASSUMPTIONS).jobs();
    }
  }

  /** Stock with two limits on drivers, and Dripfeed: a group with slots, and one without. */
  static List<SchedulerVariant> settings(int queues) {
    return List.of(SchedulerVariants.fifo(), SchedulerVariants.amPercent(20),
        SchedulerVariants.group(2 * queues), SchedulerVariants.autoOfTenants());
  }

  /** A queue for each user. */
  static QueueSetup queues(Workload workload, int users) {
    return QueueSetup.ofUsers(Workloads.users(users))
        .onLargeCluster(workload.jobs().size(), HEARTBEAT_SECONDS);
  }

  static Started start(Simulations simulations, Workload workload, QueueSetup setup,
      List<SchedulerVariant> settings) {
    return new Started(workload, settings.stream().map(setting ->
        simulations.start(new SimulationTask(workload, setup, setting, 0, true))).toList());
  }

  /** Whether every application ended under each of the settings. */
  boolean isAllEnded() {
    return results.stream().allMatch(result -> result.outcome().ended() == workload.jobs().size());
  }
}
