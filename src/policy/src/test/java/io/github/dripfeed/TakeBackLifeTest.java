// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.TakeBackTest.attemptOf;
import static io.github.dripfeed.TakeBackTest.block;
import static io.github.dripfeed.TakeBackTest.blocked;
import static io.github.dripfeed.TakeBackTest.cluster;
import static io.github.dripfeed.TakeBackTest.takenBack;
import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.AutoSteps.submitMany;
import static io.github.dripfeed.fixture.DripMetrics.figures;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.observe.StateAwareQueue;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;

/** {@code take-back=on} on the real scheduler beside everything else that happens to applications. */
class TakeBackLifeTest {

  private static void untilTakenBack(MockCluster cluster, MockApp app) throws Exception {
    for (int i = 0; i < 60 && attemptOf(app) == 1; i++) {
      cluster.runFor(1);
    }
    assertThat(attemptOf(app)).isEqualTo(2);
  }

  private static String diagnostics(MockApp app) {
    return app.rmApp().getCurrentAppAttempt().getDiagnostics();
  }

  @Test
  void ownerReadsWhenAndWhyAndWhenNext() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      MockApp behind = cluster.submit(GB / 2, 0);
      MockApp taken = apps.get(7);
      untilTakenBack(cluster, taken);
      cluster.runFor(6);
      assertThat(diagnostics(taken)).containsPattern("Take-back has preempted its AM at \\S+Z, because 8"
          + " starting applications block each other, and in its place " + apps.get(0).id()
          + " gets an executor of <memory:6144, vCores:\\d+>; next try in \\d s");
      assertThat(LiveTables.column("Line", "code")).contains("BACK_OFF");
      assertThat(LiveTables.column("Line", "arguments"))
          .anyMatch(arguments -> arguments.toString().matches("seconds=\\d; takenBack=1"));
      assertThat(LiveTables.column("Events", "code")).contains("TAKEN_BACK");
      cluster.runFor(8);
      assertThat(diagnostics(taken)).contains("Take-back has preempted its AM at")
          .doesNotContain("next try in");
      assertThat(behind.state()).isEqualTo(ACCEPTED);
    }
  }

  @Test
  void thoseBehindReadThatTheyWaitForProgress() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 8 * GB);
      MockApp behind = cluster.submit(GB / 2, 0);
      untilTakenBack(cluster, apps.get(7));
      // The next report, without another round of take-back.
      cluster.advance(Duration.ofSeconds(1));
      StateAwareQueue.of(cluster.queue(MockCluster.DRIP)).endRound();
      assertThat(cluster.policy().getInfo()).contains("1 waits for its next try after take-back")
          .contains("max-starting=auto").contains(", waits for the progress of a starting application");
      for (MockApp app : apps.subList(1, 7)) {
        app.ask(0, 8 * GB);
      }
      cluster.runFor(8);
      assertThat(diagnostics(behind)).contains("waits for the progress of a starting application:"
          + " take-back has preempted another AM to make room");
      assertThat(LiveTables.column("Line", "code")).contains("PROGRESS");
    }
  }

  @Test
  void metricsCount() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      cluster.runFor(38);
      assertThat(takenBack(apps)).hasSize(2);
      assertThat(figures()).containsEntry("TakenBackTotal", 2L)
          .containsEntry("TakenBackApplications", 2L);
    }
  }

  @Test
  void failoverForgetsTheWaitAndTakesBackOnlyWhereItMust() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      cluster.runFor(10);
      cluster.restart().reconnectNodes();
      for (MockApp app : apps) {
        app.registerAgain().ask(1, 6 * GB);
      }
      cluster.runFor(29);
      assertThat(takenBack(apps)).as("the clock starts again").isEmpty();
      for (MockApp taken : List.of(apps.get(7), apps.get(6))) {
        cluster.runFor(5);
        assertThat(takenBack(apps)).isEqualTo(apps.subList(apps.indexOf(taken), 8));
        // A recovered container keeps its room until the node reports its end.
        cluster.node(0).nodeHeartbeat(
            ApplicationAttemptId.newInstance(taken.id(), 1), 1, ContainerState.COMPLETE);
      }
      cluster.runFor(2);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void recoveredAttemptHasItsNumber() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      MockApp taken = apps.get(7);
      untilTakenBack(cluster, taken);
      cluster.restart().reconnectNodes();
      cluster.runFor(1);
      assertThat(attemptOf(taken)).isEqualTo(2);
      assertThat(taken.state()).isEqualTo(ACCEPTED);
    }
  }

  @Test
  void movedApplicationIsJudgedByItsQueue() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      cluster.runFor(20);
      apps.get(7).moveTo(MockCluster.OTHER);
      cluster.runFor(20);
      assertThat(takenBack(apps)).as("the other queue takes back nobody")
          .containsExactly(apps.get(5), apps.get(6));
    }
  }

  @Test
  void priorityDecidesWhoIsOldest() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      cluster.runFor(20);
      apps.get(7).setPriority(5);
      cluster.runFor(18);
      assertThat(takenBack(apps)).containsExactly(apps.get(5), apps.get(6));
      assertThat(apps.get(7).state()).isEqualTo(RUNNING);
      assertThat(apps.get(0).state()).isEqualTo(STARTING);
    }
  }

  @Test
  void containerUpdateIsNoExecutor() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      MockApp last = apps.get(7);
      Container driver = last.rmApp().getCurrentAppAttempt().getMasterContainer();
      last.update(UpdateContainerRequest.newInstance(driver.getVersion(), driver.getId(),
          ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(2 * GB, 1),
          ExecutionType.GUARANTEED));
      cluster.runFor(50);
      assertThat(takenBack(apps)).contains(last);
    }
  }

  @Test
  void unmanagedMasterIsNotTakenBack() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      runOneApplication(cluster, GB / 2);
      MockApp unmanaged = cluster.submit(cluster.submission(GB).unmanaged());
      List<MockApp> apps = submitMany(cluster, 8);
      block(cluster, apps, 6 * GB);
      cluster.runFor(40);
      assertThat(takenBack(apps)).hasSize(2);
      assertThat(attemptOf(unmanaged)).isEqualTo(1);
    }
  }

  @Test
  void takeBackCanBeSwitchedOff() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      cluster.refresh(MockCluster.stateAwareKey("take-back"), "off");
      cluster.runFor(60);
      assertThat(takenBack(apps)).isEmpty();
      cluster.refresh(MockCluster.stateAwareKey("take-back"), "on");
      cluster.refresh(MockCluster.stateAwareKey("take-back-after"), "10s");
      cluster.runFor(15);
      assertThat(takenBack(apps)).hasSize(2);
    }
  }

  @Test
  void disabledPreemptionIsInherited() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      cluster.refresh(CapacitySchedulerConfiguration.PREFIX + "root.disable_preemption", "true");
      cluster.runFor(60);
      assertThat(takenBack(apps)).isEmpty();
    }
  }
}
