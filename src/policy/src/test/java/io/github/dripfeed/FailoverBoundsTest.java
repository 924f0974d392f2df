// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.ClusterRestart;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After a failover: how long a line is still held that was held for 290 s before, and who counts as a
 * crash loop.
 */
class FailoverBoundsTest {

  /** The rest of the five minutes, and a few heartbeats. */
  private static final int REST = 30;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void unplaceableApplicationThatArrivesAfterwardsDoesNotSetTheClockBack(boolean arrives) throws Exception {
    try (MockCluster cluster = cluster()) {
      cluster.addNode(8 * GB);
      MockApp placeable = holdLine(cluster);
      ClusterRestart restart = cluster.restart();
      MockNM large = cluster.addNode(16 * GB);
      if (arrives) {
        cluster.submit(12 * GB, 5);
      }
      cluster.loseNode(large);
      restart.reconnectNodes();
      assertThat(cluster.runUntilStarted(placeable, 400)).isLessThanOrEqualTo(REST);
    }
  }

  /** YARN stores when the first attempt of an application was launched, and no such time of a later one. */
  @ParameterizedTest
  @CsvSource({"1, true", "1, false", "2, true", "2, false"})
  void driverOfLongAgoDoesNotSetTheClockBack(int attempts, boolean itsNodeFirst) throws Exception {
    try (MockCluster cluster = cluster()) {
      MockNM its = cluster.addNode(8 * GB);
      MockApp running = cluster.submit();
      cluster.heartbeat();
      // YARN stores this at the launch; its test helper does not set the time.
      cluster.rm().getRMContext().getDispatcher().getEventHandler().handle(new RMAppEvent(
          running.id(), RMAppEventType.ATTEMPT_LAUNCHED, System.currentTimeMillis()));
      running.register();
      for (int i = 1; i < attempts; i++) {
        running.failDriver();
        cluster.runFor(2);
        running.register();
      }
      running.ask(1, GB);
      cluster.heartbeat();
      running.heartbeat();
      assertThat(running.state()).isEqualTo(State.RUNNING);
      MockApp placeable = holdLine(cluster);
      ClusterRestart restart = cluster.restart();
      restart.reconnect(cluster.node(itsNodeFirst ? 0 : 1));
      cluster.runFor(1);
      restart.reconnectNodes();
      assertThat(cluster.runUntilStarted(placeable, 400)).isLessThanOrEqualTo(REST);
    }
  }

  @Test
  void waitOfUserAtItsLimitDoesNotCount() throws Exception {
    try (MockCluster cluster = cluster(MockCluster.queueKey("user-limit-factor"), "0.5")) {
      cluster.addNode(20 * GB);
      MockApp greedy = cluster.start(cluster.submission(GB).withUser("greedy"), 20);
      MockApp atLimit = cluster.submit(cluster.submission(GB).withUser("greedy"));
      cluster.runFor(320);
      assertThat(atLimit.containers()).isZero();
      cluster.restart().reconnectNodes();
      // No node has room for it, and it has just come.
      cluster.submit(cluster.submission(12 * GB).withUser("modest"));
      MockApp behind = cluster.submit(cluster.submission(GB).withUser("other"));
      cluster.runFor(250);
      assertThat(behind.containers()).isZero();
    }
  }

  @Test
  void waitForASlotDoesNotCount() throws Exception {
    try (MockCluster cluster = cluster()) {
      cluster.addNode(8 * GB);
      MockApp starting = cluster.submit();
      cluster.heartbeat();
      starting.register();
      MockNM large = cluster.addNode(16 * GB);
      cluster.submit(12 * GB, 0);
      cluster.loseNode(large);
      MockApp behind = cluster.submit();
      cluster.runFor(200);
      cluster.restart().reconnectNodes();
      cluster.runFor(90);
      starting.registerAgain().finish();
      cluster.runFor(250);
      assertThat(behind.containers()).as("the first in line has been tried for 250 s").isZero();
    }
  }

  /** It ran for an hour. After the failover its driver fails for the first time. */
  @ParameterizedTest
  @ValueSource(strings = {"no failover", "driver's node first", "executor's node first", "one node"})
  void longRunningApplicationIsNoCrashLoopAfterAFailover(String failover) throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      MockNM ofDriver = cluster.addNode((failover.equals("one node") ? 16 : 1) * GB);
      MockApp app1 = cluster.submit();
      cluster.heartbeat();
      MockNM ofExecutor = cluster.addNode(16 * GB);
      app1.register().ask(1, GB);
      cluster.heartbeat();
      app1.heartbeat();
      assertThat(app1.state()).isEqualTo(State.RUNNING);
      cluster.advance(Duration.ofHours(1));
      cluster.runFor(1);
      if (!failover.equals("no failover")) {
        ClusterRestart restart = cluster.restart();
        restart.reconnect(failover.startsWith("executor") ? ofExecutor : ofDriver);
        cluster.runFor(1);
        restart.reconnectNodes();
        app1.registerAgain();
        cluster.runFor(1);
      }
      assertThat(app1.state()).isEqualTo(State.RUNNING);
      app1.failDriver();
      MockApp other = cluster.submit();
      cluster.heartbeat();
      assertThat(app1.containers()).as("the older one").isEqualTo(1);
      assertThat(other.containers()).as("there is one slot").isZero();
    }
  }

  /** It ran until after the failover, so its next attempt has just begun to wait. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nextAttemptHasNotWaitedSinceItsSubmission(boolean refresh) throws Exception {
    try (MockCluster cluster = cluster()) {
      MockNM node = cluster.addNode(16 * GB);
      MockApp filler = cluster.start(cluster.submission(GB), 12);
      MockApp failing = cluster.start(cluster.submission(2 * GB), 1);
      cluster.restart().reconnectNodes();
      filler.registerAgain();
      failing.registerAgain();
      cluster.advance(Duration.ofHours(1));
      if (refresh) {
        cluster.refresh();
      }
      filler.ask(2, GB);
      failing.completeExecutor(failing.executors().get(0), node);
      failing.failDriver();
      cluster.heartbeat();
      assertThat(filler.containers()).as("1 GB is free").isEqualTo(15);
      cluster.tick();
      MockApp behind = cluster.submit();
      cluster.heartbeat();
      assertThat(failing.containers()).isZero();
      assertThat(behind.containers()).as("the first one has been tried for a second").isZero();
      cluster.runFor(310);
      assertThat(behind.containers()).isEqualTo(1);
    }
  }

  @Test
  void waitInAnotherQueueDoesNotCount() throws Exception {
    try (MockCluster cluster = cluster(MockCluster.key(MockCluster.OTHER, "ordering-policy"),
        StateAwareOrderingPolicy.class.getName())) {
      cluster.addNode(8 * GB);
      MockNM large = cluster.addNode(16 * GB);
      MockApp moved = cluster.submit(cluster.submission(12 * GB).withQueue(MockCluster.OTHER));
      cluster.loseNode(large);
      cluster.runFor(2);
      cluster.restart().reconnectNodes();
      cluster.runFor(2);
      cluster.advance(Duration.ofHours(1));
      moved.moveTo(MockCluster.DRIP);
      cluster.runFor(1);
      MockApp behind = cluster.submit();
      cluster.heartbeat();
      assertThat(behind.containers()).as("the moved one has been tried for a second").isZero();
    }
  }

  /** Until the refresh it was in YARN's list, and held nobody. */
  @Test
  void waitBeforeARefreshLetsItInDoesNotCount() throws Exception {
    String limit = MockCluster.queueKey("maximum-am-resource-percent");
    try (MockCluster cluster = cluster(limit, "0.1")) {
      cluster.addNode(8 * GB);
      MockNM large = cluster.addNode(16 * GB);
      cluster.start(cluster.submission(GB), 1);
      MockApp pending = cluster.submit(12 * GB, 0);
      cluster.loseNode(large);
      cluster.restart().reconnectNodes();
      cluster.runFor(2);
      assertThat(cluster.policy().getSchedulableEntities()).doesNotContain(pending.attempt());
      cluster.advance(Duration.ofHours(1));
      cluster.refresh(limit, "100");
      cluster.runFor(1);
      assertThat(cluster.policy().getSchedulableEntities()).contains(pending.attempt());
      MockApp behind = cluster.submit();
      cluster.heartbeat();
      assertThat(behind.containers()).as("the one before it has been tried for a second").isZero();
    }
  }

  /** Three applications that no node fits any more, and one behind them, which gets nothing for 290 s. */
  private static MockApp holdLine(MockCluster cluster) throws Exception {
    cluster.addNode(8 * GB);
    MockNM large = cluster.addNode(16 * GB);
    cluster.submitMany(3, 12 * GB, "user");
    cluster.loseNode(large);
    MockApp placeable = cluster.submit();
    cluster.runFor(290);
    assertThat(placeable.containers()).isZero();
    return placeable;
  }

  private static MockCluster cluster(String... more) {
    return MockCluster.configured(StateAwareOrderingPolicy.class, Stream.concat(
        Stream.of(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB), Stream.of(more))
        .toArray(String[]::new));
  }
}
