// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each property does, on the real Capacity Scheduler. */
class PropertiesTest {

  private static final Duration MILLI = Duration.ofMillis(1);

  @Test
  void startingTimeoutDefaultsToFiveMinutes() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      startingIsOverAfter(cluster, Duration.ofMinutes(5));
    }
  }

  @Test
  void startingTimeoutEndsStartingWithoutTheMonitor() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "starting-timeout", "90s")) {
      startingIsOverAfter(cluster, Duration.ofSeconds(90));
    }
  }

  private static void startingIsOverAfter(MockCluster cluster, Duration limit) throws Exception {
    MockApp app1 = cluster.submit();
    cluster.submit();
    cluster.heartbeat();
    cluster.advance(limit.minus(MILLI));
    assertThat(cluster.offered()).containsExactly("App1");
    cluster.advance(MILLI);
    assertThat(cluster.offered()).containsExactly("App1", "App2");
    assertThat(app1.state()).isEqualTo(RUNNING);
  }

  @Test
  void monitorEndsStartingWithoutScheduling() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(app1.state()).isEqualTo(STARTING);
      cluster.advance(Duration.ofMinutes(5));
      cluster.runMonitor();
      assertThat(app1.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void monitorIntervalSetsThePeriodOfTurns() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB,
        "monitor-interval", "30s", "starting-timeout", "10s")) {
      MockApp app1 = cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      cluster.advance(Duration.ofSeconds(30).minus(MILLI));
      cluster.runMonitor();
      assertThat(app1.state()).isEqualTo(STARTING);
      cluster.advance(MILLI);
      cluster.runMonitor();
      assertThat(app1.state()).isEqualTo(RUNNING);
    }
  }

  /** Free resources change fast. */
  @Test
  void monitorComesAtLeastOnceASecondWithAuto() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB,
        "monitor-interval", "30s", "starting-timeout", "10s", "max-starting", "auto")) {
      MockApp app1 = cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      cluster.advance(Duration.ofSeconds(9));
      cluster.runMonitor();
      assertThat(app1.state()).isEqualTo(STARTING);
      cluster.advance(Duration.ofSeconds(1));
      cluster.runMonitor();
      assertThat(app1.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void maxStartingBoundsConcurrentStarts() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "max-starting", "3")) {
      for (int i = 0; i < 5; i++) {
        cluster.submit();
      }
      assertThat(cluster.offered()).as("one at a time").containsExactly("App1");
      for (int i = 0; i < 5; i++) {
        cluster.heartbeat();
      }
      assertThat(cluster.offered()).containsExactly("App1", "App2", "App3");
    }
  }

  @Test
  void minExecutorsMakesAnApplicationRunning() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "min-executors", "3")) {
      MockApp app1 = cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      app1.register().ask(2, GB);
      cluster.heartbeat();
      assertThat(app1.executors()).hasSize(2);
      assertThat(cluster.offered()).containsExactly("App1");
      app1.ask(1, GB);
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1", "App2");
    }
  }

  @Test
  void runningApplicationStaysRunningWithoutExecutors() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      app1.register().ask(1, GB);
      cluster.heartbeat();
      app1.heartbeat();
      app1.release(app1.executors());
      assertThat(app1.containers()).isEqualTo(1);
      assertThat(cluster.offered()).containsExactly("App1", "App2");
    }
  }

  @Test
  void acceptedTimeoutPutsAStalledApplicationLast() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(4 * GB, "accepted-timeout", "2m")) {
      MockApp impossible = submitDriverForWhichEveryNodeIsTooSmall(cluster);
      MockApp app2 = cluster.submit();
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.advance(Duration.ofMinutes(2).minus(MILLI));
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.advance(MILLI);
      assertThat(cluster.offered()).as("still in its position")
          .containsExactly("App1", "App2");
      assertThat(cluster.offered()).containsExactly("App2", "App1");
      cluster.heartbeat();
      assertThat(cluster.offered()).as("no free slot").containsExactly("App2");
      app2.register().ask(1, GB);
      cluster.heartbeat();
      MockApp app3 = cluster.submit();
      assertThat(cluster.offered()).containsExactly("App2", "App3", "App1");
      cluster.heartbeat();
      assertThat(app3.containers()).isEqualTo(1);
      assertThat(impossible.containers()).isZero();
    }
  }

  @Test
  void zeroAcceptedTimeoutIsOff() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(4 * GB, "accepted-timeout", "0")) {
      submitDriverForWhichEveryNodeIsTooSmall(cluster);
      cluster.submit();
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.advance(Duration.ofDays(1));
      assertThat(cluster.offered()).containsExactly("App1");
    }
  }

  private static MockApp submitDriverForWhichEveryNodeIsTooSmall(MockCluster cluster)
      throws Exception {
    cluster.addNode(4 * GB);
    cluster.addNode(4 * GB);
    MockNM large = cluster.addNode(5 * GB);
    MockApp app = cluster.submit(5 * GB, 0);
    cluster.loseNode(large);
    return app;
  }

  @Test
  void defaultOrderIsPriorityThenSubmission() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit(GB, 0);
      cluster.submit(GB, 1);
      cluster.submit(GB, 1);
      assertThat(runOneAfterTheOther(cluster)).isEqualTo("[App2, App3, App1]");
    }
  }

  @Test
  void fifoOrderIgnoresPriority() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "order", "fifo")) {
      cluster.submit(GB, 0);
      cluster.submit(GB, 1);
      cluster.submit(GB, 1);
      assertThat(runOneAfterTheOther(cluster)).isEqualTo("[App1, App2, App3]");
    }
  }

  /**
   * Lets every application get its driver and time out, and returns the order in which they are offered.
   */
  private static String runOneAfterTheOther(MockCluster cluster) throws Exception {
    for (int i = 0; i < 3; i++) {
      cluster.heartbeat();
      cluster.advance(Duration.ofMinutes(5));
    }
    return cluster.offered().toString();
  }

  @Test
  void olderApplicationComesFirstThoughItStartedLater() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      MockApp app2 = cluster.submit();
      cluster.heartbeat();
      app1.register().ask(1, GB);
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(app2.state()).isEqualTo(STARTING);
      assertThat(cluster.offered()).as("states form no groups").containsExactly("App1", "App2");
    }
  }

  @Test
  void maxContainersBoundsAnApplication() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "max-containers", "3")) {
      MockApp app1 = cluster.submit();
      cluster.heartbeat();
      app1.register().ask(10, GB);
      MockApp app2 = cluster.submit();
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(app1.containers()).as("driver included").isEqualTo(3);
      assertThat(app2.containers()).as("others get the rest").isEqualTo(1);
      assertThat(cluster.offered()).as("App1 is not offered").containsExactly("App2");
      app2.register().ask(1, GB);
      cluster.heartbeat();
      app1.heartbeat();
      app1.release(app1.executors().subList(0, 1));
      assertThat(cluster.offered()).as("below again").containsExactly("App1", "App2");
      cluster.heartbeat();
      assertThat(app1.containers()).isEqualTo(3);
      assertThat(cluster.policy().getNumSchedulableEntities()).isEqualTo(2);
    }
  }

  /** A larger container is no further one; while it also requests further ones, it waits. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void applicationAtMaxContainersMayEnlargeOne(int more) throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "max-containers", "2")) {
      MockApp app = cluster.start(cluster.submission(GB), 1);
      app.launchExecutors();
      Container executor = app.attempt().getRMContainer(app.executors().get(0)).getContainer();
      app.ask(more, GB);
      app.update(UpdateContainerRequest.newInstance(executor.getVersion(), executor.getId(),
          ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(2 * GB, 1),
          ExecutionType.GUARANTEED));
      for (int i = 0; i < 4; i++) {
        cluster.heartbeat();
        app.heartbeat();
      }
      assertThat(app.containers()).as("never more").isEqualTo(2);
      assertThat(app.attempt().getRMContainer(executor.getId()).getContainer().getResource()
          .getMemorySize()).isEqualTo((2 - more) * GB);
    }
  }

  @Test
  void maxContainersOfOneRunsAtOnce() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "max-containers", "1")) {
      MockApp app1 = cluster.submit();
      MockApp app2 = cluster.submit();
      cluster.heartbeat();
      assertThat(app1.state()).isEqualTo(RUNNING);
      assertThat(app2.containers()).isEqualTo(1);
    }
  }

  @Test
  void maxContainersLowersMinExecutors() throws Exception {
    try (MockCluster cluster =
        MockCluster.ofOneNode(16 * GB, "max-containers", "2", "min-executors", "4")) {
      MockApp app1 = cluster.submit();
      cluster.heartbeat();
      app1.register().ask(4, GB);
      cluster.heartbeat();
      assertThat(app1.containers()).isEqualTo(2);
      assertThat(app1.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void queueInformationNamesStartingAndNextApplications() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      MockApp app2 = cluster.submit();
      cluster.submit();
      cluster.runMonitor();
      assertThat(cluster.policy().getInfo().split("\n")).containsExactly(
          "StateAwareOrderingPolicy: 3 accepted, 0 starting, 0 running",
          "Next: " + app1.id() + ", waits for room", "Settings: all defaults");
      cluster.heartbeat();
      cluster.advance(Duration.ofSeconds(42));
      cluster.runMonitor();
      assertThat(cluster.policy().getInfo().split("\n")).containsExactly(
          "StateAwareOrderingPolicy: 2 accepted, 1 starting, 0 running",
          "Starting: " + app1.id() + " for 42 s",
          "Next: " + app2.id() + ", waits for a starting slot", "Settings: all defaults");
    }
  }
}
