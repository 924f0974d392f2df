// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reserved drivers and executors on full nodes (docs/design.md#reservations-are-not-allocations), with and
 * without looking for other nodes.
 */
class ReservationTest {

  /** Two nodes: one has half a GB free, and one is too small for the request. */
  private static MockCluster fullCluster(boolean continueLooking) throws Exception {
    MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class);
    cluster.refresh(CapacitySchedulerConfiguration.RESERVE_CONT_LOOK_ALL_NODES,
        Boolean.toString(continueLooking));
    return cluster;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void abandonedExecutorReservationDoesNotCount(boolean continueLooking) throws Exception {
    try (MockCluster cluster = fullCluster(continueLooking)) {
      cluster.addNode(4 * GB + GB / 2);
      cluster.submitFiller(2);
      MockApp starting = cluster.submit();
      cluster.heartbeat();
      cluster.addNode(3 * GB / 2);
      starting.register().ask(1, 2 * GB);
      cluster.submit();
      cluster.heartbeat();
      assertThat(starting.reservations()).isEqualTo(1);
      starting.ask(0, 2 * GB);
      cluster.heartbeat();
      assertThat(starting.reservations()).isZero();
      assertThat(starting.state()).isEqualTo(STARTING);
      assertThat(cluster.offered()).containsExactly("App2");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reservedDriverStartsOnceItIsLive(boolean continueLooking)
      throws Exception {
    try (MockCluster cluster = fullCluster(continueLooking)) {
      cluster.addNode(4 * GB);
      MockApp filler = cluster.submitFiller(2);
      cluster.addNode(GB);
      MockApp app2 = cluster.submit(2 * GB, 0);
      MockApp app3 = cluster.submit();
      cluster.heartbeat();
      assertThat(app2.reservations()).isEqualTo(1);
      assertThat(app2.state()).isEqualTo(ACCEPTED);
      assertThat(cluster.offered()).containsExactly("App2");
      filler.release(filler.executors());
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(app2.containers()).isEqualTo(1);
      assertThat(app2.state()).isEqualTo(STARTING);
      assertThat(app3.containers()).isZero();
      app2.register().ask(1, GB / 2);
      cluster.heartbeat();
      assertThat(app2.state()).isEqualTo(RUNNING);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void acceptedTimeoutEndsTheOfferOfAReservedDriver(boolean continueLooking)
      throws Exception {
    try (MockCluster cluster = fullCluster(continueLooking)) {
      cluster.addNode(4 * GB);
      cluster.submitFiller(2);
      cluster.addNode(GB);
      cluster.addNode(GB);
      MockApp app2 = cluster.submit(2 * GB, 0);
      MockApp app3 = cluster.submit();
      cluster.heartbeat();
      assertThat(app2.reservations()).isEqualTo(1);
      assertThat(cluster.offered()).containsExactly("App2");
      cluster.advance(Duration.ofMinutes(5).minusSeconds(1));
      cluster.runMonitor();
      assertThat(cluster.offered()).containsExactly("App2");
      cluster.advance(Duration.ofSeconds(1));
      cluster.runMonitor();
      cluster.rm().drainEvents();
      assertThat(app2.reservations()).as("it has released the node").isZero();
      cluster.heartbeat();
      assertThat(app3.containers()).isEqualTo(1);
      assertThat(cluster.offered()).containsExactly("App3");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endOfAReservedApplicationFreesTheOffer(boolean continueLooking) throws Exception {
    try (MockCluster cluster = fullCluster(continueLooking)) {
      cluster.addNode(4 * GB);
      cluster.submitFiller(2);
      cluster.addNode(GB);
      MockApp app2 = cluster.submit(2 * GB, 0);
      cluster.submit();
      cluster.heartbeat();
      app2.kill();
      assertThat(cluster.offered()).containsExactly("App3");
    }
  }
}
