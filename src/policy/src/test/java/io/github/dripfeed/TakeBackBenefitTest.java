// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.TakeBackClusterTest.twoQueues;
import static io.github.dripfeed.TakeBackNeighboursTest.takeBack;
import static io.github.dripfeed.TakeBackTest.block;
import static io.github.dripfeed.TakeBackTest.blocked;
import static io.github.dripfeed.TakeBackTest.cluster;
import static io.github.dripfeed.TakeBackTest.takenBack;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.AutoSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.AutoSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoOrderingPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** For whose sake drivers are taken back on the real scheduler, and whose room that would be. */
class TakeBackBenefitTest {

  private static String otherKey(String name) {
    return key(OTHER, "ordering-policy.state-aware." + name);
  }

  /** One with its driver and, for now, no executor, although it had one. */
  private static MockApp session(MockCluster cluster) throws Exception {
    MockApp session = cluster.submit();
    cluster.heartbeat();
    session.register().ask(1, GB / 2);
    cluster.runFor(2);
    session.heartbeat();
    session.release(session.executors());
    cluster.runFor(1);
    assertThat(session.state()).isEqualTo(RUNNING);
    assertThat(session.containers()).isEqualTo(1);
    return session;
  }

  @Test
  void driversAreTakenBackBesideAnOlderSessionWithoutExecutorsNow() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      MockApp session = session(cluster);
      List<MockApp> apps = blocked(cluster, 7, 6 * GB);
      session.ask(1, 6 * GB);
      cluster.runFor(40);
      assertThat(takenBack(apps)).containsExactly(apps.get(5), apps.get(6));
      assertThat(session.containers() + apps.get(0).containers())
          .as("starting ones come before it for a time").isEqualTo(3);
      assertThat(apps.subList(1, 5)).extracting(MockApp::state).containsOnly(STARTING);
    }
  }

  @Test
  void sessionWithoutExecutorsNowThatNobodyCanHelpHoldsNobodyBack() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      cluster.submitFiller(1);
      MockApp session = session(cluster);
      List<MockApp> apps = blocked(cluster, 4, 6 * GB);
      // Beside the oldest driver that can never be lost there is less.
      session.ask(1, 8 * GB);
      apps.get(3).ask(0, 6 * GB);
      cluster.runFor(120);
      assertThat(takenBack(apps)).isNotEmpty().doesNotContain(apps.get(0));
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  @ParameterizedTest(name = "{0} in the queue of the older ones")
  @ValueSource(strings = {"fifo", "priority"})
  void acrossQueuesSubmissionDecidesWhateverTheirOrder(String order) throws Exception {
    Map<String, String> properties = twoQueues("on");
    properties.put(stateAwareKey("order"), order);
    // So that YARN serves it first.
    properties.put(queueKey("capacity"), "90");
    properties.put(key(OTHER, "capacity"), "10");
    try (MockCluster cluster = autoCluster(properties, 12 * GB)) {
      runOneApplication(cluster, GB / 2);
      MockApp first = cluster.submit(cluster.submission(GB).withQueue(OTHER));
      cluster.heartbeat();
      first.register().ask(1, GB / 2);
      monitorAndHeartbeat(cluster);
      first.heartbeat();
      first.finish();
      List<MockApp> apps = submitMany(cluster, 4);
      for (int i = 0; i < 4; i++) {
        apps.add(cluster.submit(cluster.submission(GB).withQueue(OTHER).withPriority(5)));
      }
      block(cluster, apps, 6 * GB);
      cluster.runFor(40);
      assertThat(takenBack(apps)).containsExactly(apps.get(6), apps.get(7));
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void higherPriorityGainsFirst() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = submitMany(cluster, 6);
      apps.add(cluster.submit(GB, 5));
      apps.add(cluster.submit(GB, 5));
      block(cluster, apps, 6 * GB);
      cluster.runFor(40);
      assertThat(takenBack(apps)).as("youngest first").containsExactly(apps.get(5), apps.get(7));
      assertThat(apps.get(6).state()).isEqualTo(RUNNING);
    }
  }

  /** YARN passes over the one of high priority, whose user is above the limit, and it alone would do. */
  @Test
  void nobodyLosesItsDriverForOneOfLowerPriorityInItsQueue() throws Exception {
    try (MockCluster cluster = autoCluster(takeBack(), 12 * GB)) {
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        apps.add(cluster.submit(cluster.submission(GB).withUser("a")));
      }
      apps.add(cluster.submit(cluster.submission(5 * GB).withUser("b").withPriority(5)));
      block(cluster, apps, 6 * GB);
      cluster.refresh(queueKey("user-limit-factor"), "0.3");
      cluster.runFor(40);
      assertThat(takenBack(apps)).containsExactly(apps.get(1), apps.get(2));
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  /** The other application needs 4.5 GB, and gets it first of the 5 GB that one driver makes free. */
  @ParameterizedTest(name = "its queue takes drivers back, and it is exempt: {0}")
  @CsvSource({"false", "true"})
  void nobodyIsTakenBackForOneThatTakeBackDoesNotServe(boolean exempt) throws Exception {
    Map<String, String> properties = new HashMap<>(twoQueues("on"));
    if (exempt) {
      properties.put(otherKey("exempt-application-types"), "SHELL");
    } else {
      properties.keySet().removeIf(name -> name.startsWith(key(OTHER, "ordering-policy")));
      properties.put(key(OTHER, "ordering-policy"), FifoOrderingPolicy.class.getName());
    }
    try (MockCluster cluster = autoCluster(properties, 12 * GB)) {
      MockApp other = cluster.submit(cluster.submission(GB).withQueue(OTHER).withType("SHELL"));
      cluster.runFor(2);
      other.register();
      List<MockApp> apps = blocked(cluster, 7, 5 * GB);
      other.ask(1, 4608);
      cluster.runFor(400);
      assertThat(takenBack(apps)).as("its queue is below its guarantee").isEmpty();
      other.ask(0, 4608);
      cluster.runFor(40);
      assertThat(takenBack(apps)).containsExactly(apps.get(6));
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void whatTookLongToStartBeforeAFailoverMayHaveRunThen() throws Exception {
    try (MockCluster cluster = cluster(12 * GB, "starting-timeout", "20s", "take-back-after", "60s")) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      cluster.runFor(25);
      cluster.restart().reconnectNodes();
      for (MockApp app : apps) {
        app.registerAgain().ask(1, 6 * GB);
      }
      cluster.runFor(300);
      assertThat(takenBack(apps)).isEmpty();
    }
  }
}
