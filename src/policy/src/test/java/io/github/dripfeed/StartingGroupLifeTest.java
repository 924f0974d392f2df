// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.key;
import static io.github.dripfeed.fixture.TenantQueues.CONFIGURED;
import static io.github.dripfeed.fixture.TenantQueues.PARENT;
import static io.github.dripfeed.fixture.TenantQueues.stateAwareKey;
import static io.github.dripfeed.fixture.TenantQueues.tenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.dripfeed.fixture.ClusterRestart;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

/** Queues that count their starting applications together, through the life of a ResourceManager. */
class StartingGroupLifeTest {

  private static final String GROUP = "starting-group";
  private static final String[] TOGETHER = {GROUP, "etl"};

  @Test
  void oneOfTheGroupStartsAtATime() throws Exception {
    try (MockCluster cluster = groups("etl", "etl", "etl")) {
      MockApp app1 = submit(1, cluster);
      MockApp app2 = submit(2, cluster);
      MockApp app3 = submit(3, cluster);
      assertThat(offered(cluster, 1, 2, 3)).as("whose turn it is decides YARN")
          .isEqualTo("App1 App2 App3");
      cluster.heartbeat();
      assertThat(states(app1, app2, app3)).containsExactlyInAnyOrder(STARTING, ACCEPTED, ACCEPTED);
      MockApp first = startingOf(app1, app2, app3);
      assertThat(offered(cluster, 1, 2, 3)).isEqualTo(first.name());
      first.register().ask(1, GB);
      cluster.heartbeat();
      assertThat(first.state()).isEqualTo(RUNNING);
      cluster.heartbeat();
      assertThat(states(app1, app2, app3)).containsExactlyInAnyOrder(RUNNING, STARTING, ACCEPTED);
    }
  }

  @Test
  void twoGroupsStartBesideEachOther() throws Exception {
    try (MockCluster cluster = groups("etl", "etl", "bi", "bi", "", "")) {
      MockApp[] apps = submitOneToEach(6, cluster);
      cluster.heartbeat();
      assertThat(states(apps[0], apps[1])).containsExactlyInAnyOrder(STARTING, ACCEPTED);
      assertThat(states(apps[2], apps[3])).containsExactlyInAnyOrder(STARTING, ACCEPTED);
      assertThat(states(apps[4], apps[5])).as("alone").containsExactly(STARTING, STARTING);
    }
  }

  @Test
  void eachQueueJudgesByItsOwnMaxStarting() throws Exception {
    try (MockCluster cluster = CONFIGURED.cluster(2, Map.of(stateAwareKey(2, "max-starting"), "3"),
        TOGETHER)) {
      cluster.addNode(32 * GB);
      MockApp first = submit(1, cluster);
      cluster.heartbeat();
      assertThat(first.state()).isEqualTo(STARTING);
      submit(1, cluster);
      for (int i = 0; i < 4; i++) {
        submit(2, cluster);
      }
      cluster.heartbeat();
      assertThat(offered(cluster, 1, 2)).as("one of the first queue and two of the second")
          .isEqualTo("App1 App3 App4");
      first.register().ask(1, GB);
      cluster.heartbeat();
      assertThat(first.state()).isEqualTo(RUNNING);
      cluster.heartbeat();
      assertThat(offered(cluster, 1, 2)).as("the first queue waits until none is starting")
          .isEqualTo("App1 App3 App4 App5");
    }
  }

  @Test
  void bothPolicyClassesCountTogetherAcrossParents() throws Exception {
    try (MockCluster cluster = CONFIGURED.cluster(2, Map.of(
        MockCluster.stateAwareKey(GROUP), "etl",
        key(tenant(1), "ordering-policy"), StateAwareFairOrderingPolicy.class.getName()), TOGETHER)) {
      cluster.addNode(32 * GB);
      MockApp fair = submit(1, cluster);
      MockApp byPriority = submit(2, cluster);
      MockApp elsewhere = cluster.submit();
      cluster.heartbeat();
      assertThat(states(fair, byPriority, elsewhere))
          .containsExactlyInAnyOrder(STARTING, ACCEPTED, ACCEPTED);
    }
  }

  @Test
  void partitionsHaveSlotsOfTheirOwn() throws Exception {
    Map<String, String> labels = new HashMap<>();
    labels.put(YarnConfiguration.NODE_LABELS_ENABLED, "true");
    labels.put(key("root", "accessible-node-labels.gpu.capacity"), "100");
    labels.put(key(PARENT, "accessible-node-labels"), "gpu");
    labels.put(key(PARENT, "accessible-node-labels.gpu.capacity"), "100");
    for (int number = 1; number <= 2; number++) {
      labels.put(key(tenant(number), "accessible-node-labels"), "gpu");
      labels.put(key(tenant(number), "accessible-node-labels.gpu.capacity"), "50");
      labels.put(key(tenant(number), "accessible-node-labels.gpu.maximum-capacity"), "100");
    }
    // YARN has to know the label before the configuration may name it.
    try (MockCluster cluster = CONFIGURED.cluster(2,
        Map.of(YarnConfiguration.NODE_LABELS_ENABLED, "true"), TOGETHER)) {
      cluster.rm().getRMContext().getNodeLabelManager()
          .addToCluserNodeLabelsWithDefaultExclusivity(Set.of("gpu"));
      cluster.refresh(labels);
      cluster.addNode(8 * GB);
      cluster.label(cluster.addNode(8 * GB), "gpu");
      MockApp app1 = submit(1, cluster);
      MockApp app2 = submit(2, cluster);
      MockApp gpu1 = submitForGpu(1, cluster);
      MockApp gpu2 = submitForGpu(2, cluster);
      cluster.heartbeat();
      assertThat(states(app1, app2)).containsExactlyInAnyOrder(STARTING, ACCEPTED);
      assertThat(states(gpu1, gpu2)).containsExactlyInAnyOrder(STARTING, ACCEPTED);
    }
  }

  private static MockApp submitForGpu(int number, MockCluster cluster) throws Exception {
    return cluster.submit(cluster.submission(GB).withQueue(tenant(number)).withDriverLabel("gpu"));
  }

  @Test
  void timeLimitInOneQueueFreesTheSlotForAnother() throws Exception {
    try (MockCluster cluster = groups("etl", "etl")) {
      MockApp stuck = submit(1, cluster);
      cluster.heartbeat();
      MockApp next = submit(2, cluster);
      cluster.advance(Duration.ofMinutes(5).minusSeconds(1));
      assertThat(offered(cluster, 2)).isEmpty();
      cluster.advance(Duration.ofSeconds(1));
      assertThat(offered(cluster, 2)).as("without the monitor, and without a decision in its queue")
          .isEqualTo(next.name());
      assertThat(stuck.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void endedApplicationFreesTheSlotAtOnce() throws Exception {
    try (MockCluster cluster = groups("etl", "etl")) {
      MockApp failing = submit(1, cluster);
      cluster.heartbeat();
      MockApp next = submit(2, cluster);
      assertThat(offered(cluster, 2)).isEmpty();
      failing.register().failDriver();
      assertThat(offered(cluster, 1, 2)).as("the next attempt is accepted again")
          .isEqualTo(failing.name() + " " + next.name());
    }
  }

  @Test
  void exemptApplicationsHoldNobodyAndAreNotHeld() throws Exception {
    try (MockCluster cluster = CONFIGURED.cluster(2, GROUP, "etl", "exempt-application-types", "quick")) {
      cluster.addNode(32 * GB);
      MockApp exempt = cluster.submit(cluster.submission(GB).withQueue(tenant(1)).withType("quick"));
      cluster.heartbeat();
      MockApp app = submit(2, cluster);
      cluster.heartbeat();
      assertThat(states(exempt, app)).containsExactly(RUNNING, STARTING);
      MockApp another = cluster.submit(cluster.submission(GB).withQueue(tenant(1)).withType("quick"));
      cluster.heartbeat();
      assertThat(another.containers()).isEqualTo(1);
    }
  }

  /** It was overdue: its starting time was over before it had its executors. */
  @Test
  void groupForgetsItsLastApplicationAtOnce() throws Exception {
    try (MockCluster cluster = CONFIGURED.cluster(2, TOGETHER)) {
      cluster.addNode(8 * GB);
      MockApp app = submit(1, cluster);
      cluster.heartbeat();
      app.register().ask(1, 8 * GB);
      cluster.advance(Duration.ofMinutes(6));
      cluster.runFor(2);
      assertThat(app.state()).isEqualTo(RUNNING);
      WeakReference<Object> attempt = new WeakReference<>(app.attempt());
      app.kill();
      cluster.runFor(3);
      Eventually.is("nothing keeps the attempt", () -> {
        System.gc();
        return attempt.get() == null;
      });
    }
  }

  // Refreshes.

  @Test
  void refreshKeepsTheSlots() throws Exception {
    try (MockCluster cluster = groups("etl", "etl")) {
      MockApp app1 = submit(1, cluster);
      cluster.heartbeat();
      MockApp app2 = submit(2, cluster);
      for (int i = 0; i < 3; i++) {
        cluster.refresh();
        cluster.runFor(3);
        assertThat(app2.containers()).isZero();
      }
      assertThatThrownBy(() -> cluster.refresh(stateAwareKey(1, "max-starting"), "none"))
          .hasStackTraceContaining("max-starting = 'none'");
      cluster.runFor(3);
      assertThat(app2.containers()).as("after a refresh that was refused").isZero();
      cluster.refresh(stateAwareKey(1, "max-starting"), null);
      app1.register().ask(1, GB);
      cluster.runFor(2);
      assertThat(states(app1, app2)).containsExactly(RUNNING, STARTING);
    }
  }

  @Test
  void startingApplicationsGoWithTheirQueueToAnotherGroup() throws Exception {
    try (MockCluster cluster = groups("etl", "etl", "bi")) {
      MockApp app1 = submit(1, cluster);
      cluster.heartbeat();
      MockApp app2 = submit(2, cluster);
      MockApp app3 = submit(3, cluster);
      assertThat(offered(cluster, 2, 3)).isEqualTo(app3.name());
      cluster.refresh(stateAwareKey(1, GROUP), "bi");
      assertThat(offered(cluster, 2, 3)).as("its slot is one of the other group now")
          .isEqualTo(app2.name());
      cluster.refresh(stateAwareKey(1, GROUP), "etl");
      assertThat(offered(cluster, 2, 3)).isEqualTo(app3.name());
      cluster.refresh(stateAwareKey(1, GROUP), null);
      assertThat(offered(cluster, 2, 3)).isEqualTo(app2.name() + " " + app3.name());
      submit(1, cluster);
      assertThat(offered(cluster, 1)).as("its queue is alone").isEqualTo(app1.name());
    }
  }

  @Test
  void changedMaxStartingAppliesAtOnce() throws Exception {
    try (MockCluster cluster = groups("etl", "etl")) {
      MockApp app1 = submit(1, cluster);
      cluster.heartbeat();
      MockApp app2 = submit(2, cluster);
      cluster.refresh(stateAwareKey(2, "max-starting"), "2");
      cluster.heartbeat();
      assertThat(states(app1, app2)).containsExactly(STARTING, STARTING);
      MockApp app3 = submit(2, cluster);
      cluster.refresh(stateAwareKey(2, "max-starting"), "1");
      app1.register().ask(1, GB);
      cluster.runFor(2);
      assertThat(app3.containers()).as("its queue still has one that is starting").isZero();
    }
  }

  @Test
  void queueThatLeavesForAStockPolicyFreesTheSlot() throws Exception {
    try (MockCluster cluster = groups("etl", "etl")) {
      submit(1, cluster);
      cluster.heartbeat();
      MockApp app2 = submit(2, cluster);
      cluster.refresh(key(tenant(1), "ordering-policy"), "fifo");
      cluster.runFor(4);
      assertThat(app2.state()).isEqualTo(STARTING);
      cluster.refresh(key(tenant(1), "ordering-policy"), StateAwareOrderingPolicy.class.getName());
      MockApp app3 = submit(2, cluster);
      app2.register().ask(1, GB);
      cluster.runFor(2);
      assertThat(app3.containers()).as("App1 is starting in the group again").isZero();
    }
  }

  // Moves.

  @Test
  void movedApplicationTakesItsSlotAlong() throws Exception {
    try (MockCluster cluster = groups("etl", "etl", "bi")) {
      MockApp app1 = submit(1, cluster);
      cluster.heartbeat();
      submit(2, cluster);
      submit(3, cluster);
      assertThat(offered(cluster, 2, 3)).isEqualTo("App3");
      app1.moveTo(tenant(2));
      assertThat(offered(cluster, 1, 2, 3)).as("within the group").isEqualTo("App1 App3");
      app1.moveTo(tenant(3));
      assertThat(offered(cluster, 2, 3)).as("to another group").isEqualTo("App2 App1");
      cluster.runFor(3);
      assertThat(app1.state()).isEqualTo(STARTING);
      app1.moveTo(MockCluster.DRIP);
      cluster.runFor(1);
      assertThat(offered(cluster, 3)).as("to a queue alone").isEqualTo("App3");
    }
  }

  @Test
  void priorityChangeKeepsTheSlot() throws Exception {
    try (MockCluster cluster = groups("etl", "etl")) {
      MockApp app1 = submit(1, cluster);
      cluster.heartbeat();
      submit(2, cluster);
      app1.setPriority(3);
      cluster.runFor(3);
      assertThat(offered(cluster, 1, 2)).isEqualTo("App1");
      app1.kill();
      assertThat(offered(cluster, 1, 2)).isEqualTo("App2");
    }
  }

  // Restarts.

  @Test
  void slotsAreKnownBeforeTheNodesAreBack() throws Exception {
    try (MockCluster cluster = groups("etl", "etl")) {
      MockApp app1 = submit(1, cluster);
      cluster.heartbeat();
      app1.register();
      MockApp app2 = submit(2, cluster);
      MockNM another = cluster.addNode(32 * GB);
      ClusterRestart restart = cluster.restart();
      restart.reconnect(another);
      cluster.heartbeat(another);
      assertThat(offered(cluster, 1, 2)).isEqualTo("App1");
      restart.reconnectNodes();
      cluster.runFor(3);
      assertThat(states(app1, app2)).containsExactly(STARTING, ACCEPTED);
    }
  }

  @Test
  void newSchedulerInTheSameProcessKnowsNothingOfTheOldGroup() throws Exception {
    try (MockCluster cluster = groups("etl", "etl")) {
      MockApp app1 = submit(1, cluster);
      cluster.heartbeat();
      MockApp app2 = submit(2, cluster);
      Object before = cluster.scheduler();
      ClusterRestart restart = cluster.restart();
      restart.reconnectNodes();
      app1.kill();
      assertThat(offered(cluster, 2)).as("the old scheduler still has App1 as starting")
          .isEqualTo(app2.name());
      assertThat(cluster.scheduler()).isNotSameAs(before);
    }
  }

  // Queues that come and go.

  @Test
  void recreatedQueueIsInTheGroupAgain() throws Exception {
    try (MockCluster cluster = groups("etl", "etl")) {
      MockApp app1 = submit(1, cluster);
      cluster.heartbeat();
      MockApp app2 = submit(2, cluster);
      cluster.refresh(key(tenant(1), "state"), QueueState.STOPPED.name());
      cluster.runFor(2);
      assertThat(app2.containers()).as("a queue that is being stopped holds its slot").isZero();
      app1.kill();
      removeFirstQueue(cluster);
      cluster.heartbeat();
      assertThat(app2.state()).isEqualTo(STARTING);
      cluster.refresh(Map.of(key(PARENT, "queues"), "t1,t2", key(tenant(1), "capacity"), "50.0",
          key(tenant(2), "capacity"), "50.0", key(tenant(1), "state"), QueueState.RUNNING.name()));
      MockApp again = submit(1, cluster);
      cluster.runFor(2);
      assertThat(again.containers()).isZero();
      app2.kill();
      cluster.heartbeat();
      assertThat(again.state()).isEqualTo(STARTING);
    }
  }

  private static void removeFirstQueue(MockCluster cluster) throws Exception {
    Map<String, String> removed = new LinkedHashMap<>();
    removed.put(key(PARENT, "queues"), "t2");
    removed.put(key(tenant(2), "capacity"), "100");
    cluster.refresh(removed);
    assertThat(cluster.queue(tenant(1))).isNull();
  }

  @Test
  void nothingIsLeftOfAGroupWithoutQueues() throws Exception {
    try (MockCluster cluster = groups("etl", "etl")) {
      DripfeedRuntime runtime = DripfeedRuntime.current();
      MockApp app1 = submit(1, cluster);
      MockApp app2 = submit(2, cluster);
      cluster.heartbeat();
      assertThat(runtime.<Object>startingGroup(cluster.scheduler(), "etl", () -> null)).isNotNull();
      for (int i = 0; i < 20; i++) {
        cluster.refresh(Map.of(stateAwareKey(1, GROUP), "g" + i, stateAwareKey(2, GROUP), "g" + i));
      }
      app1.kill();
      app2.kill();
      cluster.refresh(Map.of(stateAwareKey(1, GROUP), "", stateAwareKey(2, GROUP), ""));
      Eventually.is("no group is left", () -> {
        System.gc();
        return Stream.concat(Stream.of("etl"), IntStream.range(0, 20).mapToObj(i -> "g" + i))
            .allMatch(name -> runtime.startingGroup(cluster.scheduler(), name, () -> null) == null);
      });
    }
  }

  // Words of these tests.

  /** Queues with these groups on one large node. */
  private static MockCluster groups(String... names) throws Exception {
    Map<String, String> groups = new LinkedHashMap<>();
    for (int i = 0; i < names.length; i++) {
      groups.put(stateAwareKey(i + 1, GROUP), names[i]);
    }
    MockCluster cluster = CONFIGURED.cluster(names.length, groups);
    cluster.addNode(32 * GB);
    return cluster;
  }

  private static MockApp submit(int number, MockCluster cluster) throws Exception {
    return CONFIGURED.submit(number, GB, cluster);
  }

  private static MockApp[] submitOneToEach(int queues, MockCluster cluster) throws Exception {
    MockApp[] apps = new MockApp[queues];
    for (int i = 0; i < queues; i++) {
      apps[i] = submit(i + 1, cluster);
    }
    return apps;
  }

  /** The names of the applications that these queues offer, queue by queue. */
  private static String offered(MockCluster cluster, int... numbers) {
    StringBuilder offered = new StringBuilder();
    for (int number : numbers) {
      for (String name : cluster.offeredIn(tenant(number))) {
        offered.append(offered.length() == 0 ? "" : " ").append(name);
      }
    }
    return offered.toString();
  }

  private static List<Object> states(MockApp... apps) {
    return java.util.Arrays.stream(apps).map(MockApp::state)
        .collect(java.util.stream.Collectors.toList());
  }

  private static MockApp startingOf(MockApp... apps) {
    return java.util.Arrays.stream(apps).filter(app -> app.state() == STARTING).findFirst().get();
  }
}
