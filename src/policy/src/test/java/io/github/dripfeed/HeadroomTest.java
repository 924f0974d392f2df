// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.HeadroomSteps.LARGEST;
import static io.github.dripfeed.fixture.HeadroomSteps.headroomCluster;
import static io.github.dripfeed.fixture.HeadroomSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.HeadroomSteps.runOneApplication;
import static io.github.dripfeed.fixture.HeadroomSteps.startedDrivers;
import static io.github.dripfeed.fixture.HeadroomSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.headroom.HeadroomRound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code max-starting=auto} on the real scheduler: which applications start in parallel. The largest
 * container that YARN allows has 8 GB, its default.
 */
class HeadroomTest {

  @Test
  void idleQueueStartsAllAtOnce() throws Exception {
    try (MockCluster cluster = headroomCluster(64 * GB)) {
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
  void unknownExecutorsAreExpectedToBeTheLargestAllowed() throws Exception {
    try (MockCluster cluster = headroomCluster(24 * GB)) {
      List<MockApp> apps = submitMany(cluster, 8);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("2 drivers of 1 GB and 2 executors of 8 GB find room, 3 do not")
          .isEqualTo(2);
      apps.get(0).register().ask(1, 2 * GB);
      monitorAndHeartbeat(cluster);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      assertThat(startedDrivers(apps)).as("an executor has 2 GB: 24 GB hold 8 drivers and 8 of them")
          .isEqualTo(8);
    }
  }

  @Test
  void executorSizesSurviveTheApplicationAndARefresh() throws Exception {
    try (MockCluster cluster = headroomCluster(24 * GB)) {
      runOneApplication(cluster, 2 * GB);
      cluster.refresh();
      List<MockApp> apps = submitMany(cluster, 6);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(6);
    }
  }

  @Test
  void largestObservedExecutorIsExpected() throws Exception {
    try (MockCluster cluster = headroomCluster(30 * GB)) {
      runOneApplication(cluster, 5 * GB);
      runOneApplication(cluster, GB);
      List<MockApp> apps = submitMany(cluster, 8);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("30 GB hold 5 times 6 GB, and 8 GB remain").isLessThanOrEqualTo(5)
          .isGreaterThan(1);
    }
  }

  @Test
  void minExecutorsRaisesTheExpectedDemand() throws Exception {
    try (MockCluster cluster = headroomCluster(
        Map.of(MockCluster.stateAwareKey("min-executors"), "3"), 64 * GB)) {
      List<MockApp> apps = submitMany(cluster, 8);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("25 GB each").isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "auto"})
  void fullQueueStartsOneAtATime(String maxStarting) throws Exception {
    try (MockCluster cluster = headroomCluster(
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
    try (MockCluster cluster = headroomCluster(128 * GB)) {
      List<MockApp> apps = submitMany(cluster, 3);
      cluster.runMonitor();
      cluster.advance(Duration.ofMillis(HeadroomRound.VALID));
      cluster.heartbeat();
      assertThat(startedDrivers(apps)).as("the plan is too old").isEqualTo(1);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(3);
    }
  }

  @Test
  void underestimatedExecutorsCauseNoDeadlock() throws Exception {
    try (MockCluster cluster = headroomCluster(12 * GB, 12 * GB)) {
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = submitMany(cluster, 12);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      long atOnce = startedDrivers(apps);
      assertThat(atOnce).isGreaterThan(2);
      List<MockApp> registered = new ArrayList<>();
      int rounds = 0;
      for (List<MockApp> alive = new ArrayList<>(apps); !alive.isEmpty(); rounds++) {
        assertThat(rounds).as("%s", states(apps)).isLessThan(60);
        for (MockApp app : alive) {
          if (app.state() != ACCEPTED && !registered.contains(app)) {
            registered.add(app.register().ask(1, LARGEST));
          }
        }
        monitorAndHeartbeat(cluster);
        for (MockApp app : List.copyOf(alive)) {
          if (app.state() == RUNNING) {
            app.heartbeat();
            app.finish();
            alive.remove(app);
          }
        }
        assertThat(alive.stream().filter(app -> app.state() != ACCEPTED).count())
            .as("outdated estimates start none in parallel").isLessThanOrEqualTo(atOnce);
      }
    }
  }

  private static List<State> states(List<MockApp> apps) {
    return apps.stream().filter(app -> app.attempt() != null).map(MockApp::state).toList();
  }

  @Test
  void demandOfAnOlderApplicationStopsStarts() throws Exception {
    try (MockCluster cluster = headroomCluster(64 * GB)) {
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
      assertThat(cluster.offered()).as("the headroom belongs to the older application")
          .containsExactly("App1", "App2");
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(1);
      assertThat(older.containers()).isEqualTo(63);
    }
  }

  @Test
  void unsatisfiableDemandHoldsNoOtherBack() throws Exception {
    try (MockCluster cluster = headroomCluster(
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
  void runningApplicationsCountTowardTheReserve() throws Exception {
    try (MockCluster cluster = headroomCluster(LARGEST, LARGEST, LARGEST)) {
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(3, GB);
      cluster.runMonitor();
      for (MockNM node : cluster.nodes()) {
        older.ask(1, GB);
        cluster.heartbeat(node);
        older.ask(0, GB);
      }
      assertThat(older.containers()).isEqualTo(4);
      List<MockApp> apps = submitMany(cluster, 4);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("no node is empty now, but all three will be").isEqualTo(2);
    }
  }

  @Test
  void driversWithoutExecutorsCountAgainstTheReserve() throws Exception {
    try (MockCluster cluster = headroomCluster(LARGEST, LARGEST)) {
      runOneApplication(cluster, GB);
      List<MockApp> apps = submitMany(cluster, 4);
      cluster.runMonitor();
      cluster.heartbeat(cluster.node(0));
      cluster.heartbeat(cluster.node(1));
      assertThat(startedDrivers(apps)).as("one driver may use up a node").isEqualTo(1);
      // All drivers are on one node, so there is room for many.
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(1);
    }
  }

  @Test
  void runningExecutorsSetTheExpectedSizeAfterARestart() throws Exception {
    try (MockCluster cluster = headroomCluster(24 * GB)) {
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
    try (MockCluster cluster = headroomCluster(
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
    try (MockCluster cluster = headroomCluster(64 * GB)) {
      List<MockApp> apps = submitMany(cluster, 5);
      monitorAndHeartbeat(cluster);
      submitMany(cluster, 40).forEach(apps::add);
      for (int i = 0; i < 5; i++) {
        monitorAndHeartbeat(cluster);
      }
      long starting = startedDrivers(apps);
      assertThat(starting).isBetween(5L, 7L);
      cluster.advance(Duration.ofMinutes(5));
      cluster.runMonitor();
      assertThat(apps.stream().filter(app -> app.state() == STARTING).count()).isZero();
      assertThat(apps.stream().filter(app -> app.state() == RUNNING).count()).isEqualTo(starting);
    }
  }

  @Test
  void secondAttemptUsesHeadroomToo() throws Exception {
    try (MockCluster cluster = headroomCluster(64 * GB)) {
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
        StateAwareFairOrderingPolicy.class, "max-starting", "auto", "take-back", "off")) {
      cluster.addNode(64 * GB);
      List<MockApp> apps = submitMany(cluster, 4);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(4);
    }
  }
}
