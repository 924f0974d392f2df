// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.ClusterRestart;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After a failover: for how long a line is held that was held before, and who counts as a crash loop. */
class FailoverBoundsTest {

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

  /** Three applications that no node fits any more hold those behind them for one accepted-timeout more. */
  @Test
  void lineThatWasHeldBeforeIsHeldForOneAcceptedTimeoutMore() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB)) {
      cluster.addNode(8 * GB);
      MockNM large = cluster.addNode(16 * GB);
      cluster.submitMany(3, 12 * GB, "user");
      cluster.loseNode(large);
      MockApp placeable = cluster.submit();
      cluster.runFor(290);
      assertThat(placeable.containers()).isZero();
      cluster.restart().reconnectNodes();
      assertThat(cluster.runUntilStarted(placeable, 400)).isBetween(300, 310);
    }
  }
}
