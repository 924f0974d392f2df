// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.dripfeed.fixture.HadoopVersion;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;

/** Queues that are created, stopped and removed while the ResourceManager runs. */
class QueueKindsTest {

  private static final String POLICY = StateAwareOrderingPolicy.class.getName();
  private static final String CREATED = OTHER + ".created";

  @Test
  void legacyAutoCreatedQueueInheritsThePolicy() throws Exception {
    // Before 3.3, mappings name a queue by the last part of its path.
    String parent = HadoopVersion.isAtLeast("3.3") ? OTHER : "other";
    try (MockCluster cluster = withLargeOtherQueue(
        other("auto-create-child-queue.enabled"), "true",
        other("leaf-queue-template.capacity"), "50",
        other("leaf-queue-template.maximum-capacity"), "100",
        other("leaf-queue-template.user-limit-factor"), "100",
        other("leaf-queue-template.maximum-am-resource-percent"), "100",
        other("leaf-queue-template.ordering-policy"), POLICY,
        other("leaf-queue-template.ordering-policy.state-aware.max-starting"), "2",
        // YARN creates the legacy kind only for applications that are mapped to it.
        CapacitySchedulerConfiguration.QUEUE_MAPPING, "u:%user:" + parent + ".%user",
        CapacitySchedulerConfiguration.ENABLE_QUEUE_MAPPING_OVERRIDE, "true")) {
      twoStartAtOnceIn(OTHER + ".user", cluster);
    }
  }

  @Test
  void flexibleAutoCreatedQueueInheritsThePolicy() throws Exception {
    assumeTrue(HadoopVersion.isAtLeast("3.4"), "came with 3.4");
    try (MockCluster cluster = withLargeOtherQueue(
        other("auto-queue-creation-v2.enabled"), "true",
        other("auto-queue-creation-v2.leaf-template.user-limit-factor"), "100",
        other("auto-queue-creation-v2.leaf-template.maximum-am-resource-percent"), "100",
        other("auto-queue-creation-v2.leaf-template.ordering-policy"), POLICY,
        other("auto-queue-creation-v2.leaf-template.ordering-policy.state-aware.max-starting"),
        "2")) {
      twoStartAtOnceIn(CREATED, cluster);
      cluster.refresh();
      assertThat(cluster.offeredIn(CREATED)).as("after a refresh").hasSize(2);
    }
  }

  /** YARN names the queues of single reservations, so an operator can configure only the default queue. */
  @Test
  void defaultQueueOfAReservationPlanUsesThePolicy() throws Exception {
    // YARN's own name for it; since 3.3 it contains the whole path of the plan.
    String inPlan = OTHER + "." + (HadoopVersion.isAtLeast("3.3") ? OTHER : "other") + "-default";
    try (MockCluster cluster = withLargeOtherQueue(
        "yarn.resourcemanager.reservation-system.enable", "true",
        other("reservable"), "true",
        key(inPlan, "ordering-policy"), POLICY,
        key(inPlan, "ordering-policy.state-aware.max-starting"), "2",
        key(inPlan, "maximum-am-resource-percent"), "100")) {
      cluster.rm().getRMContext().getReservationSystem().synchronizePlan(OTHER, false);
      CSQueue queue = cluster.queue(OTHER).getChildQueues().get(0);
      assertThat(queue.getQueuePath()).isEqualTo(inPlan);
      assertThat(cluster.policy(inPlan).getInfo()).contains("max-starting=2");
    }
  }

  @Test
  void stoppedQueueStillServesItsApplications() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      MockApp app2 = cluster.submit();
      cluster.heartbeat();
      cluster.refresh(key(DRIP, "state"), QueueState.STOPPED.name());
      assertThat(cluster.queue(DRIP).getState()).isEqualTo(QueueState.DRAINING);
      assertThat(cluster.offered()).containsExactly("App1");
      app1.register().ask(1, GB);
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(app2.containers()).isEqualTo(1);
      cluster.refresh(key(DRIP, "state"), QueueState.RUNNING.name());
      MockApp app3 = cluster.submit();
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      app2.kill();
      assertThat(cluster.offered()).containsExactly("App1", "App3");
      assertThat(app3.containers()).isZero();
    }
  }

  private static void twoStartAtOnceIn(String queue, MockCluster cluster) throws Exception {
    for (int i = 0; i < 4; i++) {
      cluster.submit(cluster.submission(GB).withQueue(queue));
    }
    assertThat(cluster.policy(queue))
        .isInstanceOf(StateAwareOrderingPolicy.class);
    cluster.heartbeat();
    cluster.heartbeat();
    assertThat(cluster.offeredIn(queue)).containsExactly("App1", "App2");
    assertThat(cluster.queue(queue).getQueueResourceUsage().getUsed().getMemorySize())
        .isEqualTo(2 * GB);
  }

  private static MockCluster withLargeOtherQueue(String... properties) throws Exception {
    String[] all = new String[properties.length + 4];
    System.arraycopy(properties, 0, all, 4, properties.length);
    all[0] = key(DRIP, "capacity");
    all[1] = "10";
    all[2] = other("capacity");
    all[3] = "90";
    MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class, all);
    cluster.addNode(32 * GB);
    return cluster;
  }

  private static String other(String name) {
    return key(OTHER, name);
  }
}
