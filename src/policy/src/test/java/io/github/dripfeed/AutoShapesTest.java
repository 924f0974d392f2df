// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.AutoSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.AutoSteps.request;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.AutoSteps.startedDrivers;
import static io.github.dripfeed.fixture.AutoSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static org.apache.hadoop.yarn.api.records.ResourceInformation.GPU_URI;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.GpuType;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code max-starting=auto} on the real scheduler with the dominant resource calculator: no node
 * has the most of all types.
 */
class AutoShapesTest {

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
    return autoCluster(properties);
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
      runOneApplication(cluster, GB);
      if (anyRequested) {
        runOneApplication(cluster, request(1, GpuType.size(GB, 1, 1), null));
      }
      assertAllStart(cluster);
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
      assertAllStart(cluster);
    }
  }

  private static void assertAllStart(MockCluster cluster) throws Exception {
    List<MockApp> apps = submitMany(cluster, 100);
    monitorAndHeartbeat(cluster);
    assertThat(startedDrivers(apps)).isEqualTo(100);
  }
}
