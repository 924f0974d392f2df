// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.fixture.AutoSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.AutoSteps.startedDrivers;
import static io.github.dripfeed.fixture.AutoSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * {@code max-starting=auto} in fair order on the real scheduler. YARN serves a new driver first, so only
 * the plan keeps drivers from filling a queue whose applications want all of it.
 */
class AutoFairTest {

  private static final int NODE = 36;

  private static MockCluster fairCluster(String... more) throws Exception {
    List<String> properties = new ArrayList<>(List.of(stateAwareKey("max-starting"), "auto"));
    properties.addAll(List.of(more));
    MockCluster cluster =
        MockCluster.configured(StateAwareFairOrderingPolicy.class, properties.toArray(new String[0]));
    cluster.addNode(NODE * GB);
    return cluster;
  }

  /** So many seconds, in each of which an executor of this application ends, and those that started ask. */
  private static void giveBack(MockCluster cluster, MockApp from, List<MockApp> apps, int seconds)
      throws Exception {
    for (int i = 0; i < seconds; i++) {
      from.completeExecutor(from.executors().get(0), cluster.node(0));
      monitorAndHeartbeat(cluster);
      for (MockApp app : apps) {
        if (app.state() != ACCEPTED && !app.isRegistered()) {
          app.register().ask(50, GB);
        }
      }
    }
  }

  private static MockApp fill(MockCluster cluster, MockApp greedy) throws Exception {
    cluster.runFor(1);
    greedy.register().ask(100, GB);
    monitorAndHeartbeat(cluster);
    greedy.heartbeat();
    return greedy;
  }

  @Test
  void driversOfAFullQueueHoldNoMoreThanASixth() throws Exception {
    try (MockCluster cluster = fairCluster()) {
      runOneApplication(cluster, 10, GB);
      MockApp greedy = fill(cluster, cluster.submit());
      assertThat(greedy.containers()).isEqualTo(NODE);
      List<MockApp> apps = submitMany(cluster, 20);
      giveBack(cluster, greedy, apps, 30);
      assertThat(1 + startedDrivers(apps)).isEqualTo(NODE / 6);
      apps.get(0).finish();
      cluster.runFor(6);
      giveBack(cluster, apps.get(1), apps, 2);
      assertThat(1 + startedDrivers(apps)).as("one more for the one that has ended").isEqualTo(NODE / 6);
      cluster.advance(Duration.ofMinutes(5));
      giveBack(cluster, apps.get(1), apps, 2);
      assertThat(1 + startedDrivers(apps)).as("one for each accepted-timeout").isEqualTo(NODE / 6 + 1);
    }
  }

  @Test
  void idleSessionsHoldNobody() throws Exception {
    try (MockCluster cluster = fairCluster()) {
      List<MockApp> sessions = submitMany(cluster, 12);
      for (int i = 0; i < 40; i++) {
        cluster.runFor(1);
        for (MockApp session : sessions) {
          if (session.state() != ACCEPTED && !session.isRegistered()) {
            session.register();
          }
        }
      }
      assertThat(startedDrivers(sessions)).isEqualTo(12);
      cluster.runFor(30);
      MockApp greedy = fill(cluster, cluster.submit());
      List<MockApp> apps = submitMany(cluster, 3);
      giveBack(cluster, greedy, apps, 12);
      assertThat(startedDrivers(apps)).as("12 of 36 GB are idle drivers").isEqualTo(3);
    }
  }

  @Test
  void whatAUserAtItsLimitWantsHoldsNoOtherUser() throws Exception {
    try (MockCluster cluster = fairCluster(
        queueKey("minimum-user-limit-percent"), "50", queueKey("user-limit-factor"), "0.5")) {
      List<MockApp> ofAlice = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        ofAlice.add(cluster.submit(cluster.submission(GB).withUser("alice")));
        cluster.runFor(6);
        ofAlice.get(i).register().ask(i == 6 ? 100 : 1, GB);
        cluster.runFor(1);
        ofAlice.get(i).heartbeat();
      }
      assertThat(startedDrivers(ofAlice)).as("of 36 GB").isEqualTo(7);
      MockApp ofBob = cluster.submit(cluster.submission(GB).withUser("bob"));
      cluster.runFor(7);
      assertThat(ofBob.state()).isNotEqualTo(ACCEPTED);
    }
  }
}
