// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.processes.SchedulerLog.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The same burst of Spark applications in a stock queue with a static limit and in a state-aware one of the
 * same size, at the same moment, on one cluster. Times of one run say nothing on a machine that does other
 * work as well; the ratios of such a pair do. The figures go to a file. The profile {@code spark} runs it.
 */
class SparkPairsIT {

  private static final int EXECUTORS = 2;
  /** Beyond it, something is wrong, and not the machine. */
  private static final double MOST = 1.6;
  private static final Path FIGURES = Path.of(System.getProperty("spark.figures"));
  /** How often each comparison is made: one pair says little. */
  private static final int PAIRS = Integer.getInteger("spark.pairs");
  private static final String STOCK = "stock";
  private static final String DRIPFEED = "dripfed";

  private static ProcessCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Files.createDirectories(FIGURES.toAbsolutePath().getParent());
    Files.writeString(FIGURES, "pair,allocation,queue,setting,applications,makespan_s,makespan_ratio"
        + ",mean_first_executor_s,mean_first_executor_ratio,last_first_executor_s,last_first_executor_ratio"
        + ",first_end_s,first_end_ratio"
        + ",most_starting,handovers,median_handover_ms,wasted_heartbeats" + System.lineSeparator());
    cluster = new ProcessCluster(ProcessBurst.FIGURES.resolveSibling("pairs"), Map.of());
    cluster.debug(SchedulerLog.HEARTBEATS);
    cluster.startResourceManager();
    // Each queue of the example has half of the cluster.
    cluster.startNodes(2, ProcessBurst.DRIVERS_THAT_FIT * ProcessBurst.MEMORY);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void oneAfterTheOther() throws Exception {
    runPairs("static", SparkClient.withExecutors(cluster, EXECUTORS), "0.5", "1");
  }

  @Test
  void oneAfterTheOtherAgainstALowerLimit() throws Exception {
    runPairs("static", SparkClient.withExecutors(cluster, EXECUTORS), "0.25", "1");
  }

  /** Three drivers, and room for one executor. With four drivers nothing would ever happen. */
  @Test
  void oneAfterTheOtherAgainstAHigherLimit() throws Exception {
    runPairs("static", SparkClient.withExecutors(cluster, EXECUTORS), "0.75", "1");
  }

  @Test
  void asManyAsThereIsRoomFor() throws Exception {
    runPairs("static", SparkClient.withExecutors(cluster, EXECUTORS), "0.5", "auto");
  }

  @Test
  void dynamicAllocation() throws Exception {
    runPairs("dynamic", SparkClient.withExecutorsUpTo(cluster, EXECUTORS), "0.5", "1");
  }

  @Test
  void dynamicAllocationAgainstALowerLimit() throws Exception {
    runPairs("dynamic", SparkClient.withExecutorsUpTo(cluster, EXECUTORS), "0.25", "1");
  }

  @Test
  void dynamicAllocationAgainstAHigherLimit() throws Exception {
    runPairs("dynamic", SparkClient.withExecutorsUpTo(cluster, EXECUTORS), "0.75", "1");
  }

  @Test
  void dynamicAllocationForAsManyAsThereIsRoomFor() throws Exception {
    runPairs("dynamic", SparkClient.withExecutorsUpTo(cluster, EXECUTORS), "0.5", "auto");
  }

  private static void runPairs(String allocation, SparkClient client, String limit, String maxStarting)
      throws Exception {
    cluster.editScheduler("yarn.scheduler.capacity.root.stock.maximum-am-resource-percent", limit);
    cluster.editScheduler(
        "yarn.scheduler.capacity.root.dripfed.ordering-policy.state-aware.max-starting", maxStarting);
    cluster.editScheduler("yarn.scheduler.capacity.root.dripfed.ordering-policy.state-aware.take-back",
        maxStarting.equals("auto") ? "on" : "off");
    assertThat(cluster.refreshQueues().getKey()).isZero();
    int mostStarting = maxStarting.equals("1") ? 1 : ProcessBurst.APPLICATIONS;

    for (int pair = 1; pair <= PAIRS; pair++) {
      runPair(pair, allocation, client, limit, maxStarting, mostStarting);
    }
  }

  private static void runPair(int number, String allocation, SparkClient client, String limit,
      String maxStarting, int mostStarting) throws Exception {
    String kind = String.join(" ", "Spark,", allocation, limit, maxStarting, "pair " + number);
    List<ProcessBurst> pair = ProcessBurst.submit(cluster, kind, client, STOCK, DRIPFEED);
    FutureTask<Integer> stock = new FutureTask<>(() -> pair.get(0).succeeds(ProcessBurst.APPLICATIONS));
    new Thread(stock, STOCK).start();
    pair.get(1).succeeds(mostStarting);
    stock.get();
    for (String queue : List.of(STOCK, DRIPFEED)) {
      Eventually.patiently("the last driver has exited",
          () -> cluster.rest().queue(queue).at("/resourcesUsed/memory").asInt() == 0);
    }

    List<Event> events = SchedulerLog.read(cluster.resourceManagerLog());
    BurstCourse theirs = BurstCourse.of(pair.get(0), events, false, false);
    BurstCourse ours = BurstCourse.of(pair.get(1), events, true, maxStarting.equals("auto"));
    write(number, allocation, STOCK, "maximum-am-resource-percent=" + limit, theirs, theirs);
    write(number, allocation, DRIPFEED, "max-starting=" + maxStarting, ours, theirs);
    assertThat(ours.mostStarting()).as("starting at once").isLessThanOrEqualTo(mostStarting);
    assertThat(ours.makespan() / theirs.makespan()).as("makespan, to stock").isLessThan(MOST);
    assertThat(ours.wastedHeartbeats()).as("wasted heartbeats").isLessThanOrEqualTo(ours.handovers());
  }

  private static void write(
      int pair, String allocation, String queue, String setting, BurstCourse course, BurstCourse stock)
      throws IOException {
    String line = String.format(Locale.ROOT,
        "%d,%s,%s,%s,%d,%.1f,%.3f,%.1f,%.3f,%.1f,%.3f,%.1f,%.3f,%d,%d,%d,%d%n",
        pair, allocation, queue, setting,
        ProcessBurst.APPLICATIONS,
        course.makespan(), course.makespan() / stock.makespan(),
        course.meanFirstExecutor(), course.meanFirstExecutor() / stock.meanFirstExecutor(),
        course.lastFirstExecutor(), course.lastFirstExecutor() / stock.lastFirstExecutor(),
        course.untilFirstEnd(), course.untilFirstEnd() / stock.untilFirstEnd(),
        course.mostStarting(), course.handovers(), course.medianDelay(), course.wastedHeartbeats());
    System.out.print(line);
    Files.writeString(FIGURES, line, StandardOpenOption.APPEND);
  }
}
