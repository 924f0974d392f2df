// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.dripfeed.command.remote.Problem;
import io.github.dripfeed.terminal.Text;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What another number of starting slots would have done, and would do now. */
class WhatIfCommandTest extends CommandFixture {

  private static final String DRIVER = "its driver is allocated";
  private static final String EXECUTORS = "it has its executors";

  private String[] call(int slots, String... more) {
    List<String> all = new ArrayList<>(List.of("what-if", "--queue", "root.batch", "--max-starting",
        String.valueOf(slots), "--rm", rm.url()));
    all.addAll(List.of(more));
    return all.toArray(new String[0]);
  }

  private JsonNode json(int slots) throws Exception {
    Output output = Output.of(call(slots, "--json"));
    assertThat(output.exitCode()).as(output.err()).isZero();
    return output.json();
  }

  /** The answer on one line. */
  private String text(int slots) {
    Output output = Output.of(call(slots));
    assertThat(output.exitCode()).as(output.err()).isZero();
    return output.out().replaceAll("\\s+", " ");
  }

  /** Ten that were accepted at once and started one after the other, for 30 s each. */
  private void burst() {
    for (int i = 0; i < 10; i++) {
      rm.event(3000 - 30 * i, i, "ann", "ACCEPTED STARTING " + 30 * i, DRIVER);
      rm.event(2970 - 30 * i, i, "ann", "STARTING RUNNING 30", EXECUTORS);
    }
  }

  @Test
  void burstWouldHaveWaitedHalfAsLong() throws Exception {
    rm.queue("root.batch", 0, 0, 10);
    burst();
    JsonNode history = json(2).at("/history");
    assertThat(history.at("/starts").asInt()).isEqualTo(10);
    assertThat(history.at("/recorded/meanMilliseconds").asInt()).isEqualTo(135_000);
    assertThat(history.at("/modelAsItIs")).isEqualTo(history.at("/recorded"));
    assertThat(history.at("/modelAsked/meanMilliseconds").asInt()).isEqualTo(60_000);
    assertThat(history.at("/modelAsked/high95Milliseconds").asInt()).isEqualTo(120_000);
    assertThat(text(2)).containsSubsequence("max-starting = 2 instead of 1", "10 starts since",
        "each 30 s long", "as recorded 2 min 2 min 5 min", "as it is: 1 slot 2 min 2 min 5 min",
        "then: 2 slots 60 s 60 s 2 min", "The model assumes", "has room for the further drivers",
        "no longer beside others", "Nobody waits").doesNotContain("do not trust");
  }

  @Test
  void tooFewStartsSayNothing() throws Exception {
    rm.busy();
    assertThat(text(2)).contains("too few starts are known to say what it would have done: 4 starts since",
        "5 are needed").doesNotContain("recorded");
    assertThat(json(2).at("/history/enough").asBoolean()).isFalse();
    assertThat(json(2).at("/history").has("recorded")).isFalse();
  }

  /** While another ResourceManager was active, nobody recorded what held the slots. */
  @Test
  void onlyStartsSinceTheResourceManagerIsActiveCount() throws Exception {
    rm.queue("root.batch", 0, 0, 10);
    burst();
    rm.startedOn = FakeResourceManager.NOW - 2_805_000;
    JsonNode history = json(2).at("/history");
    assertThat(history.at("/starts").asInt()).isEqualTo(3);
    assertThat(history.at("/knownSince").asLong()).isEqualTo(rm.startedOn);
    assertThat(history.at("/enough").asBoolean()).isFalse();
  }

  @Test
  void recordThatSlotsDoNotExplainIsNotTrusted() {
    rm.queue("root.batch", 0, 0, 10);
    for (int i = 0; i < 6; i++) {
      rm.event(3000 - 100 * i, i, "ann", "ACCEPTED STARTING 90", DRIVER);
      rm.event(2995 - 100 * i, i, "ann", "STARTING RUNNING 5", EXECUTORS);
    }
    assertThat(text(2)).contains("do not trust its figures", "the room of the queue");
  }

  @Test
  void slotsThatWereHeldWhenTheEventsBeginCount() throws Exception {
    rm.queue("root.batch", 0, 1, 10);
    burst();
    // It has held a slot beside all of them; how long it waited is not known.
    rm.event(100, 90, "bob", "STARTING RUNNING 2950", EXECUTORS);
    assertThat(json(2).at("/history/starts").asInt()).isEqualTo(10);
    assertThat(json(2).at("/history/modelAsked/meanMilliseconds").asInt())
        .as("with its own slot, they have one").isGreaterThan(100_000);
  }

  @Test
  void startsThatEndAndThoseThatAreStillStartingHoldTheirSlots() throws Exception {
    rm.queue("root.batch", 0, 1, 10);
    burst();
    rm.event(2700, 20, "ann", "ACCEPTED STARTING 300", DRIVER);
    rm.event(2600, 20, "ann", "STARTING ENDED 100", "it failed");
    rm.event(2600, 21, "ann", "ACCEPTED STARTING 400", DRIVER);
    rm.starting("root.batch", 21, "ann", 2600);
    JsonNode history = json(1).at("/history");
    assertThat(history.at("/starts").asInt()).isEqualTo(12);
    assertThat(history.at("/modelAsItIs")).isEqualTo(history.at("/recorded"));
  }

  @Test
  void theFirstOfTheLineWouldBeOfferedAtOnce() throws Exception {
    rm.busy();
    rm.scheduler(20_000, 5000);
    assertThat(text(3)).containsSubsequence("Now: 1 starting, 3 in line. With 3 slots these 2 would be"
        + " offered at once", "1", FakeResourceManager.id(13), "bob", "2048", "2",
        FakeResourceManager.id(14), "Asked for: 4096 MB, 2 vcores; left in the queue: 5000 MB, 50 vcores.",
        "enough for these drivers", "904 MB stay", "1 more are in YARN's own list")
        .doesNotContain(FakeResourceManager.id(15));
    JsonNode now = json(3).at("/now");
    assertThat(now.at("/offeredAtOnce").asInt()).isEqualTo(2);
    assertThat(now.at("/partitions/0/enoughMemory").asBoolean()).isTrue();
    assertThat(text(1)).contains("Nobody would be offered at once: with 1 slot none is free");
    assertThat(json(99).at("/now/offeredAtOnce").asInt()).isEqualTo(3);
  }

  @Test
  void roomThatIsNotEnoughIsToldAndSoIsRoomThatIsUnknown() {
    rm.busy();
    rm.scheduler(20_000, 6000);
    assertThat(text(3)).contains("left in the queue: 4000 MB", "not enough for these drivers");
    rm.scheduler(20_000, 19_000);
    assertThat(text(3)).as("beyond its maximum").contains("left in the queue: 0 MB");
    rm.scheduler = "{}";
    assertThat(text(3)).contains("room for them is not known");
  }

  @Test
  void whatIsNotKnownOfADriverIsADash() {
    rm.queue("root.batch", 2, 0, 0);
    rm.waiting("root.batch", 13, "bob", 100).put("memoryMb", -1).put("vcores", -1);
    rm.waiting("root.batch", 14, "bob", 90);
    assertThat(text(2)).contains(FakeResourceManager.id(13) + " bob - -",
        FakeResourceManager.id(14) + " bob 2048 1", "room for them is not known").doesNotContain("-1");
  }

  @Test
  void queuesOfAGroupAreOneLine() throws Exception {
    rm.queue("root.batch", 1, 0, 10).put("group", "all");
    rm.queue("root.other", 0, 1, 0).put("group", "all").put("maxStarting", 3);
    burst();
    rm.event(2700, 30, "eve", "ACCEPTED STARTING 300", DRIVER).put("queue", "root.other");
    rm.event(2670, 30, "eve", "STARTING RUNNING 30", EXECUTORS).put("queue", "root.other");
    rm.starting("root.other", 31, "eve", 40);
    rm.waiting("root.batch", 32, "bob", 40);
    assertThat(json(2).at("/history/starts").asInt()).isEqualTo(11);
    assertThat(text(1)).contains("Nobody would be offered");
    assertThat(text(2)).contains("slots are those of the group all", "(root.batch, root.other)",
        "now they differ", FakeResourceManager.id(32), "Another queue of the group all may come first");
  }

  /** YARN allocates it there without asking again, so it counts as if it were starting. */
  @Test
  void reservedDriverOfAnotherQueueOfTheGroupTakesASlot() throws Exception {
    rm.queue("root.batch", 1, 1, 10).put("group", "all");
    rm.queue("root.other", 2, 0, 0).put("group", "all");
    rm.starting("root.batch", 31, "eve", 40);
    rm.waiting("root.batch", 32, "bob", 40);
    ObjectNode reserved = rm.waiting("root.other", 33, "ann", 90).put("takesSlot", "yes");
    rm.waiting("root.other", 34, "ann", 80);
    assertThat(text(2)).contains("Nobody would be offered at once: with 2 slots none is free");
    assertThat(text(3)).contains("With 3 slots this one would be offered", FakeResourceManager.id(32));
    assertThat(json(2).at("/now/partitions/0/reservedInOtherQueues").asInt()).isEqualTo(1);
    reserved.put("partition", "gpu");
    assertThat(text(2)).as("it takes none of this partition").contains("With 2 slots this one would be");
    reserved.put("queue", "root.batch").put("partition", "");
    assertThat(text(2)).as("it is the next one of its own queue")
        .contains("With 2 slots this one would be offered at once");
  }

  @Test
  void headroomAndLabelsAreNamed() {
    rm.queue("root.batch", 2, 1, 10).put("parallelStart", "headroom");
    burst();
    rm.starting("root.batch", 40, "ann", 5);
    rm.waiting("root.batch", 41, "bob", 40);
    rm.waiting("root.batch", 42, "bob", 40).put("partition", "gpu");
    assertThat(text(1)).contains("parallel-start = headroom", "without asking whether there is room",
        "for each node label", "With 1 slot this one would be offered at once for partition gpu",
        FakeResourceManager.id(42)).doesNotContain(FakeResourceManager.id(41));
  }

  @Test
  void thoseThatWereTakenBackAreNotOfferedThoughASlotIsFree() {
    rm.queue("root.batch", 2, 0, 0);
    rm.waiting("root.batch", 13, "bob", 100).put("place", -1);
    rm.waiting("root.batch", 14, "bob", 90).put("place", -1);
    assertThat(text(1)).contains("Nobody would be offered at once: all that wait were taken back, and are"
        + " offered again at their next try.").doesNotContain("none is free");
  }

  /** YARN passes over whose user is at its limit: the next user's is offered. */
  @Test
  void theNextUsersAreOfferedWhereOneIsAtItsLimit() {
    ObjectNode queue = rm.queue("root.batch", 2, 1, 0);
    rm.starting("root.batch", 12, "ann", 36);
    rm.waiting("root.batch", 13, "bob", 100).put("reason", "User capacity has reached its maximum limit.");
    rm.waiting("root.batch", 14, "bob", 90).put("reason", "Held by StateAwareOrderingPolicy: Its user has"
        + " reached the user limit of the queue, so YARN skips it; it holds back no other application.");
    assertThat(text(2)).contains("the users of all that wait are at the user limit");
    queue.put("accepted", 3);
    rm.waiting("root.batch", 15, "eve", 80);
    assertThat(text(2))
        .contains("With 2 slots this one would be offered at once", FakeResourceManager.id(15))
        .doesNotContain(FakeResourceManager.id(13), FakeResourceManager.id(14));
    assertThat(text(1)).contains("with 1 slot none is free");
  }

  /** An attempt whose application has used up its time takes no slot from others. */
  @Test
  void onlyThoseThatTakeASlotHoldOne() throws Exception {
    rm.queue("root.batch", 1, 1, 0);
    ObjectNode starting = rm.starting("root.batch", 12, "ann", 36)
        .put("attempt", FakeResourceManager.attempt(12, 2));
    rm.waiting("root.batch", 13, "bob", 100);
    rm.event(90, 12, "ann", "STARTING ENDED 120", "it failed");
    assertThat(text(1)).as("it was found after a restart").contains("with 1 slot none is free");
    starting.put("earlierSeconds", 120).put("takesSlot", "no");
    assertThat(text(1))
        .contains("With 1 slot this one would be offered at once", FakeResourceManager.id(13));
    assertThat(json(1).at("/now/partitions/0/starting").asInt()).isZero();
  }

  @Test
  void longListIsCutAndTheEndOfTheTableIsTold() throws Exception {
    rm.queue("root.batch", 40, 0, 0);
    for (int i = 0; i < 30; i++) {
      rm.waiting("root.batch", 100 + i, "bob", 100);
    }
    assertThat(text(25)).containsSubsequence("these 25 would be offered", FakeResourceManager.id(119),
        "... and 5 more").doesNotContain(FakeResourceManager.id(120), "table of lines");
    assertThat(text(35)).containsSubsequence("these 30 would be offered", "... and 10 more",
        "The table of lines ended after 30 of this queue: some of the other 10 may be offered, too.");
    assertThat(json(35).at("/now/offeredAtOnce").asInt()).isEqualTo(30);
    assertThat(json(35).at("/now/notTold").asInt()).isEqualTo(10);
    rm.bean.withArray("Line").removeAll();
    assertThat(text(35)).contains("Who would be offered is not known: the table of lines ended before this"
        + " queue.").doesNotContain("Nobody");
  }

  @Test
  void exactlyOneQueueIsMeant() {
    rm.queue("root.a", 0, 0, 0);
    rm.queue("root.b", 0, 0, 0);
    Output both = Output.of("what-if", "--queue", "root", "--max-starting", "2", "--rm", rm.url());
    assertThat(both.exitCode()).isEqualTo(Problem.WRONG_CALL);
    assertThat(both.err()).contains("means 2 queues; allowed is one of root.a, root.b");
    assertThat(Output.of("what-if", "--queue", "c", "--max-starting", "2", "--rm", rm.url()).exitCode())
        .isEqualTo(Problem.NOT_FOUND);
    assertThat(Output.of("what-if", "--queue", "b", "--max-starting", "2", "--rm", rm.url()).out())
        .contains("root.b: max-starting = 2 instead of 1");
  }

  @ParameterizedTest
  @ValueSource(ints = {80, 120})
  void textFitsTheTerminal(int width) {
    rm.busy();
    burst();
    rm.scheduler(20_000, 0);
    rm.waiting("root.batch", 17, "a-user-with-a-very-long-name-from-a-directory", 100);
    for (String line : Output.of(true, width, call(7)).out().split("\n")) {
      assertThat(Text.width(line.replaceAll("\u001b\\[\\d*m", ""))).as(line).isLessThanOrEqualTo(width);
    }
  }
}
