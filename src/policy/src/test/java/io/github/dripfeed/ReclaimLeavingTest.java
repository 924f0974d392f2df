// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.ReclaimCluster;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Preempted containers whose processes take their time to end: their room is free only then. */
class ReclaimLeavingTest {

  @ParameterizedTest(name = "rounds until a process has ended: {0}")
  @ValueSource(ints = {1, 2, 4})
  void onlyAsManyArePreemptedAsAreNeeded(int stopping) throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(stateAwareKey("max-starting"), "10",
        stateAwareKey("reclaim.grace-period"), "0", stateAwareKey("min-executors"), "1")) {
      MockNM node = queue.cluster.addNode(9 * GB);
      MockApp low = queue.start(0, 8);
      assertThat(low.executors()).hasSize(8);
      low.launchExecutors();
      MockApp urgent = queue.submit(5);
      preempt(queue, node, low, 1, stopping);
      assertThat(urgent.containers()).isEqualTo(1);
      urgent.register().ask(2, GB);
      preempt(queue, node, low, 2, stopping);
      assertThat(urgent.containers()).as("no preemption was in vain").isEqualTo(3);
    }
  }

  @Test
  void noPreemptionIsInVainBeforeTheNextHeartbeatOfItsNode() throws Exception {
    String heartbeats = "yarn.resourcemanager.nodemanagers.heartbeat-interval-";
    try (ReclaimCluster queue = ReclaimCluster.byPriority(stateAwareKey("reclaim.grace-period"), "0",
        heartbeats + "scaling-enable", "true", heartbeats + "max-ms", "20000")) {
      queue.cluster.addNode(9 * GB);
      queue.start(0, 8);
      MockApp urgent = queue.submit(5);
      rounds(queue, 6);
      assertThat(queue.lost()).isEqualTo(1);
      queue.heartbeats();
      urgent.register().ask(2, GB);
      rounds(queue, 2);
      assertThat(queue.lost()).as("no pause").isEqualTo(3);
    }
  }

  private static void rounds(ReclaimCluster queue, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      queue.round();
    }
  }

  /** Runs rounds until so many containers are preempted, and until they have ended. */
  private static void preempt(ReclaimCluster queue, MockNM node, MockApp low, int count, int stopping)
      throws Exception {
    int before = queue.lost();
    List<ContainerId> executors = low.executors();
    for (int i = 0; i < ReclaimCluster.ROUNDS && queue.lost() < before + count; i++) {
      queue.roundAndHeartbeats();
    }
    for (int i = 0; i < stopping; i++) {
      queue.roundAndHeartbeats();
    }
    assertThat(queue.lost() - before).isEqualTo(count);
    List<ContainerId> gone = new ArrayList<>(executors);
    gone.removeAll(low.executors());
    for (ContainerId container : gone) {
      low.completeExecutor(container, node);
    }
    queue.rounds(1);
  }
}
