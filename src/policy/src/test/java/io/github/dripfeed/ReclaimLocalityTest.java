// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.ReclaimCluster;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases in which YARN restarted the locality delay, and a preempted container came back to the loser. */
class ReclaimLocalityTest {

  private static final String RACK = "/default-rack";

  @ParameterizedTest
  @CsvSource({"true, 1", "false, 4"})
  void placementMayEndAndRestartTheRackDelay(
      boolean fullReset, int placed) throws Exception {
    try (ReclaimCluster queue = delayed(2, fullReset)) {
      MockApp low = queue.start(0, 22);
      MockApp urgent = queue.start(5, 0);
      low.ask(10, GB);
      queue.heartbeats();
      miss(queue, urgent, low, 5, 4);
      // The missed opportunities exceed 4 * 2 / 6, but they do not exceed 2 until the first container is
      // placed.
      ask(urgent, 4);
      queue.rounds(40);
      assertThat(queue.lost() - 2).as("one for each container received").isEqualTo(placed);
      assertThat(urgent.containers()).isEqualTo(1 + placed);
    }
  }

  @Test
  void yarnCountsTheOpportunityAtWhichItPlacesAsMissed() throws Exception {
    try (ReclaimCluster queue = delayed(5, false)) {
      MockApp low = queue.start(0, 22);
      MockApp urgent = queue.start(5, 0);
      low.ask(10, GB);
      queue.heartbeats();
      miss(queue, urgent, low, 5);
      // One missed opportunity does not exceed 5 * 2 / 6, but the next opportunity is the second one.
      ask(urgent, 5);
      queue.rounds(40);
      assertThat(urgent.executors()).hasSize(5);
      assertThat(queue.lost() - 1).as("one for each container received").isEqualTo(5);
      assertThat(queue.returned()).isZero();
    }
  }

  private static ReclaimCluster delayed(int delay, boolean fullReset) throws Exception {
    ReclaimCluster queue = ReclaimCluster.byPriority(
        CapacitySchedulerConfiguration.PREFIX + "node-locality-delay", String.valueOf(delay),
        CapacitySchedulerConfiguration.PREFIX + "rack-locality-full-reset", String.valueOf(fullReset));
    for (int node = 0; node < 6; node++) {
      queue.cluster.addNode(4 * GB);
    }
    return queue;
  }

  /** On each node a container of the other application ends, and it gets another while the first waits. */
  private static void miss(ReclaimCluster queue, MockApp app, MockApp other, int... nodes)
      throws Exception {
    ask(app, 15);
    for (int node : nodes) {
      other.release(List.of(other.executors().stream().filter(executor -> other.attempt()
          .getRMContainer(executor).getAllocatedNode().equals(queue.cluster.node(node).getNodeId()))
          .findFirst().orElseThrow()));
      queue.heartbeats();
      queue.heartbeats();
    }
    assertThat(app.containers()).isEqualTo(1);
    assertThat(other.containers()).isEqualTo(23);
    assertThat(queue.lost()).isEqualTo(nodes.length);
  }

  /** The application requests a host that is not in the cluster. */
  private static void ask(MockApp app, int containers) throws Exception {
    app.ask(List.of(Requests.at("127.0.0.250", containers), Requests.at(RACK, containers),
        Requests.at("*", containers)));
  }
}
