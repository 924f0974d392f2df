// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.TakeBackTest.attemptOf;
import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code starting-timeout-action=take-back} on the real scheduler. */
class StartingTimeoutActionTest {

  private static MockCluster cluster(String... more) throws Exception {
    String[] properties = new String[more.length + 2];
    properties[0] = "starting-timeout-action";
    properties[1] = "take-back";
    System.arraycopy(more, 0, properties, 2, more.length);
    return MockCluster.ofOneNode(4 * GB, properties);
  }

  private static MockApp waitingForAnExecutor(MockCluster cluster, MockApp app) throws Exception {
    cluster.heartbeat();
    return app.register().ask(1, 3 * GB);
  }

  @Test
  void driverIsTakenBackForOneThatWaitsForItsRoom() throws Exception {
    try (MockCluster cluster = cluster()) {
      cluster.submitFiller(1);
      MockApp app = waitingForAnExecutor(cluster, cluster.submit());
      MockApp next = cluster.submit(2 * GB, 0);
      cluster.runFor(299);
      assertThat(app.state()).isEqualTo(STARTING);
      cluster.runFor(4);
      assertThat(app.attemptId().getAttemptId()).isEqualTo(2);
      assertThat(next.state()).isEqualTo(STARTING);
    }
  }

  @Test
  void noMoreAreTakenBackThanNeededBeforeTheirRoomIsFree() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(6 * GB, "starting-timeout-action", "take-back",
        "max-starting", "3")) {
      cluster.submitFiller(1);
      List<MockApp> apps = cluster.submitMany(3, GB, "user");
      cluster.runFor(3);
      for (MockApp app : apps) {
        app.register().ask(1, apps.indexOf(app) == 0 ? 2 * GB : 3 * GB);
      }
      cluster.advance(Duration.ofSeconds(299));
      whileTheSchedulerIsBusy(cluster, cluster::tick);
      cluster.runFor(4);
      assertThat(apps).extracting(TakeBackTest::attemptOf).containsExactly(1, 1, 2);
      assertThat(apps.get(0).containers()).as("the room is for it").isEqualTo(2);
    }
  }

  @ParameterizedTest(name = "rounds before the scheduler ends a driver: {0}")
  @ValueSource(ints = {1, 2})
  void freeRoomIsNotForTwo(int rounds) throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(8 * GB, "starting-timeout-action", "take-back",
        "max-starting", "2")) {
      List<MockApp> running = List.of(
          cluster.start(cluster.submission(GB), 1), cluster.start(cluster.submission(GB), 1));
      List<MockApp> starting = cluster.submitMany(2, GB, "user");
      cluster.runFor(3);
      for (MockApp app : starting) {
        app.register().ask(1, 8 * GB);
      }
      for (MockApp app : running) {
        app.ask(1, 3 * GB);
      }
      cluster.advance(Duration.ofSeconds(297));
      whileTheSchedulerIsBusy(cluster, () -> {
        for (int i = 0; i < rounds; i++) {
          cluster.tick();
        }
      });
      cluster.runFor(3);
      assertThat(starting).extracting(TakeBackTest::attemptOf)
          .as("2 GB are free, and make 3 GB with one driver").containsExactly(1, 2);
      assertThat(starting.get(0).state()).isEqualTo(RUNNING);
      assertThat(running).extracting(MockApp::containers).containsExactly(3, 2);
    }
  }

  /** It grows where it is, or not at all. */
  @Test
  void nobodyIsTakenBackForAContainerThatIsToGrowOnAnotherNode() throws Exception {
    try (MockCluster cluster = cluster()) {
      MockApp growing = cluster.start(cluster.submission(GB), 3);
      cluster.addNode(4 * GB);
      cluster.start(cluster.submission(GB), 2);
      MockApp app = waitingForAnExecutor(cluster, cluster.submit());
      growing.launchExecutors();
      Container executor =
          growing.attempt().getRMContainer(growing.executors().get(0)).getContainer();
      growing.update(UpdateContainerRequest.newInstance(executor.getVersion(), executor.getId(),
          ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(2 * GB, 1),
          ExecutionType.GUARANTEED));
      cluster.runFor(304);
      assertThat(growing.attempt().getAppSchedulingInfo().getSchedulerKeys())
          .as("the node of the executor is full").isNotEmpty();
      assertThat(app.attemptId().getAttemptId()).isEqualTo(1);
      assertThat(app.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void standstillIsNotResolvedInTheSameRound() throws Exception {
    try (MockCluster cluster = TakeBackTest.cluster(12 * GB, "starting-timeout-action", "take-back",
        "starting-timeout", "60s", "take-back-after", "50s")) {
      List<MockApp> apps = TakeBackTest.blocked(cluster, 8, 6 * GB);
      cluster.runFor(1);
      cluster.advance(Duration.ofSeconds(56));
      whileTheSchedulerIsBusy(cluster, cluster::tick);
      cluster.runFor(3);
      assertThat(TakeBackTest.takenBack(apps)).as("12 GB hold 6 drivers and 6 GB")
          .containsExactly(apps.get(6), apps.get(7));
      assertThat(apps.get(0).containers()).isEqualTo(2);
    }
  }

  @ParameterizedTest(name = "executors of the one that is starting in the other queue: {0}")
  @ValueSource(ints = {0, 1})
  void oneOfAnotherQueueGainsOnlyIfItMayStart(int executors) throws Exception {
    String other = MockCluster.OTHER;
    Map<String, String> properties = new HashMap<>();
    properties.put(MockCluster.stateAwareKey("starting-timeout-action"), "take-back");
    properties.put(MockCluster.key(other, "ordering-policy"), StateAwareOrderingPolicy.class.getName());
    properties.put(
        MockCluster.key(other, "ordering-policy.state-aware.starting-timeout-action"), "take-back");
    properties.put(MockCluster.key(other, "maximum-am-resource-percent"), "100");
    String[] all = properties.entrySet().stream()
        .flatMap(each -> Stream.of(each.getKey(), each.getValue())).toArray(String[]::new);
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class, all)) {
      cluster.addNode(4 * GB);
      MockApp app = cluster.submit();
      cluster.heartbeat();
      app.register();
      // Its request fits below the limit of its queue and on no node, so YARN goes on to the other queue.
      MockNM large = cluster.addNode(8 * GB);
      app.ask(1, 6 * GB);
      cluster.loseNode(large);
      cluster.addTooSmallNodes(12);
      cluster.runFor(100);
      cluster.start(cluster.submission(GB).withQueue(other), executors);
      MockApp head = cluster.submit(cluster.submission((3 - executors) * GB).withQueue(other));
      cluster.runFor(199);
      assertThat(app.state()).isEqualTo(STARTING);
      assertThat(head.state()).isEqualTo(ACCEPTED);
      cluster.runFor(5);
      assertThat(attemptOf(app)).isEqualTo(1 + executors);
      assertThat(head.state()).isEqualTo(executors == 0 ? ACCEPTED : STARTING);
    }
  }

  @Test
  void onlyTheFirstOfTheLineGains() throws Exception {
    try (MockCluster cluster = cluster()) {
      cluster.submitFiller(1);
      MockApp app = waitingForAnExecutor(cluster, cluster.submit());
      cluster.submit(4 * GB, 0);
      cluster.submit(2 * GB, 0);
      cluster.runFor(304);
      assertThat(attemptOf(app)).as("the slot is for one that fits nowhere").isEqualTo(1);
      assertThat(app.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void nobodyGainsByARequestToWhichYarnDoesNotCome() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(12 * GB, "starting-timeout-action", "take-back")) {
      cluster.submitFiller(8);
      MockApp running = cluster.start(cluster.submission(GB), 1);
      MockApp app = waitingForAnExecutor(cluster, cluster.submit());
      ResourceRequest behind = Requests.anywhere(1, GB, 1);
      behind.setPriority(Priority.newInstance(2));
      running.ask(List.of(Requests.anywhere(1, 8 * GB, 1), behind));
      cluster.runFor(304);
      assertThat(running.containers()).as("the node is kept for the 8 GB").isEqualTo(2);
      assertThat(attemptOf(app)).isEqualTo(1);
      assertThat(app.state()).isEqualTo(RUNNING);
    }
  }

  /** No event changes the scheduler meanwhile. */
  private static void whileTheSchedulerIsBusy(MockCluster cluster, Runnable then) throws Exception {
    Field field = AbstractYarnScheduler.class.getDeclaredField("writeLock");
    field.setAccessible(true);
    ReentrantReadWriteLock.WriteLock lock =
        (ReentrantReadWriteLock.WriteLock) field.get(cluster.scheduler());
    lock.lock();
    try {
      then.run();
    } finally {
      lock.unlock();
    }
  }

  @Test
  void nextAttemptHasTheWholeTime() throws Exception {
    try (MockCluster cluster = cluster()) {
      cluster.submitFiller(1);
      MockApp app = waitingForAnExecutor(cluster, cluster.submit());
      MockApp next = cluster.submit(2 * GB, 0);
      cluster.runFor(304);
      next.kill();
      cluster.runFor(10);
      assertThat(app.state()).isEqualTo(STARTING);
      assertThat(cluster.isStartingTimeExhausted(app.attempt())).isFalse();
      cluster.runFor(280);
      assertThat(app.state()).isEqualTo(STARTING);
    }
  }

  @Test
  void itCountsAsRunningIfNobodyGains() throws Exception {
    try (MockCluster cluster = cluster()) {
      cluster.submitFiller(1);
      MockApp app = waitingForAnExecutor(cluster, cluster.submit());
      cluster.submit(3 * GB, 0);
      cluster.runFor(302);
      assertThat(app.state()).isEqualTo(RUNNING);
      assertThat(app.attemptId().getAttemptId()).isEqualTo(1);
    }
  }

  @Test
  void itCountsAsRunningIfTheNextHasRoomBesideIt() throws Exception {
    try (MockCluster cluster = cluster()) {
      cluster.submitFiller(1);
      MockApp app = waitingForAnExecutor(cluster, cluster.submit());
      cluster.submit();
      cluster.runFor(304);
      assertThat(app.state()).isEqualTo(RUNNING);
      assertThat(app.attemptId().getAttemptId()).isEqualTo(1);
    }
  }

  @Test
  void lastAttemptIsNotTakenBack() throws Exception {
    try (MockCluster cluster = cluster()) {
      cluster.submitFiller(1);
      MockApp app = waitingForAnExecutor(
          cluster, cluster.submit(cluster.submission(GB).withMaxAttempts(1)));
      cluster.submit(2 * GB, 0);
      cluster.runFor(302);
      assertThat(app.state()).isEqualTo(RUNNING);
      assertThat(app.hasEnded()).isFalse();
    }
  }

  @Test
  void oneThatAsksForNothingIsNotTakenBack() throws Exception {
    try (MockCluster cluster = cluster()) {
      cluster.submitFiller(1);
      MockApp app = waitingForAnExecutor(cluster, cluster.submit());
      app.ask(0, 3 * GB);
      cluster.submit(2 * GB, 0);
      cluster.runFor(302);
      assertThat(app.state()).isEqualTo(RUNNING);
      assertThat(app.attemptId().getAttemptId()).isEqualTo(1);
    }
  }

  @Test
  void itCountsAsRunningWithoutTheMonitor() throws Exception {
    try (MockCluster cluster = cluster()) {
      cluster.submitFiller(1);
      MockApp app = waitingForAnExecutor(cluster, cluster.submit());
      cluster.submit(2 * GB, 0);
      cluster.runFor(1);
      cluster.advance(Duration.ofSeconds(303));
      cluster.heartbeat();
      assertThat(app.state()).as("a decision may still come").isEqualTo(STARTING);
      cluster.advance(Duration.ofSeconds(2));
      cluster.heartbeat();
      assertThat(app.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void refreshThatEndsTheTimeTakesBack() throws Exception {
    try (MockCluster cluster = cluster()) {
      cluster.submitFiller(1);
      MockApp app = waitingForAnExecutor(cluster, cluster.submit());
      MockApp next = cluster.submit(2 * GB, 0);
      cluster.runFor(100);
      cluster.refresh(MockCluster.stateAwareKey("starting-timeout"), "30s");
      cluster.heartbeat();
      cluster.runFor(4);
      assertThat(attemptOf(app)).isEqualTo(2);
      assertThat(next.state()).isEqualTo(STARTING);
    }
  }

  @Test
  void refreshThatEndsTheTimeLetsItRunWithoutTheMonitor() throws Exception {
    try (MockCluster cluster = cluster()) {
      cluster.submitFiller(1);
      MockApp app = waitingForAnExecutor(cluster, cluster.submit());
      cluster.submit(2 * GB, 0);
      cluster.runFor(100);
      cluster.refresh(MockCluster.stateAwareKey("starting-timeout"), "30s");
      cluster.advance(Duration.ofSeconds(4));
      cluster.heartbeat();
      assertThat(app.state()).isEqualTo(STARTING);
      cluster.advance(Duration.ofSeconds(1));
      cluster.heartbeat();
      assertThat(app.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void failoverAfterTheTimeTakesBackNobody() throws Exception {
    try (MockCluster cluster = cluster("starting-timeout", "30s")) {
      cluster.submitFiller(1);
      MockApp app = waitingForAnExecutor(cluster, cluster.submit());
      cluster.runFor(50);
      cluster.restart().reconnectNodes();
      app.registerAgain().ask(1, 3 * GB);
      cluster.submit(2 * GB, 0);
      cluster.heartbeat();
      assertThat(app.state()).isEqualTo(RUNNING);
      cluster.runFor(10);
      assertThat(attemptOf(app)).isEqualTo(1);
    }
  }

  @Test
  void runIsTheDefault() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(4 * GB)) {
      cluster.submitFiller(1);
      MockApp app = waitingForAnExecutor(cluster, cluster.submit());
      MockApp next = cluster.submit(2 * GB, 0);
      cluster.runFor(302);
      assertThat(app.state()).isEqualTo(State.RUNNING);
      assertThat(next.state()).isEqualTo(ACCEPTED);
    }
  }
}
