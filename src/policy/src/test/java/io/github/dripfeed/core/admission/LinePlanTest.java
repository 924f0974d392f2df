// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.plan.ActivePlan;
import io.github.dripfeed.core.plan.WaitReason;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a plan of {@code max-starting} = {@code auto} changes in the offer. */
class LinePlanTest {

  private static final long UNTIL = 1000;

  private final OrderFixture queue = new OrderFixture(
      new QueueSettings(1, 100_000, new AttemptSettings(100_000, 1)).withAuto(true));
  private final FakeAttempt a = queue.submit("A");
  private final FakeAttempt b = queue.submit("B");
  private final FakeAttempt c = queue.submit("C");
  private boolean nodeLeft;
  private RuntimeException unreadable;

  private void plan(FakeAttempt... starts) {
    planWithFront(List.of(), starts);
  }

  private void planWithFront(List<FakeAttempt> front, FakeAttempt... starts) {
    queue.order.setPlan(new ActivePlan(queue.now + UNTIL, () -> {
      if (unreadable != null) {
        throw unreadable;
      }
      return !nodeLeft;
    }), Set.of(starts), front, Map.of("", new WaitReason(Wait.PLAN_NODES)), Set.of());
  }

  private void planThatClosesTheSlot() {
    queue.order.setPlan(new ActivePlan(queue.now + UNTIL, () -> true), Set.of(), List.of(),
        Map.of("", new WaitReason(Wait.PLAN_EXPECTED)), Set.of(""));
  }

  private Wait waitsFor() {
    return queue.order.lines(queue.now).get(0).waitsFor.code();
  }

  private FakeAttempt running(String name, int priority) {
    FakeAttempt running = queue.submit(name, priority);
    queue.allocateDriver(running);
    queue.allocateExecutors(running, 1);
    return running;
  }

  @Test
  void withoutAPlanOneStartsAtATime() {
    queue.allocateDriver(a);
    assertThat(queue.offered()).isEqualTo("A");
    assertThat(waitsFor()).isEqualTo(Wait.SLOT);
  }

  @Test
  void thoseThatMayStartAreOfferedInOrder() {
    plan(a, b);
    assertThat(queue.offered()).as("B once A was not placed").isEqualTo("A B");
    queue.allocateDriver(a);
    assertThat(queue.offered()).isEqualTo("B A");
    assertThat(waitsFor()).isEqualTo(Wait.ROOM);
    queue.allocateDriver(b);
    assertThat(queue.offered()).as("C may not").isEqualTo("A B");
    assertThat(waitsFor()).isEqualTo(Wait.PLAN_NODES);
    queue.allocateExecutors(a, 1);
    queue.allocateExecutors(b, 1);
    assertThat(queue.offered()).as("none is starting").isEqualTo("A B C");
  }

  @Test
  void closedSlotOpensWhenNoPlanHasFoundTheQueueFullForLong() {
    queue.allocateDriver(a);
    queue.allocateExecutors(a, 1);
    planThatClosesTheSlot();
    assertThat(queue.offered()).isEqualTo("A");
    assertThat(waitsFor()).isEqualTo(Wait.PLAN_EXPECTED);
    queue.now = UNTIL - 1;
    plan();
    assertThat(queue.offered()).as("room that just came free may be taken soon").isEqualTo("A");
    queue.now = UNTIL;
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void closedSlotOpensAcceptedTimeoutAfterTheLastStart() {
    planThatClosesTheSlot();
    assertThat(queue.offered()).as("none has started").isEqualTo("A");
    queue.allocateDriver(a);
    queue.allocateExecutors(a, 1);
    queue.now = 99_999;
    planThatClosesTheSlot();
    assertThat(queue.offered()).isEqualTo("A");
    queue.now = 100_000;
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void startsBeyondTheSlotsAreReported() {
    plan(a, b);
    queue.allocateDriver(a);
    queue.allocateDriver(b);
    assertThat(queue.events).contains("B beyond the slots").doesNotContain("A beyond the slots");
  }

  @Test
  void planEndsWithItsTimeOrWithANode() {
    plan(a, b);
    queue.allocateDriver(a);
    queue.now = UNTIL - 1;
    assertThat(queue.offered()).isEqualTo("B A");
    nodeLeft = true;
    assertThat(queue.offered()).isEqualTo("A");
    nodeLeft = false;
    queue.now = UNTIL;
    assertThat(queue.offered()).isEqualTo("A");
    assertThat(waitsFor()).as("the reason has gone with the plan").isEqualTo(Wait.SLOT);
  }

  @Test
  void startingOneThatLacksExecutorsComesBeforeAllOfItsPriority() {
    running("R", 0);
    running("H", 1);
    queue.allocateDriver(b);
    planWithFront(List.of(b), c);
    assertThat(queue.offered()).isEqualTo("H B C R");
    queue.now = UNTIL;
    assertThat(queue.offered()).as("the plan has ended").isEqualTo("H B R");
    queue.now = 0;
    queue.allocateExecutors(b, 1);
    assertThat(queue.offered()).as("it has its executor; A takes the slot").isEqualTo("H C A B R");
    plan();
    assertThat(queue.offered()).as("C may not any more").isEqualTo("H A B R");
  }

  @Test
  void oneThatMayNotStartHidesNoLaterOne() {
    queue.allocateDriver(a);
    plan(c);
    assertThat(queue.offered()).isEqualTo("C A");
  }

  @Test
  void slotGoesToTheHeadAlsoIfThePlanHasNoRoomForIt() {
    plan(b);
    assertThat(queue.offered()).isEqualTo("B A");
    queue.allocateDriver(b);
    assertThat(queue.offered()).as("the slot is taken").isEqualTo("B");
  }

  @Test
  void besideOneAtItsUserLimitTheNextOneThatMayStartIsOffered() {
    FakeAttempt limited = queue.submitOf("at its limit", "L", 0);
    limited.skipped = true;
    FakeAttempt next = queue.submit("N");
    queue.allocateDriver(a);
    plan(limited, next);
    assertThat(queue.offered()).isEqualTo("L N A");
  }

  @Test
  void oneThatHasLeftIsNotOffered() {
    queue.allocateDriver(a);
    plan(b, c);
    queue.remove(b);
    assertThat(queue.offered()).isEqualTo("C A");
    planWithFront(List.of(a), c);
    queue.remove(a);
    assertThat(queue.offered()).as("C has the slot").isEqualTo("C");
  }

  @Test
  void stalledOneThatMayStartIsOfferedLast() {
    queue.allocateDriver(a);
    plan(b);
    assertThat(queue.offered()).isEqualTo("B A");
    queue.now += 100_000;
    FakeAttempt d = queue.submit("D");
    plan(b);
    queue.offered();
    assertThat(queue.offered()).as("A's time is up, too: a slot is free").isEqualTo("A C D B");
    queue.allocateDriver(c);
    assertThat(queue.offered()).as("B may start beside it").isEqualTo("A C B");
    plan();
    assertThat(queue.offered()).isEqualTo("A C");
    assertThat(queue.state(d)).isEqualTo(State.ACCEPTED);
  }

  @Test
  void silentOneTakesNoSlotUntilItAsks() {
    queue.allocateDriver(a);
    queue.order.setSilent(a, true);
    assertThat(queue.offered()).isEqualTo("A B");
    a.hasRequest = true;
    queue.order.demandUpdated(a);
    assertThat(queue.offered()).as("it is starting again").isEqualTo("A");
  }

  @Test
  void planThatCannotBeReadLeavesTheSlots() {
    plan(a, b);
    queue.allocateDriver(a);
    unreadable = new IllegalStateException("no scheduler");
    assertThat(queue.offered()).isEqualTo("A");
    assertThat(queue.events).contains("null failed: no scheduler");
  }

  @Test
  void waitingOnesAreKnown() {
    assertThat(queue.order.isAnyWaiting()).isTrue();
    for (FakeAttempt each : List.of(a, b, c)) {
      queue.allocateDriver(each);
    }
    assertThat(queue.order.isAnyWaiting()).isFalse();
  }
}
