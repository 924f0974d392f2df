// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.HeadroomSteps.headroomCluster;
import static io.github.dripfeed.fixture.HeadroomSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.HeadroomSteps.runOneApplication;
import static io.github.dripfeed.fixture.HeadroomSteps.startedDrivers;
import static io.github.dripfeed.fixture.HeadroomSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * On the real scheduler: how many applications start depends on how many executors earlier ones came to
 * want. Drivers and executors have 1 GB.
 */
class LearnedDemandTest {

  private static final int MEMORY = 64 * GB;
  private static final int WANTED = 20;

  private static void runTen(MockCluster cluster, int executors) throws Exception {
    for (int i = 0; i < 10; i++) {
      cluster.advance(Duration.ofSeconds(1));
      runOneApplication(cluster, executors, GB);
    }
  }

  @Test
  void asManyStartAsAreExpectedToFillTheQueue() throws Exception {
    try (MockCluster cluster = headroomCluster(MEMORY)) {
      runTen(cluster, WANTED);
      List<MockApp> apps = submitMany(cluster, 30);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("21 GB each, 80 GB may be claimed").isEqualTo(4);
      for (MockApp app : apps.subList(0, 3)) {
        app.register().ask(WANTED, GB);
        monitorAndHeartbeat(cluster);
      }
      assertThat(apps.subList(0, 3)).extracting(MockApp::containers).containsOnly(WANTED + 1);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("one more has a slot").isEqualTo(4);
    }
  }

  @Test
  void firstExecutorsAreEnoughWhileFewApplicationsAreKnown() throws Exception {
    try (MockCluster cluster = headroomCluster(MEMORY)) {
      runOneApplication(cluster, WANTED, GB);
      List<MockApp> apps = submitMany(cluster, 20);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(20);
    }
  }

  @Test
  void applicationExpectedToWantMoreThanTheQueueLeavesItNotIdle() throws Exception {
    try (MockCluster cluster = headroomCluster(MEMORY)) {
      runTen(cluster, 1000);
      List<MockApp> apps = submitMany(cluster, 3);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(1);
      // It wants less than the ones before, so after a while nothing more is expected of it.
      apps.get(0).register().ask(2, GB);
      monitorAndHeartbeat(cluster);
      cluster.advance(Duration.ofSeconds(10));
      List<MockApp> more = new ArrayList<>(apps);
      more.addAll(submitMany(cluster, 3));
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(more.get(0).state()).isEqualTo(RUNNING);
      assertThat(more.get(1).state()).isEqualTo(STARTING);
    }
  }

  @Test
  void nextAttemptIsExpectedToRequestWhatTheLostOneRequested() throws Exception {
    try (MockCluster cluster = headroomCluster(MEMORY)) {
      runTen(cluster, 1);
      MockApp running = cluster.submit();
      cluster.heartbeat();
      running.register().ask(56, GB);
      monitorAndHeartbeat(cluster);
      running.heartbeat();
      List<MockApp> apps = submitMany(cluster, 2);
      monitorAndHeartbeat(cluster);
      assertThat(apps).extracting(MockApp::state).containsOnly(STARTING);
      apps.get(1).register().ask(1, 8 * GB);
      monitorAndHeartbeat(cluster);
      apps.get(1).failDriver();
      monitorAndHeartbeat(cluster);
      assertThat(apps.get(1).state()).as("8 GB are not free").isEqualTo(ACCEPTED);
      running.finish();
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(apps.get(1).state()).isEqualTo(STARTING);
    }
  }

  @Test
  void afterARestartTheNumberIsLearnedFromWhatRuns() throws Exception {
    try (MockCluster cluster = headroomCluster(MEMORY)) {
      List<MockApp> running = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        MockApp app = cluster.submit();
        cluster.heartbeat();
        app.register().ask(5, GB / 2);
        monitorAndHeartbeat(cluster);
        app.heartbeat();
        app.launchExecutors();
        running.add(app);
      }
      assertThat(running).extracting(MockApp::containers).containsOnly(6);
      cluster.restart().reconnectNodes();
      for (MockApp app : running) {
        app.registerAgain();
      }
      monitorAndHeartbeat(cluster);
      List<MockApp> apps = submitMany(cluster, 25);
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("45 GB may be claimed, 3.5 GB each; without the number 19 fit")
          .isBetween(12L, 14L);
    }
  }
}
