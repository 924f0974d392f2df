// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.dripfeed.fixture.HadoopVersion;
import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * On the real scheduler (docs/design.md#partitions-do-not-compete): starting slots and offers are separate
 * for each partition.
 */
class NodeLabelTest {

  private MockCluster cluster;

  @BeforeEach
  void startClusterWithLabels() throws Exception {
    cluster = clusterWithLabels(forLabels(DRIP, "capacity"), "100");
  }

  private static MockCluster clusterWithLabels(String... more) throws Exception {
    List<String> properties = new ArrayList<>(List.of(
        YarnConfiguration.NODE_LABELS_ENABLED, "true",
        forLabels("root", "capacity"), "100",
        CapacitySchedulerConfiguration.PREFIX + DRIP + ".accessible-node-labels", "gpu",
        forLabels(DRIP, "capacity"), "50"));
    properties.addAll(List.of(more));
    MockCluster cluster = MockCluster.configured(
        StateAwareOrderingPolicy.class, properties.toArray(new String[0]));
    cluster.rm().getRMContext().getNodeLabelManager()
        .addToCluserNodeLabelsWithDefaultExclusivity(Set.of("gpu"));
    // YARN knows the labels only now.
    cluster.refresh();
    return cluster;
  }

  private static String forLabels(String queue, String name) {
    return CapacitySchedulerConfiguration.PREFIX + queue + ".accessible-node-labels.gpu." + name;
  }

  @AfterEach
  void stopCluster() {
    cluster.close();
  }

  @Test
  void driversForDifferentPartitionsDoNotCompete() throws Exception {
    cluster.addNode(8 * GB);
    cluster.label(cluster.addNode(8 * GB), "gpu");
    MockApp app1 = cluster.submit();
    MockApp app2 = cluster.submit();
    MockApp gpu1 = submitForGpu();
    MockApp gpu2 = submitForGpu();
    assertThat(cluster.offered()).containsExactly("App1", "App3");
    cluster.heartbeat();
    cluster.heartbeat();
    assertThat(app1.containers()).isEqualTo(1);
    assertThat(gpu1.containers()).isEqualTo(1);
    assertThat(app2.containers() + gpu2.containers()).isZero();
    gpu1.register().ask(1, GB);
    cluster.heartbeat();
    gpu1.release(gpu1.executors());
    askForGpu(gpu1);
    cluster.heartbeat();
    assertThat(cluster.offered()).as("the slot of gpu is free")
        .containsExactly("App1", "App3", "App4");
  }

  @Test
  void driverWithoutALabelledNodeHoldsNoOtherBack() throws Exception {
    cluster.addNode(8 * GB);
    MockApp gpu = submitForGpu();
    MockApp app2 = cluster.submit();
    cluster.heartbeat();
    assertThat(app2.containers()).isEqualTo(1);
    app2.register().ask(1, GB);
    cluster.heartbeat();
    assertThat(app2.containers()).isEqualTo(2);
    cluster.advance(Duration.ofHours(1));
    cluster.label(cluster.addNode(8 * GB), "gpu");
    cluster.heartbeat();
    assertThat(gpu.containers()).as("the node has registered").isEqualTo(1);
  }

  @Test
  void relabelledStartingDriverTakesASlotOfTheNewLabel() throws Exception {
    MockNM node = cluster.addNode(8 * GB);
    cluster.label(cluster.addNode(8 * GB), "gpu");
    MockApp app1 = cluster.submit();
    cluster.heartbeat();
    cluster.submit();
    submitForGpu();
    assertThat(cluster.offered()).containsExactly("App1", "App3");
    cluster.label(node, "gpu");
    assertThat(app1.attempt().getAppAMNodePartitionName()).isEqualTo("gpu");
    assertThat(app1.state()).isEqualTo(STARTING);
    cluster.advance(Duration.ofMillis(1));
    assertThat(cluster.offered()).as("App1 starts in gpu now").containsExactly("App1", "App2");
    cluster.refresh();
    assertThat(cluster.offered()).containsExactly("App1", "App2");
  }

  @Test
  void liveViewShowsThePartitionOfEachLine() throws Exception {
    cluster.addNode(8 * GB);
    cluster.label(cluster.addNode(8 * GB), "gpu");
    MockApp app1 = cluster.submit();
    MockApp app2 = cluster.submit();
    MockApp gpu1 = submitForGpu();
    MockApp gpu2 = submitForGpu();
    cluster.heartbeat();
    cluster.runMonitor();
    assertThat(LiveTables.rows("Starting"))
        .extracting(row -> row.get("application"), row -> row.get("partition"))
        .containsExactlyInAnyOrder(tuple(app1.id().toString(), ""), tuple(gpu1.id().toString(), "gpu"));
    assertThat(LiveTables.rows("Line"))
        .extracting(row -> row.get("application"), row -> row.get("partition"), row -> row.get("place"))
        .containsExactlyInAnyOrder(
            tuple(app2.id().toString(), "", 1L), tuple(gpu2.id().toString(), "gpu", 1L));
  }

  private MockApp submitForGpu() throws Exception {
    return cluster.submit(cluster.submission(GB).withDriverLabel("gpu"));
  }

  private void askForGpu(MockApp app) throws Exception {
    List<ResourceRequest> executors = new ArrayList<>();
    executors.add(ResourceRequest.newInstance(Priority.newInstance(1), ResourceRequest.ANY,
        Resource.newInstance(GB, 1), 1, true, "gpu"));
    app.ask(executors);
  }

  /** YARN reads a driver's partition before the queue and its default label exist. */
  @Test
  void firstApplicationOfACreatedQueueUsesItsDefaultLabel() throws Exception {
    assumeTrue(HadoopVersion.isAtLeast("3.3"), "before 3.3 mappings are written differently");
    String parent = CapacitySchedulerConfiguration.PREFIX + OTHER + ".";
    cluster.close();
    cluster = clusterWithLabels(
        parent + "accessible-node-labels", "gpu",
        parent + "accessible-node-labels.gpu.capacity", "50",
        parent + "auto-create-child-queue.enabled", "true",
        parent + "leaf-queue-template.capacity", "50",
        parent + "leaf-queue-template.user-limit-factor", "100",
        parent + "leaf-queue-template.maximum-am-resource-percent", "100",
        parent + "leaf-queue-template.accessible-node-labels", "gpu",
        parent + "leaf-queue-template.accessible-node-labels.gpu.capacity", "50",
        parent + "leaf-queue-template.default-node-label-expression", "gpu",
        parent + "leaf-queue-template.ordering-policy", StateAwareOrderingPolicy.class.getName(),
        CapacitySchedulerConfiguration.QUEUE_MAPPING, "u:%user:" + OTHER + ".%user",
        CapacitySchedulerConfiguration.ENABLE_QUEUE_MAPPING_OVERRIDE, "true");
    cluster.label(cluster.addNode(16 * GB), "gpu");
    String created = OTHER + ".user";
    MockApp first = cluster.submit(cluster.submission(GB).withQueue(created));
    MockApp second = cluster.submit(cluster.submission(GB).withQueue(created));
    assertThat(cluster.offeredIn(created)).containsExactly(first.name());
    cluster.heartbeat();
    cluster.heartbeat();
    assertThat(first.containers()).isEqualTo(1);
    assertThat(second.containers()).isZero();
    assertThat(cluster.offeredIn(created)).containsExactly(first.name());
    first.setPriority(3);
    assertThat(cluster.offeredIn(created)).as("it is added again").containsExactly(first.name());
    cluster.heartbeat();
    assertThat(second.containers()).isZero();
  }
}
