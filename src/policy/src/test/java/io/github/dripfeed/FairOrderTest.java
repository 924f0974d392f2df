// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.AbstractComparatorOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fair policy on the real Capacity Scheduler: least usage comes first, and one starts at a time. */
class FairOrderTest {

  @Test
  void applicationThatUsesLeastComesFirst() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.addNode(32 * GB);
      MockApp app1 = startWith(cluster, 3);
      MockApp app2 = startWith(cluster, 1);
      assertThat(cluster.offered()).containsExactly("App2", "App1");
      app2.ask(4, GB);
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      app2.heartbeat();
      app2.release(app2.executors());
      assertThat(cluster.offered()).containsExactly("App2", "App1");
      assertThat(app1.executors()).hasSize(3);
    }
  }

  @Test
  void acceptedApplicationComesFirstWhileASlotIsFree() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.addNode(32 * GB);
      startWith(cluster, 1);
      cluster.submit();
      cluster.submit();
      assertThat(cluster.offered()).containsExactly("App2", "App1");
      cluster.heartbeat();
      assertThat(cluster.offered()).as("App3 is held").containsExactly("App2", "App1");
    }
  }

  @Test
  void orderSurvivesARefresh() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.addNode(32 * GB);
      startWith(cluster, 3);
      startWith(cluster, 1);
      cluster.refresh();
      assertThat(cluster.offered()).containsExactly("App2", "App1");
    }
  }

  @Test
  void sizeBasedWeightWorks() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.refresh(MockCluster.queueKey("ordering-policy.fair.enable-size-based-weight"), "true");
      cluster.addNode(8 * GB);
      MockApp large = startWith(cluster, 2);
      startWith(cluster, 1);
      assertThat(cluster.offered()).containsExactly("App2", "App1");
      // 3 GB weighted by a demand of 1,000 GB, against 2 GB weighted by a demand of 2 GB.
      large.ask(1000, GB);
      cluster.heartbeat();
      assertThat(cluster.policy().getInfo()).contains("sizeBasedWeight");
    }
  }

  @Test
  void prioritiesWeighTheSharesOfAFullQueue() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.addNode(21 * GB);
      List<MockApp> apps = List.of(start(cluster, 0), start(cluster, 1), start(cluster, 3));
      for (MockApp app : apps) {
        app.ask(30, GB);
      }
      cluster.heartbeat();
      assertThat(apps).extracting(MockApp::containers).as("1:2:4").containsExactly(3, 6, 12);
    }
  }

  @Test
  void zeroPriorityWeightGivesEqualShares() throws Exception {
    try (MockCluster cluster =
        MockCluster.of(StateAwareFairOrderingPolicy.class, "priority-weight", "false")) {
      cluster.addNode(21 * GB);
      List<MockApp> apps = List.of(start(cluster, 0), start(cluster, 1), start(cluster, 3));
      for (MockApp app : apps) {
        app.ask(30, GB);
      }
      cluster.heartbeat();
      assertThat(apps).extracting(MockApp::containers).containsExactly(7, 7, 7);
    }
  }

  @Test
  void idleShareGoesToTheOthersAtOnce() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.addNode(12 * GB);
      MockApp idle = start(cluster, 9);
      MockApp busy = start(cluster, 0);
      busy.ask(30, GB);
      cluster.heartbeat();
      assertThat(busy.containers()).isEqualTo(12 - idle.containers());
    }
  }

  @Test
  void maxContainersPrecedesShares() throws Exception {
    try (MockCluster cluster =
        MockCluster.of(StateAwareFairOrderingPolicy.class, "max-containers", "5")) {
      cluster.addNode(16 * GB);
      MockApp heavy = start(cluster, 9);
      MockApp light = start(cluster, 0);
      heavy.ask(30, GB);
      light.ask(30, GB);
      cluster.heartbeat();
      assertThat(heavy.containers()).isEqualTo(5);
      assertThat(light.containers()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @CsvSource({"DefaultResourceCalculator, Memory", "DominantResourceCalculator, Cores"})
  void sharesFollowTheResourceCalculator(String calculator, String first) throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareFairOrderingPolicy.class,
        CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
        "org.apache.hadoop.yarn.util.resource." + calculator,
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB,
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, "32")) {
      // A node of mock clusters has 100 virtual cores.
      cluster.addNode(100 * GB);
      MockApp cores = start(cluster, 0);
      MockApp memory = start(cluster, 0);
      cores.ask(List.of(request(GB, 20)));
      memory.ask(List.of(request(10 * GB, 1)));
      cluster.heartbeat();
      String expected = first.equals("Memory") ? cores.name() : memory.name();
      assertThat(cluster.offered().get(0)).as("less usage comes first").isEqualTo(expected);
    }
  }

  @Test
  void dominantSharesFollowTheClusterSize() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareFairOrderingPolicy.class,
        CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
        DominantResourceCalculator.class.getName())) {
      cluster.addNode(100 * GB);
      MockApp less = start(cluster, 0);
      MockApp more = start(cluster, 0);
      less.ask(2, GB);
      cluster.heartbeat();
      assertThat(cluster.offered()).as("its share is updated").containsExactly("App2", "App1");
      cluster.addNode(900 * GB);
      more.ask(4, GB);
      cluster.heartbeat();
      assertThat(more.containers()).isGreaterThan(less.containers());
      assertThat(cluster.offered()).containsExactly(less.name(), more.name());
    }
  }

  @Test
  void yarnComparesBySharesToo() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.addNode(32 * GB);
      MockApp heavy = start(cluster, 9);
      MockApp light = start(cluster, 0);
      heavy.ask(3, GB);
      light.ask(1, GB);
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly(heavy.name(), light.name());
      Comparator<SchedulableEntity> comparator =
          ((AbstractComparatorOrderingPolicy<?>) (Object) cluster.policy()).getComparator();
      assertThat(comparator.compare(heavy.attempt(), light.attempt())).isNegative();
    }
  }

  private static ResourceRequest request(int memory, int cores) {
    return ResourceRequest.newInstance(Priority.newInstance(1), ResourceRequest.ANY,
        Resource.newInstance(memory, cores), 1);
  }

  /** The application is running and has released its first executor. */
  private static MockApp start(MockCluster cluster, int priority) throws Exception {
    MockApp app = cluster.submit(GB, priority);
    cluster.heartbeat();
    app.register().ask(1, GB);
    cluster.heartbeat();
    app.heartbeat();
    app.release(app.executors());
    return app;
  }

  private static MockApp startWith(MockCluster cluster, int executors) throws Exception {
    MockApp app = cluster.submit();
    cluster.heartbeat();
    app.register().ask(executors, GB);
    cluster.heartbeat();
    return app;
  }
}
