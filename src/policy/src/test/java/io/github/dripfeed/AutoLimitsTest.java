// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.AutoSteps.LABEL;
import static io.github.dripfeed.fixture.AutoSteps.LARGE;
import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.AutoSteps.labelledCluster;
import static io.github.dripfeed.fixture.AutoSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.AutoSteps.request;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.AutoSteps.startedDrivers;
import static io.github.dripfeed.fixture.AutoSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code max-starting=auto} on the real scheduler: room is what the Capacity Scheduler would
 * allocate within each of its limits.
 */
class AutoLimitsTest {

  /** Applications have an executor of 8 GB each. */
  private static void learnLarge(MockCluster cluster) throws Exception {
    runOneApplication(cluster, LARGE);
    cluster.runFor(10);
  }

  @Test
  void queueMaximumBoundsRoom() throws Exception {
    try (MockCluster cluster = autoCluster(Map.of(queueKey("capacity"), "20",
        CapacitySchedulerConfiguration.PREFIX + OTHER + ".capacity", "80",
        queueKey("maximum-capacity"), "30"), 64 * GB)) {
      learnLarge(cluster);
      List<MockApp> apps = submitMany(cluster, 4);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("19 GB, 9 GB each").isEqualTo(2);
    }
  }

  @Test
  void usageOfOtherQueuesReducesRoom() throws Exception {
    try (MockCluster cluster = autoCluster(64 * GB)) {
      learnLarge(cluster);
      cluster.submitFiller(50);
      List<MockApp> apps = submitMany(cluster, 4);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("13 GB, 9 GB each").isEqualTo(1);
    }
  }

  @Test
  void lostNodeReducesRoom() throws Exception {
    try (MockCluster cluster = autoCluster(16 * GB, 64 * GB)) {
      List<MockApp> apps = submitMany(cluster, 5);
      cluster.runMonitor();
      cluster.loseNode(cluster.node(1));
      cluster.heartbeat();
      assertThat(startedDrivers(apps)).as("only the slot is used").isEqualTo(1);
    }
  }

  /** A starting application whose executor fits nowhere leaves nodes to others. */
  @Test
  void startingApplicationReservesFewNodes() throws Exception {
    int nodes = 12;
    try (MockCluster cluster = autoCluster(Map.of(key(OTHER, "maximum-am-resource-percent"), "100"))) {
      for (int node = 0; node < nodes; node++) {
        cluster.addNode(8 * GB);
        cluster.submit(cluster.submission(5 * GB).withQueue(OTHER));
        cluster.heartbeat(cluster.node(node));
      }
      MockApp older = cluster.submit();
      cluster.runFor(3);
      older.register().ask(1, GB);
      cluster.runFor(3);
      older.heartbeat();
      MockApp newer = cluster.submit();
      cluster.runFor(3);
      newer.register().ask(50, 4 * GB);
      older.ask(200, GB);
      cluster.tick();
      cluster.runFor(30);
      assertThat(newer.reservations()).isEqualTo(2);
      older.heartbeat();
      assertThat(older.containers()).isGreaterThan((nodes - 3) * 3 - 1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reservedNodeOffersNoRoom(boolean isReserved) throws Exception {
    try (MockCluster cluster = autoCluster(14 * GB)) {
      MockNM large = cluster.node(0);
      MockApp filler = cluster.submitFiller(7);
      for (int i = 0; i < 10; i++) {
        cluster.addNode(GB);
      }
      runOneApplication(cluster, 2 * GB);
      if (isReserved) {
        filler.ask(1, LARGE);
        cluster.heartbeat(large);
        assertThat(filler.reservations()).isEqualTo(1);
      }
      List<MockApp> apps = submitMany(cluster, 5);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("6 GB are free there, and 10 GB on other nodes; 3 GB each")
          .isEqualTo(isReserved ? 2 : 5);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void decommissioningNodeOffersNoRoom(boolean isToGo) throws Exception {
    try (MockCluster cluster = autoCluster(LARGE)) {
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(1, GB);
      monitorAndHeartbeat(cluster);
      cluster.addNode(4 * GB);
      if (isToGo) {
        cluster.rm().sendNodeGracefulDecommission(cluster.node(0), 600);
        cluster.rm().drainEvents();
      }
      cluster.advance(Duration.ofSeconds(10));
      List<MockApp> apps = submitMany(cluster, 6);
      cluster.tick();
      // Skips the old node, which would be gone at once.
      if (!isToGo) {
        cluster.heartbeat(cluster.node(0));
      }
      cluster.heartbeat(cluster.node(1));
      assertThat(startedDrivers(apps)).as("2 GB each; 6 GB are free there, and 4 GB on the other node")
          .isEqualTo(isToGo ? 2 : 5);
    }
  }

  @Test
  void userLimitBoundsRoom() throws Exception {
    try (MockCluster cluster = autoCluster(Map.of(queueKey("capacity"), "50",
        CapacitySchedulerConfiguration.PREFIX + OTHER + ".capacity", "50",
        queueKey("user-limit-factor"), "0.5"), 80 * GB)) {
      learnLarge(cluster);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        apps.add(cluster.submit(cluster.submission(GB).withUser("alice")));
      }
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("20 GB").isEqualTo(2);
      assertThat(LiveTables.column("Line", "reason").toString())
          .contains("earlier applications need what is free below the limit of its user: 18,432 of 20,480"
              + " MB free;");
      assertThat(cluster.queue(DRIP).getQueueResourceUsage().getUsed().getMemorySize())
          .isEqualTo(2 * GB);
    }
  }

  @Test
  void partitionsHaveSeparateRoom() throws Exception {
    try (MockCluster cluster = labelledCluster(true, Map.of())) {
      cluster.addNode(64 * GB);
      cluster.label(cluster.addNode(10 * GB), LABEL);
      learnLarge(cluster);
      MockApp known = cluster.submit(cluster.submission(GB).withDriverLabel(LABEL));
      monitorAndHeartbeat(cluster);
      known.register().ask(request(1, Resource.newInstance(LARGE, 1), LABEL));
      monitorAndHeartbeat(cluster);
      known.heartbeat();
      known.finish();
      cluster.runFor(10);
      List<MockApp> ofDefault = submitMany(cluster, 3);
      List<MockApp> ofLabel = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        ofLabel.add(cluster.submit(cluster.submission(GB).withDriverLabel(LABEL)));
      }
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(ofDefault)).isEqualTo(3);
      assertThat(startedDrivers(ofLabel)).as("10 GB do not suffice for two").isEqualTo(1);
    }
  }

  @Test
  void coresCountIfTheSchedulerCountsThem() throws Exception {
    try (MockCluster cluster = autoCluster(Map.of(
        CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
        "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"), 64 * GB)) {
      // A node has 100 cores and a container at most 4: 5 each.
      List<MockApp> apps = submitMany(cluster, 5);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(5);
    }
  }

  /** Requests that only one host may meet count as far as it has room. */
  @ParameterizedTest(name = "GB free on the host: {0}")
  @ValueSource(ints = {0, 4})
  void demandForOneHostClaimsWhatIsFreeThere(int free) throws Exception {
    try (MockCluster cluster = autoCluster(
        Map.of(key(OTHER, "maximum-am-resource-percent"), "100"), 8 * GB)) {
      MockNM host = cluster.node(0);
      cluster.submit(cluster.submission((8 - free) * GB).withQueue(OTHER));
      cluster.heartbeat(host);
      MockNM large = cluster.addNode(16 * GB);
      for (int i = 0; i < 3; i++) {
        runOneApplication(cluster, GB);
      }
      MockApp older = cluster.submit();
      cluster.heartbeat(large);
      older.register().ask(1, GB);
      cluster.tick();
      cluster.heartbeat(large);
      older.heartbeat();
      assertThat(older.executors()).hasSize(1);
      older.ask(List.of(Requests.onlyAt(ResourceRequest.ANY, 60), Requests.onlyAt("/default-rack", 60),
          Requests.onlyAt(host.getNodeId().getHost(), 60)));
      List<MockApp> apps = submitMany(cluster, 20);
      cluster.advance(Duration.ofSeconds(30));
      cluster.tick();
      for (int i = 0; i < 16; i++) {
        cluster.heartbeat(large);
      }
      assertThat(startedDrivers(apps)).as("14 GB are free elsewhere, 2 GB each").isEqualTo(7);
    }
  }
}
