// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.ClusterRestart;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

/** Work-preserving restart of the ResourceManager (
    docs/design.md#recovered-containers-come-without-a-callback,
        #a-driver-keeps-its-age-over-a-restart) on the real Capacity Scheduler. */
class RecoveryTest {

  @Test
  void recoveredApplicationsKeepTheirStates() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      MockApp app2 = cluster.submit();
      MockApp app3 = cluster.submit();
      MockApp app4 = cluster.submit();
      cluster.heartbeat();
      app1.register().ask(1, GB);
      cluster.heartbeat();
      cluster.heartbeat();
      app2.register();
      cluster.advance(Duration.ofMinutes(4));
      assertThat(cluster.offered()).containsExactly("App1", "App2");

      cluster.restart().reconnectNodes();

      assertThat(cluster.offered()).as("App2 is still starting").containsExactly("App1", "App2");
      assertThat(app1.state()).isEqualTo(RUNNING);
      assertThat(app2.state()).isEqualTo(STARTING);
      assertThat(app3.state()).isEqualTo(ACCEPTED);
      cluster.heartbeat();
      assertThat(app3.containers()).isZero();
      cluster.advance(Duration.ofMinutes(1));
      assertThat(cluster.offered()).as("its five minutes are over")
          .containsExactly("App1", "App2", "App3");
      cluster.heartbeat();
      assertThat(app3.containers()).as("App3 keeps its place before App4").isEqualTo(1);
      assertThat(app4.containers()).isZero();
    }
  }

  @Test
  void orderIsKeptWhileNodesReturn() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      cluster.addNode(2 * GB);
      MockApp app1 = cluster.submit();
      MockApp app2 = cluster.submit();
      cluster.heartbeat();
      app1.register();
      cluster.addNode(16 * GB);
      ClusterRestart restart = cluster.restart();

      MockNM other = cluster.node(1);
      restart.reconnect(other);
      cluster.heartbeat(other);
      assertThat(app1.containers()).as("its node is not back").isZero();
      assertThat(app1.state()).isEqualTo(STARTING);
      assertThat(cluster.offered()).containsExactly("App1");
      assertThat(app2.containers()).isZero();

      restart.reconnect(cluster.node(0));
      assertThat(app1.containers()).isEqualTo(1);
      assertThat(cluster.offered()).containsExactly("App1");
      app1.registerAgain().ask(1, GB);
      cluster.heartbeat();
      assertThat(app1.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void executorsReportedBeforeTheirDriverCount() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      cluster.addNode(GB);
      MockApp app1 = cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      cluster.addNode(16 * GB);
      app1.register().ask(1, GB);
      cluster.heartbeat();
      ClusterRestart restart = cluster.restart();

      MockNM ofExecutor = cluster.node(1);
      restart.reconnect(ofExecutor);
      assertThat(app1.containers()).isEqualTo(1);
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      assertThat(app1.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void driverOnlyApplicationStartsAgainByTheSameClock() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      app1.register().ask(1, GB);
      cluster.heartbeat();
      app1.heartbeat();
      app1.release(app1.executors());
      cluster.advance(Duration.ofMinutes(3));
      cluster.restart().reconnectNodes();
      assertThat(app1.state()).isEqualTo(STARTING);
      cluster.advance(Duration.ofMinutes(2));
      cluster.offered();
      assertThat(app1.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void keptExecutorsReportedLateAdmitTheNewAttempt() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      cluster.addNode(GB);
      MockApp app1 = cluster.submit(cluster.submission(GB).keepingContainers());
      cluster.heartbeat();
      cluster.addNode(3 * GB);
      app1.register().ask(1, GB);
      cluster.heartbeat();
      app1.heartbeat();
      app1.launchExecutors();
      app1.failDriver();
      assertThat(app1.state()).isEqualTo(RUNNING);
      ClusterRestart restart = cluster.restart();
      assertThat(app1.state()).as("nothing is reported yet").isEqualTo(ACCEPTED);
      restart.reconnect(cluster.node(1));
      cluster.runMonitor();
      assertThat(app1.state()).isEqualTo(RUNNING);
    }
  }
}
