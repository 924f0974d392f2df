// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.HeadroomSteps.headroomCluster;
import static io.github.dripfeed.fixture.HeadroomSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.HeadroomSteps.runOneApplication;
import static io.github.dripfeed.fixture.HeadroomSteps.startedDrivers;
import static io.github.dripfeed.fixture.HeadroomSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static org.apache.hadoop.yarn.api.records.ResourceInformation.GPU_URI;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.GpuType;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code max-starting=auto} on the real scheduler with the dominant resource calculator: no node can
 * hold the largest container that YARN allows, type by type.
 */
class HeadroomShapesTest {

  private static final int NODES = 20;

  @AfterEach
  void forgetGpus() {
    GpuType.forget();
  }

  private static MockCluster dominantCluster(int memory, int cores) throws Exception {
    Map<String, String> properties = new HashMap<>(GpuType.PROPERTIES);
    properties.put(CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
        DominantResourceCalculator.class.getName());
    properties.put(CapacitySchedulerConfiguration.PREFIX + OTHER + ".maximum-am-resource-percent", "100");
    properties.put(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, String.valueOf(memory));
    properties.put(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, String.valueOf(cores));
    return headroomCluster(properties);
  }

  /** An application of another queue that does not end holds one GPU of each node. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneGpuOfEachNodeInUse(boolean anyRequested) throws Exception {
    GpuType.use();
    try (MockCluster cluster = dominantCluster(64 * GB, 16)) {
      for (int i = 0; i < NODES; i++) {
        cluster.addNode(GpuType.size(64 * GB, 16, 4));
      }
      for (int i = 0; i < NODES; i++) {
        cluster.submit(cluster.submission(GB).withQueue(OTHER).withDriverResource(GPU_URI, 1));
        cluster.heartbeat(cluster.node(i));
        assertThat(cluster.scheduler().getNode(cluster.node(i).getNodeId()).getNumContainers()).isOne();
      }
      runOneApplication(cluster, GB);
      if (anyRequested) {
        MockApp app = cluster.submit();
        cluster.heartbeat();
        List<ResourceRequest> executor = new ArrayList<>();
        executor.add(ResourceRequest.newInstance(
            Priority.newInstance(1), ResourceRequest.ANY, GpuType.size(GB, 1, 1), 1));
        app.register().ask(executor);
        monitorAndHeartbeat(cluster);
        app.heartbeat();
        app.finish();
      }
      assertManyStart(cluster);
    }
  }

  @Test
  void twoKindsOfNodes() throws Exception {
    GpuType.use();
    try (MockCluster cluster = dominantCluster(256 * GB, 64)) {
      for (int i = 0; i < NODES; i++) {
        cluster.addNode(GpuType.size(256 * GB, 16, 0));
        cluster.addNode(GpuType.size(64 * GB, 64, 0));
      }
      runOneApplication(cluster, GB);
      assertManyStart(cluster);
    }
  }

  private static void assertManyStart(MockCluster cluster) throws Exception {
    List<MockApp> apps = submitMany(cluster, 100);
    monitorAndHeartbeat(cluster);
    assertThat(startedDrivers(apps)).as("one node of each kind stays free, wherever they are placed")
        .isBetween(NODES - 2L, NODES - 1L);
    for (int second = 0; second < 8; second++) {
      for (MockApp app : apps) {
        if (app.containers() == 1 && !app.isRegistered()) {
          app.register().ask(1, GB);
        }
      }
      monitorAndHeartbeat(cluster);
    }
    assertThat(startedDrivers(apps)).as("those with executors will end").isEqualTo(100);
  }
}
