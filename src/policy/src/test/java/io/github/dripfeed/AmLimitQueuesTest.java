// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.AmLimitTest.inPolicy;
import static io.github.dripfeed.AmLimitTest.inYarnsList;
import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.dripfeed.fixture.HadoopVersion;
import io.github.dripfeed.fixture.MockCluster;
import java.util.Set;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An AM limit of a hundred times the queue, in every kind of queue and for every user. */
class AmLimitQueuesTest {

  private static final String POLICY = StateAwareOrderingPolicy.class.getName();
  private static final int BURST = 30;

  @Test
  void absoluteCapacityMakesNoDifference() throws Exception {
    allOfABurstReachThePolicy("[memory=7168,vcores=90]", "[memory=1024,vcores=10]",
        "[memory=8192,vcores=100]");
  }

  @Test
  void capacityWeightMakesNoDifference() throws Exception {
    assumeTrue(HadoopVersion.isAtLeast("3.4"), "came with 3.4");
    allOfABurstReachThePolicy("9w", "1w", "100");
  }

  private static void allOfABurstReachThePolicy(String capacity, String rest, String most)
      throws Exception {
    try (MockCluster cluster = AmLimitTest.ofEightGigabytes("100",
        queueKey("capacity"), capacity, queueKey("maximum-capacity"), most,
        other("capacity"), rest, other("maximum-capacity"), most)) {
      AmLimitTest.submit(cluster, BURST);
      assertThat(inPolicy(cluster)).isEqualTo(BURST);
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1");
    }
  }

  @Test
  void legacyAutoCreatedQueuesInheritTheLimit() throws Exception {
    String template = "leaf-queue-template.";
    // Before 3.3, YARN names a queue by the last part of its path.
    String parent = HadoopVersion.isAtLeast("3.3") ? OTHER : "other";
    try (MockCluster cluster = withLargeOtherQueue(
        other("auto-create-child-queue.enabled"), "true",
        other(template + "capacity"), "50",
        other(template + "maximum-capacity"), "100",
        other(template + "maximum-am-resource-percent"), "100",
        other(template + "ordering-policy"), POLICY,
        CapacitySchedulerConfiguration.QUEUE_MAPPING, "u:%user:" + parent + ".%user",
        CapacitySchedulerConfiguration.ENABLE_QUEUE_MAPPING_OVERRIDE, "true")) {
      allReachThePolicy(cluster, OTHER + ".user");
    }
  }

  @Test
  void flexibleAutoCreatedQueuesInheritTheLimit() throws Exception {
    assumeTrue(HadoopVersion.isAtLeast("3.4"), "came with 3.4");
    String template = "auto-queue-creation-v2.leaf-template.";
    try (MockCluster cluster = withLargeOtherQueue(
        other("auto-queue-creation-v2.enabled"), "true",
        other(template + "maximum-am-resource-percent"), "100",
        other(template + "ordering-policy"), POLICY)) {
      allReachThePolicy(cluster, OTHER + ".created");
    }
  }

  private static void allReachThePolicy(MockCluster cluster, String queue) throws Exception {
    for (int i = 0; i < BURST; i++) {
      cluster.submit(cluster.submission(GB).withQueue(queue));
    }
    assertThat(cluster.policy(queue).getNumSchedulableEntities()).isEqualTo(BURST);
    cluster.heartbeat();
    cluster.refresh();
    cluster.heartbeat();
    assertThat(cluster.offeredIn(queue)).containsExactly("App1");
    assertThat(cluster.policy(queue).getNumSchedulableEntities()).isEqualTo(BURST);
  }

  @Test
  void partitionUsesTheLimitOfItsQueue() throws Exception {
    String gpu = ".accessible-node-labels.gpu.capacity";
    try (MockCluster cluster = AmLimitTest.ofEightGigabytes("100",
        YarnConfiguration.NODE_LABELS_ENABLED, "true",
        CapacitySchedulerConfiguration.PREFIX + "root" + gpu, "100",
        queueKey("accessible-node-labels"), "gpu",
        CapacitySchedulerConfiguration.PREFIX + DRIP + gpu, "100")) {
      cluster.rm().getRMContext().getNodeLabelManager()
          .addToCluserNodeLabelsWithDefaultExclusivity(Set.of("gpu"));
      cluster.refresh();
      cluster.label(cluster.addNode(8 * GB), "gpu");
      for (int i = 0; i < BURST; i++) {
        cluster.submit(cluster.submission(GB).withDriverLabel("gpu"));
      }
      assertThat(inPolicy(cluster)).isEqualTo(BURST);
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1");
    }
  }

  /** YARN limits each user to the AM limit times the user's share of the queue times user-limit-factor. */
  @ParameterizedTest
  @CsvSource({"1.0, 4, 4", "100, 20, 20"})
  void limitAppliesToEachUsersShare(String limit, int first, int second) throws Exception {
    try (MockCluster cluster = AmLimitTest.ofEightGigabytes(limit,
        queueKey("capacity"), "100", other("capacity"), "0",
        queueKey("user-limit-factor"), "1", queueKey("minimum-user-limit-percent"), "50")) {
      for (int i = 0; i < 40; i++) {
        cluster.submit(cluster.submission(GB).withUser(i % 2 == 0 ? "first" : "second"));
      }
      assertThat(of(cluster, "first")).isEqualTo(first);
      assertThat(of(cluster, "second")).isEqualTo(second);
      assertThat(inYarnsList(cluster)).isEqualTo(40 - first - second);
    }
  }

  private static long of(MockCluster cluster, String user) {
    return cluster.policy().getSchedulableEntities().stream()
        .filter(app -> app.getUser().equals(user)).count();
  }

  /** The user limit is a multiple of zero, so YARN activates one application at a time. */
  @Test
  void queueWithoutCapacityAdmitsOneApplication() throws Exception {
    try (MockCluster cluster = AmLimitTest.ofEightGigabytes("100",
        queueKey("capacity"), "0", other("capacity"), "100", queueKey("maximum-applications"), "100")) {
      AmLimitTest.submit(cluster, BURST);
      assertThat(inPolicy(cluster)).isEqualTo(1);
      assertThat(inYarnsList(cluster)).isEqualTo(BURST - 1);
    }
  }

  private static MockCluster withLargeOtherQueue(String... properties) throws Exception {
    String[] all = new String[properties.length + 4];
    System.arraycopy(properties, 0, all, 4, properties.length);
    all[0] = queueKey("capacity");
    all[1] = "10";
    all[2] = other("capacity");
    all[3] = "90";
    MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class, all);
    cluster.addNode(8 * GB);
    return cluster;
  }

  private static String other(String name) {
    return CapacitySchedulerConfiguration.PREFIX + OTHER + "." + name;
  }
}
