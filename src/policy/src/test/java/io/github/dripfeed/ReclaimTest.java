// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.ReclaimCluster;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which containers are preempted for which application, on the real Capacity Scheduler. */
class ReclaimTest {

  @Test
  void higherPriorityPreemptsTheLowestAndNewestFirst() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      queue.cluster.addNode(20 * GB);
      MockApp middle = queue.start(1, 5);
      MockApp old = queue.start(0, 5);
      MockApp young = queue.start(0, 7);
      assertThat(free(queue)).isZero();
      List<ContainerId> newest = new ArrayList<>(young.executors()).subList(6, 7);
      MockApp urgent = queue.submit(5);
      queue.rounds(5);
      assertThat(queue.lost()).as("notified, and not preempted yet").isZero();
      queue.rounds(2);
      assertThat(urgent.containers()).isEqualTo(1);
      assertThat(young.executors()).hasSize(6).doesNotContainAnyElementsOf(newest);

      urgent.register().ask(9, GB);
      queue.rounds(ReclaimCluster.ROUNDS);
      assertThat(urgent.containers()).isEqualTo(10);
      assertThat(young.containers()).as("its driver and one executor").isEqualTo(2);
      assertThat(old.containers()).isEqualTo(2);
      assertThat(middle.containers()).isEqualTo(6);
      assertThat(queue.lost()).as("one for each container that urgent received").isEqualTo(10);
      queue.rounds(20);
      assertThat(queue.lost()).as("at rest").isEqualTo(10);
    }
  }

  @Test
  void applicationsShareByWeightAndComeToRest() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byShare()) {
      queue.cluster.addNode(21 * GB);
      MockApp one = queue.start(0, 30);
      assertThat(one.containers()).isEqualTo(21);
      MockApp two = queue.arrive(1);
      two.ask(30, GB);
      queue.rounds(ReclaimCluster.ROUNDS);
      assertThat(List.of(one.containers(), two.containers())).containsExactly(7, 14);
      MockApp four = queue.arrive(3);
      four.ask(30, GB);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(List.of(one.containers(), two.containers(), four.containers()))
          .containsExactly(3, 6, 12);
      queue.assertAtRest(20);
    }
  }

  @Test
  void notifiedApplicationMayReleaseAnyContainer() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      queue.cluster.addNode(10 * GB);
      MockApp low = queue.start(0, 9);
      MockApp urgent = queue.submit(1);
      queue.round();
      List<ContainerId> executors = low.executors();
      assertThat(low.notified()).containsExactly(executors.get(8));
      queue.round();
      assertThat(low.notified()).as("only once").isEmpty();
      low.release(executors.subList(0, 1));
      queue.rounds(ReclaimCluster.ROUNDS);
      assertThat(urgent.containers()).isEqualTo(1);
      assertThat(low.executors()).as("any container may be released").isEqualTo(executors.subList(1, 9));
    }
  }

  @Test
  void driverAndMinExecutorsAreProtected() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(stateAwareKey("min-executors"), "3")) {
      queue.cluster.addNode(10 * GB);
      MockApp running = queue.start(0, 4);
      MockApp starting = queue.start(0, 4);
      assertThat(List.of(running.containers(), starting.containers())).containsExactly(5, 5);
      MockApp halfway = queue.submit(0);
      List<ContainerId> oldest = running.executors().subList(0, 3);
      MockApp urgent = queue.arrive(1);
      urgent.ask(9, GB);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(running.executors()).isEqualTo(oldest);
      assertThat(List.of(running.containers(), starting.containers(), urgent.containers(),
          halfway.containers())).containsExactly(4, 4, 2, 0);
    }
  }

  @Test
  void equalPriorityPreemptsNothing() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      queue.cluster.addNode(10 * GB);
      queue.start(1, 9);
      queue.submit(1);
      queue.rounds(ReclaimCluster.ROUNDS);
      assertThat(queue.lost()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
      "ordering-policy.state-aware.order, fifo",
      "ordering-policy.state-aware.reclaim.enabled, false",
      "disable_preemption, true"})
  void disabledReclaimPreemptsNothing(String name, String value) throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(MockCluster.queueKey(name), value)) {
      assertNothingIsPreemptedFor(queue, 1);
    }
  }

  @Test
  void preemptionDisabledInAParentDisablesReclaim() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(
        CapacitySchedulerConfiguration.PREFIX + "root.disable_preemption", "true")) {
      assertNothingIsPreemptedFor(queue, 1);
    }
  }

  private static void assertNothingIsPreemptedFor(ReclaimCluster queue, int priority) throws Exception {
    queue.cluster.addNode(10 * GB);
    queue.start(0, 9);
    queue.submit(priority);
    queue.rounds(ReclaimCluster.ROUNDS);
    assertThat(queue.lost()).isZero();
  }

  @Test
  void notifiedContainersStayOnceTheDemandIsGone() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      queue.cluster.addNode(10 * GB);
      MockApp low = queue.start(0, 9);
      MockApp urgent = queue.submit(1);
      queue.rounds(5);
      assertThat(low.containers()).isEqualTo(10);
      urgent.kill();
      queue.rounds(ReclaimCluster.ROUNDS);
      assertThat(queue.lost()).isZero();
    }
  }

  @Test
  void nothingIsPreemptedForHeldApplications() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      queue.cluster.addNode(10 * GB);
      queue.start(0, 9);
      MockApp first = queue.submit(5);
      for (int i = 0; i < 4; i++) {
        queue.submit(5);
      }
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(first.containers()).isEqualTo(1);
      assertThat(queue.lost()).as("for the offered application").isEqualTo(1);
    }
  }

  @Test
  void nothingIsPreemptedBeyondMaxContainers() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(stateAwareKey("max-containers"), "6")) {
      queue.cluster.addNode(18 * GB);
      for (int i = 0; i < 3; i++) {
        queue.start(0, 9);
      }
      MockApp urgent = queue.arrive(1);
      urgent.ask(20, GB);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(urgent.containers()).isEqualTo(6);
      assertThat(queue.lost()).isEqualTo(6);
    }
  }

  @Test
  void nothingIsPreemptedForARequestThatFitsOnNoNode() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      queue.cluster.addNode(6 * GB);
      queue.cluster.addNode(6 * GB);
      MockApp low = queue.start(0, 20);
      MockApp urgent = queue.arrive(1);
      assertThat(queue.lost()).isEqualTo(1);
      urgent.ask(2, 6 * GB);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(queue.lost()).as("there is a driver on each node").isEqualTo(1);
      urgent.ask(0, 6 * GB);
      urgent.ask(4, 4 * GB);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(urgent.executors()).as("one on each node").hasSize(2);
      assertThat(low.containers()).isEqualTo(3);
      assertThat(queue.lost()).as("as many as the executors need").isEqualTo(9);
    }
  }

  @Test
  void nothingIsPreemptedForAUserAtItsLimit() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(
        MockCluster.queueKey("user-limit-factor"), "0.5",
        MockCluster.queueKey("minimum-user-limit-percent"), "50")) {
      queue.cluster.addNode(20 * GB);
      queue.start(queue.cluster.submission(GB).withUser("many"), 8);
      queue.start(queue.cluster.submission(GB).withUser("others"), 30);
      MockApp urgent = queue.arrive(queue.cluster.submission(GB).withUser("many")
          .withPriority(3));
      urgent.ask(20, GB);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      int lost = queue.lost();
      assertThat(urgent.containers()).isGreaterThan(1);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(queue.lost()).as("at rest").isEqualTo(lost);
    }
  }

  @Test
  void nothingIsPreemptedIfAnotherQueueWouldGetIt() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(
        CapacitySchedulerConfiguration.PREFIX + DRIP + ".capacity", "50",
        CapacitySchedulerConfiguration.PREFIX + OTHER + ".capacity", "50")) {
      queue.cluster.addNode(20 * GB);
      queue.start(0, 30);
      MockApp other =
          queue.submit(queue.cluster.submission(GB).withQueue(OTHER));
      MockApp urgent = queue.submit(1);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(queue.lost()).as("the other queue would get the resources").isZero();
      other.kill();
      queue.rounds(ReclaimCluster.ROUNDS);
      assertThat(urgent.containers()).isEqualTo(1);
      assertThat(queue.lost()).isEqualTo(1);
    }
  }

  @Test
  void onlyContainersInThePartitionArePreempted() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(ReclaimCluster.withLabel("gpu"))) {
      queue.cluster.addNode(10 * GB);
      queue.addNode(10 * GB, "gpu");
      MockApp plain = queue.start(0, 9);
      MockApp onGpu = queue.start(queue.cluster.submission(GB).withDriverLabel("gpu"), 0);
      onGpu.ask(List.of(Requests.on("gpu", 12)));
      queue.rounds(1);
      assertThat(List.of(plain.containers(), onGpu.containers())).containsExactly(10, 10);
      MockApp urgent = queue.arrive(queue.cluster.submission(GB).withDriverLabel("gpu")
          .withPriority(2));
      urgent.ask(List.of(Requests.on("gpu", 3)));
      queue.rounds(ReclaimCluster.ROUNDS);
      assertThat(List.of(plain.containers(), onGpu.containers(), urgent.containers()))
          .containsExactly(10, 6, 4);
    }
  }

  @Test
  void nodeIsFreedForARequestThatNeedsIt() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      for (int node = 0; node < 4; node++) {
        queue.cluster.addNode(4 * GB);
      }
      MockApp low = queue.start(0, 15);
      MockApp urgent = queue.arrive(1);
      urgent.ask(1, 4 * GB);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(urgent.containers()).isEqualTo(2);
      assertThat(queue.lost()).as("one node, and the driver's").isEqualTo(5);
      assertThat(low.containers()).isEqualTo(11);
    }
  }

  @Test
  void onlyARequestedNodeIsFreed() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      MockNM wanted = queue.cluster.addNode(6 * GB);
      queue.cluster.addNode(6 * GB);
      queue.start(0, 11);
      MockApp urgent = queue.submit(1);
      queue.rounds(ReclaimCluster.ROUNDS);
      String host = wanted.getNodeId().getHost();
      urgent.register().ask(List.of(Requests.at(host, 3),
          Requests.onlyAt("/default-rack", 3), Requests.onlyAt("*", 3)));
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(urgent.executors()).isNotEmpty().allSatisfy(executor -> assertThat(
          urgent.attempt().getRMContainer(executor).getAllocatedNode().getHost()).isEqualTo(host));
      assertThat(queue.lost()).isEqualTo(1 + urgent.executors().size());
    }
  }

  @Test
  void yarnsLimitOfARoundBoundsTheNotices() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(
        CapacitySchedulerConfiguration.TOTAL_PREEMPTION_PER_ROUND, "0.2")) {
      queue.cluster.addNode(21 * GB);
      MockApp low = queue.start(0, 19);
      MockApp urgent = queue.start(1, 0);
      urgent.ask(15, GB);
      queue.round();
      assertThat(low.notified()).hasSize(4);
      queue.round();
      assertThat(low.notified()).hasSize(4);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(urgent.containers()).isEqualTo(16);
      assertThat(queue.lost()).isEqualTo(15);
    }
  }

  @Test
  void deviationThatYarnIgnoresIsTolerated() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byShare(
        CapacitySchedulerConfiguration.PREEMPTION_MAX_IGNORED_OVER_CAPACITY, "0.5")) {
      queue.cluster.addNode(20 * GB);
      MockApp one = queue.start(0, 13);
      MockApp other = queue.start(0, 5);
      other.ask(10, GB);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(List.of(one.containers(), other.containers())).as("14 and 6, with a share of 10 each")
          .containsExactly(14, 6);
      queue.cluster.refresh(CapacitySchedulerConfiguration.PREEMPTION_MAX_IGNORED_OVER_CAPACITY, "0.3");
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(List.of(one.containers(), other.containers())).containsExactly(10, 10);
    }
  }

  /** Without the resources owed to the receiver, the loser would come first by usage per weight. */
  @Test
  void preemptedResourcesReachTheReceiver() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byShare()) {
      queue.cluster.addNode(23 * GB);
      List<MockApp> apps = new ArrayList<>();
      for (int priority : new int[] {0, 0, 0, 0, 4}) {
        apps.add(queue.start(priority, 1));
      }
      for (MockApp app : apps) {
        app.ask(30, GB);
      }
      queue.heartbeats();
      assertThat(apps).extracting(MockApp::containers).containsExactly(3, 3, 3, 3, 11);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(apps).extracting(MockApp::containers).as("shares are 2.6 and 12.8")
          .containsExactlyInAnyOrder(2, 3, 3, 3, 12);
      assertThat(queue.lost()).isEqualTo(1);
    }
  }

  @Test
  void nobodyIsOwedWherePreemptionWasDisabledMeanwhile() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byShare()) {
      queue.cluster.addNode(20 * GB);
      queue.start(0, 18);
      MockApp other = queue.start(0, 0);
      other.ask(9, GB);
      queue.round();
      assertThat(isOwed(queue, other)).isTrue();
      queue.cluster.refresh(MockCluster.key(DRIP, "disable_preemption"), "true");
      queue.round();
      assertThat(isOwed(queue, other)).isFalse();
    }
  }

  private static boolean isOwed(ReclaimCluster queue, MockApp app) {
    return ((StateAwareFairOrderingPolicy<?>) queue.cluster.policy()).share().isOwed(app.attempt());
  }

  @Test
  void unusedShareGoesToTheOthers() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byShare()) {
      queue.cluster.addNode(20 * GB);
      queue.start(0, 1);
      MockApp busy = queue.start(0, 30);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(busy.containers()).as("all except the containers of the idle application").isEqualTo(18);
      assertThat(queue.lost()).isZero();
    }
  }

  @Test
  void sharesAreByDominantResourceIfTheSchedulerIs() throws Exception {
    try (ReclaimCluster queue =
        ReclaimCluster.byShare(CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
        DominantResourceCalculator.class.getName())) {
      queue.cluster.addNode(60 * GB);
      MockApp cores = queue.start(0, 0);
      cores.ask(List.of(Requests.anywhere(40, GB, 4)));
      queue.rounds(1);
      assertThat(cores.containers()).as("all 100 cores").isEqualTo(25);
      MockApp memory = queue.arrive(0);
      memory.ask(List.of(Requests.anywhere(40, 3 * GB, 1)));
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      // x executors of 4 cores and 1 GB, y of 1 core and 3 GB, and two drivers: memory is exhausted at
      // x + 3y = 58, and shares are even at (1 + 4x) / 100 = (1 + 3y) / 60.
      assertThat(memory.executors()).as("the share is 13.6").hasSizeBetween(13, 14);
      assertThat(cores.executors())
          .as("the share is 17.2; a container of the other application is as large as three")
          .hasSizeBetween(17, 20);
      queue.assertAtRest(2 * ReclaimCluster.ROUNDS);
    }
  }

  @Test
  void refreshAndLostNodeDoNotStopReclaim() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byShare()) {
      queue.cluster.addNode(10 * GB);
      MockApp one = queue.start(0, 30);
      MockApp other = queue.submit(0);
      queue.rounds(ReclaimCluster.ROUNDS);
      MockNM second = queue.cluster.addNode(10 * GB);
      queue.heartbeats();
      assertThat(one.containers()).isEqualTo(19);
      other.register().ask(30, GB);
      queue.rounds(3);
      queue.cluster.refresh();
      queue.rounds(1);
      queue.cluster.loseNode(second);
      queue.rounds(3 * ReclaimCluster.ROUNDS);
      assertThat(List.of(one.containers(), other.containers())).containsExactly(5, 5);
      assertThat(DripfeedRuntime.current().metrics().failures()).isZero();
    }
  }

  @Test
  void failureEndsOnlyTheRound() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      queue.cluster.addNode(10 * GB);
      MockApp low = queue.start(0, 9);
      MockApp urgent = queue.submit(1);
      MockApp broken = queue.submit(2);
      FiCaSchedulerApp attempt = broken.attempt();
      Object books = FieldUtils.readField(attempt, "attemptResourceUsage", true);
      FieldUtils.writeField(attempt, "attemptResourceUsage", null, true);
      queue.policy().editSchedule();
      FieldUtils.writeField(attempt, "attemptResourceUsage", books, true);
      broken.kill();
      queue.rounds(ReclaimCluster.ROUNDS);
      assertThat(urgent.containers()).isEqualTo(1);
      assertThat(low.containers()).isEqualTo(9);
    }
  }

  @Test
  void refreshStartsAndStopsTheMonitor() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(10 * GB, "reclaim.enabled", "true")) {
      assertThat(monitorThreads()).isZero();
      cluster.refresh(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES, ReclaimPolicy.class.getName());
      cluster.refresh(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, "true");
      Eventually.is("it runs", () -> monitorThreads() == 1);
      cluster.refresh(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, "false");
      Eventually.is("it ends", () -> monitorThreads() == 0);
    }
  }

  private static long monitorThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("SchedulingMonitor (ReclaimPolicy)")).count();
  }

  @Test
  void anotherSchedulerIsAClearError() {
    assertThatThrownBy(() -> new ReclaimPolicy().init(null, null, new FifoScheduler()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("yarn.resourcemanager.scheduler.class")
        .hasMessageContaining(FifoScheduler.class.getName())
        .hasMessageContaining("allowed is only " + CapacityScheduler.class.getName());
  }

  private static long free(ReclaimCluster queue) {
    return queue.cluster.scheduler().getNode(queue.cluster.node(0).getNodeId())
        .getUnallocatedResource().getMemorySize();
  }
}
