// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What {@code accepted-timeout} does to an attempt that is offered in vain. */
class StalledOfferTest {

  private static final QueueSettings SETTINGS = new QueueSettings(1, 1000, new AttemptSettings(10_000, 1));
  /** The time between trials: the timeout is shorter than it may be for them. */
  private static final long PAUSE = Trials.SHARE * StartingGroup.DEFAULT_HEARTBEAT;

  private final OrderFixture queue = new OrderFixture(SETTINGS);

  /** Offers what is there until the first one has been tried in vain for {@code accepted-timeout}. */
  private void stallTheFirst() {
    queue.offered();
    queue.now = 1000;
    queue.offered();
  }

  @Test
  void stalledAttemptIsOfferedAfterAllOthers() {
    FakeAttempt running = queue.submit("R");
    queue.allocateDriver(running);
    queue.allocateExecutors(running, 1);
    queue.submit("A");
    queue.submit("B");
    assertThat(queue.offered()).isEqualTo("R A");
    queue.now = 999;
    assertThat(queue.offered()).isEqualTo("R A");
    queue.now = 1000;
    assertThat(queue.offered()).as("in its position for the last time").isEqualTo("R A B");
    assertThat(queue.events).contains("A stalled 1000");
    assertThat(queue.offered()).isEqualTo("R B A");
  }

  /** As after a restart, when a node reports the container of the driver. */
  @Test
  void driverOfAStalledOneIsFoundWithoutACallback() {
    FakeAttempt stalled = queue.submit("A");
    queue.submit("B");
    stallTheFirst();
    stalled.driver = true;
    queue.order.tick(++queue.now);
    assertThat(queue.state(stalled)).isEqualTo(State.STARTING);
  }

  @Test
  void fallbackOffersAllUntilOneGetsItsDriver() {
    queue.submit("A");
    queue.submit("B");
    FakeAttempt c = queue.submit("C");
    queue.submit("D");
    queue.submit("E");
    queue.offered();
    queue.now = 1000;
    assertThat(queue.offered()).isEqualTo("A B C D E");
    assertThat(queue.offered()).isEqualTo("B C D E A");
    queue.allocateDriver(c);
    assertThat(queue.events).as("overtaken").contains("B stalled 0").doesNotContain("D stalled 0");
    queue.allocateExecutors(c, 1);
    assertThat(queue.offered()).as("the line's time starts again for D").isEqualTo("C D A B");
  }

  @Test
  void aWalkOffersAHundredAfterAllOthersAndTheNextOneGoesOnBehindThem() {
    for (int i = 0; i < 250; i++) {
      queue.submit("A" + i);
    }
    queue.offered();
    queue.now = 1000;
    assertThat(queue.offered()).as("the first in its place").isEqualTo("A0 " + names(1, 100));
    assertThat(queue.offered()).isEqualTo("A1 " + names(101, 200));
    assertThat(queue.offered()).as("from the first again")
        .startsWith("A2 " + names(201, 249) + " A0 A1 A3 ");
  }

  private static String names(int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(i -> "A" + i).collect(Collectors.joining(" "));
  }

  @Test
  void noneAtItsUserLimitTakesPartInATrial() {
    queue.submit("big");
    for (String user : new String[] {"ann", "bob", "eve"}) {
      queue.submitOf(user, user, 0).skipped = true;
    }
    queue.offered();
    queue.now = 1000;
    assertThat(queue.offered()).as("each once").isEqualTo("big ann bob eve");
    queue.now = 1000 + PAUSE;
    assertThat(queue.offered()).as("on trial").isEqualTo("big");
  }

  @Test
  void aWalkOfATrialReadsTheLimitOfEachUserOnce() {
    List<FakeAttempt> all = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      all.add(queue.submitOf("user" + i % 3, "A" + i, 0));
    }
    queue.offered();
    queue.now = 1000;
    for (int i = 0; i < 60; i++) {
      queue.offered();
    }
    assertThat(queue.events).as("all stalled").hasSize(60);
    all.forEach(attempt -> attempt.limitQuestions = 0);
    queue.now = 1000 + PAUSE;
    assertThat(queue.offered()).as("on trial").startsWith("A0 A1 A2").endsWith("A59");
    assertThat(all.stream().mapToInt(attempt -> attempt.limitQuestions).sum()).isEqualTo(3);
  }

  @Test
  void whoFallsBelowItsLimitJoinsATrialSoon() {
    OrderFixture patient = new OrderFixture(new QueueSettings(1, 300_000, AttemptSettings.DEFAULTS));
    FakeAttempt limited = patient.submit("A");
    patient.offered();
    patient.now = 300_000;
    patient.offered();
    assertThat(patient.events).contains("A stalled 300000");
    limited.skipped = true;
    FakeAttempt next = patient.submit("N");
    patient.allocateDriver(next);
    patient.allocateExecutors(next, 1);
    patient.submit("B");
    patient.now = 600_000;
    assertThat(patient.offered()).as("a trial has nobody to offer").isEqualTo("N B");
    limited.skipped = false;
    patient.now += GroupLines.INTERVAL;
    assertThat(patient.offered()).as("the same trial").isEqualTo("A N");
  }

  @Test
  void aTrialOfWhomTheUserLimitHoldsHoldsNobody() {
    FakeAttempt running = queue.submit("R");
    queue.allocateDriver(running);
    queue.allocateExecutors(running, 1);
    FakeAttempt limited = queue.submitOf("at its limit", "L", 0);
    stallTheFirst();
    assertThat(queue.events).contains("L stalled 1000");
    limited.skipped = true;
    FakeAttempt next = queue.submit("N");
    queue.allocateDriver(next);
    queue.allocateExecutors(next, 1);
    queue.submit("urgent", 1);
    queue.now = 1000 + PAUSE;
    assertThat(queue.offered()).as("at its position").isEqualTo("urgent R N");
  }

  @Test
  void fallbackWaitsForAFreeSlot() {
    queue.submit("A");
    FakeAttempt b = queue.submit("B");
    stallTheFirst();
    queue.allocateDriver(b);
    assertThat(queue.offered()).isEqualTo("B");
  }

  @Test
  void stalledAttemptRegainsItsPlaceWithItsDriver() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    stallTheFirst();
    queue.allocateDriver(a);
    queue.allocateExecutors(a, 1);
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void reservedDriverStallsToo() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    queue.reserve(a);
    queue.offered();
    queue.now = 1000;
    assertThat(queue.offered()).isEqualTo("A");
    assertThat(queue.offered()).as("it has the slot, and may get its driver elsewhere").isEqualTo("A");
    assertThat(queue.order.losers(1000)).containsExactly(a);
    assertThat(queue.offered()).as("it has lost the offer").isEmpty();
    a.reserved = false;
    assertThat(queue.offered()).as("it comes after the one that is tried now").isEqualTo("B A");
  }

  @Test
  void onlyOfferedTimeCounts() {
    queue.submit("A");
    queue.offered();
    queue.now = 600;
    queue.offered();
    FakeAttempt urgent = queue.submit("U", 1);
    assertThat(queue.offered()).isEqualTo("U");
    queue.now = 900;
    assertThat(queue.offered()).isEqualTo("U");
    queue.allocateDriver(urgent);
    queue.allocateExecutors(urgent, 1);
    assertThat(queue.offered()).as("600 ms so far").isEqualTo("U A");
    queue.submit("B");
    queue.now = 1299;
    assertThat(queue.offered()).isEqualTo("U A");
    assertThat(queue.offered()).as("999 ms so far").isEqualTo("U A");
    queue.now = 1300;
    assertThat(queue.offered()).isEqualTo("U A");
    assertThat(queue.offered()).as("1000 ms in all").isEqualTo("U B A");
  }

  @Test
  void emptyLineResetsItsTime() {
    FakeAttempt a = queue.submit("A");
    queue.offered();
    queue.now = 600;
    queue.offered();
    queue.remove(a);
    queue.now = 100_000;
    queue.submit("B");
    queue.submit("C");
    assertThat(queue.offered()).isEqualTo("B");
    queue.now += 999;
    assertThat(queue.offered()).isEqualTo("B");
    queue.now += 1;
    assertThat(queue.offered()).isEqualTo("B C");
  }

  @Test
  void lineTimePausesWithoutRequests() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B").hasRequest = false;
    queue.offered();
    queue.remove(a);
    assertThat(queue.offered()).isEmpty();
    queue.now = 100_000;
    queue.submit("C");
    queue.submit("D");
    assertThat(queue.offered()).as("no time so far").isEqualTo("C");
  }

  @Test
  void stalledAttemptKeepsAReservationFromItsTrial() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    stallTheFirst();
    queue.now = 1000 + PAUSE;
    assertThat(queue.offered()).as("a trial").isEqualTo("A B");
    queue.reserve(a);
    assertThat(queue.offered()).isEqualTo("A");
    queue.now += StartingGroup.DEFAULT_HEARTBEAT;
    assertThat(queue.order.losers(queue.now)).as("no other attempt could use the slot").isEmpty();
    queue.submit("C");
    assertThat(queue.order.losers(queue.now)).as("C could use it").containsExactly(a);
  }

  @Test
  void reservationCheckDoesNotSkipATrial() {
    OrderFixture two = new OrderFixture(new QueueSettings(2, 1000, new AttemptSettings(10_000, 1)));
    two.submit("A");
    FakeAttempt b = two.submit("B");
    two.submit("C");
    two.offered();
    two.now = 1000;
    two.offered();
    two.now = 1000 + PAUSE;
    assertThat(two.offered()).as("a trial").isEqualTo("A B C");
    two.reserve(b);
    assertThat(two.order.losers(two.now)).isEmpty();
    assertThat(two.offered()).isEqualTo("A B C");
  }

  @Test
  void reservationsYieldOnceToAnEarlierStalledAttempt() {
    OrderFixture two = new OrderFixture(new QueueSettings(2, 1000, new AttemptSettings(10_000, 1)));
    two.submit("A");
    FakeAttempt b = two.submit("B");
    FakeAttempt c = two.submit("C");
    two.offered();
    two.now = 1000;
    two.offered();
    two.now = 1100;
    two.reserve(b, c);
    assertThat(two.order.losers(1100)).as("A comes before both").containsExactly(b, c);
    b.reserved = false;
    c.reserved = false;
    assertThat(two.offered()).isEqualTo("A B C");
    two.reserve(b, c);
    assertThat(two.order.losers(1200)).as("A was tried").isEmpty();
    two.submit("D");
    assertThat(two.order.losers(1300)).as("D was not").containsExactly(b, c);
  }

  @Test
  void releasedReservationDoesNotFollowAMove() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    queue.reserve(a);
    stallTheFirst();
    assertThat(queue.order.losers(1000)).containsExactly(a);
    a.reserved = false;
    queue.remove(a);
    OrderFixture other = new OrderFixture(SETTINGS);
    other.histories.put(a, queue.history(a));
    other.submit("C");
    other.submit("D");
    other.offered();
    other.now = 1000;
    other.offered();
    other.add(a, 0);
    assertThat(other.offered()).isEqualTo("D A C");
  }

  @Test
  void zeroTimeoutDisablesStalling() {
    OrderFixture patient = new OrderFixture(new QueueSettings(1, 0, new AttemptSettings(10_000, 1)));
    patient.submit("A");
    patient.submit("B");
    patient.offered();
    patient.now = Long.MAX_VALUE / 2;
    assertThat(patient.offered()).isEqualTo("A");
  }

  @Test
  void stallingSurvivesARefresh() {
    queue.submit("A");
    queue.submit("B");
    queue.offered();
    queue.now = 600;
    queue.offered();
    queue.refresh(SETTINGS);
    assertThat(queue.offered()).isEqualTo("A");
    queue.now = 1000;
    assertThat(queue.offered()).isEqualTo("A B");
    queue.refresh(SETTINGS);
    assertThat(queue.offered()).isEqualTo("B A");
    assertThat(queue.events).as("reported once").containsOnlyOnce("A stalled 1000");
  }

  @Test
  void refreshDoesNotProlongTheTimeInVain() {
    FakeAttempt a = queue.submit("A");
    queue.offered();
    queue.now = 100;
    queue.submit("B");
    a.hasRequest = false;
    queue.refresh(SETTINGS);
    assertThat(queue.offered()).isEqualTo("B");
    queue.now = 999;
    a.hasRequest = true;
    assertThat(queue.offered()).isEqualTo("A");
    queue.now = 1000;
    assertThat(queue.offered()).as("the line is open").isEqualTo("A B");
  }

  @Test
  void moveRestartsTheTime() {
    FakeAttempt a = queue.submit("A");
    queue.offered();
    queue.now = 900;
    queue.remove(a);
    OrderFixture other = new OrderFixture(SETTINGS);
    other.now = 900;
    other.histories.put(a, queue.history(a));
    other.add(a, 0);
    other.submit("B");
    assertThat(other.offered()).isEqualTo("A");
    other.now = 1899;
    assertThat(other.offered()).isEqualTo("A");
    other.now = 1900;
    assertThat(other.offered()).isEqualTo("A B");
    assertThat(other.offered()).isEqualTo("B A");
  }

  @Test
  void timeAfterTheLastTryDoesNotCount() {
    FakeAttempt urgent = queue.submit("urgent", 2);
    queue.submit("A");
    urgent.hasRequest = false;
    assertThat(queue.offered()).isEqualTo("A");
    queue.now += 1000;
    queue.allocateDriver(urgent);
    assertThat(queue.offered()).as("the slot is taken").isEqualTo("urgent");
    queue.submit("B", 1);
    queue.allocateExecutors(urgent, 1);
    assertThat(queue.offered()).as("whether A could be placed is unknown").isEqualTo("urgent B");
  }
}
