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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same burst of Spark applications with dynamic allocation in a stock queue with an AM limit and in one
 * with {@code max-starting} = {@code auto}, at the same moment, on one cluster. In each queue an idle
 * session holds a container. Times of one run say nothing on a machine that does other work as well; the
 * ratios of such a pair do. The figures go to a file. The profile {@code spark} runs it.
 */
class SparkPairsIT {

  /** The queue has one container more, which the session holds. */
  private static final ProcessBurst.Size SIZE = new ProcessBurst.Size(12, 19);
  private static final int EXECUTORS = 4;
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
    Files.writeString(FIGURES, "pair,queue,setting,applications,makespan_s,makespan_ratio"
        + ",mean_first_executor_s,mean_first_executor_ratio,last_first_executor_s,last_first_executor_ratio"
        + ",mean_end_s,mean_end_ratio" + System.lineSeparator());
    cluster = new ProcessCluster(ProcessBurst.FIGURES.resolveSibling("pairs"), Map.of());
    cluster.editScheduler(
        "yarn.scheduler.capacity.root.dripfed.ordering-policy.state-aware.max-starting", "auto");
    cluster.startResourceManager();
    // Each queue of the example has half of the cluster.
    cluster.startNodes(2, (SIZE.containers() + 1) * ProcessBurst.MEMORY);
    SparkClient session = SparkClient.withExecutorsUpTo(cluster, EXECUTORS)
        .with("spark.yarn.am.waitTime", "1h").withWork(1, 1, cluster.folder().resolve("never"));
    for (String queue : List.of(STOCK, DRIPFEED)) {
      cluster.endAtClose(session.submitAll(queue, 1));
      Eventually.patiently("the session runs", () -> usedIn(queue) == ProcessBurst.MEMORY);
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static int usedIn(String queue) throws IOException {
    return cluster.rest().queue(queue).at("/resourcesUsed/memory").asInt();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.3", "0.5"})
  void asFastAsBelowAnAmLimit(String limit) throws Exception {
    cluster.editScheduler("yarn.scheduler.capacity.root.stock.maximum-am-resource-percent", limit);
    assertThat(cluster.refreshQueues().getKey()).isZero();
    for (int pair = 1; pair <= PAIRS; pair++) {
      runPair(pair, limit);
    }
  }

  private static void runPair(int number, String limit) throws Exception {
    List<ProcessBurst> pair = ProcessBurst.submit(cluster, "Spark, " + limit + ", pair " + number, SIZE,
        SparkClient.withExecutorsUpTo(cluster, EXECUTORS), STOCK, DRIPFEED);
    FutureTask<Integer> stock = new FutureTask<>(() -> pair.get(0).succeeds(SIZE.applications()));
    new Thread(stock, STOCK).start();
    pair.get(1).succeeds(SIZE.applications());
    stock.get();
    for (String queue : List.of(STOCK, DRIPFEED)) {
      Eventually.patiently("the last AM has exited", () -> usedIn(queue) == ProcessBurst.MEMORY);
    }

    List<Event> events = SchedulerLog.read(cluster.resourceManagerLog());
    BurstCourse theirs = BurstCourse.of(pair.get(0), events);
    BurstCourse ours = BurstCourse.of(pair.get(1), events);
    write(number, STOCK, "maximum-am-resource-percent=" + limit, theirs, theirs);
    write(number, DRIPFEED, "max-starting=auto", ours, theirs);
    assertThat(ours.makespan() / theirs.makespan()).as("makespan, to stock").isLessThan(MOST);
  }

  private static void write(int pair, String queue, String setting, BurstCourse course, BurstCourse stock)
      throws IOException {
    String line = String.format(Locale.ROOT, "%d,%s,%s,%d,%.1f,%.3f,%.1f,%.3f,%.1f,%.3f,%.1f,%.3f%n",
        pair, queue, setting, SIZE.applications(),
        course.makespan(), course.makespan() / stock.makespan(),
        course.meanFirstExecutor(), course.meanFirstExecutor() / stock.meanFirstExecutor(),
        course.lastFirstExecutor(), course.lastFirstExecutor() / stock.lastFirstExecutor(),
        course.meanEnd(), course.meanEnd() / stock.meanEnd());
    System.out.print(line);
    Files.writeString(FIGURES, line, StandardOpenOption.APPEND);
  }
}
