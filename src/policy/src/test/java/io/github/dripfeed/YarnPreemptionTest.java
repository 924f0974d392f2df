// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.ReclaimCluster;
import io.github.dripfeed.fixture.YarnPreemption;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** YARN's own preemption, between queues and within the queue. */
class YarnPreemptionTest {

  @Test
  void burstRegainsTheQueuesShareWithoutFutilePreemption() throws Exception {
    try (MockCluster cluster = cluster("priority_first")) {
      cluster.addNode(20 * GB);
      MockApp greedy = cluster.submitFiller(50);
      assertThat(greedy.containers()).isEqualTo(20);
      List<MockApp> burst = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        burst.add(cluster.submit());
      }
      Set<ContainerId> lost = new HashSet<>();
      for (MockApp app : burst) {
        // A slow starter: it requests its executor after many rounds of preemption.
        for (int round = 0; round < 5; round++) {
          lost.addAll(preempt(cluster, greedy));
        }
        assertThat(app.containers()).as("driver of " + app.name()).isEqualTo(1);
        app.register().ask(1, GB);
        lost.addAll(preempt(cluster, greedy));
        app.heartbeat();
        assertThat(app.state()).isEqualTo(RUNNING);
      }
      for (int round = 0; round < 5; round++) {
        lost.addAll(preempt(cluster, greedy));
      }
      assertThat(lost).as("one per container of the burst").hasSize(10);
      assertThat(greedy.containers()).isEqualTo(10);
    }
  }

  @Test
  void preemptionForAnotherQueueSparesDrivers()
      throws Exception {
    try (MockCluster cluster = cluster("priority_first", MockCluster.stateAwareKey("min-executors"),
        "2")) {
      cluster.addNode(20 * GB);
      MockApp older = start(cluster, 8);
      MockApp newer = start(cluster, 7);
      MockApp starting = cluster.submit();
      cluster.heartbeat();
      starting.register().ask(1, GB);
      cluster.heartbeat();
      starting.heartbeat();
      assertThat(starting.state()).isEqualTo(STARTING);
      assertThat(older.containers() + newer.containers() + starting.containers()).isEqualTo(19);

      MockApp owed = cluster.submit(cluster.submission(GB).withQueue(OTHER));
      cluster.heartbeat();
      owed.register().ask(6, GB);
      preemptAndSettle(cluster, owed);
      assertThat(owed.containers()).isEqualTo(7);
      assertThat(newer.containers()).as("its newest executors").isEqualTo(2);
      assertThat(older.containers()).isEqualTo(9);
      assertThat(starting.containers()).isEqualTo(2);

      owed.ask(9, GB);
      preemptAndSettle(cluster, owed);
      assertThat(owed.containers()).isEqualTo(10);
      assertThat(newer.containers()).as("its driver").isEqualTo(1);
      assertThat(older.containers()).isEqualTo(7);
      assertThat(starting.containers()).as("starting applications last").isEqualTo(2);
    }
  }

  /**
   * If drivers hold more than the queue's guarantee, preemption between queues finally takes drivers. It
   * spares as many as the guarantee times maximum-am-resource-percent.
   */
  @ParameterizedTest
  @CsvSource({"1, 18", "5, 10", "100, 10"})
  void yarnTakesDriversBeyondTheAmLimit(String limit, int back)
      throws Exception {
    try (MockCluster cluster = cluster("priority_first", AmLimitTest.LIMIT, limit,
        key(DRIP, "capacity"), "10", key(OTHER, "capacity"), "90")) {
      cluster.addNode(20 * GB);
      MockApp oldest = start(cluster, 1);
      for (int i = 0; i < 9; i++) {
        start(cluster, 1);
      }
      assertThat(cluster.queue(DRIP).getQueueResourceUsage().getUsed().getMemorySize())
          .as("ten drivers, each with an executor, on a guarantee of 2 GB").isEqualTo(20 * GB);
      MockApp owed = cluster.submit(cluster.submission(GB).withQueue(OTHER));
      preempt(cluster, oldest);
      owed.register().ask(30, GB);
      for (int round = 0; round < 4; round++) {
        preemptAndSettle(cluster, owed);
      }
      assertThat(owed.containers()).isEqualTo(back);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"priority_first", "userlimit_first"})
  void nothingIsTakenForTheDriverOfAHeldApplication(String order) throws Exception {
    try (MockCluster cluster = cluster(order, key(DRIP, "minimum-user-limit-percent"), "50")) {
      cluster.addNode(20 * GB);
      MockApp low = start(cluster, 30);
      assertThat(low.containers()).isEqualTo(20);
      MockApp urgent = submitUrgent(cluster);
      MockApp held = submitUrgent(cluster);
      Set<ContainerId> lost = new HashSet<>();
      for (int round = 0; round < 5; round++) {
        lost.addAll(preempt(cluster, low));
      }
      assertThat(lost).as("for the driver that is offered").hasSize(1);
      assertThat(urgent.containers()).isEqualTo(1);
      assertThat(held.containers()).isZero();
      urgent.register().ask(3, GB);
      for (int round = 0; round < 5; round++) {
        lost.addAll(preempt(cluster, low));
        urgent.heartbeat();
      }
      assertThat(urgent.containers()).isEqualTo(4);
      assertThat(held.containers()).as("its turn has come").isEqualTo(1);
      assertThat(lost).as("one per container allocated instead").hasSize(5);
      assertThat(low.containers()).isEqualTo(15);
    }
  }

  /** It has the slot, and gets no executor: the queue is full. */
  @Test
  void lessUrgentApplicationThatIsStartingDelaysNoUrgentOne() throws Exception {
    try (MockCluster cluster = cluster("priority_first")) {
      cluster.addNode(20 * GB);
      MockApp low = start(cluster, 18);
      MockApp starting = cluster.submit();
      cluster.heartbeat();
      starting.register().ask(1, GB);
      MockApp urgent = submitUrgent(cluster);
      MockApp asUrgent = submitUrgent(cluster);
      for (int round = 0; round < 3; round++) {
        preempt(cluster, low);
      }
      assertThat(starting.state()).isEqualTo(STARTING);
      assertThat(urgent.containers()).isEqualTo(1);
      assertThat(asUrgent.containers()).as("one for each priority").isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reclaimAndPreemptionTakeNothingTwice(boolean reclaimFirst) throws Exception {
    try (MockCluster cluster = cluster("priority_first",
        MockCluster.stateAwareKey("reclaim.enabled"), "true",
        MockCluster.stateAwareKey("reclaim.grace-period"), "0",
        CapacitySchedulerConfiguration.TOTAL_PREEMPTION_PER_ROUND, "1")) {
      cluster.addNode(20 * GB);
      ReclaimPolicy reclaim = new ReclaimPolicy();
      reclaim.init(null, cluster.rm().getRMContext(), cluster.scheduler());
      MockApp low = start(cluster, 30);
      MockApp urgent = submitUrgent(cluster);
      Set<ContainerId> lost = new HashSet<>();
      for (int round = 0; round < 3; round++) {
        cluster.advance(ReclaimCluster.INTERVAL);
        lost.addAll(preempt(cluster, low, reclaim, reclaimFirst));
      }
      assertThat(urgent.containers()).isEqualTo(1);
      urgent.register().ask(3, GB);
      MockApp owed = cluster.submit(cluster.submission(GB).withQueue(OTHER));
      for (int round = 0; round < 5; round++) {
        cluster.advance(ReclaimCluster.INTERVAL);
        lost.addAll(preempt(cluster, low, reclaim, reclaimFirst));
        urgent.heartbeat();
      }
      assertThat(urgent.containers()).isEqualTo(4);
      assertThat(owed.containers()).isEqualTo(1);
      assertThat(lost).as("one per container allocated instead").hasSize(5);
    }
  }

  @Test
  void reclaimSkipsContainersYarnHasChosen() throws Exception {
    try (MockCluster cluster = cluster("priority_first",
        MockCluster.stateAwareKey("reclaim.enabled"), "true",
        CapacitySchedulerConfiguration.PREEMPTION_WAIT_TIME_BEFORE_KILL, "3600000")) {
      cluster.addNode(20 * GB);
      ReclaimPolicy reclaim = new ReclaimPolicy();
      reclaim.init(null, cluster.rm().getRMContext(), cluster.scheduler());
      MockApp low = start(cluster, 30);
      submitUrgent(cluster);
      preempt(cluster, low);
      assertThat(low.notified()).as("the driver's heartbeat has reported it already").isEmpty();
      reclaim.editSchedule();
      cluster.rm().drainEvents();
      assertThat(low.notified()).isEmpty();
    }
  }

  /**
   * See docs/design.md#stock-code-casts-the-policy: YARN casts the fair policy and calls its comparator.
   */
  @Test
  void fairPreemptionBetweenUsersWorks() throws Exception {
    try (MockCluster cluster = cluster("userlimit_first",
        MockCluster.queueKey("ordering-policy"), StateAwareFairOrderingPolicy.class.getName(),
        key(DRIP, "minimum-user-limit-percent"), "50")) {
      cluster.addNode(20 * GB);
      MockApp greedy = start(cluster, 30);
      MockApp other = cluster.submit(cluster.submission(GB).withUser("other"));
      for (int round = 0; round < 3; round++) {
        preempt(cluster, greedy);
      }
      assertThat(other.containers()).isEqualTo(1);
      other.register().ask(4, GB);
      for (int round = 0; round < 3; round++) {
        preempt(cluster, greedy);
        other.heartbeat();
      }
      assertThat(other.containers()).isEqualTo(5);
      assertThat(greedy.containers()).isEqualTo(15);
      assertThat(DripfeedRuntime.current().metrics().failures()).isZero();
    }
  }

  /** The policy recognises YARN's preemption by the name of the calling thread alone. */
  @Test
  void yarnsPreemptionThreadHasTheExpectedName() throws Exception {
    try (MockCluster cluster = cluster("priority_first")) {
      Eventually.is("its thread exists", () -> Thread.getAllStackTraces().keySet().stream()
          .anyMatch(thread -> thread.getName().equals(YarnPreemption.monitor(cluster).getName())));
    }
  }

  private static MockApp submitUrgent(MockCluster cluster) throws Exception {
    return cluster.submit(
        cluster.submission(GB).withPriority(5).withUser("urgent"));
  }

  private static MockApp start(MockCluster cluster, int executors) throws Exception {
    return cluster.start(cluster.submission(GB), executors);
  }

  private void preemptAndSettle(MockCluster cluster, MockApp owed) throws Exception {
    for (int round = 0; round < 5; round++) {
      preempt(cluster, owed);
      owed.heartbeat();
    }
  }

  /**
   * One round of preemption, and a heartbeat that allocates what is free then.
   *
   * @return the containers of {@code victim} that are gone
   */
  private Set<ContainerId> preempt(MockCluster cluster, MockApp victim) throws Exception {
    return preempt(cluster, victim, null, false);
  }

  /** @param reclaim runs a round before or after each of YARN's */
  private Set<ContainerId> preempt(MockCluster cluster, MockApp victim, ReclaimPolicy reclaim,
      boolean reclaimFirst) throws Exception {
    Set<ContainerId> gone = new HashSet<>(victim.attempt().getLiveContainersMap().keySet());
    // Twice: the second call kills what the first one marks, since the waiting time is zero.
    for (int call = 0; call < 2; call++) {
      if (reclaim != null && reclaimFirst) {
        reclaim.editSchedule();
      }
      YarnPreemption.round(cluster);
      if (reclaim != null && !reclaimFirst) {
        reclaim.editSchedule();
      }
      cluster.rm().drainEvents();
    }
    gone.removeAll(victim.attempt().getLiveContainersMap().keySet());
    cluster.heartbeat();
    cluster.heartbeat();
    victim.heartbeat();
    return gone;
  }

  private static MockCluster cluster(String intraQueueOrder, String... more) {
    List<String> all = new ArrayList<>(List.of(
        CapacitySchedulerConfiguration.INTRAQUEUE_PREEMPTION_ENABLED, "true",
        CapacitySchedulerConfiguration.INTRAQUEUE_PREEMPTION_MINIMUM_THRESHOLD, "0.1",
        CapacitySchedulerConfiguration.INTRAQUEUE_PREEMPTION_MAX_ALLOWABLE_LIMIT, "1.0",
        CapacitySchedulerConfiguration.INTRAQUEUE_PREEMPTION_ORDER_POLICY, intraQueueOrder,
        key(DRIP, "capacity"), "50",
        key(OTHER, "capacity"), "50"));
    all.addAll(List.of(more));
    return MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnPreemption.withoutDelay(all.toArray(new String[0])));
  }
}
