// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.StateAwareOrderingPolicy;
import io.github.dripfeed.demo.Burst;
import io.github.dripfeed.fixture.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Spark applications that lose their drivers and come again, on a ResourceManager and a NodeManager in
 * separate processes. The profile {@code spark} runs it.
 */
class SparkTakeBackIT {

  private static final int GB = 1024;
  /** What the queue has. */
  private static final int QUEUE = 12 * GB;
  /** An application that never ends: a driver, and three executors. */
  private static final Burst.Shape ENDLESS = new Burst.Shape(1, GB, 0, 3, GB, 3600);

  private static final String BLOCKED = "blocked";

  private static final Path FOLDER = Path.of(System.getProperty("processes.folder"), "take-back");

  private static ProcessCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = new ProcessCluster(FOLDER, Map.of("yarn.resourcemanager.am.max-attempts", "2"));
    cluster.write("capacity-scheduler.xml", queues());
    cluster.startResourceManager();
    cluster.startNodes(1, QUEUE);
  }

  private static Map<String, String> queues() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("yarn.scheduler.capacity.root.queues", BLOCKED);
    properties.put(key(BLOCKED, "capacity"), "100");
    properties.put(key(BLOCKED, "maximum-am-resource-percent"), "1.0");
    properties.put(key(BLOCKED, "ordering-policy"), StateAwareOrderingPolicy.class.getName());
    properties.put(key(BLOCKED, "ordering-policy.state-aware.max-starting"), "auto");
    properties.put(key(BLOCKED, "ordering-policy.state-aware.take-back-after"), "5s");
    return properties;
  }

  private static String key(String queue, String name) {
    return "yarn.scheduler.capacity.root." + queue + "." + name;
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /**
   * Executors of 1 GB are expected, so four drivers of 1 GB start in the 8 GB that are free, and then each
   * requests an executor of 5 GB: 4 GB are left, and one driver more would be enough.
   */
  @Test
  void oneOfThoseThatBlockEachOtherComesAgainAndAllSucceed() throws Exception {
    runEndless(BLOCKED);
    Path gate = cluster.folder().resolve("gate");
    SparkClient client = SparkClient.withExecutors(cluster, 1).withMemory(GB, 5 * GB)
        .with("spark.yarn.am.waitTime", "600s").withWork(2, 1, gate);

    // YARN's default for the number of attempts, and after them, so the first choice: only one attempt.
    List<String> all = new ArrayList<>(submit(client, BLOCKED, 3));
    String onlyOnce = submit(client.with("spark.yarn.maxAppAttempts", "1"), BLOCKED, 1).get(0);
    all.add(onlyOnce);
    for (String application : all) {
      Eventually.patiently("it has its driver", () -> containers(application) == 1);
    }
    Files.createFile(gate);

    Eventually.patiently("a driver is taken back", () -> {
      assertThat(finalStatus(onlyOnce)).as("the one with one attempt").isNotEqualTo("FAILED");
      return !takenBack(all).isEmpty();
    });
    String taken = takenBack(all).get(0);
    assertThat(taken).as("neither the oldest, nor the one with one attempt").isIn(all.get(1), all.get(2));
    Files.delete(gate);
    awaitSecondDriver(taken);
    Files.createFile(gate);

    for (String application : all) {
      awaitSuccess(application);
    }
    assertThat(takenBack(all)).as("nobody else").containsExactly(taken);
    assertTakenBack(taken, "starting applications block each other, and in its place application_");
    assertThat(cluster.rest().attempts(onlyOnce)).hasSize(1);
  }

  private static void runEndless(String queue) throws Exception {
    String endless = cluster.submit("endless", queue, ENDLESS);
    Eventually.patiently("it has its executors", () -> containers(endless) == 4);
  }

  /** @return the new applications of the queue, in the order of submission */
  private static List<String> submit(SparkClient client, String queue, int count) throws Exception {
    List<String> before = ids(queue);
    cluster.endAtClose(client.submitAll(queue, count));
    Eventually.patiently("all are submitted", () -> ids(queue).size() == before.size() + count);
    List<String> submitted = ids(queue);
    submitted.removeAll(before);
    return submitted;
  }

  private static List<String> ids(String queue) throws IOException {
    List<String> ids = new ArrayList<>();
    cluster.rest().applicationsOf(queue).forEach(application -> ids.add(application.at("/id").asText()));
    ids.sort(null);
    return ids;
  }

  private static int containers(String application) throws IOException {
    return cluster.rest().application(application).at("/runningContainers").asInt();
  }

  private static String finalStatus(String application) throws IOException {
    return cluster.rest().application(application).at("/finalStatus").asText();
  }

  private static void awaitSuccess(String application) throws Exception {
    Eventually.patiently("it has ended", () -> !finalStatus(application).equals("UNDEFINED"));
    assertThat(finalStatus(application)).isEqualTo("SUCCEEDED");
  }

  private static List<String> takenBack(List<String> applications) throws IOException {
    List<String> takenBack = new ArrayList<>();
    for (String application : applications) {
      if (cluster.rest().attempts(application).size() > 1) {
        takenBack.add(application);
      }
    }
    return takenBack;
  }

  private static void awaitSecondDriver(String application) throws Exception {
    Eventually.patiently("the second attempt has its driver", () -> containers(application) == 1
        && cluster.rest().attempts(application).size() == 2);
    assertThat(SparkClient.stagingOf(cluster, application)).as("Spark's files").isNotEmptyDirectory();
  }

  /** It was taken back once, for this reason, and that did not count towards its attempts. */
  private static void assertTakenBack(String application, String why) throws IOException {
    assertThat(cluster.rest().attempts(application)).hasSize(2);
    String log = Files.readString(cluster.resourceManagerLog());
    assertThat(log).containsPattern(application + ".*: take-back in STARTING: .*" + why);
    assertThat(log).containsPattern("attempt " + application.replace("application", "appattempt")
        + "_000001 with final state: FAILED, and exit status: -102");
    assertThat(log).contains("The number of failed attempts is 0. The max attempts is 2")
        .doesNotContain("The number of failed attempts is 1");
  }
}
