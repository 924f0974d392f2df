// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

/** Bounds on how long applications wait for others, before and after a failover. */
class LineBoundsTest {

  private static final Duration ACCEPTED_TIMEOUT = Duration.ofMinutes(5);

  @Test
  void userAtItsLimitHoldsNoOtherUserBack() throws Exception {
    try (MockCluster cluster = withUserLimit()) {
      takeUserToItsLimit(cluster);
      List<MockApp> atLimit = cluster.submitMany(10, GB, "greedy");
      MockApp modest = cluster.submit(cluster.submission(GB).withUser("modest"));
      cluster.heartbeat();
      assertThat(modest.containers()).as("YARN skips the others at once").isEqualTo(1);
      assertThat(atLimit).allMatch(app -> app.containers() == 0);
    }
  }

  /** Held applications make their users active, which lowers the limit of the others. */
  @Test
  void startingApplicationOfAUserAboveItsLimitHoldsNobody() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        MockCluster.queueKey("minimum-user-limit-percent"), "10")) {
      cluster.addNode(20 * GB);
      MockApp running = cluster.start(cluster.submission(GB).withUser("greedy"), 5);
      MockApp starting = cluster.submit(cluster.submission(GB).withUser("greedy"));
      cluster.heartbeat();
      List<MockApp> held = new ArrayList<>();
      for (String user : List.of("ann", "bob", "eve", "greedy", "joe")) {
        held.add(cluster.submit(cluster.submission(GB).withUser(user)));
      }
      starting.register().ask(1, GB);
      cluster.runFor(3);
      assertThat(starting.containers()).as("YARN passes over it").isEqualTo(1);
      assertThat(held).extracting(MockApp::containers).as("one at a time").containsExactly(1, 0, 0, 0, 0);
      held.get(0).register().ask(1, GB);
      cluster.runFor(3);
      assertThat(held).extracting(MockApp::containers).containsExactly(2, 1, 0, 0, 0);

      running.release(running.executors());
      held.get(1).register().ask(1, GB);
      cluster.runFor(3);
      assertThat(starting.state()).as("YARN serves it again").isEqualTo(State.RUNNING);
      assertThat(held).extracting(MockApp::containers).containsExactly(2, 2, 1, 0, 0);
    }
  }

  @Test
  void ofEachUserAtItsLimitOneApplicationIsTried() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        MockCluster.queueKey("user-limit-factor"), "0.4")) {
      cluster.addNode(20 * GB);
      cluster.start(cluster.submission(GB).withUser("ann"), 20);
      cluster.start(cluster.submission(GB).withUser("bob"), 20);
      for (int i = 0; i < 50; i++) {
        cluster.submitMany(1, GB, "ann");
        cluster.submitMany(1, GB, "bob");
      }
      MockApp modest = cluster.submit(cluster.submission(GB).withUser("eve"));
      assertThat(cluster.offered()).as("two run, two are at the limit, and the modest one").hasSize(5);
      cluster.heartbeat();
      assertThat(modest.containers()).isEqualTo(1);
    }
  }

  @Test
  void liftedUserLimitStartsOneAtATime() throws Exception {
    try (MockCluster cluster = withUserLimit()) {
      MockApp greedy = takeUserToItsLimit(cluster);
      List<MockApp> atLimit = cluster.submitMany(5, GB, "greedy");
      for (int minute = 0; minute < 60; minute++) {
        cluster.heartbeat();
        cluster.tick();
        cluster.advance(Duration.ofMinutes(1));
      }
      greedy.ask(0, GB);
      cluster.refresh(MockCluster.queueKey("user-limit-factor"), "100");
      for (MockApp next : atLimit) {
        cluster.heartbeat();
        cluster.heartbeat();
        assertThat(atLimit).filteredOn(app -> app.state() == State.STARTING).containsExactly(next);
        next.register().ask(1, GB / 2);
        cluster.heartbeat();
        next.heartbeat();
      }
    }
  }

  @Test
  void unplaceableApplicationsCostOneTimeoutInAll() throws Exception {
    try (MockCluster cluster = withNodesThatShrank()) {
      List<MockApp> impossible = cluster.submitMany(10, 12 * GB, "user");
      shrink(cluster);
      MockApp other = cluster.submit();
      assertThat(timeUntilStarted(other, cluster))
          .as("plus a heartbeat for each application that ends an iteration")
          .isBetween(ACCEPTED_TIMEOUT, ACCEPTED_TIMEOUT.plusSeconds(10));
      assertThat(impossible).allMatch(app -> app.containers() == 0);
    }
  }

  @Test
  void scatteredUnplaceableApplicationsCostASixteenthEach() throws Exception {
    try (MockCluster cluster = withNodesThatShrank()) {
      List<MockApp> small = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        cluster.submit(12 * GB, 0);
        small.add(cluster.submit());
      }
      shrink(cluster);
      Duration inAll = Duration.ZERO;
      for (MockApp next : small) {
        inAll = inAll.plus(timeUntilStarted(next, cluster));
        next.register().finish();
      }
      Duration bound = ACCEPTED_TIMEOUT.plus(ACCEPTED_TIMEOUT.dividedBy(16).multipliedBy(10));
      assertThat(inAll).as("plus a heartbeat for each")
          .isBetween(ACCEPTED_TIMEOUT, bound.plusSeconds(10));
    }
  }

  @Test
  void stalledApplicationsStartOneAtATime() throws Exception {
    try (MockCluster cluster = withNodesThatShrank()) {
      List<MockApp> big = cluster.submitMany(10, 12 * GB, "user");
      shrink(cluster);
      MockApp other = cluster.submit();
      timeUntilStarted(other, cluster);
      other.register().ask(1, GB);
      cluster.heartbeat();
      cluster.addNode(16 * GB);
      cluster.addNode(16 * GB);
      cluster.addNode(16 * GB);
      for (int i = 0; i < 10; i++) {
        cluster.heartbeat();
        cluster.tick();
        assertThat(big).filteredOn(app -> app.state() == State.STARTING).hasSizeLessThanOrEqualTo(1);
      }
      assertThat(big).filteredOn(app -> app.containers() == 1).hasSize(1);
    }
  }

  @Test
  void placeableStalledApplicationPrecedesLaterOnes() throws Exception {
    try (MockCluster cluster = withNodesThatShrank()) {
      MockApp stalled = cluster.submit(12 * GB, 0);
      shrink(cluster);
      MockApp before = cluster.submit();
      timeUntilStarted(before, cluster);
      before.register().ask(1, GB);
      cluster.heartbeat();
      assertThat(stalled.containers()).isZero();
      cluster.addNode(16 * GB);
      int later = 0;
      MockApp next = cluster.submit();
      // On the small node, with one slot and always one more application waiting.
      while (stalled.containers() == 0 && later < 120) {
        MockApp afterNext = cluster.submit();
        for (int i = 0; i < 60 && next.containers() == 0 && stalled.containers() == 0; i++) {
          cluster.heartbeat();
          cluster.tick();
        }
        if (next.containers() > 0) {
          later++;
          next.register().ask(1, GB);
          cluster.heartbeat();
          next.heartbeat();
          next.finish();
        }
        next = afterNext;
      }
      assertThat(later).isLessThanOrEqualTo(5);
    }
  }

  @Test
  void greedyRunningApplicationDoesNotStarveAStalledOne() throws Exception {
    try (MockCluster cluster = withNodesThatShrank()) {
      MockApp stalled = cluster.submit(12 * GB, 0);
      shrink(cluster);
      MockApp greedy = cluster.submit();
      timeUntilStarted(greedy, cluster);
      greedy.register().ask(100, GB);
      cluster.heartbeat();
      MockNM big = cluster.addNode(16 * GB);
      cluster.heartbeat();
      greedy.heartbeat();
      cluster.tick();
      // Released room is offered again; during a trial, to the application that has waited longest.
      for (int i = 0; i < 1000 && stalled.containers() == 0; i++) {
        greedy.ask(100, GB);
        greedy.release(greedy.executors());
        cluster.advance(Duration.ofSeconds(1));
        cluster.heartbeat(big);
        cluster.runMonitor();
      }
      assertThat(stalled.containers()).isEqualTo(1);
    }
  }

  @Test
  void unplaceableApplicationCostsASmallShareOfTime() throws Exception {
    try (MockCluster cluster = withNodesThatShrank()) {
      MockApp never = cluster.submit(12 * GB, 0);
      shrink(cluster);
      MockApp first = cluster.submit();
      timeUntilStarted(first, cluster);
      first.register().ask(1, GB);
      cluster.heartbeat();
      first.heartbeat();
      first.finish();
      MockApp next = cluster.submit();
      int seconds = 0;
      int idle = 0;
      for (int started = 0; started < 50;) {
        cluster.heartbeat();
        if (next.containers() > 0) {
          started++;
          // Ten seconds each.
          cluster.advance(Duration.ofSeconds(10));
          seconds += 10;
          next.register().ask(1, GB);
          cluster.heartbeat();
          next.heartbeat();
          next.finish();
          next = cluster.submit();
        } else {
          idle++;
        }
        cluster.tick();
        seconds++;
      }
      assertThat(never.containers()).isZero();
      assertThat(idle).as("of %s s", seconds).isPositive().isLessThanOrEqualTo(seconds / 16 + 1);
    }
  }

  /** Sends heartbeats each second until the application has its driver. */
  private static Duration timeUntilStarted(MockApp app, MockCluster cluster) throws Exception {
    for (int second = 0; second <= 4000; second++) {
      cluster.heartbeat();
      cluster.runMonitor();
      if (app.containers() > 0) {
        return Duration.ofSeconds(second);
      }
      cluster.advance(Duration.ofSeconds(1));
    }
    throw new AssertionError(app.name() + " has not started");
  }

  private static MockCluster withUserLimit() {
    return MockCluster.configured(StateAwareOrderingPolicy.class,
        MockCluster.queueKey("user-limit-factor"), "0.5");
  }

  /** Half of the queue is free, and the user greedy has reached its limit. */
  private static MockApp takeUserToItsLimit(MockCluster cluster) throws Exception {
    cluster.addNode(20 * GB);
    MockApp app = cluster.start(cluster.submission(GB).withUser("greedy"), 20);
    assertThat(app.containers()).isBetween(9, 11);
    return app;
  }

  static MockCluster withNodesThatShrank() throws Exception {
    MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB);
    cluster.addNode(8 * GB);
    cluster.addNode(16 * GB);
    return cluster;
  }

  /** Removes the only node that is large enough. */
  private static void shrink(MockCluster cluster) throws Exception {
    cluster.loseNode(cluster.node(1));
  }

  /** Each application leaves too little room for the stalled one beside its successor, and runs long. */
  @Test
  void stalledApplicationGetsRoomThatLaterOnesHandOn() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      cluster.addNode(2 * GB);
      MockApp current = cluster.submit();
      cluster.heartbeat();
      MockApp stalled = cluster.submit(2 * GB, 0);
      current.register().ask(1, GB);
      MockApp next = cluster.submit();
      cluster.runFor(320);
      for (int later = 0; stalled.containers() == 0; later++) {
        assertThat(later).as("later applications that started first").isLessThanOrEqualTo(5);
        current.heartbeat();
        current.finish();
        cluster.runFor(1);
        if (next.containers() > 0) {
          current = next;
          current.register().ask(1, GB);
          next = cluster.submit();
          cluster.runFor(10);
        }
      }
    }
  }
}
