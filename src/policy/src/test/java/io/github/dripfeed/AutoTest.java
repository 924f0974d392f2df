// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.AutoSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.AutoSteps.startedDrivers;
import static io.github.dripfeed.fixture.AutoSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.plan.PlanRound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code max-starting=auto} on the real scheduler: which applications start in parallel.
 */
class AutoTest {

  @Test
  void idleQueueStartsAllAtOnce() throws Exception {
    try (MockCluster cluster = autoCluster(64 * GB)) {
      List<MockApp> apps = submitMany(cluster, 5);
      monitorAndHeartbeat(cluster);
      assertThat(apps).extracting(MockApp::state).containsOnly(STARTING);
      assertThat(cluster.offered()).containsExactly("App1", "App2", "App3", "App4", "App5");
    }
  }

  @Test
  void oneStartsAtATimeByDefault() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(64 * GB)) {
      List<MockApp> apps = submitMany(cluster, 5);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(1);
    }
  }

  @Test
  void unknownExecutorsAreExpectedToBeAsLargeAsTheDriver() throws Exception {
    try (MockCluster cluster = autoCluster(24 * GB)) {
      List<MockApp> apps = submitMany(cluster, 8);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("it is a guess: drivers hold no more than a sixth").isEqualTo(4);
      apps.get(0).register().ask(1, 2 * GB);
      monitorAndHeartbeat(cluster);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      assertThat(startedDrivers(apps)).as("an executor has 2 GB: 24 GB hold 8 drivers and 8 of them")
          .isEqualTo(8);
    }
  }

  @Test
  void executorSizesSurviveTheApplicationAndARefresh() throws Exception {
    try (MockCluster cluster = autoCluster(24 * GB)) {
      runOneApplication(cluster, 2 * GB);
      cluster.refresh();
      List<MockApp> apps = submitMany(cluster, 6);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(6);
    }
  }

  @Test
  void usualExecutorIsExpected() throws Exception {
    try (MockCluster cluster = autoCluster(30 * GB)) {
      for (int memory : new int[] {5, 1, 2}) {
        runOneApplication(cluster, memory * GB);
      }
      cluster.runFor(10);
      List<MockApp> apps = submitMany(cluster, 15);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("30 GB hold 10 times 3 GB").isEqualTo(10);
    }
  }

  @Test
  void minExecutorsRaisesTheExpectedDemand() throws Exception {
    try (MockCluster cluster = autoCluster(
        Map.of(MockCluster.stateAwareKey("min-executors"), "3"), 64 * GB)) {
      runOneApplication(cluster, 3, 4 * GB);
      cluster.runFor(10);
      List<MockApp> apps = submitMany(cluster, 8);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("13 GB each").isEqualTo(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "auto"})
  void fullQueueStartsOneAtATime(String maxStarting) throws Exception {
    try (MockCluster cluster = autoCluster(
        Map.of(MockCluster.stateAwareKey("max-starting"), maxStarting), 32 * GB)) {
      MockApp greedy = cluster.submit();
      cluster.heartbeat();
      greedy.register().ask(100, GB);
      monitorAndHeartbeat(cluster);
      assertThat(greedy.containers()).isEqualTo(32);
      List<MockApp> apps = submitMany(cluster, 5);
      List<Long> course = new ArrayList<>();
      for (int ended = 0; ended < 6; ended++) {
        greedy.completeExecutor(greedy.executors().get(0), cluster.node(0));
        monitorAndHeartbeat(cluster);
        course.add(startedDrivers(apps));
      }
      assertThat(course).as("it comes first and has unmet requests").containsOnly(0L);
      greedy.ask(0, GB);
      for (int ended = 0; ended < 6; ended++) {
        greedy.completeExecutor(greedy.executors().get(0), cluster.node(0));
        monitorAndHeartbeat(cluster);
        if (ended == 0) {
          apps.get(0).register().ask(10, GB);
        }
        course.add(startedDrivers(apps));
      }
      assertThat(course).as("the next comes first now and has unmet requests")
          .containsExactly(0L, 0L, 0L, 0L, 0L, 0L, 1L, 1L, 1L, 1L, 1L, 1L);
      assertThat(apps.get(0).containers()).isEqualTo(6);
    }
  }

  @Test
  void withoutTheMonitorOneStartsAtATime() throws Exception {
    try (MockCluster cluster = autoCluster(128 * GB)) {
      List<MockApp> apps = submitMany(cluster, 3);
      cluster.runMonitor();
      cluster.advance(Duration.ofMillis(PlanRound.VALID));
      cluster.heartbeat();
      assertThat(startedDrivers(apps)).as("the plan is too old").isEqualTo(1);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(3);
    }
  }

  @Test
  void demandOfAnOlderApplicationStopsStarts() throws Exception {
    try (MockCluster cluster = autoCluster(64 * GB)) {
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(1, GB);
      monitorAndHeartbeat(cluster);
      List<MockApp> apps = submitMany(cluster, 1);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(1);
      submitMany(cluster, 5).forEach(apps::add);
      older.ask(200, GB);
      cluster.tick();
      assertThat(cluster.offered()).as("the room belongs to the older application")
          .containsExactly("App1", "App2");
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(1);
      assertThat(older.containers()).isEqualTo(63);
    }
  }

  @Test
  void unsatisfiableDemandHoldsNoOtherBack() throws Exception {
    try (MockCluster cluster = autoCluster(
        Map.of(MockCluster.stateAwareKey("max-containers"), "2"), 64 * GB)) {
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(100, GB);
      monitorAndHeartbeat(cluster);
      assertThat(older.containers()).isEqualTo(2);
      List<MockApp> apps = submitMany(cluster, 5);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(5);
    }
  }

  @Test
  void runningExecutorsSetTheExpectedSizeAfterARestart() throws Exception {
    try (MockCluster cluster = autoCluster(24 * GB)) {
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(1, 2 * GB);
      cluster.heartbeat();
      older.heartbeat();
      older.launchExecutors();
      cluster.restart().reconnectNodes();
      older.registerAgain();
      List<MockApp> apps = submitMany(cluster, 5);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(5);
    }
  }

  @Test
  void stalledApplicationStartsInParallelOnceThereIsRoom() throws Exception {
    try (MockCluster cluster = autoCluster(
        Map.of(MockCluster.stateAwareKey("accepted-timeout"), "1m"), 16 * GB)) {
      cluster.submitFiller(13);
      MockApp large = cluster.submit(4 * GB, 0);
      cluster.heartbeat();
      cluster.advance(Duration.ofMinutes(1));
      MockApp small = cluster.submit();
      // The large application ends the first iteration.
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(small.state()).isEqualTo(STARTING);
      assertThat(large.state()).isEqualTo(ACCEPTED);
      cluster.addNode(64 * GB);
      monitorAndHeartbeat(cluster);
      assertThat(large.state()).isEqualTo(STARTING);
      assertThat(small.state()).isEqualTo(STARTING);
    }
  }

  @Test
  void startingTimeoutBoundsAWrongEstimate() throws Exception {
    try (MockCluster cluster = autoCluster(64 * GB)) {
      List<MockApp> apps = submitMany(cluster, 5);
      monitorAndHeartbeat(cluster);
      submitMany(cluster, 40).forEach(apps::add);
      for (int i = 0; i < 5; i++) {
        monitorAndHeartbeat(cluster);
      }
      long starting = startedDrivers(apps);
      assertThat(starting).as("a sixth").isEqualTo(10);
      cluster.advance(Duration.ofMinutes(5));
      cluster.runMonitor();
      assertThat(apps.stream().filter(app -> app.state() == STARTING).count()).isZero();
      assertThat(apps.stream().filter(app -> app.state() == RUNNING).count()).isEqualTo(starting);
    }
  }

  @Test
  void secondAttemptUsesRoomToo() throws Exception {
    try (MockCluster cluster = autoCluster(64 * GB)) {
      List<MockApp> apps = submitMany(cluster, 3);
      monitorAndHeartbeat(cluster);
      apps.get(0).launch();
      apps.get(0).failDriver();
      monitorAndHeartbeat(cluster);
      assertThat(apps).extracting(MockApp::state).containsOnly(STARTING);
    }
  }

  @Test
  void fairOrderStartsInParallelToo() throws Exception {
    try (MockCluster cluster = MockCluster.of(
        StateAwareFairOrderingPolicy.class, "max-starting", "auto")) {
      cluster.addNode(64 * GB);
      List<MockApp> apps = submitMany(cluster, 4);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(4);
    }
  }
}
