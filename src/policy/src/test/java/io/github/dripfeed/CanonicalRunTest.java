// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;

/** The canonical run of docs/design.md#the-canonical-run, step by step on the real Capacity Scheduler. */
class CanonicalRunTest {

  @Test
  void twoApplicationsStartOneAfterTheOther() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.refresh(CapacitySchedulerConfiguration.OFFSWITCH_PER_HEARTBEAT_LIMIT, "1");
      // (1) Both are accepted and need drivers D1 and D2.
      MockApp app1 = cluster.submit();
      MockApp app2 = cluster.submit();
      assertThat(app1.state()).isEqualTo(ACCEPTED);
      assertThat(app2.state()).isEqualTo(ACCEPTED);

      // (2) Only App1 is offered. YARN allocates D1, and App1 is starting. D2 is held although there is
      // room.
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.heartbeat();
      assertThat(app1.containers()).isEqualTo(1);
      assertThat(app1.state()).isEqualTo(STARTING);
      assertThat(app2.containers()).isZero();
      assertThat(app2.state()).isEqualTo(ACCEPTED);
      cluster.heartbeat();
      assertThat(app2.containers()).isZero();
      assertThat(cluster.offered()).containsExactly("App1");

      // (3) App1 requests E11 and E12. Once YARN has allocated the first, App1 is running.
      app1.register().ask(2, GB);
      assertThat(app1.state()).isEqualTo(STARTING);
      cluster.heartbeat();
      assertThat(app1.containers()).isEqualTo(2);
      assertThat(app1.state()).isEqualTo(RUNNING);

      // (4) No application is starting, so App2 is offered. YARN allocates D2, and App2 is starting.
      assertThat(app2.state()).isEqualTo(ACCEPTED);
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      cluster.heartbeat();
      assertThat(app1.containers()).as("the older application first").isEqualTo(3);
      assertThat(app2.containers()).isZero();
      cluster.heartbeat();
      assertThat(app2.containers()).isEqualTo(1);
      assertThat(app2.state()).isEqualTo(STARTING);
      assertThat(cluster.offered()).containsExactly("App1", "App2");

      // (5) App2 requests E21. Once YARN has allocated it, App2 is running.
      app2.register().ask(1, GB);
      cluster.heartbeat();
      assertThat(app2.containers()).isEqualTo(2);
      assertThat(app2.state()).isEqualTo(RUNNING);
    }
  }
}
