// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;

/** Attempts that fail, end, move, or have no driver in the queue, on the real Capacity Scheduler. */
class AttemptTest {

  @Test
  void failedAttemptFreesItsSlotAndTheNextIsAccepted() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      MockApp app2 = cluster.submit();
      cluster.heartbeat();
      app1.register().failDriver();
      assertThat(app1.attemptId().getAttemptId()).isEqualTo(2);
      assertThat(app1.state()).isEqualTo(ACCEPTED);
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(app1.state()).isEqualTo(STARTING);
      assertThat(app2.containers()).isZero();
    }
  }

  @Test
  void endWhileStartingFreesTheSlotAtOnce() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1");
      app1.kill();
      assertThat(cluster.offered()).containsExactly("App2");
    }
  }

  @Test
  void driverOnlyApplicationHoldsOthersUntilItEnds() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      app1.register();
      app1.finish();
      assertThat(cluster.offered()).containsExactly("App2");
    }
  }

  @Test
  void unmanagedApplicationMasterIsNotHeld() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.heartbeat();
      MockApp unmanaged = cluster.submit(cluster.submission(GB).unmanaged());
      cluster.rm().waitForState(unmanaged.rmApp().getApplicationId(), RMAppState.ACCEPTED);
      assertThat(unmanaged.state()).isEqualTo(RUNNING);
      assertThat(cluster.offered()).containsExactly("App1", "App2");
    }
  }

  @Test
  void offerTimeDoesNotFollowAMove() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.refresh(CapacitySchedulerConfiguration.PREFIX + OTHER + ".ordering-policy",
          StateAwareOrderingPolicy.class.getName());
      MockApp app1 = cluster.submit(cluster.submission(GB).withQueue(OTHER));
      cluster.runMonitor();
      cluster.advance(Duration.ofMinutes(4));
      cluster.submit();
      app1.moveTo(DRIP);
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.advance(Duration.ofMinutes(4));
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.advance(Duration.ofMinutes(1));
      assertThat(cluster.offered()).as("still in its position")
          .containsExactly("App1", "App2");
      assertThat(cluster.offered()).containsExactly("App2", "App1");
    }
  }

  @Test
  void preemptionTakesRunningBeforeStartingAndNewestFirst() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      for (int i = 0; i < 2; i++) {
        MockApp app = cluster.submit();
        cluster.heartbeat();
        app.register().ask(1, GB);
        cluster.heartbeat();
      }
      cluster.submit();
      cluster.heartbeat();
      cluster.submit();
      assertThat(cluster.inPreemptionOrder()).containsExactly("App2", "App1", "App3", "App4");
      assertThat(cluster.policy().getSchedulableEntities()).as("including held applications").hasSize(4);
    }
  }

  /**
   * See docs/design.md#the-am-limit-comes-first: YARN does not hand applications beyond the AM limit to the
   * policy.
   */
  @Test
  void heldApplicationsCountAgainstTheAmLimit() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        MockCluster.queueKey("maximum-am-resource-percent"), "0.2")) {
      cluster.addNode(16 * GB);
      MockApp app1 = cluster.submit();
      for (int i = 0; i < 4; i++) {
        cluster.submit();
      }
      assertThat(cluster.policy().getNumSchedulableEntities()).as("20% of 90% of 16 GB").isEqualTo(3);
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1");
      app1.kill();
      assertThat(cluster.policy().getNumSchedulableEntities()).as("YARN activates one more").isEqualTo(3);
      assertThat(cluster.offered()).containsExactly("App2");
    }
  }
}
