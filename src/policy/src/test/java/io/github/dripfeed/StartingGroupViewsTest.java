// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.DripMetrics.figuresOfTenant;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.TenantQueues.CONFIGURED;
import static io.github.dripfeed.fixture.TenantQueues.tenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.junit.jupiter.api.Test;

/** What people are shown of a group of queues. */
class StartingGroupViewsTest {

  @Test
  void heldApplicationNamesTheApplicationAndTheQueueThatHoldTheSlot() throws Exception {
    try (MockCluster cluster = cluster(2, "starting-group", "etl")) {
      cluster.addNode(16 * GB);
      MockApp starting = submit(1, GB, cluster);
      cluster.heartbeat();
      MockApp held = submit(2, GB, cluster);
      cluster.advance(Duration.ofSeconds(8));
      cluster.runMonitor();
      assertThat(diagnostics(held)).contains("Number 1 in line, waits for a starting slot of the group"
          + " etl; " + starting.id() + " in queue " + tenant(1)
          + " has been starting for 8 s (at most 300 s).");
      assertThat(cluster.policy(tenant(2)).getInfo())
          .contains("Settings: starting-group=etl", ": 1 accepted, 0 starting, 0 running\nStarting: "
              + starting.id() + " in queue " + tenant(1) + " for 8 s\nNext: "
              + held.id() + ", waits for a starting slot of the group etl");
    }
  }

  /** Hadoop reads metrics under a lock for which YARN waits while it holds these. */
  @Test
  void metricsAreReadWithoutLocksOfYarn() throws Exception {
    try (MockCluster cluster = cluster(2, "starting-group", "etl", "max-starting", "2")) {
      cluster.addNode(8 * GB);
      MockApp starting = submit(1, GB, cluster);
      cluster.heartbeat();
      starting.register();
      MockApp again = submit(2, GB, cluster);
      cluster.heartbeat();
      again.register();
      starting.ask(1, 8 * GB);
      again.failDriver();
      cluster.heartbeat();
      assertThat(again.containers()).as("executors of the group come first").isZero();
      cluster.advance(Duration.ofSeconds(8));
      cluster.runMonitor();
      List<Lock> locks = new ArrayList<>();
      for (MockApp app : List.of(starting, again)) {
        locks.add(app.attempt().getWriteLock());
        locks.add(writeLock(app.rmApp()));
        app.rmApp().getAppAttempts().values().forEach(attempt -> locks.add(writeLock(attempt)));
        locks.add(writeLock(app.attempt().getQueue()));
      }
      locks.forEach(Lock::lock);
      try {
        Map<String, Long> figures =
            assertTimeoutPreemptively(Duration.ofSeconds(30), () -> figuresOfTenant(2));
        assertThat(figures).containsEntry("AcceptedApplications", 1L)
            .containsEntry("WaitingForSlotApplications", 1L).containsEntry("WaitingForRoomApplications", 0L)
            .hasEntrySatisfying("OldestAcceptedSeconds",
                seconds -> assertThat(seconds).isBetween(8L, 300L));
      } finally {
        locks.forEach(Lock::unlock);
      }
    }
  }

  private static Lock writeLock(Object owner) {
    try {
      return (Lock) FieldUtils.readField(owner, "writeLock", true);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void liveViewShowsWhoHoldsTheSlotOfTheGroup() throws Exception {
    try (MockCluster cluster = cluster(2, "starting-group", "etl")) {
      cluster.addNode(16 * GB);
      MockApp starting = submit(1, GB, cluster);
      cluster.heartbeat();
      MockApp held = submit(2, GB, cluster);
      cluster.advance(Duration.ofSeconds(8));
      cluster.runMonitor();
      assertThat(LiveTables.rows("Queues")).extracting(queue -> queue.get("queue"),
          queue -> queue.get("group"), queue -> queue.get("starting"), queue -> queue.get("accepted"))
          .contains(tuple(tenant(1), "etl", 1L, 0L), tuple(tenant(2), "etl", 0L, 1L));
      assertThat(LiveTables.rows("Starting")).singleElement().satisfies(row -> assertThat(row)
          .containsEntry("queue", tenant(1)).containsEntry("application", starting.id().toString()));
      assertThat(LiveTables.rows("Line")).singleElement().satisfies(row -> {
        assertThat(row).containsEntry("queue", tenant(2)).containsEntry("place", 1L)
            .containsEntry("application", held.id().toString())
            .containsEntry("code", "SLOT").containsEntry("arguments", "group=etl");
        assertThat((String) row.get("reason")).contains("waits for a starting slot of the group etl; "
            + starting.id() + " in queue " + tenant(1) + " has been starting for 8 s");
      });
    }
  }

  @Test
  void heldApplicationNamesTheReservedDriverOfAnotherQueue() throws Exception {
    try (MockCluster cluster = cluster(2, "starting-group", "etl")) {
      cluster.addFilledNodes(1);
      MockApp reserved = submit(1, 2 * GB, cluster);
      cluster.heartbeat();
      MockApp held = submit(2, GB, cluster);
      cluster.runMonitor();
      assertThat(diagnostics(held)).contains("waits for a starting slot of the group etl; a node is"
          + " reserved for the AM of " + reserved.id() + " in queue " + tenant(1) + ".");
      assertThat(diagnostics(reserved)).contains("It is next");
      assertThat(cluster.policy(tenant(2)).getInfo()).contains("With a node reserved for the AM: "
          + reserved.id() + " in queue " + tenant(1));
      assertThat(figuresOfTenant(2)).containsEntry("GroupStartingApplications", 0L)
          .containsEntry("GroupReservedApplications", 1L)
          .containsEntry("WaitingForSlotApplications", 1L);
      assertThat(LiveTables.rows("Line"))
          .extracting(row -> row.get("application"), row -> row.get("takesSlot"))
          .containsOnly(tuple(reserved.id().toString(), "yes"), tuple(held.id().toString(), "no"));
    }
  }

  @Test
  void metricsCountTheGroup() throws Exception {
    try (MockCluster cluster = cluster(3, "starting-group", "etl", "max-starting", "2")) {
      cluster.addNode(16 * GB);
      submit(1, GB, cluster);
      submit(2, GB, cluster);
      submit(3, GB, cluster);
      cluster.heartbeat();
      cluster.runMonitor();
      long starting = 0;
      for (int number = 1; number <= 3; number++) {
        assertThat(figuresOfTenant(number)).containsEntry("GroupStartingApplications", 2L)
            .containsEntry("GroupReservedApplications", 0L);
        starting += figuresOfTenant(number).get("StartingApplications");
      }
      assertThat(starting).isEqualTo(2);
    }
  }

  @Test
  void queueAloneIsItsOwnGroup() throws Exception {
    try (MockCluster cluster = cluster(2)) {
      cluster.addNode(16 * GB);
      submit(1, GB, cluster);
      submit(2, GB, cluster);
      MockApp held = submit(2, GB, cluster);
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(figuresOfTenant(1)).containsEntry("GroupStartingApplications", 1L);
      assertThat(diagnostics(held)).contains("waits for a starting slot; ").doesNotContain("in queue");
    }
  }

  private static MockCluster cluster(int queues, String... stateAware) {
    return CONFIGURED.cluster(queues, stateAware);
  }

  private static MockApp submit(int number, int memory, MockCluster cluster) throws Exception {
    return CONFIGURED.submit(number, memory, cluster);
  }

  private static String diagnostics(MockApp app) {
    return app.rmApp().getDiagnostics().toString();
  }
}
