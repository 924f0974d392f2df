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

import io.github.dripfeed.fixture.Drivers;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code take-back=on} on the real scheduler. */
class TakeBackTest {

  static MockCluster cluster(int memory, String... more) throws Exception {
    return autoCluster(properties(more), memory);
  }

  /** @param more alternating names (below {@code state-aware.}) and values */
  static Map<String, String> properties(String... more) {
    Map<String, String> properties = new HashMap<>();
    properties.put(MockCluster.stateAwareKey("take-back"), "on");
    for (int i = 0; i < more.length; i += 2) {
      properties.put(MockCluster.stateAwareKey(more[i]), more[i + 1]);
    }
    return properties;
  }

  /** Applications that a wrong estimate has started together, and whose executors do not fit. */
  static List<MockApp> blocked(MockCluster cluster, int count, int executor) throws Exception {
    runOneApplication(cluster, GB / 2);
    List<MockApp> apps = submitMany(cluster, count);
    block(cluster, apps, executor);
    return apps;
  }

  static void block(MockCluster cluster, List<MockApp> apps, int executor) throws Exception {
    for (int i = 0; i < 4; i++) {
      monitorAndHeartbeat(cluster);
    }
    assertThat(startedDrivers(apps)).isEqualTo(apps.size());
    for (MockApp app : apps) {
      app.register().ask(1, executor);
    }
  }

  static int attemptOf(MockApp app) {
    return app.attemptId().getAttemptId();
  }

  static List<MockApp> takenBack(List<MockApp> apps) {
    List<MockApp> taken = new ArrayList<>();
    for (MockApp app : apps) {
      if (attemptOf(app) > 1) {
        taken.add(app);
      }
    }
    return taken;
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "10"})
  void youngestAreTakenBackUntilTheOldestHasRoom(String maxStarting) throws Exception {
    try (MockCluster cluster = cluster(12 * GB, "max-starting", maxStarting)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      cluster.runFor(30);
      assertThat(takenBack(apps)).as("not yet").isEmpty();
      cluster.runFor(8);
      assertThat(takenBack(apps)).as("12 GB hold 6 drivers and 6 GB")
          .containsExactly(apps.get(6), apps.get(7));
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      assertThat(apps.subList(1, 6)).extracting(MockApp::state).containsOnly(STARTING);
      assertThat(apps.get(7).state()).isEqualTo(ACCEPTED);
    }
  }

  /** The next driver has reserved a node: its queue has room, but in two pieces. */
  @ParameterizedTest
  @ValueSource(strings = {"7", "20"})
  void nodeThatADriverHasReservedIsGivenUp(String maxStarting) throws Exception {
    Map<String, String> properties =
        properties("max-starting", maxStarting, "accepted-timeout", "0");
    properties.put(MockCluster.key(MockCluster.OTHER, "maximum-am-resource-percent"), "100");
    try (MockCluster cluster = autoCluster(properties)) {
      cluster.addNode(6 * GB + GB / 2);
      MockNM beside = cluster.addNode(6 * GB + GB / 2);
      cluster.submit(cluster.submission(6 * GB).withQueue(MockCluster.OTHER));
      cluster.heartbeat(beside);
      List<MockApp> apps = submitMany(cluster, 10);
      for (int i = 0; i < 10; i++) {
        monitorAndHeartbeat(cluster);
      }
      List<MockApp> started = new ArrayList<>(apps);
      started.removeIf(app -> app.state() != STARTING);
      assertThat(started).hasSize(6);
      assertThat(apps).extracting(MockApp::reservations).contains(1);
      for (MockApp app : started) {
        app.register().ask(1, 3 * GB);
      }
      cluster.runFor(40);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      assertThat(takenBack(apps)).hasSize(3);
    }
  }

  @Test
  void allFinish() throws Exception {
    try (MockCluster cluster = cluster(20 * GB)) {
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = submitMany(cluster, 26);
      Drivers drivers = new Drivers(cluster, apps, 8 * GB);
      int seconds = 0;
      while (!drivers.areDone()) {
        drivers.run(1);
        assertThat(++seconds).as("%s", drivers).isLessThan(1000);
      }
      assertThat(drivers.mostStarted()).as("no room is left for 8 GB").isGreaterThan(12);
      assertThat(takenBack(apps)).as("enough for the first, the rest goes on after it").hasSize(1);
      assertThat(attemptOf(apps.get(0))).as("the oldest").isEqualTo(1);
    }
  }

  @Test
  void lostAttemptDoesNotCount() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      MockApp taken = blocked(cluster, 8, 6 * GB).get(7);
      RMAppAttempt first = taken.rmApp().getCurrentAppAttempt();
      cluster.runFor(38);
      assertThat(((RMAppAttemptImpl) first).getAMContainerExitStatus())
          .isEqualTo(ContainerExitStatus.PREEMPTED);
      assertThat(first.shouldCountTowardsMaxAttemptRetry()).isFalse();
      assertThat(attemptOf(taken)).isEqualTo(2);
    }
  }

  @Test
  void onlyWhileAttemptsAreLeft() throws Exception {
    try (MockCluster cluster = cluster(20 * GB)) {
      cluster.submitFiller(7);
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = submitMany(cluster, 6);
      for (int i = 0; i < 3; i++) {
        apps.add(cluster.submit(cluster.submission(GB).withMaxAttempts(1)));
      }
      block(cluster, apps.subList(0, 8), 6 * GB);
      assertThat(apps.get(8).state()).isEqualTo(ACCEPTED);
      cluster.runFor(40);
      assertThat(takenBack(apps)).as("6 and 7 have one attempt").containsExactly(apps.get(4), apps.get(5));
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void nobodyIsTakenBackIfNobodyGains() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      cluster.submitFiller(3);
      List<MockApp> apps = blocked(cluster, 4, 8 * GB);
      cluster.runFor(100);
      assertThat(takenBack(apps)).as("the room of 3 drivers is 7 GB").isEmpty();
    }
  }

  @Test
  void nobodyIsTakenBackForOneThatHasRoomOnTheWay() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      cluster.runFor(29);
      cluster.addNode(8 * GB);
      cluster.runFor(10);
      assertThat(takenBack(apps)).isEmpty();
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void olderDemandComesFirst() throws Exception {
    try (MockCluster cluster = cluster(16 * GB)) {
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(1, GB / 2);
      cluster.runFor(2);
      List<MockApp> apps = blocked(cluster, 8, 8 * GB);
      older.ask(100, 7 * GB);
      cluster.runFor(70);
      assertThat(takenBack(apps)).as("the room would go to the older one").isEmpty();
      older.ask(0, 7 * GB);
      cluster.runFor(40);
      assertThat(takenBack(apps)).isNotEmpty();
    }
  }

  @ParameterizedTest(name = "nodes of 7 GB: {0}")
  @ValueSource(ints = {0, 4})
  void olderDemandThatNoNodeCanMeetHoldsNobodyBackUnlessItEndsTheWalk(int more) throws Exception {
    Map<String, String> largeContainers = properties();
    largeContainers.put(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 32 * GB);
    try (MockCluster cluster = autoCluster(largeContainers, 16 * GB)) {
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(1, GB / 2);
      cluster.runFor(2);
      List<MockApp> apps = blocked(cluster, 8, 8 * GB);
      MockNM large = cluster.addNode(24 * GB);
      older.ask(100, 20 * GB);
      cluster.loseNode(large);
      for (int i = 0; i < more; i++) {
        cluster.addNode(7 * GB);
      }
      cluster.runFor(70);
      if (more == 0) {
        assertThat(takenBack(apps)).as("20 GB are more than is left to the queue").isEmpty();
      } else {
        assertThat(takenBack(apps)).as("the scheduler passes over the older one").isNotEmpty();
        assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      }
    }
  }

  @Test
  void runningApplicationThatReleasesContainersIsWaitedFor() throws Exception {
    try (MockCluster cluster = cluster(20 * GB)) {
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(14, GB / 2);
      cluster.runFor(2);
      older.heartbeat();
      List<MockApp> apps = blocked(cluster, 8, 8 * GB);
      for (int i = 0; i < 3; i++) {
        cluster.runFor(25);
        older.completeExecutor(older.executors().get(0), cluster.node(0));
      }
      assertThat(takenBack(apps)).isEmpty();
      cluster.runFor(40);
      assertThat(takenBack(apps)).as("it holds the rest for good").hasSize(3);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void applicationThatAsksForNothingIsNotTakenBack() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      apps.get(7).ask(0, 6 * GB);
      cluster.runFor(40);
      assertThat(takenBack(apps)).containsExactly(apps.get(5), apps.get(6));
    }
  }

  @Test
  void applicationWithAnExecutorIsNotTakenBack() throws Exception {
    try (MockCluster cluster = cluster(12 * GB, "min-executors", "2")) {
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = submitMany(cluster, 6);
      for (int i = 0; i < 4; i++) {
        monitorAndHeartbeat(cluster);
      }
      apps.get(5).register().ask(1, GB);
      cluster.runFor(1);
      apps.get(5).heartbeat();
      apps.get(5).ask(1, 7 * GB);
      for (MockApp app : apps.subList(0, 5)) {
        app.register().ask(2, 7 * GB);
      }
      cluster.runFor(40);
      assertThat(takenBack(apps)).containsExactly(apps.get(3), apps.get(4));
    }
  }

  @Test
  void exemptApplicationIsNotTakenBack() throws Exception {
    try (MockCluster cluster = cluster(12 * GB, "exempt-application-types", "SHELL")) {
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = submitMany(cluster, 7);
      apps.add(cluster.submit(cluster.submission(GB).withType("SHELL")));
      block(cluster, apps, 6 * GB);
      cluster.runFor(40);
      assertThat(takenBack(apps)).containsExactly(apps.get(5), apps.get(6));
    }
  }

  @Test
  void preemptionCanBeDisabled() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      cluster.refresh(MockCluster.queueKey("disable_preemption"), "true");
      cluster.runFor(70);
      assertThat(takenBack(apps)).isEmpty();
      cluster.refresh(MockCluster.queueKey("disable_preemption"), "false");
      cluster.runFor(5);
      assertThat(takenBack(apps)).isNotEmpty();
    }
  }

  @Test
  void refreshKeepsTheClockAndTheMemory() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      cluster.runFor(20);
      cluster.refresh();
      cluster.runFor(13);
      assertThat(takenBack(apps)).isNotEmpty();
      cluster.runFor(4);
      MockApp taken = apps.get(7);
      cluster.refresh();
      assertThat(cluster.offered()).doesNotContain(taken.name());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "10"})
  void nobodyStartsBesideAnotherUntilSomebodyHasMadeProgress(String maxStarting) throws Exception {
    try (MockCluster cluster = cluster(12 * GB, "max-starting", maxStarting)) {
      List<MockApp> apps = blocked(cluster, 8, 8 * GB);
      MockApp small = cluster.submit(GB / 2, 0);
      cluster.runFor(33);
      assertThat(takenBack(apps)).isNotEmpty();
      assertThat(apps.get(0).state()).isEqualTo(STARTING);
      assertThat(small.state()).as("it would fit").isEqualTo(ACCEPTED);
      assertThat(cluster.offered()).doesNotContain(small.name());
    }
  }

  @Test
  void nextAttemptWaitsAndKeepsItsPlace() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      MockApp taken = apps.get(7);
      while (attemptOf(taken) == 1) {
        cluster.runFor(1);
      }
      List<MockApp> later = submitMany(cluster, 2);
      for (MockApp app : apps.subList(0, 7)) {
        app.kill();
      }
      cluster.runFor(2);
      assertThat(taken.state()).as("it waits").isEqualTo(ACCEPTED);
      assertThat(later).extracting(MockApp::state).as("and holds back nobody").contains(STARTING);
      cluster.runFor(10);
      assertThat(taken.state()).as("no room beside it").isEqualTo(ACCEPTED);
      later.get(0).kill();
      cluster.runFor(1);
      assertThat(taken.state()).as("by submission").isEqualTo(STARTING);
      assertThat(later.get(1).state()).isEqualTo(ACCEPTED);
    }
  }

  @Test
  void lazyPreemptionOnlyMarks() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      cluster.refresh("yarn.scheduler.capacity.lazy-preemption-enabled", "true");
      cluster.runFor(40);
      assertThat(takenBack(apps)).isEmpty();
      assertThat(apps).extracting(MockApp::state).containsOnly(STARTING);
    }
  }

  @Test
  void applicationsOfTwoQueuesBlockEachOther() throws Exception {
    try (MockCluster cluster = autoCluster(bothQueues(), 12 * GB)) {
      runOneApplication(cluster, GB / 2);
      MockApp other = cluster.submit(cluster.submission(GB).withQueue(MockCluster.OTHER));
      cluster.heartbeat();
      other.register().ask(1, GB / 2);
      cluster.runFor(2);
      other.heartbeat();
      other.finish();
      List<MockApp> apps = submitMany(cluster, 4);
      for (int i = 0; i < 4; i++) {
        apps.add(cluster.submit(cluster.submission(GB).withQueue(MockCluster.OTHER)));
      }
      block(cluster, apps, 6 * GB);
      cluster.runFor(40);
      assertThat(takenBack(apps)).containsExactly(apps.get(6), apps.get(7));
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  private static Map<String, String> bothQueues() {
    Map<String, String> properties = new HashMap<>();
    properties.put(MockCluster.stateAwareKey("take-back"), "on");
    String other = "yarn.scheduler.capacity." + MockCluster.OTHER + ".";
    properties.put(other + "ordering-policy", StateAwareOrderingPolicy.class.getName());
    properties.put(other + "ordering-policy.state-aware.max-starting", "auto");
    properties.put(other + "ordering-policy.state-aware.take-back", "on");
    properties.put(other + "maximum-am-resource-percent", "100");
    return properties;
  }
}
