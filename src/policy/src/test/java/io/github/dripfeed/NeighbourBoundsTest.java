// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of docs/robustness.md, with neighbours. */
class NeighbourBoundsTest {

  /** Nodes of the default partition have room, and applications wait there for a slot. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void fullPartitionStopsTheClockOfItsLine(boolean heldInDefault) throws Exception {
    String labels = ".accessible-node-labels";
    try (MockCluster cluster = configured(YarnConfiguration.NODE_LABELS_ENABLED, "true",
        CapacitySchedulerConfiguration.PREFIX + "root" + labels + ".gpu.capacity", "100",
        CapacitySchedulerConfiguration.PREFIX + DRIP + labels, "gpu",
        CapacitySchedulerConfiguration.PREFIX + DRIP + labels + ".gpu.capacity", "100",
        MockCluster.stateAwareKey("starting-timeout"), "1h")) {
      cluster.rm().getRMContext().getNodeLabelManager()
          .addToCluserNodeLabelsWithDefaultExclusivity(Set.of("gpu"));
      cluster.refresh();
      cluster.addNode(8 * GB);
      cluster.label(cluster.addNode(2 * GB), "gpu");
      MockApp running = cluster.submit(cluster.submission(GB).withDriverLabel("gpu"));
      cluster.heartbeat();
      running.register().ask(List.of(Requests.on("gpu", 1)));
      cluster.heartbeat();
      running.heartbeat();
      assertThat(running.state()).isEqualTo(State.RUNNING);
      cluster.submit();
      if (heldInDefault) {
        cluster.submit();
      }
      MockApp first = cluster.submit(cluster.submission(GB).withDriverLabel("gpu"));
      cluster.runFor(600);
      MockApp later = cluster.submit(cluster.submission(GB).withDriverLabel("gpu"));
      assertThat(cluster.offered()).doesNotContain(later.name());
      running.release(running.executors());
      cluster.heartbeat(cluster.node(1));
      assertThat(first.containers()).as("first").isEqualTo(1);
      assertThat(later.containers()).as("later").isZero();
    }
  }

  /** It takes no slot, and its drivers say nothing of the heads. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void exhaustedCrashLoopDoesNotProlongTheTimeInVain(boolean loops) throws Exception {
    try (MockCluster cluster = configured()) {
      cluster.addNode(8 * GB);
      cluster.addNode(8 * GB);
      MockNM large = cluster.addNode(16 * GB);
      MockApp looping = looping(GB, cluster);
      List<MockApp> impossible = cluster.submitMany(5, 12 * GB, "user");
      cluster.loseNode(large);
      MockApp other = cluster.submit();
      int seconds = 0;
      while (other.containers() == 0 && seconds < 4000) {
        cluster.runFor(1);
        seconds++;
        if (loops && seconds % 100 == 0 && looping.containers() == 1) {
          looping.register().failDriver();
        }
      }
      assertThat(impossible).allMatch(app -> app.containers() == 0);
      assertThat(seconds).as("until the other one started").isLessThanOrEqualTo(310);
    }
  }

  /** A stalled application gave back its node; a user at its limit waits. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void userAtItsLimitHoldsNoStalledApplication(boolean greedyWaits) throws Exception {
    try (MockCluster cluster = configured(MockCluster.queueKey("user-limit-factor"), "0.2")) {
      cluster.addNode(20 * GB);
      cluster.addTooSmallNodes(40);
      MockApp greedy = cluster.start(cluster.submission(GB).withUser("greedy"), 20);
      cluster.submitFiller(18 - greedy.containers());
      if (greedyWaits) {
        cluster.submit(cluster.submission(GB).withUser("greedy"));
      }
      MockApp stalled = cluster.submit(cluster.submission(2 * GB).withUser("one"));
      cluster.runFor(310);
      assertThat(stalled.reservations()).isEqualTo(1);
      MockApp small = cluster.submit(cluster.submission(GB).withUser("two"));
      cluster.runFor(3);
      assertThat(small.containers()).isEqualTo(1);
      small.register().finish();
      cluster.addNode(4 * GB);
      int seconds = cluster.runUntilStarted(stalled, 1000);
      assertThat(seconds).as("until the stalled one started").isLessThanOrEqualTo(3);
    }
  }

  /** The crash loop comes after all others and has no trials. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void exhaustedCrashLoopTakesNoNodeFromAStalledApplication(boolean loops) throws Exception {
    try (MockCluster cluster = configured()) {
      cluster.addFilledNodes(1);
      MockApp looping = looping(GB, cluster);
      if (!loops) {
        looping.kill();
      }
      MockApp stalled = cluster.submit(2 * GB, 0);
      cluster.runFor(5);
      RMContainer reserved = stalled.attempt().getReservedContainers().get(0);
      for (int second = 0; second < 1000; second++) {
        cluster.runFor(1);
        assertThat(stalled.attempt().getReservedContainers()).as("after %s s", second)
            .containsExactly(reserved);
      }
    }
  }

  /** A node is reserved for the crash loop, and a node joins that fits the stalled application. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void exhaustedCrashLoopHoldsNoSlotAgainstAStalledApplication(boolean loops) throws Exception {
    try (MockCluster cluster = configured()) {
      cluster.addFilledNodes(1);
      MockNM large = cluster.addNode(8 * GB);
      MockApp looping = looping(2 * GB, cluster);
      if (!loops) {
        looping.kill();
      }
      MockApp stalled = cluster.submit(6 * GB, 0);
      cluster.loseNode(large);
      cluster.runFor(330);
      cluster.addNode(7 * GB);
      int seconds = cluster.runUntilStarted(stalled, 1000);
      assertThat(seconds).as("until the stalled one started").isLessThanOrEqualTo(3);
    }
  }

  /** An older stalled application reserves the node in each trial, and can never have it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void olderStalledApplicationDoesNotStarveAYoungerOne(boolean older) throws Exception {
    try (MockCluster cluster = configured()) {
      MockApp current = halfFilledNode(cluster);
      if (older) {
        cluster.submit(3 * GB, 0);
      }
      MockApp stalled = cluster.submit(2 * GB, 0);
      MockApp next = cluster.submit();
      cluster.runFor(10);
      current.release(current.executors());
      cluster.runFor(320);
      assertThat(next.containers()).isEqualTo(1);
      current.finish();
      current = next;
      current.register().ask(1, GB);
      next = cluster.submit();
      int later = 0;
      int seconds = 0;
      while (stalled.containers() == 0 && later < 60) {
        cluster.runFor(10);
        current.heartbeat();
        current.finish();
        for (int second = 0; second < 60 && next.containers() + stalled.containers() == 0; second++) {
          cluster.runFor(1);
          seconds++;
        }
        if (next.containers() > 0) {
          later++;
          current = next;
          current.register().ask(1, GB);
          next = cluster.submit();
        }
      }
      assertThat(later).as("later applications that started first; idle %s s", seconds)
          .isLessThanOrEqualTo(older ? 16 : 8);
    }
  }

  /** The queue may use half of the node, so nodes have room whenever the queue is at its limit. */
  @ParameterizedTest
  @CsvSource({"0, StateAwareOrderingPolicy", "1, StateAwareOrderingPolicy",
      "0, StateAwareFairOrderingPolicy"})
  void stalledApplicationGetsRoomInAQueueAtItsLimit(int older, String policy) throws Exception {
    try (MockCluster cluster = MockCluster.configured(Class.forName("io.github.dripfeed." + policy),
        MockCluster.queueKey("capacity"), "50", MockCluster.queueKey("maximum-capacity"), "50",
        CapacitySchedulerConfiguration.PREFIX + MockCluster.OTHER + ".capacity", "50")) {
      cluster.addNode(4 * GB);
      MockApp current = cluster.submit();
      cluster.heartbeat();
      for (int i = 0; i < older; i++) {
        cluster.submit(3 * GB, 0);
      }
      MockApp stalled = cluster.submit(2 * GB, 0);
      current.register().ask(1, GB);
      MockApp next = cluster.submit();
      cluster.runFor(1);
      current.heartbeat();
      current.release(current.executors());
      cluster.runFor(330);
      assertThat(next.containers()).isEqualTo(1);
      int later = 0;
      while (stalled.containers() == 0 && later < 60) {
        current.heartbeat();
        current.finish();
        for (int second = 0; second < 60 && next.containers() + stalled.containers() == 0; second++) {
          cluster.runFor(1);
        }
        if (next.containers() > 0) {
          later++;
          current = next;
          current.register().ask(1, GB);
          next = cluster.submit();
          cluster.runFor(5);
        }
      }
      assertThat(later).as("later applications that started first")
          .isLessThanOrEqualTo(8 * (older + 1));
    }
  }

  /** Refreshes, or changes of its priority, each second. */
  @ParameterizedTest
  @ValueSource(strings = {"refresh", "priority", "move"})
  void changesDoNotProlongTheTimeInVain(String change) throws Exception {
    try (MockCluster cluster = configured()) {
      cluster.addNode(8 * GB);
      cluster.addNode(8 * GB);
      MockNM large = cluster.addNode(16 * GB);
      List<MockApp> impossible = cluster.submitMany(5, 12 * GB, "user");
      cluster.loseNode(large);
      MockApp other = cluster.submit();
      int seconds = 0;
      while (other.containers() == 0 && seconds < 400) {
        cluster.runFor(1);
        seconds++;
        if (change.equals("refresh")) {
          cluster.refresh();
        } else if (change.equals("priority")) {
          impossible.get(0).setPriority(1 + seconds % 2);
        } else if (seconds % 100 == 0) {
          impossible.get(0).moveTo(MockCluster.OTHER);
          cluster.runFor(1);
          impossible.get(0).moveTo(DRIP);
        }
      }
      assertThat(seconds).as("until the other one started").isLessThanOrEqualTo(310);
    }
  }

  /** It reserves the node in each trial. */
  @Test
  void unplaceableApplicationWithReservationsCostsASmallShareOfTime() throws Exception {
    try (MockCluster cluster = configured()) {
      MockApp current = halfFilledNode(cluster);
      MockApp never = cluster.submit(3 * GB, 0);
      MockApp next = cluster.submit();
      cluster.runFor(10);
      current.release(current.executors());
      cluster.runFor(320);
      assertThat(next.containers()).isEqualTo(1);
      current.finish();
      int idle = 0;
      int seconds = 0;
      int later = 50;
      for (int i = 0; i < later; i++) {
        current = next;
        current.register().ask(1, GB);
        next = cluster.submit();
        cluster.runFor(10);
        seconds += 10;
        current.heartbeat();
        current.finish();
        while (next.containers() == 0) {
          cluster.heartbeat();
          if (next.containers() == 0) {
            idle++;
          }
          cluster.tick();
          cluster.rm().drainEvents();
          seconds++;
        }
      }
      assertThat(never.containers()).isZero();
      assertThat(idle).as("a sixteenth of %s s, and a monitor round for each trial", seconds)
          .isLessThanOrEqualTo(seconds / 16 + 1 + later / 4);
    }
  }

  /** A crash loop keeps a node; the head reserves another one. */
  @ParameterizedTest
  @CsvSource({"false, 1", "true, 1", "true, 2"})
  void exhaustedCrashLoopTakesNoNodeFromTheHead(boolean loops, int slots) throws Exception {
    try (MockCluster cluster = configured(MockCluster.stateAwareKey("max-starting"), "" + slots)) {
      cluster.addFilledNodes(1 + slots);
      MockNM large = cluster.addNode(8 * GB);
      MockApp looping = looping(2 * GB, cluster);
      cluster.loseNode(large);
      cluster.runFor(5);
      assertThat(looping.reservations()).isEqualTo(1);
      if (!loops) {
        looping.kill();
      }
      List<MockApp> heads = cluster.submitMany(slots, 2 * GB, "user");
      cluster.heartbeat();
      cluster.heartbeat();
      cluster.runMonitor();
      cluster.rm().drainEvents();
      int lost = 0;
      for (int second = 0; second < 100; second++) {
        cluster.heartbeat();
        cluster.tick();
        cluster.rm().drainEvents();
        for (MockApp head : heads) {
          lost += head.reservations() == 0 ? 1 : 0;
        }
      }
      assertThat(lost).as("seconds in which a head had no node").isZero();
    }
  }

  /** Each slot is used by later applications; older stalled ones can never be placed. */
  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0", "3, 0", "4, 0", "2, 1", "3, 1", "4, 1", "2, 2", "4, 2"})
  void stalledApplicationStartsBesideSeveralSlots(int slots, int older) throws Exception {
    try (MockCluster cluster = configured(MockCluster.stateAwareKey("max-starting"), "" + slots)) {
      cluster.addNode(GB);
      MockApp filler = cluster.submitFiller(0);
      cluster.addNode(2 * (slots + 1) * GB);
      filler.ask(1, 2 * GB);
      cluster.heartbeat();
      filler.heartbeat();
      cluster.addTooSmallNodes(40);
      List<MockApp> running = new ArrayList<>();
      for (int i = 0; i < slots; i++) {
        MockApp app = cluster.start(cluster.submission(GB), 1);
        assertThat(app.containers()).isEqualTo(2);
        running.add(app);
      }
      for (int i = 0; i < older; i++) {
        cluster.submit((2 * (slots + 1) - 1) * GB, 0);
      }
      MockApp stalled = cluster.submit(2 * GB, 0);
      List<MockApp> waiting = new ArrayList<>();
      for (int i = 0; i < slots + 1; i++) {
        waiting.add(cluster.submit());
      }
      cluster.runFor(330);
      MockApp first = running.get(0);
      first.release(first.executors());
      cluster.runFor(330);
      int later = 0;
      for (int round = 0; round < 300 && stalled.containers() == 0 && later < 80; round++) {
        cluster.runFor(3);
        for (MockApp app : new ArrayList<>(waiting)) {
          if (app.containers() > 0) {
            waiting.remove(app);
            running.add(app);
            later++;
            app.register().ask(1, GB);
            waiting.add(cluster.submit());
          }
        }
        cluster.runFor(3);
        if (!running.isEmpty() && (running.get(0).containers() > 1 || round % 5 == 4)) {
          MockApp app = running.remove(0);
          app.heartbeat();
          app.finish();
        }
      }
      assertThat(stalled.containers()).as("after %s", later).isEqualTo(1);
      assertThat(later).as("later applications that started first")
          .isLessThanOrEqualTo(8 * (older + 1) + slots);
    }
  }

  /** Before and behind it in line are applications that fit no node. */
  @ParameterizedTest
  @CsvSource({"1, false", "1, true", "2, true", "3, true"})
  void userAtItsLimitBetweenStalledApplicationsHoldsNobodyBack(int slots,
      boolean greedyWaits) throws Exception {
    try (MockCluster cluster = configured(MockCluster.queueKey("user-limit-factor"), "0.3",
        MockCluster.stateAwareKey("max-starting"), "" + slots)) {
      cluster.addNode(16 * GB);
      MockNM large = cluster.addNode(16 * GB);
      MockApp greedy = cluster.start(cluster.submission(GB).withUser("greedy"), 40);
      cluster.submit(cluster.submission(12 * GB).withUser("one"));
      if (greedyWaits) {
        cluster.submit(cluster.submission(GB).withUser("greedy"));
        cluster.submit(cluster.submission(2 * GB).withUser("greedy"));
      }
      cluster.submit(cluster.submission(13 * GB).withUser("two"));
      cluster.loseNode(large);
      cluster.runFor(2);
      cluster.submitFiller(16 - greedy.containers() - 2);
      MockApp other = cluster.submit(cluster.submission(GB).withUser("three"));
      int seconds = cluster.runUntilStarted(other, 1500);
      assertThat(seconds).isLessThanOrEqualTo(310);
    }
  }

  /** The line is open when a refresh changes the time. */
  @ParameterizedTest
  @CsvSource({"10s, 300s", "300s, 30s", "0, 60s"})
  void changedAcceptedTimeoutAppliesAtOnce(String before, String after) throws Exception {
    try (MockCluster cluster = configured(MockCluster.stateAwareKey("accepted-timeout"), before)) {
      cluster.addNode(8 * GB);
      MockNM large = cluster.addNode(16 * GB);
      cluster.submitMany(5, 12 * GB, "user");
      cluster.loseNode(large);
      cluster.runFor(320);
      cluster.refresh(MockCluster.stateAwareKey("accepted-timeout"), after);
      MockApp other = cluster.submit();
      int seconds = cluster.runUntilStarted(other, 1000);
      assertThat(seconds).as("until the other one started").isLessThanOrEqualTo(310);
    }
  }

  /** A node of 4 GB of which another queue uses 2 GB; the rest is an application's. */
  private static MockApp halfFilledNode(MockCluster cluster) throws Exception {
    cluster.addNode(GB);
    MockApp filler = cluster.submitFiller(0);
    cluster.addNode(4 * GB);
    filler.ask(1, 2 * GB);
    cluster.heartbeat();
    filler.heartbeat();
    cluster.addTooSmallNodes(16);
    MockApp app = cluster.start(cluster.submission(GB), 1);
    assertThat(app.containers()).isEqualTo(2);
    return app;
  }

  private static MockApp looping(int driverMemory, MockCluster cluster) throws Exception {
    return StartingTimeTest.exhaustStartingTime(
        cluster.submit(cluster.submission(driverMemory).withMaxAttempts(1000)), cluster);
  }

  private static MockCluster configured(String... more) {
    List<String> properties = new ArrayList<>(List.of(
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB,
        YarnConfiguration.RM_AM_MAX_ATTEMPTS, "1000"));
    properties.addAll(Arrays.asList(more));
    return MockCluster.configured(StateAwareOrderingPolicy.class, properties.toArray(new String[0]));
  }
}
