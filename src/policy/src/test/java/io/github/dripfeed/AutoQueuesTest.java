// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

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
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code max-starting=auto} in two queues of one real scheduler: one plan, so that what one queue
 * claims is not free for the other.
 */
class AutoQueuesTest {

  private static String otherKey(String name) {
    return CapacitySchedulerConfiguration.PREFIX + OTHER + "." + name;
  }

  private static Map<String, String> twoQueues() {
    Map<String, String> properties = new HashMap<>();
    properties.put("yarn.scheduler.minimum-allocation-mb", "512");
    properties.put(queueKey("capacity"), "50");
    properties.put(otherKey("capacity"), "50");
    properties.put(otherKey("maximum-am-resource-percent"), "100");
    properties.put(otherKey("ordering-policy"), StateAwareOrderingPolicy.class.getName());
    properties.put(otherKey("ordering-policy.state-aware.max-starting"), "auto");
    return properties;
  }

  private static MockCluster twoQueueCluster(int... nodes) throws Exception {
    return autoCluster(twoQueues(), nodes);
  }

  private static List<MockApp> submitToBoth(MockCluster cluster, int each) throws Exception {
    List<MockApp> apps = new ArrayList<>();
    for (int i = 0; i < each; i++) {
      apps.add(cluster.submit());
      apps.add(cluster.submit(cluster.submission(GB).withQueue(OTHER)));
    }
    return apps;
  }

  private static void runOneInEach(MockCluster cluster, int executorMemory) throws Exception {
    runOneApplication(cluster, executorMemory);
    MockApp app = cluster.submit(cluster.submission(GB).withQueue(OTHER));
    cluster.heartbeat();
    app.register().ask(1, executorMemory);
    monitorAndHeartbeat(cluster);
    app.heartbeat();
    app.finish();
  }

  @Test
  void whatOneQueueClaimsIsNotFreeForTheOther() throws Exception {
    try (MockCluster cluster = twoQueueCluster(32 * GB)) {
      runOneInEach(cluster, LARGE);
      cluster.runFor(10);
      List<MockApp> apps = submitToBoth(cluster, 5);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("3 times 9 GB").isEqualTo(3);
    }
  }

  @Test
  void queueFurthestBelowItsShareIsNext() throws Exception {
    try (MockCluster cluster = twoQueueCluster(64 * GB)) {
      runOneInEach(cluster, GB);
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(20, GB);
      cluster.runFor(12);
      assertThat(older.containers()).isEqualTo(21);
      List<MockApp> mine = new ArrayList<>();
      List<MockApp> others = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        mine.add(cluster.submit());
        others.add(cluster.submit(cluster.submission(GB).withQueue(OTHER)));
      }
      runForAMoment(cluster);
      assertThat(startedDrivers(mine) + startedDrivers(others)).as("43 GB, 2 GB each").isEqualTo(21);
      assertThat(startedDrivers(others) - startedDrivers(mine)).as("21 GB more").isBetween(10L, 12L);
    }
  }

  private static void runForAMoment(MockCluster cluster) throws Exception {
    monitorAndHeartbeat(cluster);
    monitorAndHeartbeat(cluster);
  }

  /** Queues take turns by share, so what another one's application wants comes before their executors. */
  @Test
  void driversOfAllHoldAFifthWhereAnotherQueueWantsTheRest() throws Exception {
    try (MockCluster cluster = twoQueueCluster(40 * GB)) {
      runOneInEach(cluster, GB);
      for (int i = 0; i < 6; i++) {
        cluster.start(cluster.submission(GB), 1);
      }
      MockApp ending = cluster.start(cluster.submission(GB).withQueue(OTHER), 9);
      MockApp greedy = cluster.start(cluster.submission(GB).withQueue(OTHER), 60);
      cluster.runFor(15);
      assertThat(greedy.containers()).as("the rest").isEqualTo(18);
      submitMany(cluster, 6);
      ending.kill();
      cluster.tick();
      assertThat(cluster.offered()).as("6 that run; 8 GB of 40 are for drivers, and 7 hold 7").hasSize(7);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {31, 32, 33, 34, 35, 36, 37, 38})
  void firstQueueByNameWinsWhereSharesAreEqual(int memory) throws Exception {
    try (MockCluster cluster = twoQueueCluster(memory * GB)) {
      runOneInEach(cluster, GB);
      List<MockApp> first = new ArrayList<>();
      List<MockApp> second = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        second.add(cluster.submit(cluster.submission(GB).withQueue(OTHER)));
        first.add(cluster.submit());
      }
      runForAMoment(cluster);
      assertThat(startedDrivers(first) - startedDrivers(second)).isBetween(0L, 1L);
    }
  }

  @Test
  void greedyApplicationOfAnotherQueueDoesNotStopStarts() throws Exception {
    try (MockCluster cluster = twoQueueCluster(64 * GB)) {
      runOneInEach(cluster, GB);
      MockApp greedy = cluster.submit(cluster.submission(GB).withQueue(OTHER));
      cluster.heartbeat();
      greedy.register().ask(33, GB);
      monitorAndHeartbeat(cluster);
      greedy.ask(200, GB);
      List<MockApp> apps = submitMany(cluster, 5);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("their queue is below its share").isEqualTo(5);
    }
  }

  /** Twelve executors end, one after the other; each of the others asks for one when it has started. */
  private static void giveBack(MockCluster cluster, MockApp greedy, List<MockApp> apps) throws Exception {
    for (int ended = 0; ended < 12; ended++) {
      greedy.completeExecutor(greedy.executors().get(0), cluster.node(0));
      monitorAndHeartbeat(cluster);
      for (MockApp app : apps) {
        if (app.state() == STARTING && !app.isRegistered()) {
          app.register().ask(1, GB);
        }
      }
    }
  }

  @Test
  void greedyApplicationOfLowerPriorityComesLater() throws Exception {
    try (MockCluster cluster = autoCluster(32 * GB)) {
      runOneApplication(cluster, GB);
      MockApp greedy = cluster.submit();
      cluster.heartbeat();
      greedy.register().ask(100, GB);
      monitorAndHeartbeat(cluster);
      assertThat(greedy.containers()).isEqualTo(32);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        apps.add(cluster.submit(GB, 5));
      }
      giveBack(cluster, greedy, apps);
      assertThat(startedDrivers(apps)).as("each gets the room of two executors").isEqualTo(6);
    }
  }

  @Test
  void greedyApplicationInFairOrderComesLater() throws Exception {
    try (MockCluster cluster = MockCluster.of(
        StateAwareFairOrderingPolicy.class, "max-starting", "auto")) {
      cluster.addNode(32 * GB);
      runOneApplication(cluster, GB);
      MockApp greedy = cluster.submit();
      cluster.heartbeat();
      greedy.register().ask(100, GB);
      monitorAndHeartbeat(cluster);
      assertThat(greedy.containers()).isEqualTo(32);
      List<MockApp> apps = submitMany(cluster, 6);
      giveBack(cluster, greedy, apps);
      assertThat(startedDrivers(apps)).as("with its own driver a sixth of 32 GB").isEqualTo(4);
    }
  }

  @Test
  void userAtItsLimitIsPassedOver() throws Exception {
    try (MockCluster cluster = autoCluster(Map.of(queueKey("capacity"), "50",
        otherKey("capacity"), "50", queueKey("minimum-user-limit-percent"), "10",
        queueKey("user-limit-factor"), "0.25"), 80 * GB)) {
      runOneApplication(cluster, GB);
      List<MockApp> ofAlice = new ArrayList<>();
      List<MockApp> ofBob = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        ofAlice.add(cluster.submit(cluster.submission(GB).withUser("alice")));
      }
      for (int i = 0; i < 3; i++) {
        ofBob.add(cluster.submit(cluster.submission(GB).withUser("bob")));
      }
      runForAMoment(cluster);
      assertThat(startedDrivers(ofAlice)).as("10 GB hold some").isBetween(1L, 10L);
      assertThat(startedDrivers(ofBob)).as("behind those that her limit holds").isGreaterThan(1);
    }
  }

  @Test
  void unplannedStartIsPlannedAtOnce() throws Exception {
    try (MockCluster cluster = autoCluster(128 * GB)) {
      cluster.submit();
      cluster.tick();
      cluster.heartbeat();
      List<MockApp> apps = submitMany(cluster, 4);
      cluster.advance(Duration.ofMillis(60));
      cluster.runMonitor();
      cluster.heartbeat();
      assertThat(startedDrivers(apps)).as("less than a second after they have come").isEqualTo(4);
    }
  }

  @Test
  void roomThatAppearsIsPlannedAtOnce() throws Exception {
    try (MockCluster cluster = autoCluster(24 * GB)) {
      runOneApplication(cluster, 2 * GB);
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(20, GB);
      monitorAndHeartbeat(cluster);
      List<MockApp> apps = submitMany(cluster, 4);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(1);
      older.heartbeat();
      older.finish();
      cluster.advance(Duration.ofMillis(60));
      cluster.runMonitor();
      cluster.heartbeat();
      assertThat(startedDrivers(apps)).isEqualTo(4);
    }
  }

  @Test
  void refreshAndStockPolicyLeaveNoClaims() throws Exception {
    try (MockCluster cluster = twoQueueCluster(40 * GB)) {
      runOneInEach(cluster, 2 * GB);
      List<MockApp> apps = submitToBoth(cluster, 8);
      monitorAndHeartbeat(cluster);
      cluster.refresh();
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("13 times 3 GB, or fewer for 8 GB more").isGreaterThan(8);
      cluster.refresh(otherKey("ordering-policy"), "fifo");
      for (int i = 0; i < 3; i++) {
        monitorAndHeartbeat(cluster);
      }
      assertThat(finishOthers(cluster, apps)).isZero();
    }
  }

  private static long finishOthers(MockCluster cluster, List<MockApp> apps) throws Exception {
    for (int round = 0; round < 20; round++) {
      monitorAndHeartbeat(cluster);
      for (MockApp app : apps) {
        if (app.attempt() != null && app.containers() == 1) {
          app.register().ask(1, GB);
        }
      }
    }
    return apps.stream().filter(app -> app.attempt() == null || app.containers() == 0).count();
  }

  @Test
  void planOfBothQueuesSurvivesARestart() throws Exception {
    try (MockCluster cluster = twoQueueCluster(64 * GB)) {
      runOneInEach(cluster, GB);
      List<MockApp> apps = submitToBoth(cluster, 3);
      cluster.restart().reconnectNodes();
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isGreaterThan(3);
      assertThat(cluster.queue(DRIP)).isNotNull();
    }
  }
}
