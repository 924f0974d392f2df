// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pair of ResourceManager processes of which ZooKeeper elects the active one: nobody types anything. */
@Tag("slow")
class AutomaticFailoverIT {

  private static final Path FOLDER = Path.of(System.getProperty("processes.folder"));
  private static final String OURS = "io.github.dripfeed.StateAwareOrderingPolicy";

  @BeforeAll
  static void theirZooKeeperClientRuns() throws Exception {
    ZooKeeper.assumeClientRuns();
  }

  /** First one is stopped, as for an upgrade of its jar, then the other one crashes. */
  @Test
  void applicationsAndTheConfigurationInTheStoreSurvive() throws Exception {
    try (HaPair pair = automatic("automatic-failover",
        Map.of("yarn.scheduler.configuration.store.class", "zk"))) {
      Installation installation = pair.cluster().installation();
      start(pair, installation);
      pair.rest("rm1").configure("root." + FailoverLine.QUEUE,
          Map.of("ordering-policy.state-aware.exempt-application-types", "ONLY-IN-THE-STORE"));
      FailoverLine line = new FailoverLine(pair);

      Installation.stop(pair.process("rm1"));
      pair.awaitActive("rm2");
      line.assertKept("rm2");
      assertThat(pair.rest("rm2").page()).contains("exempt-application-types=ONLY-IN-THE-STORE");
      pair.launch("rm1", installation);
      pair.awaitStandby("rm1");
      pair.process("rm2").destroyForcibly().waitFor();
      pair.awaitActive("rm1");
      line.assertKept("rm1");
      assertThat(pair.rest("rm1").page()).contains("exempt-application-types=ONLY-IN-THE-STORE");
      line.assertMovesOn("rm1");
    }
  }

  /** The one without the jar is elected again and again, and fails; the one with it saves the cluster. */
  @Test
  void oneWithoutTheJarTriesUntilTheOtherIsBack() throws Exception {
    // The monitor of the example is a class of the jar.
    try (HaPair pair = automatic("automatic-without-the-jar",
        Map.of("yarn.resourcemanager.scheduler.monitor.enable", "false"))) {
      Installation installation = pair.cluster().installation();
      pair.cluster().editScheduler(ProcessCluster.POLICY, "fifo");
      start(pair, installation.withoutJar());
      String waiting = FailoverLine.submit(pair, "waiting", 0, 1);
      pair.cluster().editScheduler(ProcessCluster.POLICY, OURS);
      Map.Entry<Integer, String> refresh = pair.cluster().refreshQueues();
      assertThat(refresh.getKey()).as(refresh.getValue()).isZero();

      Installation.stop(pair.process("rm1"));
      Eventually.is("it has tried twice", () -> failures(pair) >= 2);
      assertThat(pair.process("rm2").isAlive()).isTrue();
      assertThat(pair.state("rm2")).isEqualTo("STANDBY");

      pair.launch("rm1", installation);
      pair.awaitActive("rm1");
      assertThat(pair.rest("rm1").application(waiting).at("/state").asText()).isEqualTo("ACCEPTED");
    }
  }

  private static HaPair automatic(String folder, Map<String, String> more) throws IOException {
    Map<String, String> properties = new HashMap<>(HaPair.AUTOMATIC);
    properties.putAll(more);
    return new HaPair(FOLDER.resolve(folder), properties);
  }

  /** Two ResourceManagers, of which rm1 has the jar and is active. */
  private static void start(HaPair pair, Installation second) throws Exception {
    pair.startZooKeeper();
    pair.launch("rm1", pair.cluster().installation());
    pair.awaitActive("rm1");
    pair.launch("rm2", second);
    pair.awaitStandby("rm2");
  }

  /** How often rm2 could not become active for want of the class. */
  private static long failures(HaPair pair) throws IOException {
    return Files.readString(pair.log("rm2"))
        .split("Unable to construct ordering policy for: " + OURS, -1).length - 1;
  }
}
