// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.AutoSteps;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.observe.HeldReasons;
import io.github.dripfeed.observe.StateAwareQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The diagnostics that the owner of a waiting application reads. */
class DiagnosticsTest {

  @Test
  void heldApplicationNamesItsHolderAndItsPosition() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      MockApp app2 = cluster.submit();
      MockApp app3 = cluster.submit();
      cluster.heartbeat();
      cluster.advance(Duration.ofSeconds(8));
      cluster.runMonitor();
      String starting = app1.id() + " has been starting for 8 s (at most 300 s).";
      assertThat(diagnostics(app2))
          .contains(
              "Held by StateAwareOrderingPolicy: Number 1 in line, waits for a starting slot; " + starting);
      assertThat(diagnostics(app3))
          .contains(
              "Held by StateAwareOrderingPolicy: Number 2 in line, waits for a starting slot; " + starting);
      assertThat(diagnostics(app1)).as("not held").doesNotContain("Held by");

      app1.register().ask(1, GB);
      cluster.heartbeat();
      cluster.advance(Duration.ofSeconds(5));
      cluster.runMonitor();
      assertThat(diagnostics(app2)).as("starting").doesNotContain("Held by");
      assertThat(diagnostics(app3)).contains("Number 1 in line, waits for a starting slot; " + app2.id());
    }
  }

  @Test
  void nextApplicationWithoutRoomSaysSo() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(8 * GB, "accepted-timeout", "1m")) {
      cluster.submitFiller(6);
      MockApp large = cluster.submit(2 * GB, 0);
      MockApp behind = cluster.submit(2 * GB, 0);
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(diagnostics(large)).contains(
          "Held by StateAwareOrderingPolicy: It is next, and gets its AM as soon as there is room.");
      assertThat(diagnostics(behind)).contains("Number 2 in line; " + large.id()
          + " is next, and waits for room.");
      cluster.advance(Duration.ofSeconds(61));
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(diagnostics(large)).contains("could not be placed within accepted-timeout");
      assertThat(LiveTables.column("Line", "code")).as("the other one comes first now")
          .containsExactly("ROOM", "STALLED");
    }
  }

  @Test
  void reasonGoesWithThePolicy() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(8 * GB)) {
      cluster.submitFiller(8);
      MockApp waiting = cluster.submit(2 * GB, 0);
      cluster.runMonitor();
      assertThat(diagnostics(waiting)).contains("Held by");
      cluster.refresh(MockCluster.queueKey("max-parallel-apps"), "100");
      cluster.tick();
      cluster.tick();
      assertThat(diagnostics(waiting)).as("the same policy, replaced").contains("Held by");
      cluster.refresh(MockCluster.queueKey("ordering-policy"), "fifo");
      for (int i = 0; i < 3; i++) {
        cluster.tick();
      }
      assertThat(diagnostics(waiting)).contains("Application is Activated").doesNotContain("Held by");
    }
  }

  @Test
  void diagnosticsAreUpdatedRarelyAndInFullOnlyAtTheHead() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(200 * GB)) {
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < HeldReasons.DETAILED + 3; i++) {
        apps.add(cluster.submit());
      }
      cluster.heartbeat();
      cluster.runMonitor();
      MockApp second = apps.get(1);
      MockApp last = apps.get(apps.size() - 1);
      String first = diagnostics(second);
      String brief = diagnostics(last);
      assertThat(first).contains("starting for 0 s");
      assertThat(brief).contains(
          "More than 50 applications are before it in line; the next waits for a starting slot.");
      // The second update comes sooner: queues take turns.
      for (int i = 0; i < 5 && diagnostics(second).equals(first); i++) {
        cluster.tick();
      }
      String next = diagnostics(second);
      assertThat(next).isNotEqualTo(first).contains(" has been starting for ");
      for (int i = 0; i < 4; i++) {
        cluster.tick();
        assertThat(diagnostics(second)).isEqualTo(next);
      }
      cluster.tick();
      assertThat(diagnostics(second)).isNotEqualTo(next);
      assertThat(diagnostics(last)).as("the very same text, its time of day included").isEqualTo(brief);
      apps.get(2).kill();
      apps.get(3).kill();
      cluster.advance(Duration.ofSeconds(5));
      cluster.runMonitor();
      assertThat(diagnostics(last)).contains("Number 50 in line");
    }
  }

  @Test
  void userLimitKeepsYarnsOwnDiagnostics() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        MockCluster.queueKey("user-limit-factor"), "0.5")) {
      cluster.addNode(12 * GB);
      MockApp greedy = cluster.submit(cluster.submission(GB).withUser("greedy"));
      cluster.heartbeat();
      greedy.register().ask(20, GB);
      cluster.heartbeat();
      List<MockApp> atLimit = cluster.submitMany(2, GB, "greedy");
      // More than the free memory.
      MockApp modest = cluster.submit(cluster.submission(8 * GB).withUser("modest"));
      for (int i = 0; i < 3; i++) {
        cluster.heartbeat();
        cluster.advance(Duration.ofSeconds(5));
        cluster.runMonitor();
        assertThat(diagnostics(atLimit.get(0)))
            .contains("User capacity has reached its maximum limit").doesNotContain("Held by");
        assertThat(diagnostics(atLimit.get(1)))
            .contains("YARN skips it. It holds no other application");
        assertThat(diagnostics(modest)).contains("It is next");
      }
      assertThat(cluster.policy().getInfo()).contains("Next: " + modest.id());
    }
  }

  @Test
  void diagnosticsDoNotKeepAttemptsInMemory() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(8 * GB, "accepted-timeout", "1m")) {
      cluster.submitFiller(6);
      MockApp stalled = cluster.submit(2 * GB, 0);
      cluster.heartbeat();
      cluster.advance(Duration.ofSeconds(61));
      cluster.heartbeat();
      cluster.runMonitor();
      cluster.advance(Duration.ofSeconds(5));
      cluster.runMonitor();
      assertThat(diagnostics(stalled)).contains("comes after all others");
      WeakReference<Object> attempt = new WeakReference<>(stalled.attempt());
      stalled.kill();
      cluster.tick();
      Eventually.is("it is collected although the monitor no longer runs", () -> {
        System.gc();
        return attempt.get() == null;
      });
    }
  }

  @Test
  void heldCrashLoopNamesItsStartingTime() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_AM_MAX_ATTEMPTS, "20")) {
      cluster.addNode(4 * GB);
      MockApp looping = StartingTimeTest.exhaustStartingTime(
          cluster.submit(cluster.submission(GB).withMaxAttempts(20)), cluster);
      cluster.submit();
      cluster.runMonitor();
      cluster.advance(Duration.ofSeconds(5));
      cluster.runMonitor();
      assertThat(diagnostics(looping)).contains("used up its starting-timeout")
          .doesNotContain("accepted-timeout");
    }
  }

  @Test
  void firstApplicationsOfAQueueSayWhatAmsMayHold() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(24 * GB, "max-starting", "auto")) {
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        apps.add(cluster.submit());
      }
      cluster.runMonitor();
      cluster.heartbeat();
      cluster.advance(Duration.ofSeconds(5));
      cluster.runMonitor();
      String room = "waits for room: the rest is kept for started applications, and AMs already hold"
          + " their part of the queue: 0 of 4,096 MB free; this one needs 1,024 MB; " + apps.get(0).id()
          + " in queue root.drip has been starting for 5 s (at most 300 s); ";
      assertThat(diagnostics(apps.get(3))).doesNotContain("Held by");
      assertThat(diagnostics(apps.get(4))).contains("It is next, and " + room);
      assertThat(diagnostics(apps.get(5))).contains(
          "Number 2 in line; " + apps.get(4).id() + " is next, and " + room);
      assertThat(LiveTables.column("Line", "code")).startsWith("PLAN_EXPECTED", "PLAN_EXPECTED");
      assertThat(cluster.policy().getInfo()).contains("max-starting=auto",
          "Next: " + apps.get(4).id() + ", waits for room: the rest is kept");
    }
  }

  /** One application runs, and holds and requests executors, and one is starting. */
  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
      "8; 100; 6; 0; the queue is full: 0 of 8,192 MB; 1,024 + 1,024 MB",
      "8; 100; 5; 0; the queue has too little room: 1,024 of 8,192 MB; 1,024 + 1,024 MB",
      "8; 100; 3; 9; earlier applications need what is free in the queue: 3,072 of 8,192 MB;"
          + " 1,024 + 1,024 MB",
      "64; 8; 6; 0; the queue is full: 0 of 8 vcores; 1 + 1 vcores"})
  void heldApplicationSaysHowMuchIsShort(
      int memory, int cores, int holds, int asks, String free, String needs) throws Exception {
    try (MockCluster cluster = AutoSteps.autoCluster(Map.of(
        CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
        DominantResourceCalculator.class.getName()))) {
      cluster.addNode(memory * GB, cores);
      AutoSteps.runOneApplication(cluster, GB);
      MockApp running = cluster.submit();
      cluster.runFor(10);
      running.register().ask(holds, GB);
      cluster.runFor(2);
      MockApp starting = cluster.submit();
      cluster.runFor(2);
      assertThat(starting.state()).isEqualTo(State.STARTING);
      running.ask(asks, GB);
      MockApp held = cluster.submit();
      cluster.tick();
      String reason = "waits for room: " + free + " free; this one needs " + needs + "; " + starting.id();
      assertThat(LiveTables.column("Line", "reason").toString()).contains("It is next, and " + reason);
      assertThat(cluster.policy().getInfo().replace("\n", " ")).contains(held.id() + ", waits for room");
    }
  }

  /** Without a plan, one of all queues starts at a time. */
  @Test
  void queuesWithAutoAreNamedAsWhatTheyAre() throws Exception {
    try (MockCluster cluster = AutoSteps.autoCluster(16 * GB)) {
      cluster.submit();
      cluster.heartbeat();
      cluster.submit();
      cluster.advance(Duration.ofSeconds(6));
      CSQueue leaf = cluster.queue(MockCluster.DRIP);
      // There is no plan yet.
      StateAwareQueue.of(leaf).visit(leaf, cluster.scheduler(), 0);
      StateAwareQueue.of(leaf).endRound();
      assertThat(cluster.policy().getInfo().replace("\n", " "))
          .contains("waits for a starting slot of all queues with max-starting = auto");
    }
  }

  private static String diagnostics(MockApp app) {
    return app.rmApp().getDiagnostics().toString();
  }
}
