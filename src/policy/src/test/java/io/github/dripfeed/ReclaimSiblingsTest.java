// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.ReclaimCluster;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What other queues want and can get decides whether reclaim goes on beside them. */
class ReclaimSiblingsTest {

  private static final String RACK = "/default-rack";

  @Test
  void siblingAtItsDriverLimitDoesNotStopReclaim() throws Exception {
    try (ReclaimCluster queue = halves(key(OTHER, "maximum-am-resource-percent"), "0.05")) {
      queue.cluster.addNode(20 * GB);
      queue.start(queue.cluster.submission(GB).withQueue(OTHER), 0);
      queue.submit(queue.cluster.submission(GB).withQueue(OTHER));
      assertUrgentRequestsAreMet(queue);
    }
  }

  @Test
  void siblingAtItsUserLimitDoesNotStopReclaim() throws Exception {
    try (ReclaimCluster queue = halves(key(OTHER, "user-limit-factor"), "0.1")) {
      queue.cluster.addNode(20 * GB);
      queue.start(queue.cluster.submission(GB).withQueue(OTHER), 5);
      assertUrgentRequestsAreMet(queue);
    }
  }

  @Test
  void siblingWithUnplaceableRequestsDoesNotStopReclaim() throws Exception {
    try (ReclaimCluster queue = halves()) {
      for (int node = 0; node < 5; node++) {
        queue.cluster.addNode(4 * GB);
      }
      MockApp elsewhere = queue.start(queue.cluster.submission(GB).withQueue(OTHER), 0);
      // The request allows only a host that is not in the cluster.
      elsewhere.ask(List.of(Requests.at("10.0.0.9", 1), Requests.onlyAt(RACK, 1), Requests.onlyAt("*", 1)));
      assertUrgentRequestsAreMet(queue);
    }
  }

  @Test
  void siblingWhoseFirstRequestFitsOnNoNodeDoesNotStopReclaim() throws Exception {
    try (ReclaimCluster queue = halves()) {
      for (int node = 0; node < 5; node++) {
        queue.cluster.addNode(4 * GB);
      }
      MockApp elsewhere = queue.start(queue.cluster.submission(GB).withQueue(OTHER), 0);
      MockNM large = queue.cluster.addNode(8 * GB);
      ResourceRequest behind = Requests.anywhere(1, GB, 1);
      behind.setPriority(Priority.newInstance(2));
      elsewhere.ask(List.of(Requests.anywhere(1, 8 * GB, 1), behind));
      queue.cluster.loseNode(large);
      // Else YARN keeps room for it below the limit of the parent queue.
      queue.cluster.addTooSmallNodes(40);
      assertUrgentRequestsAreMet(queue);
      assertThat(elsewhere.containers()).as("YARN does not come to the second one").isEqualTo(1);
    }
  }

  private static void assertUrgentRequestsAreMet(ReclaimCluster queue) throws Exception {
    queue.start(0, 30);
    MockApp urgent = queue.submit(5);
    queue.rounds(ReclaimCluster.ROUNDS);
    assertThat(urgent.containers()).isEqualTo(1);
    urgent.register().ask(3, GB);
    queue.rounds(2 * ReclaimCluster.ROUNDS);
    assertThat(urgent.containers()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"'drip,other', 50, 9, 8, 1", "'other,drip', 50, 13, 12, 0", "'drip,other', 60, 13, 8, 1",
      "'other,drip', 60, 13, 8, 1", "'drip,other', 40, 9, 12, 0"})
  void equallyUsedQueuesAreServedByCapacityThenByConfiguredOrder(
      String queues, int percent, int own, int others, int received) throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(
        CapacitySchedulerConfiguration.PREFIX + "root.queues", queues,
        key(DRIP, "capacity"), String.valueOf(percent),
        key(OTHER, "capacity"), String.valueOf(100 - percent))) {
      queue.cluster.addNode((own + others) * GB);
      queue.start(0, own - 1);
      MockApp other = queue.start(queue.cluster.submission(GB).withQueue(OTHER), others - 1);
      other.ask(5, GB);
      queue.heartbeats();
      MockApp urgent = queue.submit(5);
      queue.rounds(3 * ReclaimCluster.ROUNDS);
      assertThat(urgent.containers()).isEqualTo(received);
      assertThat(queue.lost()).as("nothing for the other queue").isEqualTo(received);
      assertThat(other.containers()).isEqualTo(others);
    }
  }

  @Test
  void queuesAtEveryLevelAreCompared() throws Exception {
    String top = CapacitySchedulerConfiguration.PREFIX + "root.top.";
    try (ReclaimCluster queue = ReclaimCluster.byPriority(
        CapacitySchedulerConfiguration.PREFIX + "root.queues", "top,other,drip",
        key(DRIP, "capacity"), "0", key(OTHER, "capacity"), "50",
        top + "capacity", "50", top + "maximum-capacity", "100", top + "queues", "mine,sib",
        top + "mine.capacity", "50", top + "sib.capacity", "50",
        top + "mine.maximum-capacity", "100", top + "sib.maximum-capacity", "100",
        top + "mine.user-limit-factor", "100", top + "sib.user-limit-factor", "100",
        top + "mine.maximum-am-resource-percent", "1", top + "sib.maximum-am-resource-percent", "1",
        top + "mine.ordering-policy", StateAwareOrderingPolicy.class.getName(),
        top + "mine.ordering-policy.state-aware.reclaim.enabled", "true")) {
      queue.cluster.addNode(20 * GB);
      queue.start(queue.cluster.submission(GB).withQueue("root.top.mine"), 3);
      queue.start(queue.cluster.submission(GB).withQueue("root.top.sib"), 6);
      MockApp other = queue.start(queue.cluster.submission(GB).withQueue(OTHER), 8);
      other.ask(5, GB);
      queue.submit(queue.cluster.submission(GB).withQueue("root.top.mine").withPriority(5));
      queue.rounds(3 * ReclaimCluster.ROUNDS);
      assertThat(queue.lost()).as("it would go to the other queue").isZero();
    }
  }

  static ReclaimCluster halves(String... more) {
    List<String> all = new ArrayList<>(
        List.of(key(DRIP, "capacity"), "50", key(OTHER, "capacity"), "50"));
    all.addAll(List.of(more));
    return ReclaimCluster.byPriority(all.toArray(new String[0]));
  }
}
