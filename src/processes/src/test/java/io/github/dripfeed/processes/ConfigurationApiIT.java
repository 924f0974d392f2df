// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.HadoopVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A ResourceManager process whose queues are configured through its API: the steps of the document. */
@Tag("slow")
class ConfigurationApiIT {

  private static final Path FOLDER = Path.of(System.getProperty("processes.folder"));
  private static final String QUEUE = "root.dripfed";
  private static final String OURS = "ordering-policy.state-aware.";
  private static final Map<String, String> GOOD = Map.of(
      "ordering-policy", "io.github.dripfeed.StateAwareOrderingPolicy",
      OURS + "max-starting", "2",
      OURS + "exempt-application-types", "OOZIE,LAUNCHER");

  @Test
  void changesAreTakenOrRefusedAndStayInTheStore() throws Exception {
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("configuration-api"), Map.of(
        "yarn.scheduler.configuration.store.class", "leveldb",
        "yarn.scheduler.configuration.leveldb-store.path",
        FOLDER.resolve("configuration-api/store").toAbsolutePath().toString()))) {
      cluster.editScheduler(ProcessCluster.POLICY, "fifo");
      cluster.startResourceManager();

      Map.Entry<Integer, String> refresh = cluster.refreshQueues();
      assertThat(refresh.getKey()).isNotZero();
      assertThat(refresh.getValue()).contains("Scheduler configuration is mutable");

      cluster.rest().configure(QUEUE, GOOD);
      assertTaken(cluster);

      assertRefuses(cluster, "max-starting", "0", "");
      assertRefuses(cluster, "max-startin", "3", "no such property");
      assertTaken(cluster);

      // It opens the store a second time, which this store does not let it.
      assertThatThrownBy(() -> cluster.rest().validate(QUEUE, Map.of(OURS + "max-starting", "3")))
          .hasMessageContaining(": 400 ").hasMessageContaining("already held by process");
      assertTaken(cluster);

      Map.Entry<Integer, String> typed = schedulerConf(cluster, "max-starting=3");
      assertThat(typed.getKey()).as(typed.getValue()).isZero();
      Eventually.is("the page shows it", () -> cluster.rest().page().contains(typedShown()));
      Map.Entry<Integer, String> commas = schedulerConf(cluster, "exempt-application-types=A,B");
      assertThat(commas.getKey()).as(commas.getValue()).isNotZero();

      Path readBack = cluster.folder().resolve("read-back.xml");
      Files.writeString(readBack, cluster.rest().configuration());
      Map.Entry<Integer, String> check = cluster.run(Installation.COMMANDS, "check",
          readBack.toString(), cluster.configuration().resolve("yarn-site.xml").toString());
      assertThat(check.getKey()).as(check.getValue()).isNotEqualTo(2);
      assertThat(check.getValue()).contains("root.dripfed: io.github.dripfeed.StateAwareOrderingPolicy",
          "OOZIE,LAUNCHER");

      // The store counts, and not the file, which still says fifo.
      cluster.killResourceManager();
      cluster.startResourceManager();
      Eventually.is("the page shows it", () -> cluster.rest().page().contains(typedShown()));
    }
  }

  @Test
  void storeInAFileSystemTakesValidatesAndKeepsChanges() throws Exception {
    Path folder = FOLDER.resolve("configuration-api-fs");
    try (ProcessCluster cluster = new ProcessCluster(folder, Map.of(
        "yarn.scheduler.configuration.store.class", "fs",
        "yarn.scheduler.configuration.fs.path", folder.resolve("store").toUri().toString()))) {
      assertTakesValidatesAndKeepsChanges(cluster);
    }
  }

  @Test
  void storeInZooKeeperTakesValidatesAndKeepsChanges() throws Exception {
    ZooKeeper.assumeClientRuns();
    ZooKeeper zooKeeper = new ZooKeeper();
    Map<String, String> properties = new HashMap<>(zooKeeper.properties());
    properties.put("yarn.scheduler.configuration.store.class", "zk");
    // The cluster is closed first: a ResourceManager waits for a ZooKeeper that is gone.
    try (zooKeeper;
        ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("configuration-api-zk"), properties)) {
      zooKeeper.start(cluster);
      assertTakesValidatesAndKeepsChanges(cluster);
    }
  }

  private static void assertTakesValidatesAndKeepsChanges(ProcessCluster cluster) throws Exception {
    cluster.editScheduler(ProcessCluster.POLICY, "fifo");
    cluster.startResourceManager();
    cluster.rest().configure(QUEUE, GOOD);
    assertTaken(cluster);
    assertRefuses(cluster, "max-starting", "0", "");
    assertTaken(cluster);
    assertThat(cluster.rest().validate(QUEUE, Map.of(OURS + "max-starting", "3")))
        .as("the configuration as it would be").contains("max-starting\",\"value\":\"3\"");
    assertValidates(cluster);
    assertTaken(cluster);

    // The store counts, and not the file, which still says fifo.
    cluster.killResourceManager();
    cluster.startResourceManager();
    assertTaken(cluster);
  }

  /** What the document says about asking before a change. */
  @Test
  void validationTellsGoodFromBadAndChangesNothing() throws Exception {
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("validation"), Map.of(
        "yarn.scheduler.configuration.store.class", "memory"))) {
      cluster.startResourceManager();
      cluster.startNodes(1, 2048);
      cluster.submit("held", "dripfed", 3600, 1, 1);
      Eventually.is("it is starting", () -> cluster.rest().page().contains("1 starting"));

      assertValidates(cluster);
      assertThat(cluster.rest().page()).contains("1 starting").doesNotContain("ONLY-ASKED");
    }
  }

  /** What YARN does with requests of its queue editor, which knows no policy and no property of ours. */
  @Test
  void queueEditorLeavesWhatItDoesNotName() throws Exception {
    assumeTrue(HadoopVersion.isAtLeast("3.5"), "it came with Hadoop 3.5");
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("queue-editor"), Map.of(
        "yarn.scheduler.configuration.store.class", "memory"))) {
      cluster.startResourceManager();
      cluster.startNodes(1, 4096);
      cluster.rest().configure(QUEUE, Map.of(OURS + "max-starting", "1", OURS + "take-back", "off",
          "maximum-am-resource-percent", "1.0"));
      for (int i = 0; i < 3; i++) {
        cluster.submit("held " + i, "dripfed", 3600, 1, 1);
      }
      Eventually.is("one starts", () -> cluster.rest().page().contains("2 accepted, 1 starting"));

      cluster.rest().edit(QUEUE,
          Map.of("maximum-applications", "500", "maximum-am-resource-percent", "0.9"));
      assertThat(cluster.rest().configuration()).contains(OURS + "take-back", "500");
      Eventually.is("it still does", () -> cluster.rest().page().contains("2 accepted, 1 starting"));
      assertThatThrownBy(() -> cluster.rest().edit(QUEUE, Map.of(OURS + "max-starting", "0")))
          .hasMessageContaining(": 400 ").hasMessageContaining(OURS + "max-starting = '0'");
      cluster.rest().edit(QUEUE, Map.of("maximum-am-resource-percent", "100"));
      Eventually.is("only the page of the editor refuses it",
          () -> cluster.rest().page().contains("2 accepted, 1 starting"));

      cluster.rest().edit(QUEUE, Map.of("ordering-policy", "fifo"));
      Eventually.is("all start", () -> cluster.rest().get("metrics")
          .at("/clusterMetrics/containersAllocated").asInt() == 3);
      assertThat(cluster.rest().configuration()).as("without effect").contains(OURS + "take-back");
      cluster.rest().edit(QUEUE, Map.of("ordering-policy", GOOD.get("ordering-policy")));
      Eventually.is("it is back", () -> cluster.rest().page().contains("3 starting"));
    }
  }

  /** The command of 3.5.0 says that it has changed the configuration, and sends nothing. */
  private static String typedShown() {
    return HadoopVersion.isAtLeast("3.5") ? "max-starting=2" : "max-starting=3";
  }

  private static Map.Entry<Integer, String> schedulerConf(ProcessCluster cluster, String setting)
      throws Exception {
    return cluster.run("org.apache.hadoop.yarn.client.cli.SchedConfCLI", "-update",
        QUEUE + ":" + OURS + setting);
  }

  /** @param why the beginning of the reason, after the property and its value */
  private static void assertRefuses(ProcessCluster cluster, String property, String value, String why) {
    assertThatThrownBy(() -> cluster.rest().configure(QUEUE, Map.of(OURS + property, value)))
        .hasMessageContaining(": 400 ")
        .hasMessageContaining(OURS + property + " = '" + value + "': " + why);
  }

  /** It tells good from bad, a value of ours as a class that does not exist, and changes nothing. */
  private static void assertValidates(ProcessCluster cluster) throws Exception {
    assertThat(cluster.rest().validate(QUEUE, Map.of(OURS + "exempt-application-types", "ONLY-ASKED")))
        .as("the configuration as it would be").contains("ONLY-ASKED");
    assertThatThrownBy(() -> cluster.rest().validate(QUEUE, Map.of(OURS + "max-starting", "0")))
        .hasMessageContaining(": 400 ")
        .hasMessageContaining(OURS + "max-starting = '0'");
    assertThatThrownBy(() -> cluster.rest().validate(QUEUE, Map.of("ordering-policy", "state.Aware")))
        .hasMessageContaining(": 400 ").hasMessageContaining("state.Aware");
    assertThat(cluster.rest().configuration()).doesNotContain("ONLY-ASKED", "state.Aware");
  }

  private static void assertTaken(ProcessCluster cluster) throws Exception {
    Eventually.is("the page shows it", () -> cluster.rest().page().contains("max-starting=2"));
    assertThat(cluster.rest().configuration()).contains("OOZIE,LAUNCHER");
  }
}
