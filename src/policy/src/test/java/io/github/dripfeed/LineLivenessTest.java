// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No application that can be placed waits forever, whatever the other applications do. */
class LineLivenessTest {

  /** The first that is released begins a trial, so the smaller drivers leave the rest to the large one. */
  @Test
  void trialBeginsAlsoAfterAContainerHasGrown() throws Exception {
    try (MockCluster cluster =
        MockCluster.ofOneNode(14 * GB, "max-starting", "9", "accepted-timeout", "1m")) {
      MockApp running = cluster.start(cluster.submission(GB), 8);
      running.launchExecutors();
      Container grown = running.attempt().getRMContainer(running.executors().get(0)).getContainer();
      running.update(UpdateContainerRequest.newInstance(grown.getVersion(), grown.getId(),
          ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(2 * GB, 1),
          ExecutionType.GUARANTEED));
      for (int i = 0; i < 3; i++) {
        cluster.heartbeat();
        running.heartbeat();
      }
      assertThat(running.attempt().getRMContainer(grown.getId()).getContainer().getResource()
          .getMemorySize()).as("the update is done").isEqualTo(2 * GB);
      MockApp large = cluster.submit(6 * GB, 0);
      List<MockApp> small = cluster.submitMany(6, GB, "user");
      cluster.runFor(75);
      assertThat(small).extracting(MockApp::containers).as("on the last free resources")
          .containsExactly(1, 1, 1, 1, 0, 0);
      for (ContainerId executor : running.executors().subList(2, 8)) {
        running.completeExecutor(executor, cluster.node(0));
      }
      cluster.heartbeat();
      assertThat(large.containers()).isEqualTo(1);
    }
  }

  /** The driver is reserved, stalls, and keeps its reservation. Then a large empty node joins. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void keptReservationDoesNotBlockAnEmptyNode(int waiting) throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      cluster.addFilledNodes(1);
      List<MockApp> big = cluster.submitMany(waiting, 2 * GB, "user");
      cluster.runFor(400);
      MockNM free = cluster.addNode(32 * GB);
      cluster.runFor(3600);
      assertThat(big).as("one has its driver; reservations " + reservations(big))
          .anyMatch(app -> app.containers() == 1);
    }
  }

  /** The same with two slots. */
  @Test
  void keptReservationLeavesTheSecondSlotOpen() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class, "max-starting", "2")) {
      cluster.addFilledNodes(1);
      List<MockApp> big = cluster.submitMany(3, 2 * GB, "user");
      cluster.runFor(700);
      cluster.addNode(32 * GB);
      cluster.runFor(3600);
      assertThat(big).as("reservations " + reservations(big)).anyMatch(app -> app.containers() == 1);
    }
  }

  /** The monitor does not run. */
  @Test
  void withoutTheMonitorAReservedDriverYieldsInTheEnd() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      cluster.addFilledNodes(1);
      MockApp big = cluster.submit(2 * GB, 0);
      MockApp small = cluster.submit();
      cluster.heartbeat();
      assertThat(big.reservations()).isEqualTo(1);
      cluster.addNode(32 * GB);
      // First only the reserved node sends heartbeats, then all nodes do.
      for (int s = 0; s < 400; s++) {
        cluster.advance(Duration.ofSeconds(1));
        cluster.heartbeat(cluster.node(1));
      }
      for (int s = 0; s < 3600; s++) {
        cluster.advance(Duration.ofSeconds(1));
        cluster.heartbeat();
      }
      assertThat(small.containers() + big.containers()).isPositive();
    }
  }

  /** The application that opened the line is gone. The line stays open, and none is stalled. */
  @Test
  void openLineDoesNotStarveANewHigherPriority() throws Exception {
    try (MockCluster cluster = LineBoundsTest.withNodesThatShrank()) {
      MockApp running = cluster.start(cluster.submission(GB), 6);
      MockApp never = cluster.submit(12 * GB, 0);
      cluster.loseNode(cluster.node(1));
      cluster.runFor(310);
      never.kill();
      running.ask(100, GB);
      cluster.heartbeat();
      running.heartbeat();
      MockApp urgent = cluster.submit(GB, 5);
      int turned = replaceExecutorsUntilStarted(3600, running, urgent, cluster);
      assertThat(urgent.containers()).as("of " + turned + " containers that became free").isEqualTo(1);
    }
  }

  /** The same, but the obstacle remains. */
  @Test
  void openLineAdmitsAHigherPriorityWithoutATimeout() throws Exception {
    try (MockCluster cluster = LineBoundsTest.withNodesThatShrank()) {
      MockApp running = cluster.start(cluster.submission(GB), 6);
      cluster.submit(12 * GB, 0);
      cluster.loseNode(cluster.node(1));
      cluster.runFor(310);
      running.ask(100, GB);
      cluster.heartbeat();
      running.heartbeat();
      MockApp urgent = cluster.submit(GB, 5);
      int turned = replaceExecutorsUntilStarted(3600, running, urgent, cluster);
      assertThat(urgent.containers()).isEqualTo(1);
      assertThat(turned).as("containers that later applications got first").isLessThanOrEqualTo(10);
    }
  }

  /** The fair policy without priorities. */
  @Test
  void openLineOfTheFairPolicyStarvesNoNewApplication() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareFairOrderingPolicy.class,
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB)) {
      cluster.addNode(8 * GB);
      cluster.addNode(16 * GB);
      MockApp running = cluster.start(cluster.submission(GB), 6);
      MockApp never = cluster.submit(12 * GB, 0);
      cluster.loseNode(cluster.node(1));
      cluster.runFor(310);
      never.kill();
      running.ask(100, GB);
      cluster.heartbeat();
      running.heartbeat();
      MockApp fresh = cluster.submit();
      int turned = replaceExecutorsUntilStarted(3600, running, fresh, cluster);
      assertThat(fresh.containers()).as("of " + turned + " containers that became free").isEqualTo(1);
    }
  }

  /** Containers end one by one on the node that it needs, and a running application wants the room too. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void unplaceableApplicationDoesNotPreventAReservation(boolean itIsFirst) throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB)) {
      cluster.addNode(9 * GB / 2);
      MockApp running = cluster.start(cluster.submission(GB), 3);
      cluster.addTooSmallNodes(40);
      MockNM large = cluster.addNode(16 * GB);
      MockApp fitsNoNode = cluster.submit(12 * GB, itIsFirst ? 0 : 1);
      MockApp needsReservation = cluster.submit(2 * GB, itIsFirst ? 1 : 0);
      cluster.loseNode(large);
      cluster.runFor(320);
      int ended = 0;
      for (int second = 0; second < 1800 && needsReservation.containers() == 0; second++) {
        if (second % 30 == 0) {
          running.ask(1, GB);
          running.release(running.executors().subList(0, 1));
          ended++;
        }
        cluster.runFor(1);
        running.heartbeat();
      }
      assertThat(needsReservation.containers()).as("of %s that ended", ended).isEqualTo(1);
      assertThat(fitsNoNode.containers()).isZero();
    }
  }

  /** There is room for one driver only. */
  @Test
  void exhaustedCrashLoopYieldsTheOnlyRoom() throws Exception {
    try (MockCluster cluster = withManyAttempts()) {
      cluster.addNode(GB);
      MockApp looping = StartingTimeTest.exhaustStartingTime(
          cluster.submit(cluster.submission(GB).withMaxAttempts(1000)), cluster);
      MockApp other = cluster.submit();
      assertThat(attemptsBefore(other, looping, cluster)).isLessThanOrEqualTo(1);
    }
  }

  /** The same, beside a stalled application that fits no node. */
  @Test
  void exhaustedCrashLoopYieldsBesideAnUnplaceableApplication() throws Exception {
    try (MockCluster cluster = withManyAttempts()) {
      cluster.addNode(GB);
      MockNM large = cluster.addNode(16 * GB);
      cluster.submit(12 * GB, 0);
      cluster.loseNode(large);
      MockApp looping = StartingTimeTest.exhaustStartingTime(
          cluster.submit(cluster.submission(GB).withMaxAttempts(1000)), cluster);
      MockApp other = cluster.submit();
      assertThat(attemptsBefore(other, looping, cluster)).isLessThanOrEqualTo(2);
    }
  }

  /**
   * It was submitted first, and there is room for one driver. The last iteration ended at the other one.
   */
  @Test
  void exhaustedCrashLoopDoesNotStarveAStalledApplication() throws Exception {
    try (MockCluster cluster = withManyAttempts()) {
      cluster.addNode(2 * GB);
      MockApp filler = cluster.submitFiller(0);
      MockApp looping = cluster.submit(cluster.submission(GB).withMaxAttempts(1000));
      MockApp stalled = cluster.submit(2 * GB, 0);
      StartingTimeTest.exhaustStartingTime(looping, cluster);
      // Until it has stalled and its first trial is over.
      cluster.runFor(330);
      filler.finish();
      assertThat(looping.containers()).isEqualTo(1);
      assertThat(attemptsBefore(stalled, looping, cluster)).isLessThanOrEqualTo(1);
    }
  }

  private static MockCluster withManyAttempts() {
    return MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB,
        YarnConfiguration.RM_AM_MAX_ATTEMPTS, "1000");
  }

  /**
   * How often the looping application fails, each time right after it got its driver, before the other
   * starts.
   */
  private static int attemptsBefore(MockApp other, MockApp looping, MockCluster cluster)
      throws Exception {
    int attempts = 0;
    for (int second = 0; second < 400; second++) {
      cluster.runFor(1);
      if (other.containers() == 1) {
        return attempts;
      }
      if (looping.containers() == 1) {
        attempts++;
        killDriver(looping, cluster);
      }
    }
    throw new AssertionError(other.name() + " has not started beside " + attempts + " attempts");
  }

  /** The next attempt requests its driver before any node has sent a heartbeat. */
  private static void killDriver(MockApp app, MockCluster cluster) throws Exception {
    ApplicationAttemptId failing = app.register().attemptId();
    ContainerId driver = app.rmApp().getCurrentAppAttempt().getMasterContainer().getId();
    cluster.scheduler().markContainerForKillable(app.attempt().getRMContainer(driver));
    cluster.rm().waitForState(failing, RMAppAttemptState.FAILED);
    MockRM.waitForAttemptScheduled(app.rmApp(), cluster.rm());
  }

  /** @return how many executors the running application released before the waiting one got its driver */
  private static int replaceExecutorsUntilStarted(
      int seconds, MockApp running, MockApp waiting, MockCluster cluster) throws Exception {
    int turned = 0;
    for (int s = 0; s < seconds && waiting.containers() == 0; s++) {
      cluster.tick();
      if (s % 5 == 0) {
        running.release(running.executors().subList(0, 1));
        running.ask(100, GB);
        turned++;
      }
      cluster.heartbeat();
      running.heartbeat();
    }
    return turned;
  }

  private static List<Integer> reservations(List<MockApp> apps) {
    List<Integer> all = new ArrayList<>();
    apps.forEach(app -> all.add(app.reservations()));
    return all;
  }

}
