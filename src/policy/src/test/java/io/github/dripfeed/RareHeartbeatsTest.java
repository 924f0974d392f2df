// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that report every ten seconds, one after the other. */
class RareHeartbeatsTest {

  private static final int INTERVAL = 10;
  private static final String SCALING = "yarn.resourcemanager.nodemanagers.heartbeat-interval-scaling-";

  /** Only one node has room for it, and reports five seconds after the one that begins a trial. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void atMostEightStartBeforeAStalledApplicationThatCanBePlaced(boolean scaling) throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, scaling ? "1000" : "10000",
        SCALING.replace("scaling-", "") + "max-ms", "10000", SCALING + "enable", "" + scaling)) {
      MockNM small = cluster.addNode(4 * GB);
      MockNM large = cluster.addNode(8 * GB);
      MockApp filler = cluster.submitFiller(0);
      filler.ask(1, 6 * GB);
      cluster.heartbeat(large);
      filler.heartbeat();
      assertThat(filler.executors()).hasSize(1);
      MockApp stalled = cluster.submit(6 * GB, 0);
      cluster.runFor(301);
      filler.release(filler.executors());
      MockApp next = cluster.submit();
      int later = 0;
      for (int second = 1; stalled.containers() == 0 && later < 30; second++) {
        if (second % INTERVAL == 0) {
          cluster.heartbeat(small);
        } else if (second % INTERVAL == 5) {
          cluster.heartbeat(large);
        }
        if (next.containers() == 1 && !next.isRegistered() && second % INTERVAL == INTERVAL - 1) {
          later++;
          MockApp following = cluster.submit();
          next.register().finish();
          next = following;
        }
        cluster.tick();
        cluster.rm().drainEvents();
      }
      assertThat(later).as("later applications that started first").isLessThanOrEqualTo(8);
    }
  }
}
