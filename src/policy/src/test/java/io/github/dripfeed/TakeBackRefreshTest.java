// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.TakeBackClusterTest.twoQueues;
import static io.github.dripfeed.TakeBackTest.blocked;
import static io.github.dripfeed.TakeBackTest.takenBack;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A refresh gives all queues new policies, and the monitor visits one after the other. */
class TakeBackRefreshTest {

  /** The order of the visits is that of a hash: with so many refreshes either queue comes first. */
  private static final int REFRESHES = 25;

  /** Its executors come and go. */
  private static void exchangeExecutor(MockApp app) throws Exception {
    app.release(app.executors());
    app.ask(1, GB);
  }

  @Test
  void whatGoesOnInOneQueueCountsInTheOtherAfterARefresh() throws Exception {
    Map<String, String> properties = twoQueues("on");
    properties.put(queueKey("user-limit-factor"), "2");
    try (MockCluster cluster = autoCluster(properties, 2 * GB, 14 * GB)) {
      MockApp moving = cluster.submitFiller(1);
      List<MockApp> apps = blocked(cluster, 8, 8 * GB);
      for (int second = 0; second < 60; second++) {
        exchangeExecutor(moving);
        cluster.runFor(1);
      }
      assertThat(takenBack(apps)).as("the other queue moves").isEmpty();
      for (int i = 0; i < REFRESHES; i++) {
        cluster.refresh();
        exchangeExecutor(moving);
        cluster.runFor(1);
      }
      assertThat(takenBack(apps)).as("it still does").isEmpty();
      assertThat(apps).extracting(MockApp::state).containsOnly(STARTING);
      moving.finish();
      cluster.refresh();
      cluster.runFor(5);
      assertThat(takenBack(apps)).as("the other queue is empty").isNotEmpty();
    }
  }
}
