// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/**
 * The cost of waiting if there is room for all: the time until the last application has its first executor,
 * depending on a driver's start-up time, on the size of the queue, and on the largest container
 * that it allows.
 */
record IdleStudy(int applications, List<Row> rows) {

  /** The maximum time of parallel starts, as a multiple of the stock policy's. */
  static final double TOLERANCE = 1.1;

  private static final int APPLICATIONS = 100;
  private static final int NODES = 50;
  private static final int LARGEST_MB = 8192;
  private static final int LONGEST_START_UP = 60;

  /**
   * The time until the last application had its first executor, in seconds after the submission of all.
   *
   * @param nodes of 64 GB
   * @param largestMb the largest container that YARN allows
   * @param stock stock fifo with its defaults: drivers have a tenth of the queue
   * @param unlimited stock fifo that lets drivers fill the queue; infinite if it deadlocks
   * @param one Dripfeed with its defaults
   * @param ten with {@code max-starting} = 10
   * @param cold with {@code max-starting} = {@code auto}, if nothing has run in the queue before
   * @param auto the same, if an application has run there before
   */
  record Row(int nodes, int largestMb, int startUpSeconds, double stock, double unlimited, double one,
      double ten, double cold, double auto) {

    boolean isStockDeadlocked() {
      return Double.isInfinite(unlimited);
    }

    /** The time of parallel starts, as a multiple of the stock policy's without a limit on drivers. */
    double ratio() {
      return auto / unlimited;
    }

    /** Whether the queue holds the first executors of all applications and one largest container. */
    boolean isRoomForAll(int applications) {
      return (long) nodes * Workloads.IDLE_NODE_MB
          >= (long) applications * Workloads.IDLE_FIRST_STAGE_MB + largestMb;
    }

    /** Whether the largest containers are small enough for many drivers on a node. */
    boolean isBounded() {
      return largestMb <= LARGEST_MB;
    }
  }

  /** Its simulations, which run. */
  record Started(List<StartedRow> rows) {

    /** Returns when all of them have ended. */
    IdleStudy await() throws Exception {
      List<Row> done = new ArrayList<>();
      for (StartedRow row : rows) {
        done.add(row.await());
      }
      return new IdleStudy(APPLICATIONS, done);
    }
  }

  /** @param simulations of {@link Row#stock} and the following */
  record StartedRow(int nodes, int largestMb, int startUpSeconds,
      List<Future<SimulationResult>> simulations) {

    private Row await() throws Exception {
      return new Row(nodes, largestMb, startUpSeconds, last(0), last(1), last(2), last(3), last(4),
          last(5));
    }

    private double last(int number) throws Exception {
      return Simulations.await(simulations.get(number)).outcome().lastExecutorSeconds();
    }
  }

  static Started start(Simulations simulations) {
    List<StartedRow> rows = new ArrayList<>();
    for (int seconds : new int[] {5, 10, 20, 30, 45, LONGEST_START_UP}) {
      rows.add(row(simulations, NODES, LARGEST_MB, seconds));
    }
    for (int nodes : new int[] {25, 16, 12, 8, 7, 6, 4, 3}) {
      rows.add(row(simulations, nodes, LARGEST_MB, LONGEST_START_UP));
    }
    for (int times : new int[] {2, 4, 8}) {
      rows.add(row(simulations, NODES, LARGEST_MB * times, LONGEST_START_UP));
    }
    return new Started(rows);
  }

  private static StartedRow row(Simulations simulations, int nodes, int largestMb, int startUpSeconds) {
    Workload burst = Workloads.idleCluster(APPLICATIONS, nodes, startUpSeconds);
    QueueSetup queue = QueueSetup.wholeCluster().withLargestContainer(largestMb);
    List<Future<SimulationResult>> started = new ArrayList<>();
    for (SchedulerVariant setting : List.of(SchedulerVariants.fifo(), SchedulerVariants.amPercent(100),
        SchedulerVariants.dripfeed(), SchedulerVariants.tuned("max-starting", "10"),
        SchedulerVariants.auto())) {
      started.add(simulations.start(new SimulationTask(burst, queue, setting)));
    }
    Workload warm = Workloads.afterAnother(burst);
    started.add(simulations.start(new SimulationTask(warm, queue, SchedulerVariants.auto())));
    return new StartedRow(nodes, largestMb, startUpSeconds, started);
  }

  /** The rows that the promise about parallel starts covers: there is room for all, and stock succeeds. */
  List<Row> rowsWithRoom() {
    return rows.stream().filter(row -> row.isRoomForAll(applications) && row.isBounded()
        && !row.isStockDeadlocked()).toList();
  }

  /** The worst ratio of these rows. */
  double worstRatio() {
    return rowsWithRoom().stream().mapToDouble(Row::ratio).max().orElseThrow();
  }
}
