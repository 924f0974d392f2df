// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.ClusterRestart;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.yarn.QueueCompat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * YARN's AM limit comes before the policy (docs/design.md#the-am-limit-comes-first): what it activates at
 * 1.0, and at the far higher value that the documentation recommends.
 */
class AmLimitTest {

  static final String LIMIT = queueKey("maximum-am-resource-percent");
  private static final int BURST = 60;

  @Test
  void limitOfOneActivatesOnlyTheDriversThatFit() throws Exception {
    try (MockCluster cluster = ofEightGigabytes("1.0")) {
      submit(cluster, BURST);
      assertThat(inPolicy(cluster)).isEqualTo(8);
      assertThat(inYarnsList(cluster)).isEqualTo(BURST - 8);
    }
  }

  @Test
  void limitOfAHundredActivatesTheWholeBurst() throws Exception {
    try (MockCluster cluster = ofEightGigabytes("100")) {
      submit(cluster, BURST);
      assertThat(inPolicy(cluster)).isEqualTo(BURST);
      assertThat(inYarnsList(cluster)).isZero();
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(cluster.offered()).as("one at a time is offered").containsExactly("App1");
      assertThat(cluster.queue(MockCluster.DRIP).getQueueResourceUsage().getUsed().getMemorySize())
          .isEqualTo(GB);
    }
  }

  @Test
  void highLimitKeepsSubmissionOrder() throws Exception {
    assertThat(startsByNumber("100")).isSorted();
    assertThat(startsByNumber("1.0")).as("YARN's own list goes by priority").isNotEqualTo(
        IntStream.rangeClosed(1, 24).boxed().collect(Collectors.toList()));
  }

  /** Submits twelve of priority 0, then twelve of priority 5, to a queue in submission order. */
  private static List<Integer> startsByNumber(String limit) throws Exception {
    List<Integer> starts = new ArrayList<>();
    try (MockCluster cluster = ofEightGigabytes(limit, stateAwareKey("order"), "fifo")) {
      List<MockApp> waiting = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        waiting.add(cluster.submit(GB, i < 12 ? 0 : 5));
      }
      while (!waiting.isEmpty()) {
        cluster.heartbeat();
        MockApp started = waiting.stream().filter(app -> app.containers() > 0).findFirst().get();
        waiting.remove(started);
        starts.add(Integer.valueOf(started.name().substring("App".length())));
        started.register().ask(1, GB);
        cluster.heartbeat();
        started.finish();
      }
    }
    return starts;
  }

  @ParameterizedTest
  @ValueSource(classes = {DefaultResourceCalculator.class, DominantResourceCalculator.class})
  void yarnReportsTheLimitAsAHundredTimesTheQueue(Class<? extends ResourceCalculator> calculator)
      throws Exception {
    try (MockCluster cluster = ofEightGigabytes("100",
        CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS, calculator.getName())) {
      submit(cluster, 12);
      CSQueueMetrics metrics = (CSQueueMetrics) cluster.queue(MockCluster.DRIP).getMetrics();
      assertThat(metrics.getAMResourceLimitMB()).isEqualTo(100 * 8 * GB);
      assertThat(metrics.getUsedAMResourceMB()).as("held applications count").isEqualTo(12 * GB);
      assertThat(metrics.getAMResourceLimitVCores()).isGreaterThanOrEqualTo(0);
    }
  }

  @ParameterizedTest
  @CsvSource({"Default, 100", "Dominant, 100", "Default, 10000", "Dominant, 10000"})
  void limitDoesNotOverflowOnAHugeCluster(String calculator, int limit) throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        LIMIT, String.valueOf(limit), CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
        "org.apache.hadoop.yarn.util.resource." + calculator + "ResourceCalculator")) {
      long cores = 0;
      long memory = 0;
      for (int i = 1; i <= 4; i++) {
        cluster.rm().registerNode("127.0.9." + i + ":1234", 2_000_000_000, 2_000_000);
        memory += 2_000_000_000;
        cores += 2_000_000;
      }
      cluster.rm().drainEvents();
      submit(cluster, 12);
      assertThat(inPolicy(cluster)).isEqualTo(12);
      CSQueueMetrics metrics = (CSQueueMetrics) cluster.queue(MockCluster.DRIP).getMetrics();
      assertThat(metrics.getAMResourceLimitMB()).isBetween(memory / 10 * 9 * limit, memory * limit + GB);
      assertThat(metrics.getAMResourceLimitVCores()).isBetween(0L, cores * limit);
    }
  }

  @Test
  void heldApplicationsReturnInOrderAfterARestart() throws Exception {
    try (MockCluster cluster = ofEightGigabytes("100")) {
      List<MockApp> apps = submit(cluster, BURST);
      cluster.heartbeat();
      apps.get(0).register();
      ClusterRestart restart = cluster.restart();
      assertThat(inPolicy(cluster)).as("no node is back: YARN activates none").isZero();
      restart.reconnectNodes();
      assertThat(inPolicy(cluster)).isEqualTo(BURST);
      assertThat(cluster.offered()).containsExactly("App1");
      apps.get(0).registerAgain().ask(1, GB);
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      assertThat(apps.get(1).containers()).isEqualTo(1);
      assertThat(cluster.queue(MockCluster.DRIP).getQueueResourceUsage().getUsed().getMemorySize())
          .isEqualTo(3 * GB);
    }
  }

  @Test
  void raisingTheLimitAdmitsAllAndLoweringItEvictsNone() throws Exception {
    try (MockCluster cluster = ofEightGigabytes("1.0")) {
      submit(cluster, 20);
      assertThat(inPolicy(cluster)).isEqualTo(8);
      cluster.refresh(LIMIT, "100");
      assertThat(inPolicy(cluster)).as("at once").isEqualTo(20);
      assertThat(cluster.offered()).containsExactly("App1");

      cluster.refresh(LIMIT, "1.0");
      assertThat(inPolicy(cluster)).isEqualTo(20);
      submit(cluster, 1);
      assertThat(inYarnsList(cluster)).as("the policy has more than the limit allows").isEqualTo(1);
      cluster.refresh(LIMIT, "100");
      assertThat(inYarnsList(cluster)).isZero();
      assertThat(cluster.offered()).containsExactly("App1");
    }
  }

  /** YARN checks the limit only when it activates an application. */
  @ParameterizedTest
  @ValueSource(strings = {"1.0", "0.1"})
  void switchingToFifoStartsAllActivatedApplications(String limit) throws Exception {
    try (MockCluster cluster = ofEightGigabytes("100")) {
      submit(cluster, 20);
      cluster.heartbeat();
      assertThat(drivers(cluster)).isEqualTo(1);
      cluster.refresh(Map.of(queueKey("ordering-policy"), "fifo", LIMIT, limit));
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(drivers(cluster)).as("the queue is full of drivers").isEqualTo(8);
    }
  }

  @Test
  void loweringTheLimitFirstMakesTheSwitchToFifoSafe() throws Exception {
    try (MockCluster cluster = ofEightGigabytes("100")) {
      List<MockApp> in = submit(cluster, 6);
      cluster.refresh(LIMIT, "0.5");
      submit(cluster, 6);
      assertThat(inPolicy(cluster)).isEqualTo(6);
      for (MockApp app : in) {
        cluster.heartbeat();
        assertThat(drivers(cluster)).isEqualTo(1);
        app.register().finish();
      }
      assertThat(inPolicy(cluster)).as("half of the queue").isEqualTo(4);
      cluster.refresh(queueKey("ordering-policy"), "fifo");
      cluster.heartbeat();
      assertThat(drivers(cluster)).as("no more than before Dripfeed").isEqualTo(4);
    }
  }

  @Test
  void loweredLimitAppliesToAllAfterARestart() throws Exception {
    try (MockCluster cluster = ofEightGigabytes("100")) {
      submit(cluster, 20);
      cluster.refresh(Map.of(queueKey("ordering-policy"), "fifo", LIMIT, "0.5"));
      cluster.restart().reconnectNodes();
      cluster.heartbeat();
      assertThat(inPolicy(cluster)).isEqualTo(4);
      assertThat(drivers(cluster)).isEqualTo(4);
    }
  }

  @Test
  void heldApplicationsCountTowardMaximumApplications() throws Exception {
    try (MockCluster cluster = ofEightGigabytes("100", queueKey("maximum-applications"), "10")) {
      submit(cluster, 10);
      assertThat(inPolicy(cluster)).isEqualTo(10);
      assertThat(cluster.submission(GB).submit(cluster.rm())).satisfies(app -> {
        Eventually.is("YARN rejects it", () -> app.getState().name().equals("FAILED"));
        assertThat(app.getDiagnostics().toString()).contains("already has 10 applications");
      });
    }
  }

  static MockCluster ofEightGigabytes(String limit, String... properties) throws Exception {
    String[] all = Arrays.copyOf(properties, properties.length + 2);
    all[properties.length] = LIMIT;
    all[properties.length + 1] = limit;
    MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class, all);
    cluster.addNode(8 * GB);
    return cluster;
  }

  static List<MockApp> submit(MockCluster cluster, int count) throws Exception {
    List<MockApp> apps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      apps.add(cluster.submit());
    }
    return apps;
  }

  static int inPolicy(MockCluster cluster) {
    return cluster.policy().getNumSchedulableEntities();
  }

  static int inYarnsList(MockCluster cluster) {
    return (int) QueueCompat.number(cluster.queue(MockCluster.DRIP), "getNumPendingApplications");
  }

  private static long drivers(MockCluster cluster) {
    return cluster.policy().getSchedulableEntities().stream()
        .filter(app -> !app.getLiveContainersMap().isEmpty()).count();
  }
}
