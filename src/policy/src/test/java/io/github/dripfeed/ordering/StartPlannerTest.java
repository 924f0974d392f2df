// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.ordering;

import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.AutoSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.AutoSteps.startedDrivers;
import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.StateAwareOrderingPolicy;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.runtime.ManualClock;
import io.github.dripfeed.runtime.Monitor;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One plan for the queues of a real scheduler while applications move, queues are deleted, and the
 * ResourceManager fails over. Each application needs 3 GB: a driver of 1 GB and an executor of 2 GB.
 */
class StartPlannerTest {

  /** A queue with another ordering policy, or one that uses both partitions. */
  private static final String THIRD = "root.third";
  private static final int EXECUTOR = 2 * GB;

  private static void putQueue(Map<String, String> properties, String queue, int capacity) {
    properties.put(key(queue, "capacity"), String.valueOf(capacity));
    properties.put(key(queue, "user-limit-factor"), "100");
    properties.put(key(queue, "maximum-am-resource-percent"), "100");
  }

  private static void putAutoQueue(Map<String, String> properties, String queue, int capacity) {
    putQueue(properties, queue, capacity);
    properties.put(key(queue, "ordering-policy"), StateAwareOrderingPolicy.class.getName());
    properties.put(key(queue, "ordering-policy.state-aware.max-starting"), "auto");
    properties.put(key(queue, "ordering-policy.state-aware.take-back"), "off");
  }

  private static Map<String, String> threeQueues() {
    Map<String, String> properties = new HashMap<>();
    properties.put(key("root", "queues"), "drip,other,third");
    putQueue(properties, DRIP, 45);
    putAutoQueue(properties, OTHER, 45);
    putQueue(properties, THIRD, 10);
    return properties;
  }

  private static List<MockApp> submit(MockCluster cluster, String queue, int count) throws Exception {
    List<MockApp> apps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      apps.add(cluster.submit(cluster.submission(GB).withQueue(queue)));
    }
    return apps;
  }

  private static void runOneInEach(MockCluster cluster) throws Exception {
    runOneApplication(cluster, EXECUTOR);
    MockApp app = submit(cluster, OTHER, 1).get(0);
    cluster.heartbeat();
    app.register().ask(1, EXECUTOR);
    monitorAndHeartbeat(cluster);
    app.heartbeat();
    app.finish();
  }

  private static void runForAMoment(MockCluster cluster) throws Exception {
    for (int i = 0; i < 3; i++) {
      monitorAndHeartbeat(cluster);
    }
  }

  @Test
  void movedApplicationIsClaimedForOnce() throws Exception {
    try (MockCluster cluster = autoCluster(threeQueues(), 40 * GB)) {
      runOneInEach(cluster);
      List<MockApp> apps = submit(cluster, DRIP, 6);
      runForAMoment(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(6);
      for (MockApp starting : apps.subList(0, 3)) {
        starting.moveTo(OTHER);
      }
      List<MockApp> more = submit(cluster, DRIP, 12);
      more.get(0).moveTo(OTHER);
      apps.addAll(more);
      apps.addAll(submit(cluster, OTHER, 6));
      runForAMoment(cluster);
      assertThat(startedDrivers(apps)).as("40 GB").isEqualTo(13);
      assertThat(startedDrivers(List.of(more.get(0)))).as("the oldest of its new queue").isOne();
    }
  }

  @Test
  void applicationThatLeavesForAnotherPolicyLeavesNoClaim() throws Exception {
    try (MockCluster cluster = autoCluster(threeQueues(), 40 * GB)) {
      runOneInEach(cluster);
      List<MockApp> gone = submit(cluster, DRIP, 3);
      runForAMoment(cluster);
      assertThat(startedDrivers(gone)).isEqualTo(3);
      for (MockApp app : gone) {
        app.moveTo(THIRD);
      }
      List<MockApp> apps = submit(cluster, DRIP, 8);
      apps.addAll(submit(cluster, OTHER, 8));
      runForAMoment(cluster);
      assertThat(startedDrivers(apps)).as("37 GB beside the three drivers").isEqualTo(12);
      for (MockApp app : gone) {
        app.moveTo(OTHER);
      }
      runForAMoment(cluster);
      assertThat(startedDrivers(apps)).as("they are back").isEqualTo(12);
    }
  }

  @Test
  void deletedQueueLeavesNothing() throws Exception {
    try (MockCluster cluster = autoCluster(threeQueues(), 40 * GB)) {
      runOneInEach(cluster);
      List<MockApp> deleted = submit(cluster, OTHER, 12);
      List<MockApp> apps = submit(cluster, DRIP, 14);
      runForAMoment(cluster);
      assertThat(startedDrivers(deleted) + startedDrivers(apps)).isEqualTo(13);
      WeakReference<Object> queue = new WeakReference<>(cluster.queue(OTHER));
      cluster.refresh(key(OTHER, "state"), QueueState.STOPPED.name());
      for (MockApp app : deleted) {
        app.kill();
      }
      cluster.refresh(Map.of(key("root", "queues"), "drip,third", key(DRIP, "capacity"), "90"));
      assertThat(cluster.queue(OTHER)).isNull();
      deleted.clear();
      runForAMoment(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(13);
      Eventually.is("the queue is collected", () -> {
        System.gc();
        return queue.get() == null;
      });
    }
  }

  private static StartPlanner<?> plannerOf(MockCluster cluster) {
    DripfeedRuntime runtime = DripfeedRuntime.current();
    return runtime.<StartPlanner<?>>ofScheduler(cluster.scheduler(), StartPlanner.class, () -> {
      throw new AssertionError("no queue has created it");
    });
  }

  @Test
  void failoverBeginsWithANewPlan() throws Exception {
    try (MockCluster cluster = autoCluster(threeQueues(), 40 * GB)) {
      runOneInEach(cluster);
      List<MockApp> apps = submit(cluster, DRIP, 10);
      apps.addAll(submit(cluster, OTHER, 10));
      runForAMoment(cluster);
      assertThat(startedDrivers(apps)).isEqualTo(13);
      List<MockApp> started = apps.stream().filter(app -> app.containers() == 1).toList();
      for (MockApp app : started) {
        app.register();
      }
      StartPlanner<?> old = plannerOf(cluster);
      cluster.restart().reconnectNodes();
      runForAMoment(cluster);
      assertThat(plannerOf(cluster)).isNotSameAs(old);
      assertThat(startedDrivers(apps)).as("drivers hold more than a sixth, and nothing is known")
          .isEqualTo(13);
      for (MockApp app : started) {
        app.registerAgain().ask(1, EXECUTOR);
      }
      runForAMoment(cluster);
      runForAMoment(cluster);
      assertThat(startedDrivers(apps)).as("with known executors, one more finds room").isEqualTo(14);
    }
  }

  @ParameterizedTest(name = "a plan takes {0} ms, the next one begins {1} ms after its end")
  @CsvSource({"0, 50", "5, 50", "6, 54", "100, 900"})
  void plansAreTwentyASecondAtMostAndATenthOfTheTime(int plan, int pause) {
    ManualClock clock = new ManualClock();
    Monitor monitor = new Monitor(clock, run -> null);
    List<Long> begun = new ArrayList<>();
    StartPlanner<FiCaSchedulerApp> planner = new StartPlanner<>(() -> {
      begun.add(clock.monotonicMillis());
      clock.advance(Duration.ofMillis(plan));
      return null;
    }, DripfeedRuntime.of(clock, monitor));
    while (begun.size() < 3) {
      planner.request();
      monitor.runDue();
      clock.advance(Duration.ofMillis(1));
    }
    assertThat(begun.get(1) - begun.get(0)).isEqualTo(plan + pause);
    assertThat(begun.get(2) - begun.get(1)).isEqualTo(plan + pause);
  }

  @Test
  void queuesShareEachPartitionThatTheyUse() throws Exception {
    Map<String, String> properties = new HashMap<>();
    properties.put(YarnConfiguration.NODE_LABELS_ENABLED, "true");
    properties.put(key("root", "queues"), "drip,other,third");
    properties.put(key("root", "accessible-node-labels.gpu.capacity"), "100");
    putQueue(properties, DRIP, 50);
    // Without a part of it, Hadoop 3.2 allows the queue no application at all.
    putAutoQueue(properties, OTHER, 1);
    putAutoQueue(properties, THIRD, 49);
    for (String queue : List.of(OTHER, THIRD)) {
      properties.put(key(queue, "accessible-node-labels"), "gpu");
      properties.put(key(queue, "accessible-node-labels.gpu.capacity"), "50");
    }
    try (MockCluster cluster = autoCluster(properties)) {
      cluster.rm().getRMContext().getNodeLabelManager()
          .addToCluserNodeLabelsWithDefaultExclusivity(Set.of("gpu"));
      cluster.refresh();
      cluster.addNode(18 * GB);
      cluster.label(cluster.addNode(18 * GB), "gpu");
      List<MockApp> ofDefault = submit(cluster, DRIP, 3);
      ofDefault.addAll(submit(cluster, THIRD, 3));
      List<MockApp> ofGpu = new ArrayList<>();
      for (String queue : List.of(OTHER, THIRD)) {
        for (int i = 0; i < 3; i++) {
          ofGpu.add(cluster.submit(cluster.submission(GB).withQueue(queue).withDriverLabel("gpu")));
        }
      }
      runForAMoment(cluster);
      for (List<MockApp> partition : List.of(ofDefault, ofGpu)) {
        assertThat(startedDrivers(partition)).as("a sixth while nothing is known").isEqualTo(3);
        assertThat(startedDrivers(partition.subList(3, 6))).as("of the queue in both").isBetween(1L, 2L);
      }
    }
  }
}
