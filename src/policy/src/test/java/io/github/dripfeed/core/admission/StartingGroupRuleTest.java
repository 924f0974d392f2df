// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.wire.Wire.Wait;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What queues of a group have to do with each other: the bounds of one line, across two of them. */
class StartingGroupRuleTest {

  private static final long TIMEOUT = 300_000;
  private static final QueueSettings SETTINGS = new QueueSettings(1, TIMEOUT, AttemptSettings.DEFAULTS);

  private final StartingGroup<FakeAttempt> group = new StartingGroup<>("etl", false);
  private final OrderFixture one = new OrderFixture(SETTINGS);
  private final OrderFixture two = new OrderFixture(SETTINGS);

  @BeforeEach
  void join() {
    one.order.join(group);
    two.order.join(group);
  }

  /** Another queue of the group. */
  private OrderFixture withTwoSlots() {
    return withSlots(2);
  }

  private OrderFixture withSlots(int slots) {
    return withSlots(slots, 1);
  }

  private OrderFixture withSlots(int slots, int minExecutors) {
    OrderFixture queue = new OrderFixture(new QueueSettings(slots, TIMEOUT,
        new AttemptSettings(AttemptSettings.DEFAULTS.startingTimeout(), minExecutors)));
    queue.order.join(group);
    return queue;
  }

  @Test
  void crashLoopOfAnotherQueueOvertakesNobody() {
    one.submit("A1");
    for (int i = 0; i < 20; i++) {
      one.offered();
      FakeAttempt looping = submitExhausted("B" + i);
      two.allocateDriver(looping);
      two.remove(looping);
    }
    assertThat(one.offered()).isEqualTo("A1");
    assertThat(one.events).isEmpty();
  }

  @Test
  void whoReadsAnOfferTakesNoTurn() throws Exception {
    StartingGroup<FakeAttempt> inTurns = new StartingGroup<>("async", true);
    one.order.join(inTurns);
    two.order.join(inTurns);
    one.submit("A");
    two.submit("B");
    assertThat(one.order.assignmentIterator(null, () -> 0).next()).hasToString("A");
    Thread scheduling = new Thread(() -> two.order.assignmentIterator("", () -> 0).next());
    AtomicReference<Throwable> nothingOffered = new AtomicReference<>();
    scheduling.setUncaughtExceptionHandler((thread, e) -> nothingOffered.set(e));
    scheduling.start();
    scheduling.join();
    assertThat(nothingOffered).as("a reader before").hasNullValue();
    assertThat(one.order.assignmentIterator("", () -> 0).hasNext()).as("it is the turn of two").isFalse();
    assertThat(one.order.assignmentIterator(null, () -> 0).next()).hasToString("A");
  }

  @Test
  void withSeveralSlotsExecutorsInOtherQueuesComeFirst() {
    OrderFixture first = withTwoSlots();
    OrderFixture second = withTwoSlots();
    FakeAttempt starting = first.submit("A1");
    first.allocateDriver(starting);
    first.submit("A2");
    second.submit("B1");
    assertThat(second.offered()).as("it requests nothing yet").isEqualTo("B1");
    starting.hasRequest = true;
    assertThat(second.offered()).as("it lacks executors").isEmpty();
    assertThat(second.order.lines(second.now).get(0).waitsFor.code()).isEqualTo(Wait.EXECUTORS);
    assertThat(first.offered()).as("nor does a later one in its queue start").isEqualTo("A1");
    starting.skipped = true;
    assertThat(second.offered()).as("YARN gives it none").isEqualTo("B1");
    starting.skipped = false;
    starting.onlyUpdates = true;
    assertThat(second.offered()).as("its driver is to grow").isEqualTo("B1");
    starting.onlyUpdates = false;
    first.allocateExecutors(starting, 1);
    assertThat(second.offered()).as("it runs, and wants more").isEqualTo("B1");
  }

  /** Only the last one requests executors. The others request nothing: their drivers come up. */
  @ParameterizedTest
  @ValueSource(ints = {9, 12, 40})
  void oneOfManyThatLacksExecutorsHoldsBackEveryDriver(int starting) {
    OrderFixture first = withSlots(starting + 4);
    OrderFixture second = withSlots(starting + 4);
    FakeAttempt last = startMany(starting, first);
    second.submit("B");
    assertThat(second.offered()).isEqualTo("B");
    last.hasRequest = true;
    first.order.demandUpdated(last);
    assertNeverOffered("B", second);
    first.allocateExecutors(last, 1);
    assertThat(second.offered()).isEqualTo("B");
  }

  /** Nobody calls back. */
  @Test
  void oneOfManyWhoseUserIsBelowItsLimitAgainHoldsBackDriversFromTheNextRoundOn() {
    OrderFixture first = withSlots(44);
    OrderFixture second = withSlots(44);
    FakeAttempt last = startMany(40, first);
    last.hasRequest = true;
    last.skipped = true;
    second.submit("B");
    first.order.demandUpdated(last);
    assertThat(second.offered()).isEqualTo("B");
    last.skipped = false;
    first.order.tick(first.now);
    assertNeverOffered("B", second);
  }

  @Test
  void oneOfManyThatLosesAnExecutorHoldsBackEveryDriver() {
    OrderFixture first = withSlots(44, 2);
    OrderFixture second = withSlots(44, 2);
    FakeAttempt last = startMany(40, first);
    first.allocateExecutors(last, 1);
    second.submit("B");
    assertThat(second.offered()).isEqualTo("B");
    last.executors = 0;
    last.hasRequest = true;
    first.order.executorReleased(last, () -> "", first.now);
    assertNeverOffered("B", second);
    first.remove(last);
    assertThat(second.offered()).isEqualTo("B");
  }

  private static FakeAttempt startMany(int count, OrderFixture queue) {
    FakeAttempt last = null;
    for (int i = 1; i <= count; i++) {
      last = queue.submit("A" + i);
      queue.allocateDriver(last);
    }
    return last;
  }

  private static void assertNeverOffered(String name, OrderFixture queue) {
    for (int offer = 1; offer <= 20; offer++) {
      assertThat(queue.offered()).as("offer %s", offer).doesNotContain(name);
    }
  }

  @Test
  void executorsThatNeverComeInOneQueueDoNotHoldAnotherForEver() {
    OrderFixture first = withTwoSlots();
    OrderFixture second = withTwoSlots();
    second.submit("B1");
    long lastStart = 0;
    for (int i = 1; i < 2_000; i++) {
      first.submit("A" + i);
      String offered = first.offered();
      for (FakeAttempt attempt : first.order.items()) {
        if (!attempt.driver && (" " + offered + " ").contains(" " + attempt + " ")) {
          first.allocateDriver(attempt);
          lastStart = first.now;
        } else if (attempt.driver) {
          // No node will ever fit them.
          attempt.hasRequest = true;
        }
      }
      first.now += 1_000;
      second.now = first.now;
      if (second.offered().equals("B1")) {
        assertThat(first.now - lastStart).isLessThanOrEqualTo(AttemptSettings.DEFAULTS.startingTimeout());
        return;
      }
    }
    throw new AssertionError("B1 was never offered");
  }

  /** YARN would give what ends to drivers of queues that hold nothing. */
  @Test
  void whatEndsGoesToExecutorsOfOverdueApplicationsFirst() {
    FakeAttempt overdue = one.submit("A1");
    one.allocateDriver(overdue);
    overdue.hasRequest = true;
    passSeconds(300);
    FakeAttempt running = start(two.submit("B1"));
    two.submit("B2");
    assertThat(two.offered()).as("nothing has ended").isEqualTo("B1 B2");
    two.order.executorReleased(running, () -> "", two.now);
    assertThat(two.offered()).as("what ended is for A1").isEqualTo("B1");
    passSeconds(1);
    assertThat(two.offered()).as("it was in vain").isEqualTo("B1 B2");
    passSeconds(14);
    two.order.executorReleased(running, () -> "", two.now);
    assertThat(two.offered()).as("not again so soon").isEqualTo("B1 B2");
    passSeconds(1);
    two.order.executorReleased(running, () -> "", two.now);
    assertThat(two.offered()).isEqualTo("B1");
    one.allocateExecutors(overdue, 1);
    passSeconds(1);
    two.order.executorReleased(running, () -> "", two.now);
    assertThat(two.offered()).as("it has its executor").isEqualTo("B1 B2");
  }

  /** Each new one has an executor already, and none of them ever gets another one. */
  @Test
  void overdueApplicationThatCameLaterIsNoProgress() {
    OrderFixture first = withSlots(44, 3);
    OrderFixture second = withSlots(44, 3);
    FakeAttempt running = startMany(1, second);
    second.allocateExecutors(running, 3);
    second.submit("B");
    int held = 0;
    for (int time = 0; time < 600; time++) {
      second.now += 1_000;
      if (time % 10 == 0) {
        first.now = second.now - AttemptSettings.DEFAULTS.startingTimeout();
        FakeAttempt overdue = first.submit("O" + time);
        first.allocateDriver(overdue);
        first.allocateExecutors(overdue, 1);
        overdue.hasRequest = true;
        first.now = second.now;
        first.order.tick(first.now);
        assertThat(first.state(overdue)).isEqualTo(State.RUNNING);
      }
      second.order.executorReleased(running, () -> "", second.now);
      held += second.offered().contains("B") ? 0 : 1;
    }
    assertThat(held).isLessThanOrEqualTo(600 / 16 + 1);
  }

  /** Its queue got another policy, or was deleted, without notice. */
  @Test
  void overdueApplicationThatNoOrderManagesAnyMoreHoldsBackNobody() {
    FakeAttempt overdue = one.submit("A1");
    one.allocateDriver(overdue);
    overdue.hasRequest = true;
    passSeconds(300);
    FakeAttempt running = start(two.submit("B1"));
    two.submit("B2");
    two.offered();
    overdue.ordered = false;
    for (int round = 0; round < 3; round++) {
      passSeconds(1);
      two.order.tick(two.now);
    }
    two.order.executorReleased(running, () -> "", two.now);
    assertThat(two.offered()).isEqualTo("B1 B2");
  }

  @Test
  void overdueApplicationsOfAReplacedOrderComeFirstAsWell() {
    FakeAttempt overdue = one.submit("A1");
    one.allocateDriver(overdue);
    overdue.hasRequest = true;
    passSeconds(300);
    one.offered();
    QueueOrder<FakeAttempt> next = new QueueOrder<>(SETTINGS, one);
    next.join(group);
    next.add(overdue, overdue, new Arrival(new OrderKey(0, 0, 1, 1, 1),
        SETTINGS.attempts(), one.history(overdue), true), one.now);
    FakeAttempt running = start(two.submit("B1"));
    two.submit("B2");
    two.order.executorReleased(running, () -> "", two.now);
    assertThat(two.offered()).isEqualTo("B1");
  }

  @Test
  void executorsThatNeverComeHoldOtherQueuesForStartingTimeoutAtMost() {
    OrderFixture second = withTwoSlots();
    FakeAttempt starting = one.submit("A1");
    one.allocateDriver(starting);
    starting.hasRequest = true;
    second.submit("B1");
    second.now += AttemptSettings.DEFAULTS.startingTimeout() - 1;
    assertThat(second.offered()).isEmpty();
    second.now++;
    assertThat(second.offered()).isEqualTo("B1");
  }

  /** It can never be placed. */
  @Test
  void crashLoopOfAnotherQueueHasNoTrials() {
    submitExhausted("B1");
    one.submit("A1");
    for (int second = 0; second < 1000; second++) {
      passSeconds(1);
      two.offered();
      assertThat(one.offered()).as("after %s s", second).isEqualTo("A1");
      if (second % 10 == 0) {
        one.remove(start(one.submit("C" + second)));
      }
      // It is not tried in vain.
      one.history(one.order.items().iterator().next()).vain.restart(0);
    }
  }

  @Test
  void reservedCrashLoopOfAnotherQueueTakesNoSlot() {
    FakeAttempt looping = submitExhausted("B1");
    two.reserve(looping);
    FakeAttempt head = one.submit("A1");
    assertThat(one.offered()).isEqualTo("A1");
    one.reserve(head);
    for (int second = 0; second < 200; second++) {
      passSeconds(1);
      assertThat(one.order.losers(one.now)).as("after %s s", second).isEmpty();
      two.order.losers(two.now);
    }
  }

  /** A queue judges its attempts by submission, and those of other queues by reservation. */
  @Test
  void noMoreReservedDriversKeepTheirNodesThanThereAreSlots() {
    OrderFixture first = withTwoSlots();
    OrderFixture second = withTwoSlots();
    FakeAttempt earlier = first.submit("A1");
    FakeAttempt later = first.submit("A2");
    FakeAttempt other = second.submit("B1");
    first.reserve(later);
    second.reserve(other);
    first.reserve(earlier);
    assertThat(first.order.losers(first.now)).containsExactly(later);
    assertThat(second.order.losers(second.now)).as("A2 has not released its node yet").isEmpty();
    later.reserved = false;
    assertThat(first.order.losers(first.now)).isEmpty();
    assertThat(second.order.losers(second.now)).isEmpty();
  }

  @Test
  void crashLoopOfAnotherQueueTakesNoNodeFromAStalledAttempt() {
    one.reserve(stallA1());
    submitExhausted("B1");
    for (int second = 0; second < 1000; second++) {
      passSeconds(1);
      one.offered();
      two.offered();
      assertThat(one.order.losers(one.now)).as("after %s s", second).isEmpty();
    }
  }

  @Test
  void clockOfReservedDriversStopsWhileACrashLoopAloneHasOne() {
    FakeAttempt looping = submitExhausted("B1");
    two.reserve(looping);
    FakeAttempt first = one.submit("A1");
    one.reserve(first);
    one.order.losers(one.now);
    one.remove(first);
    for (int second = 0; second < 400; second++) {
      passSeconds(1);
      two.order.losers(two.now);
    }
    FakeAttempt second = one.submit("A2");
    one.reserve(second);
    one.order.losers(one.now);
    assertThat(one.events).as("A2 has just got its reservation").isEmpty();
  }

  @Test
  void trialHoldsBackNoQueueForOneAtItsUserLimit() {
    FakeAttempt stalled = stallA1();
    two.submit("B1");
    stalled.skipped = true;
    for (int second = 0; second < 1000; second++) {
      passSeconds(1);
      one.offered();
      assertThat(two.offered()).as("after %s s", second).startsWith("B1");
      two.history(two.order.items().iterator().next()).vain.restart(0);
    }
  }

  /** Another queue allocates what was released, before the trial and once more. */
  @Test
  void trialThatFindsNoRoomIsMadeUpForWhenRoomIsLeft() {
    stallA1();
    FakeAttempt running = null;
    for (int i = 0; i < 4; i++) {
      running = start(two.submit("B" + i));
    }
    two.submit("H");
    takeWhatIsReleased(running);
    assertThat(two.offered()).as("a trial, perhaps without room").doesNotContain("H");
    passSeconds(60);
    takeWhatIsReleased(running);
    assertThat(two.offered()).as("nothing is left of what was released").contains("H");
    two.order.executorReleased(running, () -> null, two.now);
    assertThat(two.offered()).as("a trial with room").doesNotContain("H");
    assertThat(one.offered()).isEqualTo("A1");
  }

  private void takeWhatIsReleased(FakeAttempt attempt) {
    two.order.executorReleased(attempt, () -> null, two.now);
    two.order.containerAllocated(attempt, () -> null, two.now);
  }

  @Test
  void releaseOnANodeOfAnotherPartitionLeavesNoRoom() {
    stallA1();
    FakeAttempt running = null;
    for (int i = 0; i < 4; i++) {
      running = start(two.submit("B" + i));
    }
    two.submit("H");
    two.order.executorReleased(running, () -> "gpu", two.now);
    assertThat(two.offered()).as("no trial").contains("H");
    two.order.executorReleased(running, () -> "", two.now);
    assertThat(two.offered()).as("a trial").doesNotContain("H");
  }

  /** The drivers of that queue request another partition than its executors. */
  @Test
  void releaseByAQueueWithoutALineThereLeavesRoom() {
    FakeAttempt other = two.submitIn("gpu", "B");
    start(other);
    stallA1();
    for (int i = 0; i < 4; i++) {
      start(one.submit("C" + i));
    }
    one.submit("H");
    two.order.executorReleased(other, () -> "gpu", two.now);
    assertThat(one.offered()).as("no trial").contains("H");
    two.order.executorReleased(other, () -> "", two.now);
    assertThat(one.offered()).as("a trial").doesNotContain("H");
  }

  private FakeAttempt stallA1() {
    FakeAttempt attempt = one.submit("A1");
    for (int second = 0; second <= 300; second++) {
      one.offered();
      passSeconds(1);
    }
    assertThat(one.events).contains("A1 stalled 300000");
    return attempt;
  }

  /** An attempt of the second queue whose starting time was used up by earlier attempts. */
  private FakeAttempt submitExhausted(String name) {
    FakeAttempt attempt = new FakeAttempt(name);
    two.history(attempt).startedBefore = AttemptSettings.DEFAULTS.startingTimeout();
    return two.add(attempt, 0);
  }

  /** It is running then. */
  private FakeAttempt start(FakeAttempt attempt) {
    OrderFixture queue = one.histories.containsKey(attempt) ? one : two;
    queue.allocateDriver(attempt);
    queue.allocateExecutors(attempt, 1);
    return attempt;
  }

  private void passSeconds(int seconds) {
    one.now += seconds * 1_000L;
    two.now = one.now;
  }
}
