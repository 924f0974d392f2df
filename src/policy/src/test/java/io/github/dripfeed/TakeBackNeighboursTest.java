// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.TakeBackTest.attemptOf;
import static io.github.dripfeed.TakeBackTest.block;
import static io.github.dripfeed.TakeBackTest.blocked;
import static io.github.dripfeed.TakeBackTest.takenBack;
import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.AutoSteps.startedDrivers;
import static io.github.dripfeed.fixture.AutoSteps.submitMany;
import static io.github.dripfeed.fixture.DripMetrics.figures;
import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.YarnPreemption;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code take-back=on} beside what else starts, stops and preempts on the real scheduler: asynchronous
 * scheduling, drivers that fail again and again, YARN's own preemption, and a restart.
 */
class TakeBackNeighboursTest {

  /** Loses the preemptions of drivers while it is told to, like a ResourceManager that dies before them. */
  public static final class ForgetfulScheduler extends CapacityScheduler {

    private volatile boolean forgets;
    private volatile int forgotten;

    @Override
    public void handle(SchedulerEvent event) {
      if (forgets && event.getClass().getSimpleName().equals("DriverPreemption")) {
        forgotten++;
      } else {
        super.handle(event);
      }
    }
  }

  static Map<String, String> takeBack(String... more) {
    Map<String, String> properties = new HashMap<>();
    properties.put(stateAwareKey("take-back"), "on");
    for (int i = 0; i < more.length; i += 2) {
      properties.put(more[i], more[i + 1]);
    }
    return properties;
  }

  /** Runs the cluster, and checks everyone who loses its driver meanwhile. */
  static void run(MockCluster cluster, int seconds, List<MockApp> apps) throws Exception {
    for (int i = 0; i < seconds; i++) {
      Map<MockApp, Integer> before = new LinkedHashMap<>();
      List<MockApp> spared = new ArrayList<>();
      for (MockApp app : apps) {
        if (!app.hasEnded()) {
          before.put(app, attemptOf(app));
          if (app.containers() > 1
              || attemptOf(app) == app.rmApp().getApplicationSubmissionContext().getMaxAppAttempts()) {
            spared.add(app);
          }
        }
      }
      apps.stream().filter(app -> before.containsKey(app) && app.state() == STARTING && app.isRegistered())
          .findFirst().ifPresent(spared::add);
      cluster.runFor(1);
      before.forEach((app, attempt) -> {
        if (spared.contains(app)) {
          assertThat(attemptOf(app)).as("%s is spared", app.name()).isEqualTo(attempt);
        }
      });
    }
    assertThat(DripfeedRuntime.current().metrics().failures()).isZero();
  }

  // Asynchronous scheduling.

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void asynchronousScheduling(int threads) throws Exception {
    String async = CapacitySchedulerConfiguration.SCHEDULE_ASYNCHRONOUSLY_PREFIX;
    try (MockCluster cluster = autoCluster(takeBack(
        CapacitySchedulerConfiguration.SCHEDULE_ASYNCHRONOUSLY_ENABLE, "true",
        CapacitySchedulerConfiguration.SCHEDULE_ASYNCHRONOUSLY_MAXIMUM_THREAD, "" + threads,
        async + ".scheduling-interval-ms", "1"), 12 * GB)) {
      MockApp first = cluster.submit();
      await(cluster, "its driver", () -> first.containers() == 1);
      first.register().ask(1, GB / 2);
      await(cluster, "its executor", () -> first.state() == RUNNING);
      first.heartbeat();
      // The last plan may have come too early to learn what it has wanted.
      cluster.runFor(1);
      first.finish();
      List<MockApp> apps = submitMany(cluster, 8);
      await(cluster, "their drivers", () -> startedDrivers(apps) == 8);
      for (MockApp app : apps) {
        app.register().ask(1, 6 * GB);
      }
      for (int i = 0; i < 40 && takenBack(apps).size() < 2; i++) {
        run(cluster, 1, apps);
      }
      MockApp winner = awaitExecutor(cluster, apps.subList(0, 6));
      run(cluster, 60, apps);
      assertThat(takenBack(apps)).containsExactly(apps.get(6), apps.get(7));
      assertThat(apps.subList(0, 6)).filteredOn(app -> app != winner)
          .extracting(MockApp::state).containsOnly(STARTING);
      if (winner != apps.get(0)) {
        winner.heartbeat();
        winner.finish();
        awaitExecutor(cluster, apps.subList(0, 1));
      }
    }
  }

  /**
   * Waits for the scheduling threads, which run in real time. The room may appear while one of them is
   * between the oldest and those behind it; then one of those gets it.
   *
   * @return the application that has its executor
   */
  private static MockApp awaitExecutor(MockCluster cluster, List<MockApp> apps) throws Exception {
    Eventually.is("one of them has its executor", () -> {
      cluster.heartbeat();
      return apps.stream().anyMatch(app -> app.state() == RUNNING);
    });
    return apps.stream().filter(app -> app.state() == RUNNING).findFirst().get();
  }

  private static void await(MockCluster cluster, String what, Callable<Boolean> is)
      throws Exception {
    Eventually.is(what, () -> {
      cluster.heartbeat();
      cluster.advance(Duration.ofMillis(100));
      cluster.runMonitor();
      return is.call();
    });
  }

  // Drivers that fail again and again.

  /** It needs no slot of the queue under test: it loops in a queue of its own. */
  @ParameterizedTest
  @CsvSource({"1, false", "3, false", "1, true", "7, true"})
  void besideADriverThatFailsAgainAndAgain(int lives, boolean requests) throws Exception {
    Map<String, String> both = takeBack(YarnConfiguration.RM_AM_MAX_ATTEMPTS, "1000",
        key(OTHER, "ordering-policy"), StateAwareOrderingPolicy.class.getName(),
        key(OTHER, "ordering-policy.state-aware.max-starting"), "auto",
        key(OTHER, "ordering-policy.state-aware.take-back"), "on",
        key(OTHER, "maximum-am-resource-percent"), "100");
    try (MockCluster cluster = autoCluster(both, 12 * GB)) {
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = submitMany(cluster, 6);
      MockApp looping =
          cluster.submit(cluster.submission(GB).withQueue(OTHER).withMaxAttempts(1000));
      block(cluster, apps, 7 * GB);
      int up = 0;
      int failures = 0;
      int seconds = 0;
      while (apps.get(0).state() != RUNNING && seconds < 400) {
        run(cluster, 1, apps);
        seconds++;
        up = looping.state() == ACCEPTED ? 0 : up + 1;
        if (up == 1 && requests) {
          looping.register().ask(1, 6 * GB);
        }
        if (up == lives) {
          looping.failDriver();
          failures++;
          up = 0;
        }
      }
      assertThat(failures).isPositive();
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      assertThat(takenBack(apps)).hasSizeBetween(1, 2);
    }
  }

  // YARN's own preemption.

  @ParameterizedTest
  @ValueSource(ints = {7, 30})
  void besideYarnsOwnPreemption(int wanted) throws Exception {
    Map<String, String> halves = takeBack(YarnPreemption.withoutDelay(
        key(DRIP, "capacity"), "50", key(OTHER, "capacity"), "50",
        key(OTHER, "maximum-am-resource-percent"), "100"));
    try (MockCluster cluster = autoCluster(halves, 16 * GB)) {
      MockApp greedy = cluster.submit();
      cluster.runFor(2);
      greedy.register().ask(4, GB);
      cluster.runFor(2);
      greedy.heartbeat();
      assertThat(greedy.containers()).isEqualTo(5);
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = submitMany(cluster, 5);
      cluster.runFor(5);
      assertThat(startedDrivers(apps)).isEqualTo(5);
      MockApp owed = cluster.submit(cluster.submission(GB).withQueue(OTHER));
      cluster.runFor(1);
      owed.register().ask(wanted, GB);
      cluster.runFor(1);
      assertThat(owed.containers()).as("the rest of the node").isEqualTo(6);
      for (MockApp app : apps) {
        app.register().ask(1, 4 * GB);
      }
      int seconds = 0;
      while (apps.get(0).containers() == 1 && seconds++ < 250) {
        YarnPreemption.round(cluster);
        cluster.rm().drainEvents();
        run(cluster, 1, apps);
        owed.heartbeat();
      }
      assertThat(greedy.containers()).as("YARN has preempted executors").isLessThan(5);
      assertThat(figures().get("TakenBackTotal")).isBetween(1L, 4L);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      assertThat(apps.get(0).containers()).isEqualTo(2);
      assertThat(owed.containers()).isGreaterThanOrEqualTo(8);
    }
  }

  // A restart.

  @Test
  void restartBeforeThePreemptionIsHandled() throws Exception {
    try (MockCluster cluster = autoCluster(takeBack(
        YarnConfiguration.RM_SCHEDULER, ForgetfulScheduler.class.getName()), 12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      ForgetfulScheduler first = (ForgetfulScheduler) cluster.scheduler();
      first.forgets = true;
      cluster.runFor(36);
      assertThat(first.forgotten).isEqualTo(1);
      cluster.restart().reconnectNodes();
      for (MockApp app : apps) {
        app.registerAgain().ask(1, 6 * GB);
      }
      run(cluster, 28, apps);
      assertThat(takenBack(apps)).as("it has its driver, and the clock starts again").isEmpty();
      runUntilGone(cluster, apps, 2);
      assertThat(takenBack(apps)).containsExactly(apps.get(6), apps.get(7));
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  /** The node has not heard of the preemption, and reports the driver as running. */
  @Test
  void restartBeforeTheNodeStopsTheDriver() throws Exception {
    try (MockCluster cluster = autoCluster(takeBack(), 12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      MockApp taken = apps.get(7);
      List<NMContainerStatus> report = new ArrayList<>();
      cluster.scheduler().getNode(cluster.node(0).getNodeId()).getCopiedListOfRunningContainers()
          .forEach(live -> report.add(NMContainerStatus.newInstance(live.getContainerId(), 0,
              ContainerState.RUNNING, live.getAllocatedResource(), "", ContainerExitStatus.INVALID,
              live.getAllocatedPriority(), live.getCreationTime())));
      assertThat(report).hasSize(8);
      while (attemptOf(taken) == 1) {
        run(cluster, 1, apps);
      }
      assertThat(takenBack(apps)).containsExactly(taken);
      cluster.restart();
      cluster.node(0).setResourceTrackerService(cluster.rm().getResourceTrackerService());
      cluster.node(0).registerNode(report,
          apps.stream().map(MockApp::id).collect(Collectors.toList()));
      cluster.rm().drainEvents();
      for (MockApp app : apps.subList(0, 7)) {
        app.registerAgain().ask(1, 6 * GB);
      }
      run(cluster, 2, apps);
      assertThat(attemptOf(taken)).isEqualTo(2);
      assertThat(taken.state()).isEqualTo(ACCEPTED);
      runUntilGone(cluster, apps, 2);
      assertThat(takenBack(apps)).containsExactly(apps.get(6), taken);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      finishAll(cluster, apps, 6 * GB);
    }
  }

  @Test
  void restartDuringTheBackOff() throws Exception {
    try (MockCluster cluster = autoCluster(takeBack(), 12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      run(cluster, 38, apps);
      assertThat(takenBack(apps)).hasSize(2);
      apps.get(0).heartbeat();
      cluster.restart().reconnectNodes();
      for (MockApp app : apps.subList(0, 6)) {
        app.registerAgain();
      }
      for (MockApp app : apps.subList(1, 6)) {
        app.ask(1, 6 * GB);
      }
      run(cluster, 60, apps);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      finishAll(cluster, apps, 6 * GB);
    }
  }

  /** A recovered container keeps its room until the node reports its end. */
  private static void runUntilGone(MockCluster cluster, List<MockApp> apps, int count) throws Exception {
    Set<MockApp> known = new HashSet<>(takenBack(apps));
    for (int i = 0; i < 45 && apps.get(0).state() != RUNNING; i++) {
      run(cluster, 1, apps);
      for (MockApp app : takenBack(apps)) {
        if (known.add(app)) {
          cluster.node(0).nodeHeartbeat(ApplicationAttemptId
              .newInstance(app.id(), 1), 1, ContainerState.COMPLETE);
          cluster.rm().drainEvents();
        }
      }
    }
    assertThat(takenBack(apps)).hasSize(count);
  }

  /** Everyone who starts comes up, gets its executor and ends, so nobody is held for ever. */
  private static void finishAll(MockCluster cluster, List<MockApp> apps, int executor) throws Exception {
    int quiet = 0;
    while (!apps.stream().allMatch(MockApp::hasEnded)) {
      run(cluster, 1, apps);
      quiet++;
      for (MockApp app : apps) {
        if (app.hasEnded() || app.attempt() == null || app.state() == ACCEPTED) {
          continue;
        }
        if (!app.isRegistered()) {
          app.register().ask(1, executor);
        } else if (!app.executors().isEmpty()) {
          app.heartbeat();
          // A recovered container keeps its room until the node reports its end.
          for (ContainerId each : app.executors()) {
            app.completeExecutor(each, cluster.node(0));
          }
          app.finish();
          quiet = 0;
        }
      }
      assertThat(quiet).as("seconds without an end").isLessThan(90);
    }
  }
}
