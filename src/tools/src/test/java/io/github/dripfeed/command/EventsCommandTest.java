// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.dripfeed.core.admission.Transition;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Times;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What happened, and what of it is not known, as {@code events} tells it. */
class EventsCommandTest extends CommandFixture {

  @Test
  void eventsOfAQueueThatNobodyKnowsAreAWrongQueue() throws Exception {
    rm.busy();
    rm.queue("root.quiet", 0, 0, 0);
    Output missing = run("events", "--queue", "root.nowhere");
    assertThat(missing.exitCode()).isEqualTo(Problem.NOT_FOUND);
    assertThat(missing.err()).contains("No queue 'root.nowhere' under Dripfeed; there are root.batch");
    assertThat(run("events", "--queue", "root.nowhere", "--json").json().at("/exitCode").asInt())
        .isEqualTo(Problem.NOT_FOUND);
    assertThat(run("events", "--queue", "root.quiet").exitCode()).as("nothing happened").isZero();
    rm.event(5, 90, "bob", "ACCEPTED STARTING 1", "its AM is allocated").put("queue", "root.removed");
    assertThat(run("events", "--queue", "root.removed").out()).as("it is gone, and its events are not")
        .contains(FakeResourceManager.id(90)).doesNotContain(FakeResourceManager.id(1));
  }

  @Test
  void promotionsByATimeLimitAreFoundWithTheirUsers() {
    rm.busy();
    Output output = run("events", "--reason", "timeout", "--since", "12h");
    assertThat(output.out().split("\n")).hasSize(2);
    assertThat(output.out()).contains(FakeResourceManager.id(2), "bob", "STARTING -> RUNNING", "2 min");
    assertThat(output.err()).as("what cannot be known").contains(rm.url() + " has been active since ",
        ". What was before is in the log of the ResourceManager that was active then");
    Output known = run("events", "--reason", "timeout", "--since", "5m");
    assertThat(known.out()).isEqualTo("No such event.\n");
    assertThat(known.err()).as("all of it is known").isEmpty();
  }

  @Test
  void untilIsAfterSince() {
    rm.busy();
    String all = run("events").out();
    assertThat(run("events", "--since", "12h", "--until", "0s").out()).isEqualTo(all);
    Output wrong = run("events", "--since", "1h", "--until", "2h");
    assertThat(wrong.exitCode()).isEqualTo(Problem.WRONG_CALL);
    assertThat(wrong.err()).contains("--until = '2h': allowed is a time after --since = '1h'");
    ZoneId zone = ZoneId.systemDefault();
    LocalTime now = Instant.ofEpochMilli(FakeResourceManager.NOW).atZone(zone).toLocalTime();
    assertThat(run("events", "--since", now.minusHours(1).toString(), "--until",
        now.plusHours(1).toString()).out()).as("an hour from now, not of yesterday").isEqualTo(all);
  }

  /** A morning of the day before yesterday, not the last one. */
  @Test
  void untilATimeOfDayIsTheFirstOneAfterSince() {
    rm.queue("root.batch", 0, 0, 0);
    rm.event(70 * 3600, 1, "alice", "ACCEPTED STARTING 10", "its AM is allocated");
    rm.event(20 * 3600, 2, "alice", "ACCEPTED STARTING 10", "its AM is allocated");
    LocalDateTime now =
        LocalDateTime.ofInstant(Instant.ofEpochMilli(FakeResourceManager.NOW), ZoneId.systemDefault());
    assertThat(run("events", "--since", now.minusHours(72).toString(), "--until",
        now.minusHours(60).toLocalTime().toString()).out())
        .contains(FakeResourceManager.id(1)).doesNotContain(FakeResourceManager.id(2));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "2026-11-22T17:00:00Z | 18:00 | 2026-11-22T17:00:00Z",
    "2026-11-22T18:00:00Z | 18:30 | 2026-11-23T17:30:00Z",
    "2026-10-24T18:00:00Z | 06:00 | 2026-10-25T05:00:00Z",
    "2026-03-28T18:00:00Z | 06:00 | 2026-03-29T04:00:00Z",
    // 2:30 comes twice on 25 October, and not at all on 29 March.
    "2026-10-25T00:00:00Z | 02:30 | 2026-10-25T00:30:00Z",
    "2026-10-25T00:45:00Z | 02:30 | 2026-10-25T01:30:00Z",
    "2026-10-25T01:45:00Z | 02:30 | 2026-10-26T01:30:00Z",
    "2026-03-29T02:00:00Z | 02:30 | 2026-03-30T00:30:00Z"})
  void firstTimeOfDayIsThatOfTheClockOnTheWall(Instant since, String time, Instant first) throws Problem {
    TimeZone before = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
      assertThat(Instant.ofEpochMilli(Times.parse("--until", time, 0, since.toEpochMilli())))
          .isEqualTo(first);
    } finally {
      TimeZone.setDefault(before);
    }
  }

  /** Both idle-timeout and starting-timeout are time limits. */
  @Test
  void severalReasonsMayBeAskedFor() {
    rm.busy();
    rm.event(40, 91, "dora", "STARTING RUNNING 9", "it has requested nothing for as long as it may")
        .put("code", "IDLE");
    assertThat(run("events", "--reason", "timeout, IDLE").out())
        .contains(FakeResourceManager.id(2), FakeResourceManager.id(91)).doesNotContain("executors");
    assertThat(run("events", "--reason", "am_allocated,taken_back").exitCode()).isZero();
    Output wrong = run("events", "--reason", "timeout,because");
    assertThat(wrong.exitCode()).isEqualTo(Problem.WRONG_CALL);
    assertThat(wrong.err()).contains("option '--reason' (WORD)", "expected one of [AM_ALLOCATED, EXECUTORS",
        "was 'because'");
  }

  @Test
  void whatIsKnownBeginsWithThePolicyAndEndsWithTheThousandthEvent() {
    rm.busy();
    rm.startedOn = FakeResourceManager.NOW - 9 * FakeResourceManager.HOUR;
    assertThat(run("events").err()).startsWith("Dripfeed was loaded at ");
    ((ObjectNode) rm.bean.at("/Events/0")).put("sequence", 5000);
    assertThat(run("events").err()).startsWith("Kept are the last 9 events, since ");
    assertThat(run("events", "--since", "55m").err()).startsWith("Kept are the last 9 events, since ");
    assertThat(run("events", "--since", "45m").err()).isEmpty();
  }

  /** The last thousand events are half an hour of a busy cluster; its promotions may be those of a week. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "Promotions | --reason timeout,idle | STARTING RUNNING 120 | TIMEOUT",
    "EndedWhileStarting | --from STARTING --to ENDED | STARTING ENDED 20 | FAILED"})
  void whatOneAsksForTheNextMorningIsKeptLonger(
      String table, String filter, String change, String code) throws Exception {
    rm.busy();
    rm.startedOn = FakeResourceManager.NOW - 20 * FakeResourceManager.HOUR;
    rm.bean.put("StartTime", rm.startedOn).put("Forgotten" + table, 0);
    ((ObjectNode) rm.bean.at("/Events/0")).put("sequence", 5000);
    rm.event(table, 9 * 3600, 90, "eve", change, "for this").put("code", code).put("sequence", 400);
    String[] call = ("events " + filter + " --since 12h").split(" ");
    Output output = run(call);
    assertThat(output.out().split("\n")).hasSize(2);
    assertThat(output.out()).contains(FakeResourceManager.id(90), "eve");
    assertThat(output.err()).as("it knows them all").isEmpty();
    Output all = run("events", "--since", "12h", "--user", "eve");
    assertThat(all.out()).as("of any kind").contains(FakeResourceManager.id(90));
    assertThat(all.err()).startsWith("Kept are the last 9 events, since ");
    assertThat(run("events", "--summary", "user").out()).doesNotContain("eve");

    rm.bean.put("Forgotten" + table, 7);
    assertThat(run(call).err()).startsWith("Kept are the last 1 event of this kind, since ");
    rm.event(5, 91, "bob", "ACCEPTED STARTING 1", "its AM is allocated").put("queue", "root.removed");
    assertThat(run((String.join(" ", call) + " --queue root.removed").split(" ")).out())
        .as("it is gone").isEqualTo("No such event.\n");
    rm.event(table, 9 * 3600, 92, "eve", change, "for this").put("code", code)
        .put("sequence", 401).put("queue", "root.old");
    assertThat(run("events", "--queue", "root.old", "--user", "bob").out())
        .as("it is gone, and known from an older event alone").isEqualTo("No such event.\n");
  }

  /** Last night's events are in the one that was active then, and the standby was up for a week. */
  @Test
  void afterAFailoverTheEventsOfTheStandbyAreShownToo() throws Exception {
    try (FakeResourceManager before = new FakeResourceManager().busy()) {
      before.haState = "STANDBY";
      failedOver();
      Output output = Output.of("events", "--reason", "timeout", "--since", "12h", "--rm", both(before));
      assertThat(output.out()).contains(FakeResourceManager.id(2), "bob", "STARTING -> RUNNING");
      assertThat(output.err()).contains(rm.url() + " has been active since ", "shown as far as "
          + before.url() + " on standby still has it; all of it is in the log of the ResourceManager");

      JsonNode document =
          Output.of("events", "--json", "--queue", "root.batch", "--rm", both(before)).json();
      assertThat(document.at("/events").findValuesAsText("resourceManager"))
          .startsWith(before.url()).endsWith(rm.url()).hasSize(10);
      assertThat(document.at("/events").findValuesAsText("time")).isSorted();
      assertThat(document.at("/standbys/0").asText()).isEqualTo(before.url());
      assertThat(document.at("/knownSince").asLong()).isEqualTo(rm.startedOn);
      assertThat(document.at("/gap").asText()).contains("StateLog");

      before.asked.clear();
      Output recent = Output.of("events", "--since", "50s", "--rm", both(before));
      assertThat(recent.out()).contains(FakeResourceManager.id(12))
          .doesNotContain(FakeResourceManager.id(2));
      assertThat(recent.err()).as("all of it is known").isEmpty();
      assertThat(before.asked).isEmpty();
    }
  }

  /** Nobody answers in the night in which the host of one of a pair dies. */
  @Test
  void aHostThatAnswersNothingIsWaitedForOnceAndBriefly() throws Exception {
    failedOver();
    try (DeadHost dead = new DeadHost()) {
      for (String pair : new String[] {dead.url() + "," + rm.url(), rm.url() + "," + dead.url()}) {
        long began = System.nanoTime();
        Output output = Output.of("events", "--rm", pair);
        double seconds = (System.nanoTime() - began) / 1e9;
        assertThat(output.exitCode()).as(output.err()).isZero();
        assertThat(output.out()).contains(FakeResourceManager.id(12));
        assertThat(output.err()).containsOnlyOnce("The events that " + dead.url()
            + " has seen are not shown: No connection to " + dead.url() + " within 3 s");
        assertThat(seconds).isBetween(2.5, 5.5);
      }
      assertThat(Output.of("events", "--timeout", "1", "--rm", dead.url() + "," + rm.url()).err())
          .contains("No connection to " + dead.url() + " within 1 s (--timeout)");
      rm.haState = "STANDBY";
      rm.active = dead.url();
      long began = System.nanoTime();
      Output none = Output.of("status", "--rm", rm.url() + "," + dead.url());
      assertThat(none.exitCode()).isEqualTo(Problem.UNREACHABLE);
      assertThat(none.err()).containsOnlyOnce("No connection to " + dead.url());
      assertThat((System.nanoTime() - began) / 1e9).as("it leads to one that is an address, too")
          .isLessThan(5.5);
    }
  }

  /** There and back: its own events begin before the time that another one was active. */
  @Test
  void afterAFailoverThereAndBackTheHoleIsTold() {
    rm.busy();
    rm.startedOn = FakeResourceManager.NOW - 100_000;
    Output output = run("events");
    assertThat(output.out()).contains(FakeResourceManager.id(1));
    assertThat(output.err()).contains(rm.url() + " has been active since ", "StateLog")
        .doesNotContain("standby");
  }

  @Test
  void aStandbyThatTellsNothingIsNamed() throws Exception {
    failedOver();
    FakeResourceManager before = new FakeResourceManager();
    try {
      before.haState = "STANDBY";
      before.tellsOnStandby = false;
      Output old = Output.of("events", "--since", "12h", "--rm", both(before));
      assertThat(old.exitCode()).isZero();
      assertThat(old.err()).contains("The events that " + before.url() + " has seen are not shown: it does"
          + " not tell them", "What was before is in the log of the ResourceManager that was active then");
    } finally {
      before.close();
    }
    Output gone = Output.of("events", "--since", "12h", "--rm", both(before));
    assertThat(gone.exitCode()).isZero();
    assertThat(gone.err()).contains(before.url() + " has seen are not shown: Nothing listens at");
    assertThat(Output.of("events", "--rm", both(rm)).out().split(FakeResourceManager.id(12)))
        .as("two addresses of one").hasSize(2);
  }

  private void failedOver() {
    rm.queue("root.batch", 0, 1, 0);
    rm.bean.put("StartTime", FakeResourceManager.NOW - 168 * FakeResourceManager.HOUR);
    rm.startedOn = FakeResourceManager.NOW - 100_000;
    rm.event(36, 12, "alice", "ACCEPTED STARTING 40", "its AM is allocated");
  }

  private String both(FakeResourceManager other) {
    return rm.url() + "," + other.url();
  }

  @Test
  void thoseWhoEndedWhileStartingAreFoundWithTheReason() {
    rm.busy();
    assertThat(run("events", "--from", "STARTING", "--to", "ended").out())
        .contains(FakeResourceManager.id(3), "AM Container exited with 137")
        .doesNotContain(FakeResourceManager.id(1));
  }

  @Test
  void eventsAreFiltered() throws Exception {
    rm.busy();
    assertThat(run("events", "--json", "--user", "alice", "--type", "spark").json().at("/events"))
        .hasSize(5);
    assertThat(run("events", "--json", "--application", FakeResourceManager.id(3)).json().at("/events"))
        .hasSize(2);
    assertThat(run("events", "--json", "--text", "EXITED WITH").json().at("/events")).hasSize(1);
    assertThat(run("events", "--json", "--last", "3").json().at("/events")).hasSize(3);
  }

  @Test
  void startUpTimesAreSummarizedByUserAndType() throws Exception {
    rm.busy();
    assertThat(run("events", "--summary", "user,type").out())
        .containsPattern("user +type +ran +start-up +95%")
        .contains("ran: became running", "by limit: of these")
        .containsPattern("alice +SPARK +2 +30 s +34 s").containsPattern("bob +SPARK +1 +2 min.* 1 +1 +0\n");
    JsonNode alice = run("events", "--summary", "user,type", "--json").json().at("/groups/0");
    assertThat(alice.at("/user").asText()).isEqualTo("alice");
    assertThat(alice.at("/becameRunning").asLong()).as("three have started").isEqualTo(2);
    assertThat(alice.has("starts")).isFalse();
    assertThat(alice.at("/startingMedianMilliseconds").asLong()).isEqualTo(30_000);
    assertThat(alice.at("/starting95Milliseconds").asLong()).isEqualTo(34_000);
  }

  /** The words of {@code --reason} know every reason of the rule. */
  @Test
  void everyReasonOfTheRuleHasAWord() {
    for (Transition transition : Transition.values()) {
      rm.event(1, 50, "u", transition.from() + " " + transition.to() + " 1", "for this")
          .put("code", transition.reason().name());
    }
    int found = 0;
    for (EventsCommand.Reason reason : EventsCommand.Reason.values()) {
      found += run("events", "--reason", reason.name(), "--json").out().split("\"sequence\"").length - 1;
    }
    assertThat(found).isEqualTo(Transition.values().length);
  }
}
