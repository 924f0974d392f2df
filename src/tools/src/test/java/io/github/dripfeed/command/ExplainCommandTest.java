// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.dripfeed.tool.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code explain}, at a ResourceManager that serves what it reads. */
class ExplainCommandTest extends CommandFixture {

  @Test
  void explainTellsWhereAnApplicationStands() throws Exception {
    rm.busy();
    assertThat(run("explain", FakeResourceManager.id(14)).out()).containsSubsequence("\"nightly etl 14\"",
        "bob", "number 2 of 3 in the line of root.batch", "3 min", "waits for a starting slot",
        "One application is before it. A slot becomes free", "alice", "probably in 50 to 100 s");
    assertThat(run("explain", FakeResourceManager.id(12)).out())
        .contains("starting in root.batch", "lacks 1 executor, requested", "after 2 min",
            "ACCEPTED -> STARTING");
    assertThat(run("explain", FakeResourceManager.id(14)).out().replaceAll("\\s+", " "))
        .contains("of alice for 36 s (at most 2 min), lacks 1 executor");
    assertThat(run("explain", FakeResourceManager.id(16)).out())
        .contains("in YARN's own list", "maximum-am-resource-percent");
    rm.applications.put(FakeResourceManager.id(4), "{\"queue\":\"batch\",\"state\":\"RUNNING\","
        + "\"user\":\"alice\",\"finishedTime\":0}");
    assertThat(run("explain", FakeResourceManager.id(4)).out())
        .contains("running in root.batch", "it has its executors");
    rm.applications.put(FakeResourceManager.id(3), "{\"queue\":\"batch\",\"state\":\"FAILED\","
        + "\"user\":\"bob\",\"finalStatus\":\"FAILED\","
        + "\"finishedTime\":" + (FakeResourceManager.NOW - 1) + ","
        + "\"diagnostics\":\"exited with 137\"}");
    assertThat(run("explain", FakeResourceManager.id(3)).out()).contains("ended: FAILED", "137");
  }

  /** What the last thousand events have forgotten, the tables of some kinds may still have. */
  @Test
  void eventsThatAreKeptLongerAreToldToo() throws Exception {
    rm.busy();
    ((ObjectNode) rm.bean.at("/Events/0")).put("sequence", 5000);
    rm.event("Promotions", 9 * 3600, 90, "eve", "STARTING RUNNING 120",
        "it was starting for as long as the queue allows").put("sequence", 400);
    String promoted = FakeResourceManager.id(90);
    assertThat(oneLine("explain " + promoted)).as("YARN does not know it any more")
        .contains("ended in root.batch", "so far", "for as long as the queue allows");
    rm.applications.put(promoted, "{\"queue\":\"batch\",\"state\":\"RUNNING\"}");
    assertThat(oneLine("explain " + promoted)).contains("running in root.batch",
        "how it got there is no longer kept", "so far", "for as long as the queue allows",
        "Kept are the last 9 events");
  }

  /** Its next attempt may have done anything. */
  @Test
  void endThatIsKeptLongerIsNotTakenForTheLastEvent() throws Exception {
    rm.busy();
    ((ObjectNode) rm.bean.at("/Events/0")).put("sequence", 5000);
    rm.event("EndedWhileStarting", 9 * 3600, 91, "eve", "STARTING ENDED 20", "it failed")
        .put("sequence", 401).put("queue", "root.gone");
    String application = FakeResourceManager.id(91);
    JsonNode gone = run("explain", application, "--json").json();
    assertThat(gone.at("/where").asText()).isEqualTo("ended in root.gone");
    assertThat(gone.at("/why").asText()).isEmpty();
    assertThat(gone.at("/since").asLong()).isEqualTo(-1);
    rm.applications.put(application, "{\"queue\":\"batch\",\"state\":\"RUNNING\"}");
    assertThat(oneLine("explain " + application)).contains("running in").doesNotContain("after STARTING");
    rm.applications.put(application, "{\"queue\":\"batch\",\"state\":\"ACCEPTED\",\"startedTime\":"
        + (FakeResourceManager.NOW - 1000) + "}");
    assertThat(run("explain", application, "--json").json().at("/since").asLong())
        .isEqualTo(FakeResourceManager.NOW - 1000);
  }

  @Test
  void documentSaysOfWhichTableItsRowIs() throws Exception {
    rm.busy();
    rm.applications.put(FakeResourceManager.id(4), "{\"queue\":\"batch\",\"state\":\"RUNNING\"}");
    int[] applications = {14, 12, 16, 4, 3};
    String[] tables = {"line", "starting", "pending", "yarn", "event"};
    for (int i = 0; i < applications.length; i++) {
      JsonNode document = run("explain", FakeResourceManager.id(applications[i]), "--json").json();
      assertThat(document.at("/rowOf").asText()).isEqualTo(tables[i]);
      assertThat(document.at("/row")).isNotEmpty();
    }
    JsonNode unknown = run("explain", FakeResourceManager.id(71), "--json").json();
    assertThat(unknown.at("/rowOf").asText()).isEmpty();
    assertThat(unknown.at("/row")).isEmpty();
    assertThat(unknown.at("/errors/0").asText()).startsWith(FakeResourceManager.id(71) + ": nowhere");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "SLOT|1||20|the queue has not moved lately",
    "SLOT|1||4|too few have started lately while others waited",
    "SLOT|1|gpu|4|the queue has not moved lately",
    "BACK_OFF|-1||20|it has no place in line for now",
    "NEW_CODE|1||20|the queue has not moved lately",
    "STALLED|1||20|it comes after all others", "EXHAUSTED|1||20|it comes after all others"})
  void explainSaysWhyNobodyCanSayWhenItStarts(
      String code, int place, String partition, int counted, String why) {
    rm.queue("root.batch", 2, 0, 0).put("startsCounted", counted);
    rm.waiting("root.batch", partition == null ? "" : partition, 13, "bob", 100).put("place", place)
        .put("code", code).put("startsInLowSeconds", -1).put("startsInHighSeconds", -1);
    assertThat(oneLine("explain " + FakeResourceManager.id(13))).contains("nobody can say: " + why);
  }

  /** The reason of a held application repeats tags that are not allowed, and users choose those. */
  @ParameterizedTest
  @ValueSource(strings = {"user limit=x", "was taken back, next try in", "comes after all others"})
  void textOfAUserDecidesNothing(String tag) {
    rm.queue("root.batch", 1, 0, 0).put("startsCounted", 20);
    ObjectNode row = rm.waiting("root.batch", 13, "bob", 100)
        .put("startsInLowSeconds", -1).put("startsInHighSeconds", -1);
    row.put("reason", row.path("reason").asText() + " tag 'stateaware." + tag + "' is ignored.");
    assertThat(oneLine("explain " + FakeResourceManager.id(13)))
        .contains("lets go A slot becomes free when", "nobody can say: the queue has not moved lately");
  }

  /** The queue's row tells how the line of the default partition has moved. */
  @Test
  void explainTellsNoIntervalsOfAnotherPartition() {
    rm.queue("root.batch", 2, 0, 0);
    rm.waiting("root.batch", 13, "bob", 100);
    rm.waiting("root.batch", "gpu", 14, "bob", 100);
    assertThat(oneLine("explain " + FakeResourceManager.id(13)))
        .contains("probably in 25 to 50 s: the last 20 starts came 25 to 50 s apart");
    assertThat(oneLine("explain " + FakeResourceManager.id(14)))
        .contains("probably in 25 to 50 s").doesNotContain("apart");
  }

  @Test
  void explainTellsWhatItDoesNotKnowOfTheTimeBefore() throws Exception {
    rm.busy();
    assertThat(oneLine("explain " + FakeResourceManager.id(12))).as("from its acceptance on")
        .contains("so far").doesNotContain("before ");
    assertThat(oneLine("explain " + FakeResourceManager.id(13))).as("it has only waited")
        .doesNotContain("has been active since");
    rm.event(50, 60, "bob", "NEW RUNNING 1", "it has executors of an earlier attempt");
    rm.applications.put(FakeResourceManager.id(60), "{\"queue\":\"batch\",\"state\":\"RUNNING\","
        + "\"user\":\"bob\",\"finishedTime\":0}");
    assertThat(oneLine("explain " + FakeResourceManager.id(60)))
        .contains("before " + rm.url() + " has been active since", "(io.github.dripfeed.StateLog)");
    assertThat(run("explain", FakeResourceManager.id(60), "--json").json().at("/gap").asText())
        .contains("StateLog");
    rm.applications.put(FakeResourceManager.id(60), "{\"queue\":\"batch\",\"state\":\"RUNNING\","
        + "\"user\":\"bob\",\"startedTime\":" + FakeResourceManager.NOW + ",\"finishedTime\":0}");
    assertThat(oneLine("explain " + FakeResourceManager.id(60))).as("submitted since then")
        .doesNotContain("has been active since");
    rm.startedOn = FakeResourceManager.NOW - 1000;
    assertThat(oneLine("explain " + FakeResourceManager.id(12))).as("another was active since its event")
        .contains("has been active since");
    rm.waiting("root.batch", 61, "bob", 30).put("attempt", FakeResourceManager.attempt(61, 2));
    assertThat(oneLine("explain " + FakeResourceManager.id(61))).as("an earlier attempt, of which no event"
        + " is left").contains("has been active since");
  }

  /** YARN accepts those beyond max-parallel-apps, without a word, and offers them to no order. */
  @Test
  void explainKnowsWhatYarnKeepsOutOfTheOrder() throws Exception {
    rm.busy();
    String beyond = FakeResourceManager.id(72);
    rm.applications.put(beyond, "{\"queue\":\"batch\",\"state\":\"ACCEPTED\",\"user\":\"eve\","
        + "\"startedTime\":1700000000000,\"diagnostics\":\"\",\"runningContainers\":-1,"
        + "\"finishedTime\":0}");
    assertThat(run("explain", beyond).out().replaceAll("\\s+", " "))
        .contains("accepted by YARN, and not yet in the line of root.batch", "max-parallel-apps")
        .doesNotContain("running");
    JsonNode document = run("explain", beyond, "--json").json();
    assertThat(document.at("/state").asText()).isEqualTo("not_in_order");
    assertThat(document.at("/since").asLong()).isEqualTo(1_700_000_000_000L);
    rm.applications.put(beyond, "{\"queue\":\"batch\",\"state\":\"ACCEPTED\",\"user\":\"eve\","
        + "\"diagnostics\":\"\",\"runningContainers\":1,\"finishedTime\":0}");
    assertThat(run("explain", beyond).out()).as("its AM comes up").contains("running in root.batch");
    rm.applications.put(beyond, "{\"queue\":\"batch\",\"state\":\"ACCEPTED\",\"user\":\"eve\","
        + "\"startedTime\":1700000000000,\"runningContainers\":-1,\"finishedTime\":0}");
    rm.event(50, 72, "eve", "RUNNING ENDED 9", "it failed: exited with 137");
    assertThat(run("explain", beyond, "--json").json().at("/since").asLong())
        .as("its attempt before has ended then").isEqualTo(FakeResourceManager.NOW - 50_000);
  }

  /** From Hadoop 3.3 on, leaf queues of several parents may have one name, and YARN tells no more. */
  @Test
  void explainNamesTheQueueOfTheLastEventWhereSeveralHaveItsName() throws Exception {
    rm.queue("root.a.default", 0, 0, 0);
    rm.queue("root.b.default", 0, 0, 1);
    String running = FakeResourceManager.id(72);
    String yarn = "{\"queue\":\"%s\",\"state\":\"RUNNING\",\"finishedTime\":0}";
    rm.applications.put(running, String.format(yarn, "default"));
    assertThat(oneLine("explain " + running)).contains("where running in default, as several paths end"
        + " (root.a.default, root.b.default): YARN does not say which");
    assertThat(run("explain", running, "--json").json().at("/row/queue").asText()).isEqualTo("default");
    rm.event(50, 72, "eve", "STARTING RUNNING 9", "it has its executors").put("queue", "root.b.default");
    assertThat(oneLine("explain " + running)).contains("where running in root.b.default")
        .doesNotContain("root.a.default");
    rm.applications.put(running, String.format(yarn, "root.a.default"));
    assertThat(oneLine("explain " + running)).as("right after a move YARN names the whole path")
        .contains("where running in root.a.default").doesNotContain("root.b.default");
    rm.bean.withArray("Queues").remove(1);
    rm.applications.put(running, String.format(yarn, "default"));
    assertThat(oneLine("explain " + running)).as("its queue is no longer under Dripfeed")
        .contains("RUNNING in root.b.default, a queue without Dripfeed");
  }

  /** Its line may be one that is longer than its table. */
  @Test
  void explainClaimsNothingOfALineWhereSeveralQueuesHaveTheName() throws Exception {
    rm.queue("root.a.default", 0, 0, 0);
    ObjectNode other = rm.queue("root.b.default", 0, 0, 0);
    String waiting = FakeResourceManager.id(72);
    rm.applications.put(waiting, "{\"queue\":\"default\",\"state\":\"ACCEPTED\",\"finishedTime\":0,"
        + "\"diagnostics\":\"\"}");
    assertThat(run("explain", waiting, "--json").json().at("/state").asText()).isEqualTo("not_in_order");
    other.put("accepted", 7);
    assertThat(oneLine("explain " + waiting)).contains("where in the line of default, as several paths end",
        "YARN does not say which why YARN does not say yet").doesNotContain("beyond the first", "table");
  }

  /** The table ends after 10,000 rows of all queues. */
  @Test
  void explainSaysThatTheTableOfLinesEndedBeforeTheQueue() {
    rm.queue("root.batch", 7, 0, 0);
    rm.applications.put(FakeResourceManager.id(72), "{\"queue\":\"batch\",\"state\":\"ACCEPTED\","
        + "\"finishedTime\":0,\"diagnostics\":\"Held by StateAwareOrderingPolicy: Number 7 in line.\"}");
    assertThat(oneLine("explain " + FakeResourceManager.id(72)))
        .contains("where in the line of root.batch: the table of lines ended before this queue why Held by")
        .doesNotContain("first", "First");
  }

  /** Everybody sees state and diagnostics in YARN's REST API, and no time. */
  @Test
  void explainTellsTheEndToThoseWhoMayNotViewTheApplication() throws Exception {
    rm.queue("root.batch", 0, 0, 0);
    String ended = FakeResourceManager.id(72);
    rm.applications.put(ended, "{\"queue\":\"batch\",\"state\":\"FAILED\",\"finalStatus\":\"FAILED\","
        + "\"finishedTime\":0,\"startedTime\":0,\"diagnostics\":\"137\"}");
    assertThat(oneLine("explain " + ended)).contains("ended: FAILED in root.batch", "why 137")
        .doesNotContain("since 1970");
    JsonNode document = run("explain", ended, "--json").json();
    assertThat(document.at("/state").asText()).isEqualTo("ended");
    assertThat(document.at("/since").asLong()).isEqualTo(-1);
    rm.event(50, 72, "eve", "RUNNING ENDED 9", "it failed");
    assertThat(run("explain", ended, "--json").json().at("/since").asLong())
        .isEqualTo(FakeResourceManager.NOW - 50_000);
    rm.event(40, 72, "eve", "ACCEPTED STARTING 9", "its AM is allocated");
    assertThat(run("explain", ended, "--json").json().at("/since").asLong())
        .as("the end of its last attempt is not recorded yet").isEqualTo(-1);
    rm.applications.put(FakeResourceManager.id(73), "{\"queue\":\"batch\",\"state\":\"ACCEPTED\","
        + "\"startedTime\":0,\"finishedTime\":0,\"diagnostics\":\"\"}");
    assertThat(run("explain", FakeResourceManager.id(73), "--json").json().at("/since").asLong())
        .isEqualTo(-1);
  }

  /** The time of all attempts adds up; an attempt after that takes no slot from others. */
  @Test
  void explainTellsWhatEarlierAttemptsHaveUsedOfTheTime() {
    rm.queue("root.batch", 0, 1, 0);
    ObjectNode starting = rm.starting("root.batch", 12, "alice", 36);
    String call = "explain " + FakeResourceManager.id(12);
    rm.event(90, 12, "alice", "STARTING ENDED 300", "it failed").put("attempt", "the one before");
    assertThat(oneLine(call)).as("it was found after a restart")
        .contains("starting-timeout is over: after 2 min").doesNotContain("earlier attempts");
    starting.put("earlierSeconds", 45);
    assertThat(oneLine(call)).contains("after 2 min, of which its earlier attempts have used 45 s");
    starting.put("earlierSeconds", 125).put("takesSlot", "no");
    assertThat(oneLine(call)).contains("after 2 min. Its earlier attempts have used up that time (2 min),"
        + " so it has the same time once more, but takes no starting slot from others");
    starting.put("atMostSeconds", 0).put("earlierSeconds", 0).put("takesSlot", "yes");
    assertThat(oneLine(call)).as("a limit below 1 s").doesNotContain("earlier attempts");
    starting.remove(List.of("earlierSeconds", "takesSlot"));
    assertThat(oneLine(call)).as("of a ResourceManager that does not say it")
        .doesNotContain("earlier attempts");
  }

  /** The tables are read one after the other, and it may have left the one before it came to the other. */
  @Test
  void whoseLastEventIsItsStartIsStarting() throws Exception {
    rm.queue("root.batch", 0, 1, 0);
    rm.event(9, 62, "bob", "ACCEPTED STARTING 3", "its AM is allocated");
    String call = "explain " + FakeResourceManager.id(62);
    for (String state : new String[] {"ACCEPTED", "RUNNING"}) {
      rm.applications.put(FakeResourceManager.id(62), "{\"queue\":\"batch\",\"state\":\"" + state + "\","
          + "\"user\":\"bob\",\"runningContainers\":1,\"finishedTime\":0}");
      assertThat(oneLine(call)).contains("where starting in root.batch", "why its AM is allocated",
          "lets go It counts as running as soon as it has its executors; or, at the latest, when its"
          + " starting-timeout is over");
      JsonNode document = run("explain", FakeResourceManager.id(62), "--json").json();
      assertThat(document.at("/state").asText()).isEqualTo("starting");
      assertThat(document.at("/since").asLong()).isEqualTo(FakeResourceManager.NOW - 9000);
    }
  }

  /** The end of an attempt is recorded up to a round of the monitor later than it happened. */
  @Test
  void explainTellsEventsInTheOrderOfTheirTimes() throws Exception {
    rm.busy();
    rm.event(9, 62, "bob", "ACCEPTED STARTING 3", "its AM is allocated")
        .put("attempt", FakeResourceManager.attempt(62, 2));
    rm.event(8, 62, "bob", "STARTING RUNNING 1", "it has its executors")
        .put("attempt", FakeResourceManager.attempt(62, 2));
    rm.event(12, 62, "bob", "STARTING ENDED 20", "it failed");
    rm.applications.put(FakeResourceManager.id(62), "{\"queue\":\"batch\",\"state\":\"RUNNING\","
        + "\"user\":\"bob\",\"finishedTime\":0}");
    assertThat(oneLine("explain " + FakeResourceManager.id(62))).contains("where running in root.batch")
        .containsSubsequence("so far", "STARTING -> ENDED", "ACCEPTED -> STARTING", "STARTING -> RUNNING");
    rm.applications.clear();
    assertThat(run("explain", FakeResourceManager.id(62), "--json").json().at("/state").asText())
        .as("also if YARN does not know it").isEqualTo("running");
  }

  @Test
  void explainSaysThatAStartingApplicationMayLoseItsDriver() {
    rm.queue("root.batch", 0, 1, 0).put("takeBack", "on");
    rm.starting("root.batch", 12, "alice", 36);
    assertThat(oneLine("explain " + FakeResourceManager.id(12)))
        .contains("it may lose its AM, and comes again as its next attempt");
  }

  /** After a failover and back the tables are there before a queue is. */
  @Test
  void explainKnowsTheQueueBeforeItsFirstApplication() {
    String application = FakeResourceManager.id(70);
    rm.applications.put(application, "{\"queue\":\"batch\",\"state\":\"ACCEPTED\",\"user\":\"eve\"}");
    assertThat(oneLine("explain " + application)).contains("a queue without Dripfeed");
    rm.scheduler(20_000, 6000);
    assertThat(oneLine("explain " + application)).contains("not yet in the line of root.batch");
  }

  @Test
  void explainSaysWhatDripfeedDoesNotKnow() throws Exception {
    rm.busy();
    rm.applications.put(FakeResourceManager.id(70),
        "{\"queue\":\"default\",\"state\":\"ACCEPTED\",\"user\":\"eve\",\"diagnostics\":\"waiting\"}");
    Output elsewhere = run("explain", FakeResourceManager.id(70));
    assertThat(elsewhere.exitCode()).isEqualTo(Problem.NOT_FOUND);
    assertThat(elsewhere.out()).contains("ACCEPTED in default, a queue without Dripfeed");
    rm.applications.put(FakeResourceManager.id(72), "{\"queue\":\"default\",\"state\":\"FINISHED\","
        + "\"user\":\"eve\",\"finalStatus\":\"SUCCEEDED\","
        + "\"finishedTime\":" + FakeResourceManager.NOW + "}");
    Output ended = run("explain", FakeResourceManager.id(72));
    assertThat(ended.exitCode()).isEqualTo(Problem.NOT_FOUND);
    assertThat(ended.out()).contains("ended: SUCCEEDED in default").doesNotContain("StateLog");
    Output unknown = run("explain", FakeResourceManager.id(71), "--json");
    assertThat(unknown.exitCode()).isEqualTo(Problem.NOT_FOUND);
    assertThat(unknown.json().at("/state").asText()).isEqualTo("unknown");
  }
}
