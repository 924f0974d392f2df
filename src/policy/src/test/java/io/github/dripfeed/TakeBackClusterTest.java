// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.TakeBackTest.attemptOf;
import static io.github.dripfeed.TakeBackTest.block;
import static io.github.dripfeed.TakeBackTest.takenBack;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.AutoSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.AutoSteps.startedDrivers;
import static io.github.dripfeed.fixture.AutoSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Drivers;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code take-back=on} in whole clusters: several queues, large containers, and what never ends. */
class TakeBackClusterTest {

  private static String otherKey(String name) {
    return CapacitySchedulerConfiguration.PREFIX + OTHER + "." + name;
  }

  private static Map<String, String> takeBack() {
    Map<String, String> properties = new HashMap<>();
    properties.put(stateAwareKey("take-back"), "on");
    return properties;
  }

  /** Two queues of one half each; the other one takes nobody back unless it is told to. */
  static Map<String, String> twoQueues(String takeBackOfOther) {
    Map<String, String> properties = takeBack();
    properties.put(queueKey("capacity"), "50");
    properties.put(otherKey("capacity"), "50");
    properties.put(otherKey("maximum-am-resource-percent"), "100");
    properties.put(otherKey("ordering-policy"), StateAwareOrderingPolicy.class.getName());
    properties.put(otherKey("ordering-policy.state-aware.max-starting"), "auto");
    properties.put(otherKey("ordering-policy.state-aware.take-back"), takeBackOfOther);
    return properties;
  }

  private static MockApp submitToOther(MockCluster cluster) throws Exception {
    return cluster.submit(cluster.submission(GB).withQueue(OTHER));
  }

  private static void runOneInEach(MockCluster cluster, int executor) throws Exception {
    runOneApplication(cluster, executor);
    MockApp app = submitToOther(cluster);
    cluster.heartbeat();
    app.register().ask(1, executor);
    monitorAndHeartbeat(cluster);
    app.heartbeat();
    app.finish();
  }

  /** Runs until all have ended, and checks how long none ended and how many drivers were taken back. */
  private static void finish(MockCluster cluster, List<MockApp> apps, int executor, int mostTaken)
      throws Exception {
    Drivers drivers = new Drivers(cluster, apps, executor);
    int quiet = 0;
    long ended = 0;
    while (!drivers.areDone()) {
      drivers.run(1);
      long now = apps.stream().filter(MockApp::hasEnded).count();
      quiet = now > ended ? 0 : quiet + 1;
      ended = now;
      assertThat(quiet).as("seconds without an end; %s", drivers).isLessThan(60);
    }
    assertThat(apps.stream().mapToInt(app -> attemptOf(app) - 1).sum()).as("taken back")
        .isLessThanOrEqualTo(mostTaken);
    assertThat(DripfeedRuntime.current().metrics().failures()).isZero();
  }

  private static MockCluster cluster(Map<String, String> properties, int nodes, int memory)
      throws Exception {
    int[] all = new int[nodes];
    Arrays.fill(all, memory * GB);
    return autoCluster(properties, all);
  }

  @ParameterizedTest
  @CsvSource({"1, 32, 0", "2, 16, 0", "8, 9, 0", "1, 16, 2", "2, 10, 1"})
  void twoQueuesThatUnderestimateFinish(int nodes, int memory, int taken) throws Exception {
    try (MockCluster cluster = cluster(twoQueues("on"), nodes, memory)) {
      runOneInEach(cluster, GB / 2);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 13; i++) {
        apps.add(cluster.submit());
        apps.add(submitToOther(cluster));
      }
      finish(cluster, apps, 8 * GB, taken);
    }
  }

  @Test
  void roomStaysBesideAQueueWithoutTakeBack() throws Exception {
    try (MockCluster cluster = cluster(twoQueues("off"), 1, 12)) {
      runOneInEach(cluster, GB / 2);
      runOneInEach(cluster, 8 * GB);
      runOneInEach(cluster, GB / 2);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        apps.add(submitToOther(cluster));
      }
      cluster.runFor(3);
      apps.addAll(submitMany(cluster, 13));
      finish(cluster, apps, 8 * GB, 0);
    }
  }

  @Test
  void roomStaysBesideLastAttempts() throws Exception {
    try (MockCluster cluster = cluster(takeBack(), 1, 12)) {
      for (int executor : new int[] {GB / 2, 8 * GB, GB / 2}) {
        runOneApplication(cluster, executor);
      }
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        apps.add(cluster.submit(cluster.submission(GB).withMaxAttempts(1)));
      }
      cluster.runFor(3);
      for (int i = 0; i < 8; i++) {
        apps.add(cluster.submit(GB, 5));
      }
      finish(cluster, apps, 8 * GB, 0);
    }
  }

  @Test
  void besideAnApplicationThatNeverEnds() throws Exception {
    try (MockCluster cluster = cluster(takeBack(), 1, 32)) {
      MockApp streaming = cluster.submit();
      cluster.heartbeat();
      streaming.register().ask(21, GB);
      cluster.runFor(2);
      streaming.heartbeat();
      assertThat(streaming.containers()).isEqualTo(22);
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = submitMany(cluster, 10);
      finish(cluster, apps, 8 * GB, 5);
    }
  }

  @Test
  void containersAsLargeAsANode() throws Exception {
    Map<String, String> many = takeBack();
    many.put(CapacitySchedulerConfiguration.MAXIMUM_APPLICATION_MASTERS_RESOURCE_PERCENT, "100");
    try (MockCluster cluster = cluster(many, 10, 8)) {
      for (int i = 0; i < 10; i++) {
        submitToOther(cluster);
        cluster.heartbeat(cluster.node(i));
      }
      runOneApplication(cluster, GB);
      List<MockApp> apps = submitMany(cluster, 40);
      for (int i = 0; i < 4; i++) {
        monitorAndHeartbeat(cluster);
      }
      assertThat(startedDrivers(apps)).isGreaterThan(25);
      finish(cluster, apps, 5 * GB, 0);
    }
  }

  @Test
  void twoKindsOfNodes() throws Exception {
    Map<String, String> types = takeBack();
    types.put(CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
        DominantResourceCalculator.class.getName());
    try (MockCluster cluster = autoCluster(types)) {
      for (int i = 0; i < 3; i++) {
        cluster.addNode(32 * GB, 4);
        cluster.addNode(8 * GB, 16);
      }
      runOneApplication(cluster, GB);
      List<MockApp> apps = submitMany(cluster, 30);
      for (int i = 0; i < 4; i++) {
        monitorAndHeartbeat(cluster);
      }
      assertThat(startedDrivers(apps)).isGreaterThan(10);
      finish(cluster, apps, 6 * GB, 0);
    }
  }

  @Test
  void firstStageOfManyExecutorsIsNoAttemptInVain() throws Exception {
    Map<String, String> many = takeBack();
    many.put(stateAwareKey("min-executors"), "8");
    try (MockCluster cluster = cluster(many, 1, 28)) {
      MockApp first = cluster.submit();
      cluster.heartbeat();
      first.register().ask(8, GB / 2);
      cluster.runFor(2);
      first.heartbeat();
      first.finish();
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        apps.add(cluster.submit(3 * GB, 0));
      }
      for (int i = 0; i < 4; i++) {
        monitorAndHeartbeat(cluster);
      }
      assertThat(startedDrivers(apps)).isEqualTo(4);
      for (MockApp app : apps) {
        app.register().ask(8, 3 * GB);
      }
      cluster.runFor(2);
      assertThat(apps.get(0).executors()).hasSize(5);
      cluster.runFor(110);
      assertThat(apps.get(0).state()).as("one executor for each that is taken back").isEqualTo(RUNNING);
      assertThat(takenBack(apps)).hasSize(3);
    }
  }

  @Test
  void whatNeverHelpsIsNotWaitedForForEver() throws Exception {
    Map<String, String> halves = twoQueues("on");
    halves.put(queueKey("maximum-capacity"), "50");
    halves.put(otherKey("maximum-capacity"), "50");
    try (MockCluster cluster = cluster(halves, 2, 12)) {
      runOneInEach(cluster, GB / 2);
      List<MockApp> apps = submitMany(cluster, 8);
      block(cluster, apps, 8 * GB);
      MockApp other = submitToOther(cluster);
      cluster.runFor(3);
      other.register().ask(1, GB);
      for (int i = 0; i < 60 && apps.get(0).state() != RUNNING; i++) {
        cluster.runFor(3);
        other.heartbeat();
        cluster.runFor(7);
        other.ask(1, GB);
        cluster.runFor(3);
        other.heartbeat();
        other.release(other.executors().subList(0, 1));
      }
      assertThat(takenBack(apps)).isNotEmpty();
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }
}
