/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody that can be placed waits for ever, whatever stands beside it. */
class LineLivenessTest {

  /** Reserved, stalled, kept; then a large empty node comes. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void aReservationThatIsKeptDoesNotKeepTheDriverFromAnEmptyNode(int waiting) throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      cluster.addFilledNodes(1);
      List<MockApp> big = cluster.submitMany(waiting, 2 * GB, "user");
      cluster.live(400);
      MockNM free = cluster.addNode(32 * GB);
      cluster.live(3600);
      assertThat(big).as("one has its driver; reservations " + reservations(big))
          .anyMatch(app -> app.containers() == 1);
    }
  }

  /** The same with two slots. */
  @Test
  void withTwoSlotsOneKeptReservationDoesNotCloseTheOther() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class, "max-starting", "2")) {
      cluster.addFilledNodes(1);
      List<MockApp> big = cluster.submitMany(3, 2 * GB, "user");
      cluster.live(700);
      cluster.addNode(32 * GB);
      cluster.live(3600);
      assertThat(big).as("reservations " + reservations(big)).anyMatch(app -> app.containers() == 1);
    }
  }

  /** The monitor is dead. */
  @Test
  void withoutTheMonitorAReservedDriverDoesNotHoldTheLineForEver() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      cluster.addFilledNodes(1);
      MockApp big = cluster.submit(2 * GB, 0);
      MockApp small = cluster.submit();
      cluster.heartbeat();
      assertThat(big.reservations()).isEqualTo(1);
      cluster.addNode(32 * GB);
      // The node of the reservation alone sends heartbeats first, then all.
      for (int s = 0; s < 400; s++) {
        cluster.pass(Duration.ofSeconds(1));
        cluster.heartbeat(cluster.node(1));
      }
      for (int s = 0; s < 3600; s++) {
        cluster.pass(Duration.ofSeconds(1));
        cluster.heartbeat();
      }
      assertThat(small.containers() + big.containers()).isPositive();
    }
  }

  /** Who opened the line is gone, the line stays open, nobody stalled: no trial, no place. */
  @Test
  void aLineOpenedByOneThatIsGoneDoesNotStarveANewOneOfHigherPriority() throws Exception {
    try (MockCluster cluster = LineBoundsTest.withNodesThatShrank()) {
      MockApp running = cluster.submit();
      cluster.heartbeat();
      running.register().ask(6, GB);
      cluster.heartbeat();
      running.heartbeat();
      MockApp never = cluster.submit(12 * GB, 0);
      cluster.loseNode(cluster.node(1));
      cluster.live(310);
      never.kill();
      running.ask(100, GB);
      cluster.heartbeat();
      running.heartbeat();
      MockApp urgent = cluster.submit(GB, 5);
      int turned = turnOver(3600, running, urgent, cluster);
      assertThat(urgent.containers()).as("of " + turned + " containers that became free").isEqualTo(1);
    }
  }

  /** The same, and the obstacle still there. */
  @Test
  void inAnOpenLineANewOneOfHigherPriorityDoesNotWaitForATimeoutMore() throws Exception {
    try (MockCluster cluster = LineBoundsTest.withNodesThatShrank()) {
      MockApp running = cluster.submit();
      cluster.heartbeat();
      running.register().ask(6, GB);
      cluster.heartbeat();
      running.heartbeat();
      cluster.submit(12 * GB, 0);
      cluster.loseNode(cluster.node(1));
      cluster.live(310);
      running.ask(100, GB);
      cluster.heartbeat();
      running.heartbeat();
      MockApp urgent = cluster.submit(GB, 5);
      int turned = turnOver(3600, running, urgent, cluster);
      assertThat(urgent.containers()).isEqualTo(1);
      assertThat(turned).as("containers that a later one got before").isLessThanOrEqualTo(10);
    }
  }

  /** Fair policy, no priorities. */
  @Test
  void underTheFairPolicyItDoesNotStarveANewOneEither() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareFairOrderingPolicy.class,
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB)) {
      cluster.addNode(8 * GB);
      cluster.addNode(16 * GB);
      MockApp running = cluster.submit();
      cluster.heartbeat();
      running.register().ask(6, GB);
      cluster.heartbeat();
      running.heartbeat();
      MockApp never = cluster.submit(12 * GB, 0);
      cluster.loseNode(cluster.node(1));
      cluster.live(310);
      never.kill();
      running.ask(100, GB);
      cluster.heartbeat();
      running.heartbeat();
      MockApp fresh = cluster.submit();
      int turned = turnOver(3600, running, fresh, cluster);
      assertThat(fresh.containers()).as("of " + turned + " containers that became free").isEqualTo(1);
    }
  }

  /** Of the node that it needs, one container after the other ends; a running one wants the room, too. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneThatNeedsAReservationGetsItBesideOneThatFitsNoNode(boolean itIsFirst) throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB)) {
      cluster.addNode(9 * GB / 2);
      MockApp running = cluster.submit();
      cluster.heartbeat();
      running.register().ask(3, GB);
      cluster.heartbeat();
      running.heartbeat();
      cluster.addUselessNodes(40);
      MockNM large = cluster.addNode(16 * GB);
      MockApp fitsNoNode = cluster.submit(12 * GB, itIsFirst ? 0 : 1);
      MockApp needsReservation = cluster.submit(2 * GB, itIsFirst ? 1 : 0);
      cluster.loseNode(large);
      cluster.live(320);
      int ended = 0;
      for (int second = 0; second < 1800 && needsReservation.containers() == 0; second++) {
        if (second % 30 == 0) {
          running.ask(1, GB);
          running.release(running.executors().subList(0, 1));
          ended++;
        }
        cluster.live(1);
        running.heartbeat();
      }
      assertThat(needsReservation.containers()).as("of %s that ended", ended).isEqualTo(1);
      assertThat(fitsNoNode.containers()).isZero();
    }
  }

  /** There is room for one driver only. */
  @Test
  void aCrashLoopWhoseTimeIsUsedUpDoesNotKeepTheOnlyRoomFromAnother() throws Exception {
    try (MockCluster cluster = withManyAttempts()) {
      cluster.addNode(GB);
      MockApp looping = StartingTimeTest.useUpTheTimeOf(
          cluster.submit(cluster.submission(GB).withMaxAttempts(1000)), cluster);
      MockApp other = cluster.submit();
      assertThat(attemptsBefore(other, looping, cluster)).isLessThanOrEqualTo(1);
    }
  }

  /** The same, beside one that has stalled and fits no node. */
  @Test
  void norDoesItBesideOneThatFitsNoNode() throws Exception {
    try (MockCluster cluster = withManyAttempts()) {
      cluster.addNode(GB);
      MockNM large = cluster.addNode(16 * GB);
      cluster.submit(12 * GB, 0);
      cluster.loseNode(large);
      MockApp looping = StartingTimeTest.useUpTheTimeOf(
          cluster.submit(cluster.submission(GB).withMaxAttempts(1000)), cluster);
      MockApp other = cluster.submit();
      assertThat(attemptsBefore(other, looping, cluster)).isLessThanOrEqualTo(2);
    }
  }

  /** It was there first, and there is room for one of them; the last walk has ended at the other. */
  @Test
  void aCrashLoopWhoseTimeIsUsedUpDoesNotStarveOneThatStalled() throws Exception {
    try (MockCluster cluster = withManyAttempts()) {
      cluster.addNode(2 * GB);
      MockApp filler = cluster.fill(0);
      MockApp looping = cluster.submit(cluster.submission(GB).withMaxAttempts(1000));
      MockApp stalled = cluster.submit(2 * GB, 0);
      StartingTimeTest.useUpTheTimeOf(looping, cluster);
      // Until it has stalled, and its first trial is over.
      cluster.live(330);
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

  /** How often one fails, each time as soon as it has its driver, until another one has it. */
  private static int attemptsBefore(MockApp other, MockApp looping, MockCluster cluster)
      throws Exception {
    int attempts = 0;
    for (int second = 0; second < 400; second++) {
      cluster.live(1);
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

  /** It asks for the next one before any node has sent a heartbeat. */
  private static void killDriver(MockApp app, MockCluster cluster) throws Exception {
    ApplicationAttemptId failing = app.register().attemptId();
    ContainerId driver = app.rmApp().getCurrentAppAttempt().getMasterContainer().getId();
    cluster.scheduler().markContainerForKillable(app.attempt().getRMContainer(driver));
    cluster.rm().waitForState(failing, RMAppAttemptState.FAILED);
    MockRM.waitForAttemptScheduled(app.rmApp(), cluster.rm());
  }

  private static int turnOver(int seconds, MockApp running, MockApp waiting, MockCluster cluster)
      throws Exception {
    int turned = 0;
    for (int s = 0; s < seconds && waiting.containers() == 0; s++) {
      cluster.lookAgain();
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
