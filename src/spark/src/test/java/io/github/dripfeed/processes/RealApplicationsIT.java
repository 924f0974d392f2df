// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Bursts of real applications, under stock ordering and under Dripfeed, on a ResourceManager and
 * NodeManagers in separate processes. The profile {@code spark} runs it.
 */
class RealApplicationsIT {

  private static final int EXECUTORS = 2;

  /** Starts the client of one application, whose log has this name. */
  private interface Submission {

    Process submit(String queue, String log) throws IOException;
  }

  private static final String STOCK = "stock";
  private static final String DRIPFEED = "dripfed";

  private static ProcessCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Files.createDirectories(ProcessBurst.FIGURES.getParent());
    Files.deleteIfExists(ProcessBurst.FIGURES);
    Path folder = ProcessBurst.FIGURES.resolveSibling("applications");
    cluster = new ProcessCluster(folder, Map.of(
        "yarn.nodemanager.aux-services", "mapreduce_shuffle"));
    cluster.write("mapred-site.xml", mapReduceSite());
    // Each queue of the example has half of the cluster.
    cluster.startResourceManager();
    cluster.startNodes(2, ProcessBurst.DRIVERS_THAT_FIT * ProcessBurst.MEMORY);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void sparkWithStaticAllocation() throws Exception {
    compare("Spark, static allocation", SparkClient.withExecutors(cluster, EXECUTORS));
  }

  @Test
  void sparkWithDynamicAllocation() throws Exception {
    compare("Spark, dynamic allocation", SparkClient.withExecutorsUpTo(cluster, EXECUTORS));
  }

  @Test
  void mapReduce() throws Exception {
    compare("MapReduce, pi", clients((queue, log) -> hadoop("org.apache.hadoop.examples.ExampleDriver",
        "mapreduce-" + log, "pi", "-Dmapreduce.job.queuename=" + queue, "2", "1000")));
  }

  @Test
  void distributedShell() throws Exception {
    String client = "org.apache.hadoop.yarn.applications.distributedshell.Client";
    String jar = Path.of(Class.forName(client).getProtectionDomain().getCodeSource().getLocation()
        .toURI()).toString();
    compare("distributed shell", clients((queue, log) -> hadoop(client, "shell-" + log,
        "-jar", jar, "-shell_command", "sleep", "-shell_args", "5", "-num_containers", "2",
        "-master_memory", "" + ProcessBurst.MEMORY, "-container_memory", "" + ProcessBurst.MEMORY, "-queue", queue)));
  }

  @Test
  void sparkWithEnoughRoom() throws Exception {
    withRoomForAll("1", 1);
    assertThat(withRoomForAll("auto", ProcessBurst.APPLICATIONS)).as("starting at once")
        .isGreaterThan(ProcessBurst.APPLICATIONS / 2);
  }

  /** Uses a cluster of its own, whose nodes register after the submissions. */
  private static int withRoomForAll(String maxStarting, int mostStarting) throws Exception {
    String queue = "yarn.scheduler.capacity.root." + DRIPFEED;
    try (ProcessCluster large = new ProcessCluster(
        ProcessBurst.FIGURES.resolveSibling("room-" + maxStarting), Map.of())) {
      large.editScheduler(queue + ".ordering-policy.state-aware.max-starting", maxStarting);
      large.editScheduler(queue + ".ordering-policy.state-aware.take-back",
          maxStarting.equals("auto") ? "on" : "off");
      large.startResourceManager();
      ProcessBurst burst = ProcessBurst.submitAll(large, "Spark, room, " + maxStarting, DRIPFEED,
          SparkClient.withExecutors(large, EXECUTORS));
      // The queue has half of the memory, and a sixth of that holds all drivers: nothing is known yet.
      large.startNodes(2, ProcessBurst.APPLICATIONS * 6 * ProcessBurst.MEMORY);
      return burst.succeeds(mostStarting);
    }
  }

  private static void compare(String kind, ProcessBurst.Client client) throws Exception {
    List<ProcessBurst> bursts = ProcessBurst.submit(cluster, kind, client, STOCK, DRIPFEED);
    FutureTask<Void> deadlock = new FutureTask<>(() -> {
      bursts.get(0).deadlocks();
      return null;
    });
    new Thread(deadlock, "deadlock").start();
    bursts.get(1).succeeds(1);
    deadlock.get();
  }

  private static Map<String, String> mapReduceSite() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("mapreduce.framework.name", "yarn");
    // One for each NodeManager of this machine.
    properties.put("mapreduce.shuffle.port", "0");
    properties.put("mapreduce.application.classpath", cluster.installation().classpath());
    properties.put("yarn.application.classpath", cluster.installation().classpath()
        .replace(File.pathSeparatorChar, ','));
    properties.put("yarn.app.mapreduce.am.staging-dir", cluster.folder().resolve("staging").toString());
    properties.put("yarn.app.mapreduce.am.resource.mb", "" + ProcessBurst.MEMORY);
    properties.put("mapreduce.map.memory.mb", "" + ProcessBurst.MEMORY);
    properties.put("mapreduce.reduce.memory.mb", "" + ProcessBurst.MEMORY);
    String small = "-Xmx256m -XX:TieredStopAtLevel=1 --add-opens=java.base/java.lang=ALL-UNNAMED";
    properties.put("yarn.app.mapreduce.am.command-opts", small);
    properties.put("mapreduce.map.java.opts", small);
    properties.put("mapreduce.reduce.java.opts", small);
    return properties;
  }

  /** A client of Hadoop for each application. */
  private static ProcessBurst.Client clients(Submission submission) {
    return (queue, count) -> {
      List<Process> clients = new ArrayList<>();
      for (int i = 1; i <= count; i++) {
        clients.add(submission.submit(queue, queue + i));
      }
      return clients;
    };
  }

  private static Process hadoop(String main, String log, String... arguments) throws IOException {
    return cluster.installation().start(
        main, cluster.logOf(log), cluster.folder(), List.of("-XX:TieredStopAtLevel=1"), arguments);
  }
}
