// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.DripMetrics.figures;
import static io.github.dripfeed.fixture.DripMetrics.source;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.ClusterRestart;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.ReclaimCluster;
import io.github.dripfeed.observe.StateChangeRecorder;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.junit.jupiter.api.Test;

/** The metrics of a queue on the real Capacity Scheduler: their values and their lifetime. */
class MetricsTest {

  @Test
  void queueIsShownFromTheFirstMonitorTurn() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "accepted-timeout", "1m")) {
      assertThat(source()).as("creating a policy registers nothing").isNull();
      MockApp app1 = cluster.submit();
      cluster.submit();
      cluster.submit();
      cluster.advance(Duration.ofSeconds(20));
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(figures()).containsEntry("AcceptedApplications", 2L)
          .containsEntry("WaitingForSlotApplications", 2L)
          .containsEntry("HeldBySlotApplications", 2L).containsEntry("HeldByRoomApplications", 0L)
          .containsEntry("WaitingForRoomApplications", 0L)
          .containsEntry("StartingApplications", 1L).containsEntry("RunningApplications", 0L)
          .containsEntry("StartsTotal", 1L)
          .containsEntry("AcceptedSecondsCount", 1L)
          .containsEntry("AcceptedSecondsSum", 20L)
          .containsEntry("AcceptedSecondsBucket 10", 0L)
          .containsEntry("AcceptedSecondsBucket 30", 1L)
          .containsEntry("AcceptedSecondsBucket +Inf", 1L)
          // YARN stamps submissions with the real time.
          .hasEntrySatisfying("OldestAcceptedSeconds",
              seconds -> assertThat(seconds).isBetween(20L, 60L));

      cluster.advance(Duration.ofSeconds(7));
      app1.register().ask(1, GB);
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(figures()).containsEntry("PromotionsByExecutorsTotal", 1L)
          .containsEntry("RunningApplications", 1L)
          .containsEntry("StartingSecondsBucket 5", 0L)
          .containsEntry("StartingSecondsBucket 10", 1L);
      cluster.advance(Duration.ofMinutes(5));
      cluster.runMonitor();
      assertThat(figures()).as("App2 got its driver in the same heartbeat and no executor")
          .containsEntry("PromotionsByTimeoutTotal", 1L)
          .containsEntry("WaitingForSlotApplications", 0L)
          .containsEntry("WaitingForRoomApplications", 1L)
          .containsEntry("HeldBySlotApplications", 0L).containsEntry("HeldByRoomApplications", 1L);
    }
  }

  /** An increase from 0 can be seen only if the 0 was there before. */
  @Test
  void queuesWithoutApplicationsAreShownWithTheFirstOfAnyQueue() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.refresh(Map.of(CapacitySchedulerConfiguration.PREFIX + MockCluster.OTHER
          + ".ordering-policy", StateAwareOrderingPolicy.class.getName()));
      cluster.submit(cluster.submission(GB).withQueue(MockCluster.OTHER));
      cluster.runMonitor();
      assertThat(source()).isNotNull();
      assertThat(figures()).containsEntry("ErrorsTotal", 0L).containsEntry("StartsTotal", 0L)
          .containsEntry("AcceptedApplications", 0L);
    }
  }

  @Test
  void waitsCountFromTheSubmissionAcrossARestart() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      cluster.advance(Duration.ofSeconds(257));
      cluster.restart().reconnectNodes();
      cluster.advance(Duration.ofSeconds(13));
      cluster.runMonitor();
      assertThat(figures()).containsEntry("AcceptedApplications", 1L);
      assertThat(figures().get("OldestAcceptedSeconds")).isBetween(270L, 275L);
    }
  }

  @Test
  void startsBeyondSlotsAndWaitsForRoomAreCounted() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(24 * GB, "max-starting", "auto")) {
      for (int i = 0; i < 7; i++) {
        cluster.submit();
      }
      cluster.runMonitor();
      cluster.heartbeat();
      cluster.advance(Duration.ofSeconds(5));
      cluster.runMonitor();
      assertThat(figures()).containsEntry("StartsTotal", 4L).containsEntry("StartsBeyondSlotsTotal", 3L)
          .containsEntry("WaitingForSlotApplications", 0L)
          .containsEntry("WaitingForRoomApplications", 3L)
          .containsEntry("HeldByPlanExpectedApplications", 3L);
    }
  }

  @Test
  void stalledHeadsAndIdlenessAreCounted() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(8 * GB, "accepted-timeout", "1m",
        "idle-timeout", "10s")) {
      cluster.submitFiller(5);
      cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      cluster.advance(Duration.ofSeconds(11));
      cluster.runMonitor();
      assertThat(figures()).containsEntry("PromotionsByIdlenessTotal", 1L);
      cluster.submit(2 * GB, 0);
      cluster.heartbeat();
      cluster.advance(Duration.ofSeconds(61));
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(figures()).containsEntry("StalledHeadsTotal", 1L);
    }
  }

  @Test
  void reclaimedContainersAreCounted() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      queue.cluster.addNode(10 * GB);
      queue.start(0, 9);
      queue.submit(1);
      queue.rounds(ReclaimCluster.ROUNDS);
      queue.cluster.runMonitor();
      assertThat(figures()).containsEntry("ReclaimedContainersTotal", 1L);
    }
  }

  /** The alert on this counter is about every error that the log has. */
  @Test
  void errorOfNoApplicationCountsInItsQueueAndElseInEach() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.refresh(Map.of(CapacitySchedulerConfiguration.PREFIX + MockCluster.OTHER
          + ".ordering-policy", StateAwareOrderingPolicy.class.getName()));
      MockApp inThis = cluster.submit();
      MockApp inOther = cluster.submit(cluster.submission(GB).withQueue(MockCluster.OTHER));
      cluster.runMonitor();
      undecidedOffer((CSQueue) inThis.attempt().getQueue());
      assertThat(figures()).containsEntry("ErrorsTotal", 1L);
      undecidedOffer((CSQueue) inOther.attempt().getQueue());
      assertThat(figures()).as("that of the other queue").containsEntry("ErrorsTotal", 1L);
      undecidedOffer(null);
      assertThat(figures()).as("of any queue").containsEntry("ErrorsTotal", 2L);
      assertThat(DripfeedRuntime.current().metrics().failures()).isEqualTo(3);
    }
  }

  private static void undecidedOffer(CSQueue queue) {
    DripfeedRuntime runtime = DripfeedRuntime.current();
    new StateChangeRecorder<FiCaSchedulerApp>(
        runtime.metrics(), runtime.events(), runtime::queueMemory, () -> 0, () -> queue)
        .failed(null, new IllegalStateException("broken"));
  }

  @Test
  void countersAndSourceSurviveARefresh() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      MetricsSource before = source();
      for (int i = 0; i < 5; i++) {
        cluster.refresh();
        assertThat(figures()).as("no zero before the next round")
            .containsEntry("StartingApplications", 1L).containsEntry("StartsTotal", 1L);
        cluster.advance(Duration.ofSeconds(6));
        cluster.runMonitor();
      }
      assertThat(source()).isSameAs(before);
      assertThat(figures()).containsEntry("StartsTotal", 1L).containsEntry("StartingApplications", 1L);
      assertThat(DripfeedRuntime.current().metrics().size()).isEqualTo(1);
    }
  }

  @Test
  void queueWithAnotherPolicyIsNoLongerShown() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(figures()).isNotEmpty();
      cluster.refresh(queueKey("ordering-policy"), "fifo");
      cluster.advance(Duration.ofSeconds(6));
      cluster.runMonitor();
      assertThat(source()).isNull();
      assertThat(DripfeedRuntime.current().metrics().size()).isZero();
    }
  }

  @Test
  void removedQueueIsNoLongerShown() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app = cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      app.register().finish();
      assertThat(figures()).as("idle and present").containsEntry("StartsTotal", 1L);
      cluster.refresh(queueKey("state"), "STOPPED");
      cluster.refresh(Map.of(CapacitySchedulerConfiguration.PREFIX + "root.queues", "other",
          CapacitySchedulerConfiguration.PREFIX + MockCluster.OTHER + ".capacity", "100"));
      cluster.refresh(Map.of(CapacitySchedulerConfiguration.PREFIX + MockCluster.OTHER
          + ".ordering-policy", StateAwareOrderingPolicy.class.getName()));
      cluster.submit(cluster.submission(GB).withQueue(MockCluster.OTHER));
      cluster.tick();
      assertThat(source()).as("removed at the next turn for any queue").isNull();
      assertThat(DripfeedRuntime.current().metrics().size()).isEqualTo(1);
    }
  }

  @Test
  void newResourceManagerTakesOverTheMetrics() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      cluster.restart().reconnectNodes();
      cluster.advance(Duration.ofSeconds(6));
      cluster.runMonitor();
      assertThat(figures()).containsEntry("StartingApplications", 1L);
      assertThat(DripfeedRuntime.current().metrics().size()).isEqualTo(1);
      cluster.refresh(stateAwareKey("max-starting"), "2");
      cluster.runMonitor();
      assertThat(figures()).containsEntry("StartingApplications", 1L);
    }
  }

  @Test
  void recoveredStatesAreNotCountedAgain() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp timedOut = cluster.submit();
      MockApp running = cluster.submit();
      cluster.heartbeat();
      cluster.advance(Duration.ofMinutes(5));
      cluster.heartbeat();
      timedOut.register();
      running.register().ask(1, GB);
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(figures()).containsEntry("StartsTotal", 2L)
          .containsEntry("PromotionsByTimeoutTotal", 1L)
          .containsEntry("PromotionsByExecutorsTotal", 1L);

      Map<String, Long> before = events();
      ClusterRestart restart = cluster.restart();
      cluster.addNode(GB);
      cluster.tick();
      cluster.advance(Duration.ofSeconds(1));
      restart.reconnectNodes();
      cluster.tick();
      assertThat(List.of(timedOut, running)).extracting(MockApp::state).containsOnly(RUNNING);
      assertThat(events()).as("recovered without an event").isEqualTo(before);
    }
  }

  @Test
  void timeoutAfterARestartIsCounted() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp starting = cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      starting.register();
      cluster.advance(Duration.ofMinutes(4));
      cluster.restart().reconnectNodes();
      cluster.tick();
      assertThat(starting.state()).isEqualTo(STARTING);
      cluster.advance(Duration.ofSeconds(59));
      cluster.runMonitor();
      assertThat(figures()).containsEntry("PromotionsByTimeoutTotal", 1L)
          .containsEntry("StartsTotal", 1L).containsEntry("StartingSecondsCount", 1L);
      assertStartingSeconds(300);
      cluster.heartbeat();
      assertThat(figures()).as("the next application starts").containsEntry("StartsTotal", 2L);
    }
  }

  @Test
  void executorOfARecoveredApplicationIsCounted() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app = cluster.submit();
      cluster.heartbeat();
      app.register();
      cluster.advance(Duration.ofSeconds(40));
      cluster.restart().reconnectNodes();
      cluster.advance(Duration.ofSeconds(10));
      app.registerAgain().ask(1, GB);
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(figures()).containsEntry("PromotionsByExecutorsTotal", 1L);
      assertStartingSeconds(50);
    }
  }

  /** YARN stamps a launch with the real time, so the real time of the test is added to the clock's. */
  private static void assertStartingSeconds(long byClock) throws Exception {
    assertThat(figures().get("StartingSecondsSum")).isBetween(byClock, byClock + 30);
  }

  @Test
  void eventsUnderAStockPolicyAreNotCounted() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.refresh(queueKey("ordering-policy"), "fifo");
      MockApp running = cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      running.register().ask(1, GB);
      cluster.heartbeat();
      cluster.refresh(queueKey("ordering-policy"), StateAwareOrderingPolicy.class.getName());
      cluster.runMonitor();
      assertThat(figures()).containsEntry("RunningApplications", 1L)
          .containsEntry("StartingApplications", 1L);
      assertThat(events().values()).containsOnly(0L);
      cluster.advance(Duration.ofMinutes(5));
      cluster.runMonitor();
      assertThat(figures()).containsEntry("PromotionsByTimeoutTotal", 1L);
    }
  }

  /** All counters. */
  private static Map<String, Long> events() {
    Map<String, Long> events = figures();
    events.keySet().removeIf(name -> name.endsWith("Applications") || name.startsWith("Oldest"));
    return events;
  }
}
