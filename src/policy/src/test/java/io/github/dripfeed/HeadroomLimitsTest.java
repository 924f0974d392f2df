// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.fixture.HeadroomSteps.LARGEST;
import static io.github.dripfeed.fixture.HeadroomSteps.headroomCluster;
import static io.github.dripfeed.fixture.HeadroomSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.HeadroomSteps.runOneApplication;
import static io.github.dripfeed.fixture.HeadroomSteps.startedDrivers;
import static io.github.dripfeed.fixture.HeadroomSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code max-starting=auto} on the real scheduler: headroom is what the Capacity Scheduler would
 * allocate within each of its limits. The largest container that YARN allows has 8 GB, its default.
 */
class HeadroomLimitsTest {

  @Test
  void queueMaximumBoundsHeadroom() throws Exception {
    try (MockCluster cluster = headroomCluster(Map.of(queueKey("capacity"), "20",
        CapacitySchedulerConfiguration.PREFIX + OTHER + ".capacity", "80",
        queueKey("maximum-capacity"), "30"), 64 * GB)) {
      List<MockApp> apps = submitMany(cluster, 4);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps))
          .as("19 GB are less than two times 9 GB and 8 GB more; one has the slot")
          .isEqualTo(2);
    }
  }

  @Test
  void usageOfOtherQueuesReducesHeadroom() throws Exception {
    try (MockCluster cluster = headroomCluster(64 * GB)) {
      cluster.submitFiller(50);
      List<MockApp> apps = submitMany(cluster, 4);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("only the slot is used").isEqualTo(1);
    }
  }

  @Test
  void usageBetweenTwoPlansReducesHeadroom() throws Exception {
    try (MockCluster cluster = headroomCluster(Map.of(queueKey("capacity"), "10",
        CapacitySchedulerConfiguration.PREFIX + OTHER + ".capacity", "90"), 64 * GB)) {
      MockApp filler = cluster.submitFiller(0);
      List<MockApp> apps = submitMany(cluster, 5);
      cluster.runMonitor();
      assertThat(apps).extracting(MockApp::state).containsOnly(ACCEPTED);
      filler.ask(60, GB);
      cluster.heartbeat();
      assertThat(startedDrivers(apps)).as("the other gets nine times as much").isBetween(2L, 4L);
    }
  }

  @Test
  void lostNodeReducesHeadroom() throws Exception {
    try (MockCluster cluster = headroomCluster(16 * GB, 64 * GB)) {
      List<MockApp> apps = submitMany(cluster, 5);
      cluster.runMonitor();
      cluster.loseNode(cluster.node(1));
      cluster.heartbeat();
      assertThat(startedDrivers(apps)).as("only the slot is used").isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reservedNodeOffersNoHeadroom(boolean isReserved) throws Exception {
    try (MockCluster cluster = headroomCluster(
        Map.of(queueKey("maximum-allocation-mb"), String.valueOf(LARGEST / 2)), 14 * GB)) {
      MockNM large = cluster.node(0);
      MockApp filler = cluster.submitFiller(7);
      for (int i = 0; i < 10; i++) {
        cluster.addNode(GB);
      }
      runOneApplication(cluster, 2 * GB);
      if (isReserved) {
        filler.ask(1, LARGEST);
        cluster.heartbeat(large);
        assertThat(filler.reservations()).isEqualTo(1);
      }
      List<MockApp> apps = submitMany(cluster, 5);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("6 GB are free there, and no other node holds 2 GB")
          .isEqualTo(isReserved ? 1 : 2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void decommissioningNodeOffersNoHeadroom(boolean isToGo) throws Exception {
    try (MockCluster cluster = headroomCluster(
        Map.of(queueKey("maximum-allocation-mb"), String.valueOf(LARGEST / 2)), LARGEST)) {
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(7, GB);
      monitorAndHeartbeat(cluster);
      assertThat(older.containers()).isEqualTo(8);
      for (int i = 0; i < 4; i++) {
        cluster.addNode(3 * GB);
      }
      if (isToGo) {
        cluster.rm().sendNodeGracefulDecommission(cluster.node(0), 600);
        cluster.rm().drainEvents();
      }
      List<MockApp> apps = submitMany(cluster, 4);
      cluster.tick();
      // Skips the old node, which would be gone at once.
      for (MockNM node : cluster.nodes().subList(1, 5)) {
        cluster.heartbeat(node);
      }
      assertThat(startedDrivers(apps)).as("without it, one of the other nodes has to stay free")
          .isEqualTo(isToGo ? 3 : 4);
    }
  }

  @Test
  void userLimitBoundsHeadroom() throws Exception {
    try (MockCluster cluster = headroomCluster(Map.of(queueKey("capacity"), "50",
        CapacitySchedulerConfiguration.PREFIX + OTHER + ".capacity", "50",
        queueKey("user-limit-factor"), "0.5"), 80 * GB)) {
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        apps.add(cluster.submit(cluster.submission(GB).withUser("alice")));
      }
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("20 GB").isEqualTo(2);
      assertThat(cluster.queue(DRIP).getQueueResourceUsage().getUsed().getMemorySize())
          .isEqualTo(2 * GB);
    }
  }

  @Test
  void partitionsHaveSeparateHeadroom() throws Exception {
    String label = CapacitySchedulerConfiguration.PREFIX;
    try (MockCluster cluster = headroomCluster(Map.of(
        YarnConfiguration.NODE_LABELS_ENABLED, "true",
        label + "root.accessible-node-labels.gpu.capacity", "100",
        label + DRIP + ".accessible-node-labels", "gpu",
        label + DRIP + ".accessible-node-labels.gpu.capacity", "100"))) {
      cluster.rm().getRMContext().getNodeLabelManager()
          .addToCluserNodeLabelsWithDefaultExclusivity(Set.of("gpu"));
      cluster.refresh();
      cluster.addNode(64 * GB);
      MockNM gpu = cluster.addNode(10 * GB);
      cluster.label(gpu, "gpu");
      List<MockApp> ofDefault = submitMany(cluster, 3);
      List<MockApp> ofGpu = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        ofGpu.add(cluster.submit(cluster.submission(GB).withDriverLabel("gpu")));
      }
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(ofDefault)).isEqualTo(3);
      assertThat(startedDrivers(ofGpu)).as("10 GB do not suffice for two").isEqualTo(1);
    }
  }

  @Test
  void coresCountIfTheSchedulerCountsThem() throws Exception {
    try (MockCluster cluster = headroomCluster(Map.of(
        CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
        "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"), 64 * GB)) {
      // A node has 100 cores and a container at most 4: 5 each.
      List<MockApp> apps = submitMany(cluster, 5);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(5);
    }
  }

  /** YARN's rule: applications rely on the largest container that YARN reported at their start. */
  @Test
  void restartLowersTheLargestContainerAndRefreshDoesNot() throws Exception {
    try (MockCluster cluster = headroomCluster(24 * GB)) {
      assertThatThrownBy(() -> cluster.refresh(queueKey("maximum-allocation-mb"), "" + 2 * GB))
          .isInstanceOf(IOException.class);
      List<MockApp> apps = submitMany(cluster, 8);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("with an executor of 8 GB each").isEqualTo(2);
      cluster.restart().reconnectNodes();
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("of 2 GB").isGreaterThan(2);
    }
  }
}
