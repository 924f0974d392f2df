// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.ReclaimSiblingsTest.halves;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.ReclaimCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases in which containers were once preempted in vain, or were not preempted and should have been. */
class ReclaimInVainTest {

  private static final String RACK = "/default-rack";

  @ParameterizedTest
  @CsvSource({"20, 20, 20", "20, 100, 20", "60, 100, 100"})
  void hostRequestsAreMetAndNothingIsPreemptedDuringTheLocalityDelay(
      int hosts, int wanted, int received) throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      for (int node = 0; node < 60; node++) {
        queue.cluster.addNode(4 * GB);
      }
      queue.start(0, 600);
      MockApp urgent = queue.submit(5);
      queue.rounds(ReclaimCluster.ROUNDS);
      assertThat(queue.lost()).isEqualTo(1);
      List<ResourceRequest> requests = new ArrayList<>();
      for (int node = 0; node < hosts; node++) {
        requests.add(Requests.at(host(queue.cluster.node(node)), 1));
      }
      requests.add(Requests.at(RACK, wanted));
      requests.add(Requests.at("*", wanted));
      urgent.register().ask(requests);
      queue.rounds(40);
      assertThat(queue.lost()).as("one for each container received").isEqualTo(urgent.containers());
      assertThat(urgent.containers()).as("its driver, one on each host, and what needs no delay")
          .isEqualTo(1 + received);
    }
  }

  @Test
  void hostRequestedTwiceGetsTwoContainersAndTheOthersFollow() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      for (int node = 0; node < 10; node++) {
        queue.cluster.addNode(6 * GB);
      }
      queue.start(0, 80);
      MockApp urgent = queue.arrive(5);
      urgent.ask(List.of(Requests.at(host(queue.cluster.node(5)), 2), Requests.at(RACK, 8),
          Requests.at("*", 8)));
      queue.rounds(40);
      assertThat(queue.lost()).as("one for each container that YARN places").isEqualTo(urgent.containers());
      assertThat(urgent.attempt().getLiveContainers().stream()
          .filter(container -> container.getAllocatedNode().equals(queue.cluster.node(5).getNodeId())))
          .as("on the host").hasSize(2);
      // Then the delay for six more is 6 * 1 / 10, and the first opportunity counts as one.
      assertThat(urgent.containers()).isEqualTo(9);
    }
  }

  @ParameterizedTest
  @CsvSource({"8, 0", "13, 2"})
  void freeResourcesElsewhereAreUsedBeforePreemptionOnRequestedHosts(int wanted, int preempted)
      throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      for (int node = 0; node < 4; node++) {
        queue.cluster.addNode(6 * GB);
      }
      MockApp low = queue.start(0, 11);
      assertThat(low.containers()).isEqualTo(12);
      MockApp urgent = queue.start(5, 0);
      for (int round = 0; round < 60; round++) {
        int pending = wanted - urgent.executors().size();
        urgent.ask(List.of(Requests.at(host(queue.cluster.node(0)), pending),
            Requests.at(host(queue.cluster.node(1)), pending), Requests.at(RACK, pending),
                Requests.at("*", pending)));
        runRequesting(queue, low, 11, 1);
      }
      assertThat(urgent.containers()).isEqualTo(1 + wanted);
      assertThat(queue.lost()).as("none for what fits on free resources").isEqualTo(preempted);
      assertThat(low.containers()).as("none comes back").isEqualTo(12 - preempted);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void afterTheLocalityDelayRackRequestsPreemptAsOftenAsYarnPlaces(boolean fullReset) throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(
        CapacitySchedulerConfiguration.PREFIX + "node-locality-delay", "1",
        CapacitySchedulerConfiguration.PREFIX + "rack-locality-full-reset", String.valueOf(fullReset))) {
      for (int node = 0; node < 6; node++) {
        queue.cluster.addNode(6 * GB);
      }
      MockApp low = queue.start(0, 32);
      MockApp urgent = queue.start(5, 0);
      assertThat(low.containers()).isEqualTo(33);
      urgent.ask(List.of(Requests.at("127.0.0.250", 8), Requests.at(RACK, 8), Requests.at("*", 8)));
      queue.rounds(40);
      assertThat(urgent.containers()).isEqualTo(fullReset ? 3 : 9);
      assertThat(queue.lost()).isEqualTo(fullReset ? 0 : 6);
    }
  }

  private static String host(MockNM node) {
    return node.getNodeId().getHost();
  }

  @ParameterizedTest
  @CsvSource({"50, 100", "34, 100", "50, 0.3", "100, 0.4"})
  void usersComeToRestAtTheUserLimit(String percent, String factor) throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(
        queueKey("minimum-user-limit-percent"), percent, queueKey("user-limit-factor"), factor)) {
      queue.cluster.addNode(21 * GB);
      MockApp low = queue.start(queue.cluster.submission(GB).withUser("low").withPriority(0), 1);
      MockApp more = queue.start(queue.cluster.submission(GB).withUser("more").withPriority(0), 1);
      low.ask(30, GB);
      more.ask(30, GB);
      queue.heartbeats();
      MockApp urgent = queue.arrive(queue.cluster.submission(GB).withUser("urgent").withPriority(1));
      urgent.ask(30, GB);
      queue.rounds(30);
      int lost = queue.lost();
      int containers = urgent.containers();
      assertThat(lost).as("none in vain").isLessThanOrEqualTo(containers);
      assertThat(low.containers() + more.containers() + containers).isLessThanOrEqualTo(21);
      queue.rounds(30);
      assertThat(queue.lost()).as("at rest").isEqualTo(lost);
      assertThat(urgent.containers()).as("at rest").isEqualTo(containers).isGreaterThan(6);
    }
  }

  @Test
  void twoUsersWithUnlimitedDemandComeToRestWithHalfEach() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(queueKey("minimum-user-limit-percent"), "50")) {
      queue.cluster.addNode(21 * GB);
      MockApp low = queue.start(queue.cluster.submission(GB).withUser("low").withPriority(0), 30);
      MockApp urgent = queue.arrive(queue.cluster.submission(GB).withUser("urgent").withPriority(1));
      urgent.ask(30, GB);
      queue.rounds(30);
      queue.assertAtRest(60);
      assertThat(queue.lost()).as("none in vain").isEqualTo(urgent.containers());
      assertThat(urgent.containers()).isBetween(10, 11);
      assertThat(low.containers()).isBetween(10, 11);
    }
  }

  @Test
  void userAtItsLimitPreemptsItsOwnContainersAsFarAsYarnAllows() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(queueKey("minimum-user-limit-percent"), "50")) {
      queue.cluster.addNode(21 * GB);
      MockApp low = queue.start(queue.cluster.submission(GB).withUser("one").withPriority(0), 9);
      queue.start(queue.cluster.submission(GB).withUser("two").withPriority(9), 30);
      MockApp urgent = queue.arrive(queue.cluster.submission(GB).withUser("one").withPriority(5));
      assertThat(urgent.containers()).isEqualTo(1);
      urgent.ask(30, GB);
      queue.rounds(30);
      int lost = queue.lost();
      assertThat(urgent.containers()).as("all that its own application could lose").isEqualTo(8);
      assertThat(low.containers()).isEqualTo(2);
      assertThat(lost).isEqualTo(8);
      queue.rounds(30);
      assertThat(queue.lost()).as("at rest").isEqualTo(lost);
    }
  }

  @Test
  void userAtItsLimitPreemptsItsOwnContainersBeforeLowerPriorities() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(queueKey("minimum-user-limit-percent"), "50",
        stateAwareKey("max-starting"), "5")) {
      queue.cluster.addNode(10 * GB);
      queue.cluster.addNode(10 * GB);
      MockApp urgent = queue.start(queue.cluster.submission(GB).withUser("one").withPriority(5), 0);
      MockApp own = queue.start(queue.cluster.submission(GB).withUser("one").withPriority(2), 8);
      MockApp other = queue.start(queue.cluster.submission(GB).withUser("two").withPriority(1), 30);
      assertThat(own.containers()).isEqualTo(9);
      assertThat(other.containers()).isEqualTo(10);
      urgent.ask(4, GB);
      queue.rounds(30);
      assertThat(urgent.containers()).isEqualTo(5);
      assertThat(queue.lost()).as("one for each container received").isEqualTo(4);
      assertThat(own.containers() + urgent.containers()).as("one above half").isEqualTo(11);
      assertThat(other.containers()).isEqualTo(9);
    }
  }

  @Test
  void userThatLosesContainersRequestsThemAgainAndTheLimitFalls() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(queueKey("minimum-user-limit-percent"), "50")) {
      queue.cluster.addNode(22 * GB);
      MockApp low = queue.start(queue.cluster.submission(GB).withUser("low").withPriority(0), 20);
      MockApp urgent =
          queue.start(queue.cluster.submission(GB).withUser("urgent").withPriority(1), 0);
      urgent.ask(30, GB);
      runRequesting(queue, low, 20, 30);
      assertThat(urgent.containers()).isBetween(10, 12);
      assertThat(queue.lost()).as("none in vain").isEqualTo(urgent.containers() - 1);
    }
  }

  /** Runs rounds in which the application keeps requesting so many executors, including those it lost. */
  private static void runRequesting(ReclaimCluster queue, MockApp app, int executors,
      int rounds) throws Exception {
    for (int round = 0; round < rounds; round++) {
      app.ask(executors - app.executors().size(), GB);
      queue.roundAndHeartbeats();
    }
  }

  /** Where its containers are larger, YARN gives the loser one more: its user has fallen to the limit. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void applicationOfAUserAtItsLimitGetsItsDriverForOneContainer(int size) throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(queueKey("user-limit-factor"), "0.5")) {
      queue.cluster.addNode(24 * GB);
      MockApp low = queue.start(0, 1);
      low.ask(20, size * GB);
      queue.heartbeats();
      assertThat(low.attempt().getCurrentConsumption().getMemorySize())
          .as("1 GB more than the user limit").isEqualTo(12 * GB);
      MockApp urgent = queue.submit(5);
      queue.rounds(40);
      assertThat(urgent.containers()).isEqualTo(1);
      assertThat(queue.lost()).isEqualTo(1);
    }
  }

  @Test
  void userFarAboveItsLimitLosesNothing() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(queueKey("minimum-user-limit-percent"), "34",
        stateAwareKey("max-starting"), "5")) {
      queue.cluster.addNode(37 * GB);
      queue.start(queue.cluster.submission(GB).withUser("many").withPriority(1), 20);
      MockApp urgent = queue.start(queue.cluster.submission(GB).withUser("many").withPriority(5), 0);
      MockApp low = queue.start(queue.cluster.submission(GB).withUser("low").withPriority(0), 14);
      assertThat(low.containers()).isEqualTo(15);
      low.ask(10, GB);
      urgent.ask(2, GB);
      queue.rounds(30);
      assertThat(queue.lost()).as("most of it would go to others").isZero();
    }
  }

  @Test
  void userWithTwiceTheWeightGetsTwiceAsMuch() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(queueKey("minimum-user-limit-percent"), "34",
        queueKey("user-settings.urgent.weight"), "2")) {
      queue.cluster.addNode(21 * GB);
      queue.start(queue.cluster.submission(GB).withUser("low").withPriority(0), 30);
      MockApp urgent = queue.arrive(queue.cluster.submission(GB).withUser("urgent").withPriority(1));
      urgent.ask(30, GB);
      queue.rounds(30);
      int lost = queue.lost();
      assertThat(urgent.containers()).as("two thirds").isBetween(13, 15);
      assertThat(lost).isEqualTo(urgent.containers());
      queue.rounds(30);
      assertThat(queue.lost()).as("at rest").isEqualTo(lost);
    }
  }

  @Test
  void reservationOfALowerPriorityIsReleased() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(stateAwareKey("max-starting"), "10")) {
      queue.cluster.addNode(6 * GB);
      MockApp low = queue.start(0, 0);
      low.ask(List.of(Requests.anywhere(1, 3 * GB, 1)));
      queue.heartbeats();
      for (int node = 0; node < 2; node++) {
        queue.cluster.addNode(6 * GB);
        queue.start(queue.cluster.submission(5 * GB).withPriority(9), 0);
      }
      // 4 GB are free: 2 GB on its node and 1 GB on each of the others.
      low.ask(List.of(Requests.anywhere(1, 4 * GB, 1)));
      queue.heartbeats();
      assertThat(low.reservations()).isEqualTo(1);
      MockApp urgent = queue.submit(queue.cluster.submission(2 * GB).withPriority(5));
      queue.rounds(3);
      int atOnce = urgent.containers();
      queue.rounds(37);
      assertThat(urgent.containers()).as("in 40 rounds").isEqualTo(1);
      assertThat(atOnce).as("in three").isEqualTo(1);
      assertThat(queue.lost()).as("no container is preempted").isZero();
    }
  }

  @Test
  void reservationReleasedBeforeTheGracePeriodOfContainersIsNotInVain() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(stateAwareKey("max-starting"), "10")) {
      MockNM node = queue.cluster.addNode(6 * GB);
      MockApp low = queue.start(0, 3);
      MockApp reserving = queue.start(0, 0);
      for (int other = 0; other < 2; other++) {
        queue.cluster.addNode(6 * GB);
        queue.start(queue.cluster.submission(5 * GB).withPriority(9), 0);
      }
      // 1 GB is free on each node.
      reserving.ask(List.of(Requests.anywhere(1, 3 * GB, 1)));
      queue.heartbeats();
      assertThat(queue.cluster.scheduler().getNode(node.getNodeId()).getReservedContainer()
          .getApplicationAttemptId()).isEqualTo(reserving.attempt().getApplicationAttemptId());
      MockApp urgent = queue.submit(queue.cluster.submission(3 * GB).withPriority(5));
      queue.rounds(1);
      assertThat(reserving.reservations()).as("released at once").isZero();
      queue.rounds(ReclaimCluster.ROUNDS - 1);
      assertThat(urgent.containers()).as("after the grace period").isEqualTo(1);
      assertThat(low.containers()).as("two executors had to go").isEqualTo(2);
      assertThat(queue.lost()).isEqualTo(2);
    }
  }

  @Test
  void shortDemandInASiblingDoesNotRestartTheGracePeriod() throws Exception {
    try (ReclaimCluster queue = halves()) {
      queue.cluster.addNode(20 * GB);
      MockApp other = queue.start(queue.cluster.submission(GB).withQueue(OTHER), 0);
      queue.start(0, 30);
      MockApp urgent = queue.submit(5);
      for (int turn = 0; turn < 6 && urgent.containers() == 0; turn++) {
        queue.rounds(2);
        other.ask(1, GB);
        queue.round();
        other.ask(0, GB);
      }
      queue.rounds(1);
      assertThat(urgent.containers()).isEqualTo(1);
      assertThat(queue.lost()).isEqualTo(1);
    }
  }

  @Test
  void expiredNoticeIsRepeatedBeforePreemption() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      queue.cluster.addNode(10 * GB);
      MockApp low = queue.start(0, 9);
      MockApp urgent = queue.submit(1);
      queue.round();
      assertThat(low.notified()).hasSize(1);
      queue.cluster.refresh(queueKey("disable_preemption"), "true");
      queue.rounds(1200);
      queue.cluster.refresh(queueKey("disable_preemption"), "false");
      queue.round();
      assertThat(queue.lost()).as("not without a notice").isZero();
      assertThat(low.notified()).as("a new notice").hasSize(1);
      queue.rounds(ReclaimCluster.ROUNDS);
      assertThat(urgent.containers()).isEqualTo(1);
    }
  }

  @Test
  void tagProtectsNoMoreExecutorsThanTheQueue() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(
        stateAwareKey("allow-application-overrides"), "true", stateAwareKey("min-executors"), "2")) {
      queue.cluster.addNode(10 * GB);
      MockApp tagged =
          queue.start(queue.cluster.submission(GB).withTags("stateaware.min-executors=100000"), 9);
      // The application counts as starting until starting-timeout is over.
      queue.cluster.advance(Duration.ofMinutes(6));
      MockApp urgent = queue.arrive(1);
      assertThat(urgent.containers()).isEqualTo(1);
      urgent.ask(9, GB);
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(tagged.containers()).as("its driver, and the queue's min-executors").isEqualTo(3);
      assertThat(urgent.containers()).isEqualTo(7);
    }
  }

  @Test
  void maxContainersCountsForAllPartitionsTogether() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(
        ReclaimCluster.withLabel("gpu", stateAwareKey("max-containers"), "10"))) {
      queue.cluster.addNode(10 * GB);
      queue.addNode(10 * GB, "gpu");
      queue.start(0, 9);
      MockApp onGpu = queue.start(queue.cluster.submission(GB).withDriverLabel("gpu"), 0);
      onGpu.ask(List.of(Requests.on("gpu", 9)));
      queue.rounds(1);
      MockApp urgent = queue.submit(1);
      queue.rounds(ReclaimCluster.ROUNDS);
      assertThat(urgent.containers()).isEqualTo(1);
      queue.cluster.refresh(stateAwareKey("max-containers"), "5");
      ResourceRequest second = Requests.on("gpu", 6);
      second.setPriority(Priority.newInstance(2));
      urgent.register().ask(List.of(Requests.on("", 6), second));
      queue.rounds(2 * ReclaimCluster.ROUNDS);
      assertThat(urgent.containers()).isEqualTo(5);
      assertThat(queue.lost()).as("one for each container received").isEqualTo(5);
    }
  }

  /** The containers of its next attempt begin at number 1 again, beside those that it has kept. */
  @Test
  void nextAttemptThatKeptItsContainersIsNotSlowedDown() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(
        CapacitySchedulerConfiguration.TOTAL_PREEMPTION_PER_ROUND, "0.01")) {
      queue.cluster.addNode(13 * GB);
      MockApp urgent = queue.start(queue.cluster.submission(GB).withPriority(5).keepingContainers(), 6);
      queue.start(0, 5);
      urgent.launchExecutors();
      urgent.failDriver();
      queue.cluster.heartbeat();
      urgent.register();
      assertThat(urgent.containers()).as("its driver, and what it kept").isEqualTo(7);
      urgent.ask(9, GB);
      queue.rounds(ReclaimCluster.ROUNDS + 6);
      assertThat(urgent.containers()).as("all that may be preempted, one in each round").isEqualTo(11);
    }
  }

  @Test
  void keptContainersAreOlderThanThoseOfTheNextAttempt() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      queue.cluster.addNode(8 * GB);
      MockApp low = queue.start(queue.cluster.submission(GB).keepingContainers(), 5);
      low.launchExecutors();
      List<ContainerId> kept = low.executors();
      low.failDriver();
      queue.cluster.heartbeat();
      low.register().ask(2, GB);
      queue.heartbeats();
      assertThat(low.containers()).isEqualTo(8);
      MockApp urgent = queue.arrive(5);
      assertThat(urgent.containers()).isEqualTo(1);
      assertThat(low.executors()).containsAll(kept).hasSize(6);
    }
  }

  @Test
  void clockMayBeginAnywhere() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      queue.cluster.advance(Duration.ofDays(-365));
      queue.cluster.addNode(10 * GB);
      queue.start(0, 9);
      MockApp urgent = queue.submit(1);
      queue.rounds(ReclaimCluster.ROUNDS);
      assertThat(urgent.containers()).isEqualTo(1);
    }
  }
}
