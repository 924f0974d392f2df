// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.LiveTables.column;
import static io.github.dripfeed.fixture.LiveTables.rows;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of the live view, over a real Capacity Scheduler. */
class LiveViewTest {

  private static final String LIMIT = MockCluster.queueKey("maximum-am-resource-percent");

  /** YARN creates policies that it never uses. */
  @Test
  void existsOnceAQueueIsUsed() throws Exception {
    LiveTables.unregister();
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.refresh();
      cluster.tick();
      assertThat(LiveTables.isRegistered()).isFalse();
      cluster.submit();
      cluster.runMonitor();
      assertThat(LiveTables.isRegistered()).isTrue();
    }
  }

  @Test
  void queueShowsItsApplicationsAndItsSettings() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "max-starting", "2", "min-executors", "3")) {
      cluster.submitMany(5, GB, "ann");
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(rows("Queues")).singleElement().satisfies(queue -> assertThat(queue)
          .containsEntry("queue", "root.drip").containsEntry("group", "")
          .containsEntry("accepted", 3L).containsEntry("starting", 2L).containsEntry("running", 0L)
          .containsEntry("waitingForSlot", 3L).containsEntry("waitingForRoom", 0L)
          .containsEntry("takenBack", 0L).containsEntry("pendingActivation", 0L)
          .containsEntry("maxStarting", "2").containsEntry("ordering", "priority")
          .containsEntry("takeBack", "off")
          .containsEntry("changedSettings", "max-starting = 2; min-executors = 3")
          .hasEntrySatisfying("settings", all -> assertThat(all.toString().split("; "))
              .contains("max-starting = 2", "min-executors = 3", "order = priority", "idle-timeout = 0"))
          .containsEntry("startIntervalLowSeconds", -1L).containsEntry("startsCounted", 1L));
    }
  }

  @Test
  void queueWithAutoIsOfTheGroupAuto() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "max-starting", "auto")) {
      cluster.submit();
      cluster.runMonitor();
      assertThat(LiveTables.column("Queues", "group")).containsExactly("auto");
    }
  }

  @Test
  void startingApplicationShowsWhatItLacksAndSinceWhen() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "min-executors", "3")) {
      MockApp app = cluster.submit(
          cluster.submission(GB).withUser("ann").withType("SPARK").withName("<b>nightly</b>"));
      cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      cluster.advance(Duration.ofSeconds(7));
      cluster.runMonitor();
      assertThat(rows("Starting")).singleElement().satisfies(row -> assertThat(row)
          .containsEntry("queue", "root.drip").containsEntry("partition", "")
          .containsEntry("application", app.id().toString())
          .containsEntry("attempt", app.attemptId().toString())
          .containsEntry("name", "?b?nightly?/b?").containsEntry("user", "ann")
          .containsEntry("type", "SPARK").containsEntry("seconds", 7L)
          .containsEntry("atMostSeconds", 300L).containsEntry("executors", 0L)
          .containsEntry("minExecutors", 3L).containsEntry("lacks", "3 executors, not requested")
          .containsEntry("requests", "no"));
      // Only the wall clock goes on by itself, so in this order.
      long since = (long) column("Starting", "since").get(0);
      assertThat((long) LiveTables.attribute("Time") - since).isBetween(7000L, 17_000L);
      app.register().ask(1, GB);
      cluster.heartbeat();
      app.ask(3, 8 * GB);
      assertThat(rows("Starting")).singleElement().satisfies(row -> assertThat(row)
          .containsEntry("executors", 1L).containsEntry("lacks", "2 executors, requested")
          .containsEntry("requests", "yes"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void startingApplicationShowsWhatItsEarlierAttemptsHaveUsed(boolean restarted) throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_AM_MAX_ATTEMPTS, "20")) {
      cluster.addNode(16 * GB);
      MockApp looping = cluster.submit(cluster.submission(GB).withMaxAttempts(20));
      for (long used = 0; used <= 480; used += 240) {
        cluster.heartbeat();
        cluster.tick();
        assertThat(rows("Starting")).singleElement().satisfies(row -> assertThat(row)
            .containsEntry("attempt", looping.attemptId().toString()));
        // Of one that was found after a restart, nobody knows how long it was starting.
        assertThat(column("Starting", "earlierSeconds")).containsExactly(restarted ? 0 : used);
        assertThat(column("Starting", "takesSlot"))
            .containsExactly(restarted || used < 300 ? "yes" : "no");
        looping.register();
        cluster.advance(Duration.ofSeconds(239));
        cluster.runMonitor();
        if (restarted) {
          cluster.restart().reconnectNodes();
          looping.registerAgain();
        }
        looping.failDriver();
      }
    }
  }

  @Test
  void lineHasPlacesAndTheReasonsOfTheDiagnostics() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit(GB, 9);
      cluster.heartbeat();
      MockApp low = cluster.submit(cluster.submission(2 * GB).withUser("ann").withType("SPARK"));
      MockApp high = cluster.submit(3 * GB, 5);
      cluster.heartbeat();
      cluster.runMonitor();
      cluster.advance(Duration.ofSeconds(60));
      cluster.runMonitor();
      List<Map<String, Object>> line = rows("Line");
      assertThat(line).extracting(row -> row.get("application"))
          .containsExactly(high.id().toString(), low.id().toString());
      assertThat(line).extracting(row -> row.get("place")).containsExactly(1L, 2L);
      assertThat(line).extracting(row -> row.get("priority")).containsExactly(5L, 0L);
      assertThat(line).extracting(row -> row.get("memoryMb")).containsExactly(3L * GB, 2L * GB);
      assertThat(line).extracting(row -> row.get("vcores")).containsExactly(1L, 1L);
      assertThat(line.get(1)).containsEntry("user", "ann").containsEntry("type", "SPARK")
          .containsEntry("resources", "").containsEntry("since", low.rmApp().getSubmitTime())
          .containsEntry("startsInLowSeconds", -1L).containsEntry("startsInHighSeconds", -1L);
      assertThat((long) line.get(1).get("seconds")).isBetween(60L, 90L);
      for (int i = 0; i < 2; i++) {
        assertThat((i == 0 ? high : low).rmApp().getDiagnostics().toString())
            .as("the very sentence").contains((String) line.get(i).get("reason"));
      }
    }
  }

  @Test
  void laterAttemptWaitsSinceTheEndOfTheOneBefore() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp failing = cluster.start(cluster.submission(GB), 1);
      cluster.submit();
      cluster.heartbeat();
      String first = failing.attemptId().toString();
      failing.failDriver();
      cluster.runMonitor();
      long ended = failing.rmApp().getAppAttempts().values().iterator().next().getFinishTime();
      assertThat(rows("Line")).filteredOn(row -> row.get("application").equals(failing.id().toString()))
          .singleElement().satisfies(row -> assertThat(row).containsEntry("since", ended)
              .doesNotContainEntry("attempt", first));
      assertThat(ended).isGreaterThan(failing.rmApp().getSubmitTime());
    }
  }

  @Test
  void applicationsThatYarnHasNotActivatedAreInAListOfTheirOwn() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class, LIMIT, "0.1")) {
      cluster.addNode(8 * GB);
      cluster.submit();
      MockApp waiting = cluster.submit(cluster.submission(GB).withUser("ann"));
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(rows("Line")).isEmpty();
      assertThat(rows("Pending")).singleElement().satisfies(row -> assertThat(row)
          .containsEntry("queue", "root.drip").containsEntry("application", waiting.id().toString())
          .containsEntry("user", "ann").containsEntry("since", waiting.rmApp().getSubmitTime())
          .containsEntry("code", "AM_LIMIT"));
      assertThat((String) rows("Pending").get(0).get("reason")).as("YARN's own")
          .contains("not yet activated");
    }
  }

  /** The reason repeats a tag that is not allowed; what its user wrote changes no code. */
  @Test
  void codesAreNotWhatAUserWrites() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "allow-application-overrides", "true")) {
      cluster.submit();
      cluster.heartbeat();
      MockApp next = cluster.submit(cluster.submission(GB).withTags("stateaware.user limit=x"));
      cluster.submit();
      cluster.runMonitor();
      assertThat((String) rows("Line").get(0).get("reason")).contains("user limit=x");
      assertThat(column("Line", "code")).containsExactly("SLOT", "SLOT");
      assertThat(column("Line", "arguments")).containsExactly("", "next=" + next.id());
    }
  }

  @Test
  void eventsTellTheLifeOfEveryAttempt() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "starting-timeout", "60s")) {
      MockApp good = cluster.submit(cluster.submission(GB).withUser("ann").withType("SPARK"));
      MockApp slow = cluster.submit();
      MockApp failing = cluster.submit();
      MockApp given = cluster.submit();
      cluster.advance(Duration.ofSeconds(2));
      cluster.heartbeat();
      cluster.advance(Duration.ofSeconds(3));
      good.register().ask(1, GB);
      cluster.heartbeat();
      cluster.runFor(70);
      given.kill();
      cluster.tick();
      failing.failDriver();
      good.finish();
      cluster.runMonitor();

      assertThat(rows("Events")).extracting(LiveViewTest::summary).containsExactly(
          good.id() + " ACCEPTED STARTING", good.id() + " STARTING RUNNING",
          slow.id() + " ACCEPTED STARTING", slow.id() + " STARTING RUNNING",
          failing.id() + " ACCEPTED STARTING", given.id() + " ACCEPTED ENDED",
          // Its next attempt was faster than the question why this one had ended.
          failing.id() + " ACCEPTED STARTING", failing.id() + " STARTING ENDED",
          good.id() + " RUNNING ENDED");
      assertThat(column("Events", "sequence"))
          .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
      List<Map<String, Object>> events = rows("Events");
      assertThat(events.get(1)).containsEntry("queue", "root.drip").containsEntry("user", "ann")
          .containsEntry("type", "SPARK").containsEntry("attempt", good.attemptId().toString())
          .containsEntry("milliseconds", 3000L).containsEntry("reason", "it has its executors");
      assertThat(column("Events", "code")).containsExactly("AM_ALLOCATED", "EXECUTORS", "AM_ALLOCATED",
          "TIMEOUT", "AM_ALLOCATED", "KILLED", "AM_ALLOCATED", "FAILED", "FINISHED");
      assertThat((String) events.get(3).get("reason")).contains("for as long as the queue allows");
      assertThat((String) events.get(5).get("reason")).startsWith("it was killed: ");
      assertThat((String) events.get(7).get("reason")).startsWith("it failed: ").contains("exitCode");
      assertThat((String) events.get(8).get("reason")).startsWith("it has finished");
    }
  }

  @Test
  void moveAndPriorityChangeAreNotAnEnd() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      MockApp app = cluster.submit();
      cluster.heartbeat();
      app.setPriority(3);
      app.moveTo(MockCluster.OTHER);
      cluster.runMonitor();
      assertThat(column("Events", "to")).containsExactly("STARTING");
    }
  }

  @Test
  void onlyTheLastThousandEventsAreKept() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "exempt-application-types", "TINY")) {
      for (int i = 0; i < 510; i++) {
        cluster.submit(cluster.submission(GB).withType("TINY")).kill();
      }
      cluster.runMonitor();
      assertThat(column("Events", "sequence")).hasSize(1000).startsWith(21L).endsWith(1020L);
    }
  }

  /** What is asked for the next morning outlives the thousandth event. */
  @Test
  void startsThatDidNotGoWellAreKeptBeyondTheLastThousandEvents() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "starting-timeout", "60s",
        "exempt-application-types", "TINY")) {
      final MockApp slow = cluster.submit();
      final MockApp failing = cluster.submit();
      cluster.runFor(70);
      failing.failDriver();
      cluster.tick();
      for (int i = 0; i < 510; i++) {
        cluster.submit(cluster.submission(GB).withType("TINY")).kill();
      }
      cluster.runMonitor();
      assertThat(rows("Events")).extracting(LiveViewTest::summary)
          .doesNotContain(slow.id() + " STARTING RUNNING", failing.id() + " STARTING ENDED");
      assertThat(rows("Promotions")).extracting(LiveViewTest::summary)
          .containsExactly(slow.id() + " STARTING RUNNING");
      assertThat(rows("EndedWhileStarting")).extracting(LiveViewTest::summary)
          .containsExactly(failing.id() + " STARTING ENDED");
      assertThat(LiveTables.attribute("ForgottenPromotions")).isEqualTo(0L);
      assertThat(LiveTables.attribute("ForgottenEndedWhileStarting")).isEqualTo(0L);
    }
  }

  @Test
  void startsAreForecastOnceTheQueueHasMoved() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(64 * GB)) {
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        apps.add(cluster.submit());
      }
      for (int i = 0; i < 11; i++) {
        cluster.heartbeat();
        cluster.advance(Duration.ofSeconds(30 + 2 * (i % 3)));
        apps.get(i).register().ask(1, GB);
        cluster.heartbeat();
      }
      cluster.runMonitor();
      assertThat(rows("Queues").get(0)).containsEntry("startIntervalLowSeconds", 30L)
          .containsEntry("startIntervalHighSeconds", 34L).containsEntry("startsCounted", 11L);
      Map<String, Object> fourth = rows("Line").get(3);
      assertThat((String) fourth.get("reason")).doesNotContain("Number 4 in line", "apart");
      assertThat(column("Line", "reason").stream().distinct()).as("a reason that all have is told once")
          .hasSize(1);
      assertThat(apps).filteredOn(app -> app.id().toString().equals(fourth.get("application")))
          .singleElement().satisfies(app -> assertThat(app.rmApp().getDiagnostics().toString())
              .contains("Number 4 in line").containsPattern(
                  "; the last 11 starts came 30 to 34 s apart: about [\\d to]+ (s|minutes)\\."));
      assertThat((long) fourth.get("startsInLowSeconds")).isBetween(110L, 128L);
      assertThat((long) fourth.get("startsInHighSeconds")).isBetween(136L, 145L);
      cluster.refresh();
      cluster.tick();
      assertThat(rows("Queues").get(0)).as("kept by a refresh").containsEntry("startsCounted", 11L);
      cluster.advance(Duration.ofMinutes(2));
      cluster.runMonitor();
      assertThat(rows("Line").get(3)).as("stands still").containsEntry("startsInHighSeconds", -1L);
    }
  }

  @Test
  void longLineIsCutOff() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      for (int i = 0; i < 1010; i++) {
        cluster.submit();
      }
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(column("Line", "place")).hasSize(1000).startsWith(1L).endsWith(1000L);
      assertThat(rows("Queues").get(0)).containsEntry("accepted", 1009L);
    }
  }

  @Test
  void stoppedResourceManagerShowsNoQueuesAndKeepsTheEvents() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(rows("Queues")).hasSize(1);
      cluster.rm().stop();
      assertThat(rows("Queues")).isEmpty();
      assertThat(rows("Starting")).isEmpty();
      assertThat(rows("Events")).hasSize(1);
      assertThat(LiveTables.isRegistered()).isTrue();
    }
    assertThat(DripfeedRuntime.current().events().all.events()).as("of another runtime").isEmpty();
  }

  /** Right after a rollback an operator asks what happened. */
  @Test
  void tablesOutliveThePoliciesOfAllQueues() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      cluster.refresh(MockCluster.queueKey("ordering-policy"), "fifo");
      for (int i = 0; i < 3; i++) {
        cluster.tick();
      }
      System.gc();
      assertThat(rows("Queues")).isEmpty();
      assertThat(rows("Events")).hasSize(1);
      assertThat(LiveTables.isRegistered()).isTrue();
    }
  }

  private static String summary(Map<String, Object> event) {
    return event.get("application") + " " + event.get("from") + " " + event.get("to");
  }
}
