// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.TenantQueues.CONFIGURED;
import static io.github.dripfeed.fixture.TenantQueues.tenant;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

/** How long an application of one queue can hold those of another queue of its group. */
class StartingGroupBoundsTest {

  private static final int ACCEPTED_TIMEOUT = 300;

  @Test
  void headThatFitsNowhereHoldsNoOtherQueue() throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of(
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB))) {
      submitOneThatFitsNowhere(cluster);
      for (int i = 0; i < 4; i++) {
        MockApp app = submit(2, GB, cluster);
        cluster.runFor(2);
        assertThat(app.state()).isEqualTo(STARTING);
        app.register().finish();
      }
    }
  }

  /** YARN tells between two rounds of the monitor. The others request nothing: their drivers come up. */
  @Test
  void oneOfThirtyThatAsksForExecutorsHoldsBackDriversAtOnce() throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of(), "max-starting", "40")) {
      cluster.addNode(64 * GB);
      MockApp last = null;
      for (int i = 0; i < 30; i++) {
        last = submit(1, GB, cluster);
        cluster.heartbeat();
        last.register();
      }
      MockApp next = submit(2, GB, cluster);
      assertThat(cluster.offeredIn(tenant(2))).as("none of the thirty lacks any").contains(next.name());
      last.ask(Requests.thatFitNowhere());
      assertThat(cluster.offeredIn(tenant(2))).isEmpty();
    }
  }

  @Test
  void reservedDriverGivesWayToAnotherQueueInTime() throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of())) {
      cluster.addFilledNodes(1);
      MockApp big = submit(1, 2 * GB, cluster);
      cluster.heartbeat();
      assertThat(big.reservations()).isEqualTo(1);
      MockApp small = submit(2, GB, cluster);
      cluster.runFor(ACCEPTED_TIMEOUT - 5);
      assertThat(small.containers()).as("the reserved driver has the slot").isZero();
      assertThat(big.reservations()).isEqualTo(1);
      cluster.runFor(10);
      assertThat(small.containers()).as("on the node that was reserved").isEqualTo(1);
      assertThat(big.reservations()).isZero();
    }
  }

  @Test
  void reservedDriverKeepsItsNodeWhileNoOtherQueueWaits() throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of())) {
      MockApp filler = cluster.addFilledNodes(1);
      MockApp big = submit(1, 2 * GB, cluster);
      cluster.runFor(1000);
      assertThat(big.reservations()).isEqualTo(1);
      filler.release(filler.executors());
      cluster.heartbeat();
      assertThat(big.containers()).isEqualTo(1);
    }
  }

  /** Each of them could hold a node for the timeout; in a group, all of them can. */
  @Test
  void reservedDriversOfManyQueuesCostOneTimeoutInAll() throws Exception {
    int many = 5;
    try (MockCluster cluster = CONFIGURED.grouped(many + 1, Map.of())) {
      cluster.addFilledNodes(1);
      for (int i = 1; i <= many; i++) {
        submit(i, 2 * GB, cluster);
      }
      cluster.heartbeat();
      MockApp small = submit(many + 1, GB, cluster);
      int seconds = 0;
      while (small.containers() == 0 && seconds < many * ACCEPTED_TIMEOUT) {
        runWithinSlots(1, cluster);
        seconds++;
      }
      assertThat(small.containers()).isEqualTo(1);
      assertThat(seconds).as("one timeout, and two heartbeats and rounds for each")
          .isLessThanOrEqualTo(ACCEPTED_TIMEOUT + 4 * many);
    }
  }

  /**
   * Its queue uses more than the other one, so YARN offers to the other one first, whose applications
   * leave less room than it needs.
   */
  @Test
  void stalledApplicationHasItsTrialsWhileAnotherQueueStarts() throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of())) {
      cluster.addFilledNodes(1);
      MockApp stalled = submit(1, 2 * GB, cluster);
      MockApp next = submit(2, GB, cluster);
      cluster.runFor(ACCEPTED_TIMEOUT + 10);
      assertThat(next.containers()).isEqualTo(1);
      next.register().finish();
      cluster.addNode(8 * GB);
      next = submit(2, GB, cluster);
      MockApp runs = submit(1, GB, cluster);
      while (runs.containers() == 0) {
        cluster.runFor(1);
        if (next.containers() == 1 && !next.isRegistered()) {
          next.register().finish();
        }
      }
      runs.register().ask(5, GB);
      cluster.heartbeat();
      runs.heartbeat();
      assertThat(stalled.containers()).isZero();
      int later = startOneAfterTheOther(30, stalled, cluster);
      assertThat(later).as("later applications that started first").isLessThanOrEqualTo(9);
    }
  }

  /** The crash loop, whose starting time is used up, keeps a node; so does the head of the other queue. */
  @Test
  void crashLoopOfAnotherQueueTakesNoNodeFromTheHead() throws Exception {
    try (MockCluster cluster =
        CONFIGURED.grouped(2, Map.of(YarnConfiguration.RM_AM_MAX_ATTEMPTS, "1000"))) {
      cluster.addFilledNodes(2);
      MockNM large = cluster.addNode(8 * GB);
      MockApp looping = StartingTimeTest.exhaustStartingTime(cluster.submit(cluster.submission(2 * GB)
          .withQueue(tenant(2)).withUser("t2").withMaxAttempts(1000)), cluster);
      cluster.loseNode(large);
      cluster.runFor(5);
      assertThat(looping.reservations()).isEqualTo(1);
      MockApp head = submit(1, 2 * GB, cluster);
      cluster.runFor(2);
      for (int second = 0; second < 200; second++) {
        cluster.runFor(1);
        assertThat(head.reservations()).as("after %s s", second).isEqualTo(1);
      }
    }
  }

  /** It fits one node only; the others report first, and the other queue always has the next one. */
  @Test
  void headThatNeedsAnotherNodeIsNotOvertakenForEver() throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of())) {
      cluster.addNode(4 * GB);
      cluster.addNode(4 * GB);
      cluster.addNode(8 * GB);
      MockApp large = submit(1, 6 * GB, cluster);
      int later = startOneAfterTheOther(100, large, cluster);
      assertThat(later).as("that were started before it").isLessThanOrEqualTo(16);
    }
  }

  /** YARN comes to the other queue first, which uses less, and its next application takes the slot. */
  @Test
  void headThatIsNeverOfferedIsNotOvertakenForEver() throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of())) {
      cluster.addNode(16 * GB);
      cluster.addNode(16 * GB);
      MockApp runs = submit(1, GB, cluster);
      cluster.runFor(1);
      runs.register().ask(8, GB);
      cluster.runFor(2);
      runs.heartbeat();
      MockApp first = submit(2, GB, cluster);
      cluster.runFor(1);
      MockApp waiting = submit(1, GB, cluster);
      MockApp next = submit(2, GB, cluster);
      first.register().finish();
      assertThat(startOneAfterTheOther(next, 100, waiting, cluster)).isLessThanOrEqualTo(8);
    }
  }

  /** @return how many applications of the second queue got their drivers before this one */
  private static int startOneAfterTheOther(int most, MockApp waiting, MockCluster cluster)
      throws Exception {
    return startOneAfterTheOther(submit(2, GB, cluster), most, waiting, cluster);
  }

  /** @param first the first one of the second queue */
  private static int startOneAfterTheOther(MockApp first, int most, MockApp waiting, MockCluster cluster)
      throws Exception {
    int later = 0;
    MockApp next = first;
    while (waiting.containers() == 0 && later < most) {
      cluster.runFor(1);
      if (next.containers() == 1) {
        later++;
        MockApp following = submit(2, GB, cluster);
        next.register().finish();
        next = following;
      }
    }
    return later;
  }

  /** One that can never be placed costs the other queue a sixteenth of the time. */
  @Test
  void trialsInVainCostTheGroupASmallShare() throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of(
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB))) {
      submitOneThatFitsNowhere(cluster);
      cluster.runFor(ACCEPTED_TIMEOUT + 10);
      int held = 0;
      MockApp next = submit(2, GB, cluster);
      for (int second = 0; second < 1600; second++) {
        cluster.runFor(1);
        if (next.containers() == 0) {
          held++;
        } else if (second % 20 == 0) {
          next.register().finish();
          next = submit(2, GB, cluster);
        }
      }
      assertThat(held).as("seconds of 1600").isLessThanOrEqualTo(100 + 5);
    }
  }

  /**
   * Adds a node of 8 GB. Small nodes give the queue room enough: YARN blocks all queues of a parent for
   * one whose request exceeds the room of the parent.
   */
  private static void submitOneThatFitsNowhere(MockCluster cluster) throws Exception {
    cluster.addNode(8 * GB);
    cluster.addTooSmallNodes(40);
    MockNM large = cluster.addNode(16 * GB);
    submit(1, 12 * GB, cluster);
    cluster.loseNode(large);
  }

  private static MockApp submit(int number, int memory, MockCluster cluster) throws Exception {
    return CONFIGURED.submit(number, memory, cluster);
  }

  /** Runs the cluster; at most one driver of the group is starting or reserved after every heartbeat. */
  private static void runWithinSlots(int seconds, MockCluster cluster) throws Exception {
    for (int second = 0; second < seconds; second++) {
      for (MockNM node : cluster.nodes()) {
        cluster.heartbeat(node);
        List<Object> holders = new ArrayList<>();
        for (int number = 1; cluster.queue(tenant(number)) != null; number++) {
          cluster.policy(tenant(number)).getSchedulableEntities().forEach(attempt -> {
            if (cluster.stateOf(attempt) == STARTING || !attempt.getReservedContainers().isEmpty()) {
              holders.add(attempt.getId());
            }
          });
        }
        assertThat(holders).hasSizeLessThanOrEqualTo(1);
      }
      cluster.tick();
      cluster.rm().drainEvents();
    }
  }
}
