// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.junit.jupiter.api.Test;

/**
 * An application that is offered and cannot be placed holds the others back for {@code accepted-timeout}
 * and no longer. Afterwards the others still start one at a time.
 */
class HeadOfLineTest {

  private static final Duration ACCEPTED_TIMEOUT = Duration.ofMinutes(5);

  @Test
  void requestThatFitsNoNode() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB)) {
      cluster.addNode(8 * GB);
      MockNM big = cluster.addNode(16 * GB);
      MockApp impossible = cluster.submit(12 * GB, 0);
      cluster.loseNode(big);
      cluster.addNode(8 * GB);
      holdsBackNoLongerThanItMay(cluster, impossible, cluster.submit());
    }
  }

  @Test
  void requestWithEveryNodeBlacklisted() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(8 * GB)) {
      MockApp blacklisting = cluster.submit();
      List<String> hosts = Collections.singletonList(cluster.node(0).getNodeId().getHost());
      cluster.scheduler().allocate(blacklisting.attemptId(), Collections.emptyList(), null,
          Collections.emptyList(), hosts, Collections.emptyList(), new ContainerUpdates());
      holdsBackNoLongerThanItMay(cluster, blacklisting, cluster.submit());
    }
  }

  @Test
  void acceptedTimeoutPausesWhileEveryNodeIsFull() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(4 * GB)) {
      MockApp app1 = cluster.submit();
      cluster.heartbeat();
      app1.register().ask(10, GB);
      cluster.heartbeat();
      app1.heartbeat();
      MockApp app2 = cluster.submit();
      MockApp app3 = cluster.submit();
      for (int i = 0; i < 100; i++) {
        cluster.heartbeat();
        cluster.runMonitor();
        cluster.advance(ACCEPTED_TIMEOUT);
      }
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      app1.ask(0, GB);
      app1.release(app1.executors());
      cluster.heartbeat();
      assertThat(app2.containers()).as("the application that has waited longest").isEqualTo(1);
      assertThat(app3.containers()).isZero();
    }
  }

  @Test
  void stalledApplicationsStartOneAtATime() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      cluster.addNode(4 * GB);
      MockNM big = cluster.addNode(60 * GB);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        apps.add(cluster.submit(8 * GB, 0));
      }
      cluster.loseNode(big);
      for (int i = 0; i < 5; i++) {
        cluster.offered();
        cluster.advance(ACCEPTED_TIMEOUT);
      }
      assertThat(cluster.offered()).as("all stalled")
          .containsExactly("App1", "App2", "App3", "App4", "App5");
      cluster.addNode(60 * GB);
      for (MockApp next : apps) {
        cluster.heartbeat();
        cluster.heartbeat();
        assertThat(next.containers()).isEqualTo(1);
        assertThat(apps).filteredOn(app -> app.state() == State.STARTING).hasSize(1);
        next.register().ask(1, GB);
        cluster.heartbeat();
        next.heartbeat();
      }
    }
  }

  private static void holdsBackNoLongerThanItMay(
      MockCluster cluster, MockApp unplaceable, MockApp behind) throws Exception {
    cluster.heartbeat();
    cluster.advance(ACCEPTED_TIMEOUT.minusMillis(1));
    cluster.heartbeat();
    assertThat(unplaceable.containers()).isZero();
    assertThat(behind.containers()).as("held").isZero();
    cluster.advance(Duration.ofMillis(1));
    cluster.heartbeat();
    assertThat(behind.containers()).as("held no longer").isEqualTo(1);
    assertThat(unplaceable.containers()).isZero();
  }
}
