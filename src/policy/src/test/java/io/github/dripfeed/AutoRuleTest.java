// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.AutoSteps.LARGE;
import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.AutoSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.AutoSteps.startedDrivers;
import static io.github.dripfeed.fixture.AutoSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Drivers;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code max-starting=auto} on the real scheduler: who is served first, and what the safety net keeps. */
class AutoRuleTest {

  /** An application that runs, and one that is starting; each has asked for so many executors more. */
  private static List<MockApp> runningAndStarting(
      MockCluster cluster, int priority, int running, int starting, int memory) throws Exception {
    runOneApplication(cluster, GB);
    MockApp older = cluster.submit(GB, priority);
    monitorAndHeartbeat(cluster);
    older.register().ask(1, GB);
    monitorAndHeartbeat(cluster);
    older.heartbeat();
    assertThat(older.state()).isEqualTo(RUNNING);
    MockApp newer = cluster.submit();
    monitorAndHeartbeat(cluster);
    assertThat(newer.state()).isEqualTo(STARTING);
    newer.register();
    older.ask(running, GB);
    newer.ask(starting, memory);
    cluster.tick();
    return List.of(older, newer);
  }

  // Who is served first.

  @ParameterizedTest
  @CsvSource({"0, 2, 2", "5, 3, 1"})
  void startingOnesComeFirstWithinAPriority(int priority, int ofOlder, int ofNewer) throws Exception {
    try (MockCluster cluster = autoCluster(4 * GB)) {
      List<MockApp> apps = runningAndStarting(cluster, priority, 50, 1, GB);
      cluster.heartbeat();
      assertThat(apps).extracting(MockApp::containers).containsExactly(ofOlder, ofNewer);
    }
  }

  @Test
  void servedFirstEndsWithTheFirstExecutors() throws Exception {
    try (MockCluster cluster = autoCluster(Map.of(stateAwareKey("min-executors"), "2"), 9 * GB)) {
      MockApp older = cluster.submit();
      monitorAndHeartbeat(cluster);
      older.register().ask(2, GB);
      monitorAndHeartbeat(cluster);
      older.heartbeat();
      MockApp newer = cluster.submit();
      monitorAndHeartbeat(cluster);
      older.ask(50, GB);
      newer.register().ask(50, GB);
      cluster.tick();
      assertThat(cluster.offered()).containsExactly("App2", "App1");
      cluster.heartbeat();
      assertThat(newer.containers()).as("two executors end its turn at the latest").isEqualTo(3);
      assertThat(older.containers()).isEqualTo(6);
    }
  }

  /** Its executor of 3 GB would fit on the node, and does not at present. */
  @Test
  void whoIsNotServedStandsInItsPlaceAfterAWhileAsLongAsInFront() throws Exception {
    try (MockCluster cluster = autoCluster(4 * GB, GB)) {
      cluster.addTooSmallNodes(8);
      List<MockApp> apps = runningAndStarting(cluster, 0, 50, 1, 3 * GB);
      assertThat(cluster.offered()).containsExactly("App3", "App2");
      List<Boolean> front = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        cluster.tick();
        front.add(cluster.offered().get(0).equals("App3"));
      }
      assertThat(front.subList(0, 8)).as("ten seconds at least").containsOnly(true);
      assertThat(front.subList(10, 19)).containsOnly(false);
      assertThat(front.subList(21, 29)).containsOnly(true);
      assertThat(apps.get(1).state()).isEqualTo(STARTING);
    }
  }

  /** YARN ends its walk at an application whose request is larger than what its queue may still use. */
  @Test
  void whoIsBeyondTheRoomHoldsNobody() throws Exception {
    try (MockCluster cluster = autoCluster(Map.of(queueKey("maximum-capacity"), "90"), 10 * GB)) {
      List<MockApp> apps = runningAndStarting(cluster, 0, 2, 1, 13 * GB / 2);
      cluster.heartbeat();
      assertThat(apps.get(0).containers()).as("the running one is served").isEqualTo(4);
      apps.get(0).heartbeat();
      apps.get(0).release(apps.get(0).executors());
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(apps.get(1).state()).isEqualTo(RUNNING);
    }
  }

  // The safety net.

  /** Earlier ones had 512 MB, and one of them 8 GB. 20 GB hold 12 drivers beside that. */
  @ParameterizedTest
  @CsvSource({"on, false, 3, false", "off, false, 3, true", "on, true, 3, true", "on, false, 1, true"})
  void roomStaysWhereNobodyCanBeTakenBack(
      String takeBack, boolean disabled, int attempts, boolean stays) throws Exception {
    Map<String, String> properties = new HashMap<>();
    properties.put(stateAwareKey("take-back"), takeBack);
    properties.put(key(DRIP, "disable_preemption"), "" + disabled);
    try (MockCluster cluster = autoCluster(properties, 20 * GB)) {
      for (int memory : new int[] {GB / 2, GB / 2, LARGE}) {
        runOneApplication(cluster, memory);
      }
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        apps.add(cluster.submit(cluster.submission(GB).withMaxAttempts(attempts)));
      }
      cluster.runFor(3);
      assertThat(startedDrivers(apps)).isEqualTo(stays ? 12 : 13);
    }
  }

  /** The other queue's driver of 6 GB may have to wait for others, unless it has an executor. */
  @ParameterizedTest
  @CsvSource({"GUARANTEED, 9", "OPPORTUNISTIC, 6"})
  void roomOfADriverWithoutAnExecutorDoesNotComeFree(ExecutionType type, int started) throws Exception {
    try (MockCluster cluster = autoCluster(
        Map.of(key(OTHER, "maximum-am-resource-percent"), "100"), 20 * GB)) {
      for (int memory : new int[] {GB / 2, GB / 2, LARGE}) {
        runOneApplication(cluster, memory);
      }
      MockApp other = cluster.submit(cluster.submission(6 * GB).withQueue(OTHER));
      cluster.heartbeat();
      other.register();
      if (type == ExecutionType.GUARANTEED) {
        other.ask(1, GB / 2);
        cluster.heartbeat();
        other.heartbeat();
      } else {
        Container container = Container.newInstance(
            ContainerId.newContainerId(other.attemptId(), 77), cluster.node(0).getNodeId(), "",
            Resource.newInstance(GB / 2, 1), Priority.newInstance(1), null);
        container.setExecutionType(type);
        SchedulerUtils.createOpportunisticRmContainer(cluster.rm().getRMContext(), container, false);
      }
      assertThat(other.containers()).isEqualTo(2);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        apps.add(cluster.submit(cluster.submission(GB).withMaxAttempts(1)));
      }
      cluster.runFor(3);
      assertThat(startedDrivers(apps)).as("8 GB stay").isEqualTo(started);
    }
  }

  /** A session that is silent, or has become running, keeps no room. */
  @ParameterizedTest
  @ValueSource(ints = {5, 40, 310})
  void roomStaysForThoseWhoAreStarting(int seconds) throws Exception {
    try (MockCluster cluster = autoCluster(20 * GB)) {
      for (int memory : new int[] {GB / 2, GB / 2, LARGE}) {
        runOneApplication(cluster, memory);
      }
      MockApp session = cluster.submit(cluster.submission(GB).withMaxAttempts(1));
      monitorAndHeartbeat(cluster);
      session.register();
      cluster.runFor(seconds);
      List<MockApp> apps = submitMany(cluster, 30);
      cluster.runFor(3);
      assertThat(startedDrivers(apps)).isEqualTo(seconds < 10 ? 11 : 12);
    }
  }

  @Test
  void wrongEstimateIsResolvedByTakingBack() throws Exception {
    try (MockCluster cluster = autoCluster(16 * GB)) {
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = submitMany(cluster, 12);
      Drivers drivers = new Drivers(cluster, apps, 7 * GB);
      int seconds = 0;
      for (; !drivers.areDone() && seconds < 600; seconds++) {
        drivers.run(1);
      }
      assertThat(drivers.areDone()).as("%s", drivers).isTrue();
      assertThat(drivers.mostStarted()).as("no room for 7 GB was left").isGreaterThan(9);
      assertThat(apps).as("the oldest one").first()
          .matches(app -> app.attemptId().getAttemptId() == 1);
      assertThat(apps.stream().filter(app -> app.attemptId().getAttemptId() > 1).count())
          .isBetween(1L, 5L);
    }
  }

  // Refresh.

  @Test
  void numberAndAutoTakeTurnsWithoutALoss() throws Exception {
    try (MockCluster cluster = autoCluster(16 * GB)) {
      runOneApplication(cluster, 3 * GB);
      List<MockApp> apps = submitMany(cluster, 12);
      cluster.tick();
      cluster.refresh();
      cluster.heartbeat();
      assertThat(startedDrivers(apps)).as("at most one while a new policy has no plan")
          .isLessThanOrEqualTo(4);
      cluster.runFor(2);
      assertThat(startedDrivers(apps)).as("4 GB each").isEqualTo(4);
      cluster.refresh(stateAwareKey("max-starting"), "2");
      cluster.runFor(3);
      assertThat(startedDrivers(apps)).as("they have the slots").isEqualTo(4);
      apps.get(0).register().ask(1, 3 * GB);
      cluster.runFor(2);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      assertThat(startedDrivers(apps)).isEqualTo(4);
      cluster.refresh(stateAwareKey("max-starting"), "auto");
      apps.get(0).heartbeat();
      apps.get(0).finish();
      cluster.runFor(2);
      assertThat(startedDrivers(apps.subList(1, 12))).as("what was learned is known").isEqualTo(4);
    }
  }
}
