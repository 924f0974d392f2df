// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Kinds of applications, modelled on the real scheduler: the rows of docs/applications.md. */
class ApplicationKindsTest {

  private static final int NEVER = Integer.MAX_VALUE;
  private static final int MEMORY = 24 * GB;
  private static final int FEW = 4;
  private static final int BATCH = 6;
  private static final int EXECUTORS = 2;
  private static final int STARTING_TIMEOUT = 300;

  /** What an AM does, in seconds since its container was allocated. */
  enum Kind {
    SPARK_CLUSTER_MODE("SPARK", 2, 5, NEVER, 45),
    SPARK_CLIENT_MODE("SPARK", 1, 2, NEVER, 45),
    ALLOCATION_FROM_ZERO("SPARK", 2, 60, 90, 200),
    SESSION("SPARK", 1, 350, 380, NEVER),
    STREAMING("SPARK", 2, 5, NEVER, NEVER),
    ONE_ATTEMPT("SPARK", 2, 5, 60, NEVER),
    TEZ_SESSION("TEZ", 1, 350, 365, NEVER),
    FLINK_SESSION("Apache Flink", 2, 350, 380, NEVER),
    FLINK_JOB("Apache Flink", 2, 5, NEVER, NEVER),
    MAP_ONLY("MAPREDUCE", 2, 4, NEVER, 45),
    UBER("MAPREDUCE", 2, NEVER, NEVER, 40),
    LAUNCHER("Oozie Launcher", 1, NEVER, NEVER, 310),
    SERVICE("yarn-service", 1, 3, NEVER, NEVER);

    final String type;
    final int driverGb;
    final int asks;
    final int releases;
    final int ends;

    Kind(String type, int driverGb, int asks, int releases, int ends) {
      this.type = type;
      this.driverGb = driverGb;
      this.asks = asks;
      this.releases = releases;
      this.ends = ends;
    }

    int attempts() {
      return this == ONE_ATTEMPT || this == FLINK_JOB ? 1 : 3;
    }
  }

  /** The life of one application. */
  private static final class Life {
    final Kind kind;
    final MockApp app;
    /** Seconds: of the attempt with its AM; without an AM; with a request and no executor yet. */
    int up;
    int waited;
    int asked;
    boolean hadExecutor;
    boolean goesOn;
    ApplicationAttemptId attempt;

    Life(Kind kind, MockCluster cluster) throws Exception {
      this(kind, cluster, MockCluster.DRIP);
    }

    Life(Kind kind, MockCluster cluster, String queue) throws Exception {
      this.kind = kind;
      app = cluster.submit(cluster.submission(kind.driverGb * GB).withType(kind.type)
          .withMaxAttempts(kind.attempts()).withQueue(queue));
    }

    void second() throws Exception {
      if (app.hasEnded()) {
        return;
      }
      if (app.containers() == 0) {
        waited++;
        return;
      }
      up = app.attemptId().equals(attempt) ? up + 1 : 1;
      attempt = app.attemptId();
      if (up == 1) {
        app.register();
      }
      if (up == kind.asks) {
        app.ask(EXECUTORS, GB);
      }
      hadExecutor |= !app.executors().isEmpty();
      if (up > kind.asks && !hadExecutor) {
        asked++;
      }
      if (up == kind.releases) {
        app.heartbeat();
        app.release(app.executors());
      }
      if (up >= kind.ends && !goesOn && (kind.asks == NEVER || hadExecutor)) {
        app.heartbeat();
        app.finish();
      }
    }
  }

  private static List<Life> submit(Kind kind, int count, MockCluster cluster) throws Exception {
    List<Life> lives = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lives.add(new Life(kind, cluster));
    }
    return lives;
  }

  private static void live(int seconds, MockCluster cluster, List<Life> lives) throws Exception {
    for (int second = 0; second < seconds; second++) {
      cluster.runFor(1);
      for (Life life : lives) {
        life.second();
      }
    }
  }

  // With auto.

  @ParameterizedTest
  @EnumSource(Kind.class)
  void withAutoNothingIsToBeSet(Kind kind) throws Exception {
    try (MockCluster cluster = autoCluster(MEMORY)) {
      List<Life> few = submit(kind, FEW, cluster);
      live(10, cluster, few);
      List<Life> batch = submit(Kind.SPARK_CLUSTER_MODE, BATCH, cluster);
      List<Life> all = new ArrayList<>(few);
      all.addAll(batch);
      live(30 + STARTING_TIMEOUT, cluster, all);
      assertThat(batch).allSatisfy(each -> assertThat(each.hadExecutor).isTrue())
          .extracting(each -> each.waited + each.asked).as("not one time limit for each of the few")
          .allMatch(seconds -> seconds < 150);
      live(150, cluster, all);
      assertThat(all).as("nobody is preempted").allMatch(
          each -> each.app.attemptId().getAttemptId() == 1);
      assertThat(few).as("who requests is served, at the latest when one of the batch ends").allMatch(
          each -> each.hadExecutor == (kind.asks != NEVER) && each.asked <= 15);
      assertThat(few).as("ended, or running for good").allMatch(
          each -> each.app.hasEnded() == (kind.ends != NEVER) && (each.app.hasEnded()
              || each.app.state() == RUNNING));
    }
  }

  @Test
  void sessionIsSilentUntilItAsksAndRunningForGoodThen() throws Exception {
    try (MockCluster cluster = autoCluster(MEMORY)) {
      Life session = new Life(Kind.SESSION, cluster);
      List<Life> alone = List.of(session);
      live(40, cluster, alone);
      assertThat(session.app.state()).isEqualTo(STARTING);
      assertThat(LiveTables.column("Starting", "takesSlot")).as("silent").containsExactly("no");
      session.app.ask(EXECUTORS, GB);
      assertThat(LiveTables.column("Starting", "takesSlot")).as("it asks").containsExactly("yes");
      live(1, cluster, alone);
      assertThat(session.app.state()).isEqualTo(RUNNING);
      session.app.heartbeat();
      session.app.release(session.app.executors());
      live(40, cluster, alone);
      assertThat(session.app.containers()).isEqualTo(1);
      assertThat(session.app.state()).isEqualTo(RUNNING);
    }
  }

  /** Its AM fails, and the next attempt has the containers of the first. */
  @Test
  void nextAttemptOfAServiceIsRunning() throws Exception {
    try (MockCluster cluster = autoCluster(MEMORY)) {
      MockApp service = cluster.start(cluster.submission(GB).withType("yarn-service")
          .keepingContainers(), EXECUTORS);
      service.launchExecutors();
      service.failDriver();
      cluster.runMonitor();
      assertThat(service.attemptId().getAttemptId()).isEqualTo(2);
      assertThat(service.state()).isEqualTo(RUNNING);
    }
  }

  // With a number.

  /** Who requests nothing holds the line, unless what the document says is set. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void withANumberWhoRequestsNothingHoldsItsSlot(Kind kind) throws Exception {
    boolean late = kind.asks > STARTING_TIMEOUT && kind.ends > STARTING_TIMEOUT;
    assertThat(secondsUntilTheBatchStarts(kind, Map.of())).isBetween(
        late ? FEW * STARTING_TIMEOUT - 20 : 0, late ? FEW * STARTING_TIMEOUT : 240);
    String remedy = kind.type.equals("SPARK") ? "idle-timeout" : "exempt-application-types";
    assertThat(secondsUntilTheBatchStarts(kind,
        Map.of(stateAwareKey(remedy), kind.type.equals("SPARK") ? "30s" : kind.type)))
            .as(remedy).isLessThan(FEW * 31);
  }

  private static int secondsUntilTheBatchStarts(Kind kind, Map<String, String> more) throws Exception {
    Map<String, String> properties = new HashMap<>(more);
    properties.put(stateAwareKey("max-starting"), "1");
    try (MockCluster cluster = autoCluster(properties, MEMORY)) {
      List<Life> all = submit(kind, FEW, cluster);
      live(10, cluster, all);
      Life first = new Life(Kind.SPARK_CLUSTER_MODE, cluster);
      all.add(first);
      while (first.up == 0 && first.waited < 2 * FEW * STARTING_TIMEOUT) {
        live(1, cluster, all);
      }
      return first.waited;
    }
  }

  // Launchers.

  /** Each waits for the end of one application. In one queue they may take the room for these. */
  @ParameterizedTest
  @CsvSource({"root.drip, false", "root.other, true"})
  void launchersNeedAQueueOfTheirOwn(String queue, boolean done) throws Exception {
    // A quarter of the cluster.
    try (MockCluster cluster = autoCluster(
        Map.of(key(OTHER, "maximum-capacity"), "25", key(OTHER, "capacity"), "10"), MEMORY)) {
      List<Life> launchers = new ArrayList<>();
      for (int i = 0; i < MEMORY / GB; i++) {
        launchers.add(new Life(Kind.LAUNCHER, cluster, queue));
      }
      List<Life> all = new ArrayList<>(launchers);
      Map<Life, Life> waitsFor = new HashMap<>();
      for (int second = 0; second < 2500 && !launchers.stream().allMatch(each -> each.app.hasEnded());
          second++) {
        live(1, cluster, all);
        for (Life launcher : launchers) {
          if (launcher.up == 5) {
            waitsFor.put(launcher, new Life(Kind.SPARK_CLUSTER_MODE, cluster));
            all.add(waitsFor.get(launcher));
          }
          launcher.goesOn = waitsFor.get(launcher) == null || !waitsFor.get(launcher).app.hasEnded();
        }
      }
      assertThat(launchers).filteredOn(each -> each.app.hasEnded()).hasSize(done ? MEMORY / GB : 0);
    }
  }

  // Lifetimes.

  @Test
  void lifetimeRunsWhileAnApplicationIsHeld() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_APPLICATION_MONITOR_INTERVAL_MS, "100")) {
      cluster.addNode(MEMORY);
      cluster.submit();
      cluster.heartbeat();
      MockApp held = cluster.submit(cluster.submission(GB).withLifetime(1));
      assertThat(held.state()).isEqualTo(ACCEPTED);
      cluster.heartbeat();
      Eventually.is("YARN kills it", () -> held.rmApp().getState() == RMAppState.KILLED);
    }
  }
}
