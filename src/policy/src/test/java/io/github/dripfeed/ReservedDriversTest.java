// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

/**
 * The number of reserved or starting drivers never exceeds the slots, whichever application loses the
 * offer.
 */
class ReservedDriversTest {

  @Test
  void reservationsOfSuccessiveHeadsStayWithinTheSlots() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        MockCluster.queueKey("maximum-am-resource-percent"), "100")) {
      MockApp filler = cluster.addFilledNodes(10);
      List<MockApp> apps = cluster.submitMany(10, 2 * GB, "user");
      for (int second = 0; second < 1800; second += 5) {
        cluster.advance(Duration.ofSeconds(4));
        runWithinSlots(1, 1, apps, cluster);
      }
      assertThat(apps.get(0).reservations()).as("all were tried, and the first keeps waiting").isEqualTo(1);
      filler.release(filler.executors());
      runWithinSlots(5, 1, apps, cluster);
      assertThat(apps.get(0).state()).isEqualTo(State.STARTING);
    }
  }

  @Test
  void lostOfferReleasesTheReservation() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      cluster.addFilledNodes(1);
      MockApp big = cluster.submit(2 * GB, 0);
      MockApp small = cluster.submit();
      cluster.heartbeat();
      assertThat(big.reservations()).isEqualTo(1);
      for (int second = 0; second < 305 && small.containers() == 0; second++) {
        cluster.tick();
        cluster.heartbeat();
      }
      assertThat(small.containers()).as("on the node that was reserved").isEqualTo(1);
      assertThat(big.reservations()).isZero();
    }
  }

  @Test
  void loneApplicationKeepsItsReservation() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      MockApp filler = cluster.addFilledNodes(1);
      MockApp big = cluster.submit(2 * GB, 0);
      for (int second = 0; second < 1000; second++) {
        cluster.heartbeat();
        cluster.tick();
      }
      assertThat(big.reservations()).isEqualTo(1);
      filler.release(filler.executors());
      cluster.heartbeat();
      assertThat(big.containers()).isEqualTo(1);
    }
  }

  @Test
  void reservedHeadHoldsStalledApplications() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        MockCluster.queueKey("maximum-am-resource-percent"), "100")) {
      cluster.addFilledNodes(4);
      MockNM large = cluster.addNode(8 * GB);
      MockApp stalled = cluster.submit(6 * GB, 0);
      cluster.loseNode(large);
      MockApp first = cluster.submit();
      for (int second = 0; second < 330 && first.containers() == 0; second++) {
        cluster.heartbeat();
        cluster.tick();
      }
      first.register().ask(1, GB);
      cluster.heartbeat();
      assertThat(first.state()).isEqualTo(State.RUNNING);
      MockApp head = cluster.submit(2 * GB, 0);
      cluster.heartbeat();
      assertThat(head.reservations()).isEqualTo(1);
      cluster.addNode(8 * GB);
      cluster.heartbeat();
      assertThat(startingOrReserved(List.of(stalled, head))).isEqualTo(1);
      assertThat(stalled.containers()).isZero();
    }
  }

  @Test
  void slotsBoundStartingAndReservedDrivers() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class, "max-starting", "2")) {
      MockApp filler = cluster.addFilledNodes(3);
      List<MockApp> apps = cluster.submitMany(6, 2 * GB, "user");
      runWithinSlots(900, 2, apps, cluster);
      assertThat(startingOrReserved(apps)).as("all were tried, and two keep waiting").isEqualTo(2);
      filler.release(filler.executors());
      runWithinSlots(5, 2, apps, cluster);
      assertThat(apps).filteredOn(app -> app.state() == State.STARTING).hasSize(2);
    }
  }

  @Test
  void reservedDriverDoesNotDelayTheTrialInAnotherSlot() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class, "max-starting", "2")) {
      cluster.addFilledNodes(1);
      MockApp stalled = cluster.submit(2 * GB, 0);
      MockApp first = cluster.submit();
      cluster.runFor(310);
      first.register().finish();
      MockApp head = cluster.submit(3 * GB, 0);
      MockApp next = cluster.submit();
      cluster.runFor(5);
      assertThat(head.reservations()).isEqualTo(1);
      // Has room for the stalled application, or for two others.
      cluster.addNode(5 * GB / 2);
      int later = 0;
      while (stalled.containers() == 0 && later < 20) {
        runWithinSlots(1, 2, List.of(stalled, head, next), cluster);
        if (next.containers() > 0) {
          later++;
          next.register().finish();
          next = cluster.submit();
        }
      }
      assertThat(later).as("later applications that started first").isLessThanOrEqualTo(5);
    }
  }

  @Test
  void fewerSlotsReleaseTheLastReservations() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class, "max-starting", "3")) {
      cluster.addFilledNodes(4);
      List<MockApp> apps = cluster.submitMany(6, 2 * GB, "user");
      runWithinSlots(5, 3, apps, cluster);
      assertThat(apps.subList(0, 3)).allMatch(app -> app.reservations() == 1);
      cluster.refresh(MockCluster.stateAwareKey("max-starting"), "1");
      cluster.tick();
      cluster.rm().drainEvents();
      assertThat(apps).filteredOn(app -> app.reservations() > 0).containsExactly(apps.get(0));
      runWithinSlots(5, 1, apps, cluster);
    }
  }

  @Test
  void movedReservationTakesNoOccupiedSlot() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      MockApp filler = cluster.addFilledNodes(4);
      List<MockApp> apps = cluster.submitMany(3, 2 * GB, "user");
      List<MockApp> stay = apps.subList(1, 3);
      runWithinSlots(5, 1, apps, cluster);
      assertThat(apps.get(0).reservations()).isEqualTo(1);
      apps.get(0).moveTo(MockCluster.OTHER);
      runWithinSlots(5, 1, stay, cluster);
      assertThat(stay.get(0).reservations()).as("its slot is free").isEqualTo(1);
      assertThat(apps.get(0).reservations()).as("a stock queue reserves").isPositive();
      apps.get(0).moveTo(MockCluster.DRIP);
      cluster.tick();
      cluster.rm().drainEvents();
      runWithinSlots(5, 1, apps, cluster);
      filler.release(filler.executors());
      runWithinSlots(5, 1, apps, cluster);
      assertThat(apps).anyMatch(app -> app.containers() == 1);
    }
  }

  @Test
  void withAutoAReservedDriverHoldsTheSlotForTheTimeout() throws Exception {
    try (MockCluster cluster = MockCluster.of(
        StateAwareOrderingPolicy.class, "max-starting", "auto", "take-back", "off")) {
      cluster.addFilledNodes(1);
      MockApp big = cluster.submit(2 * GB, 0);
      MockApp small = cluster.submit();
      runWithinSlots(290, 1, List.of(big, small), cluster);
      assertThat(big.reservations()).isEqualTo(1);
      runWithinSlots(20, 1, List.of(big, small), cluster);
      assertThat(small.containers()).as("on the node that was reserved").isEqualTo(1);
    }
  }

  @Test
  void withAutoReservedDriversStartOneAtATime() throws Exception {
    try (MockCluster cluster = MockCluster.of(
        StateAwareOrderingPolicy.class, "max-starting", "auto", "take-back", "off")) {
      MockApp filler = cluster.addFilledNodes(3);
      List<MockApp> apps = cluster.submitMany(5, 2 * GB, "user");
      runWithinSlots(700, 1, apps, cluster);
      assertThat(startingOrReserved(apps)).isEqualTo(1);
      filler.release(filler.executors().subList(0, 1));
      runWithinSlots(5, 1, apps, cluster);
      assertThat(apps).filteredOn(app -> app.state() == State.STARTING).hasSize(1);
    }
  }

  /** Runs the cluster and checks each second that starting and reserved drivers stay within the slots. */
  private static void runWithinSlots(int seconds, int slots, List<MockApp> apps, MockCluster cluster)
      throws Exception {
    for (int second = 0; second < seconds; second++) {
      for (MockNM node : cluster.nodes()) {
        cluster.heartbeat(node);
        assertThat(startingOrReserved(apps)).isLessThanOrEqualTo(slots);
      }
      cluster.tick();
      cluster.rm().drainEvents();
    }
  }

  private static int startingOrReserved(List<MockApp> apps) {
    int count = 0;
    for (MockApp app : apps) {
      if (app.state() == State.STARTING || app.reservations() > 0) {
        count++;
      }
    }
    return count;
  }
}
