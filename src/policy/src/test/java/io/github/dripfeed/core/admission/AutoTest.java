// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.headroom.ClaimTotal;
import io.github.dripfeed.core.headroom.HeadroomClaim;
import io.github.dripfeed.core.headroom.PlannedStarts;
import io.github.dripfeed.core.headroom.WaitReason;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which attempts a plan lets start beyond the slots. Each has a driver of 1 and needs 2 for executors. */
class AutoTest {

  private static final long UNTIL = 1000;

  private final OrderFixture queue =
      new OrderFixture(new QueueSettings(1, 100_000, new AttemptSettings(100_000, 1))
          .withAuto(true));
  private final FakeAttempt a = queue.submit("A");
  private final FakeAttempt b = queue.submit("B");
  private final FakeAttempt c = queue.submit("C");
  private long free = 100;
  private boolean unreadable;
  private final List<Long> asked = new ArrayList<>();
  private final Map<FakeAttempt, HeadroomClaim> passedOver = new HashMap<>();

  private boolean has(String partition, ResourceVector amounts) {
    if (unreadable) {
      throw new IllegalStateException("no scheduler");
    }
    asked.add(amounts.get(0));
    return amounts.get(0) <= free;
  }

  private static HeadroomClaim toStart(FakeAttempt attempt, ClaimTotal total) {
    return HeadroomClaim.toStart(attempt, List.of(total), "", ResourceVector.of(1),
        Map.of("", ResourceVector.of(2)));
  }

  private static HeadroomClaim ofStarting(FakeAttempt attempt, ClaimTotal total) {
    return HeadroomClaim.ofStarting(attempt, List.of(total), Map.of("", ResourceVector.of(2)));
  }

  /** In the next plan. */
  private void passOver(FakeAttempt... attempts) {
    for (FakeAttempt attempt : attempts) {
      passedOver.put(attempt, HeadroomClaim.passedOver(attempt));
    }
  }

  private void plan(FakeAttempt... mayStart) {
    queue.order.account().ledger().begin();
    activate(mayStart);
  }

  private void activate(FakeAttempt... mayStart) {
    ClaimTotal total = new ClaimTotal(this::has);
    Map<FakeAttempt, HeadroomClaim> claims = new HashMap<>(passedOver);
    for (FakeAttempt attempt : queue.order.items()) {
      if (queue.state(attempt) == State.STARTING) {
        claims.put(attempt, ofStarting(attempt, total));
      }
    }
    for (FakeAttempt attempt : mayStart) {
      claims.put(attempt, toStart(attempt, total));
    }
    queue.order.setPlan(claims, Map.of("", new WaitReason(Wait.HEADROOM_NODES)));
    queue.order.account().ledger().activate(claims.values(), PlannedStarts.NONE, queue.now + UNTIL);
  }

  private Wait waitsFor() {
    return queue.order.lines(queue.now).get(0).waitsFor().code();
  }

  @Test
  void withoutAPlanOneStartsAtATime() {
    queue.allocateDriver(a);
    assertThat(queue.offered()).isEqualTo("A");
    assertThat(waitsFor()).isEqualTo(Wait.SLOT);
    assertThat(asked).as("no lookup without need").isEmpty();
  }

  @Test
  void plannedStartsAreOfferedOneByOneInOrder() {
    plan(a, b);
    assertThat(queue.offered()).isEqualTo("A");
    queue.allocateDriver(a);
    assertThat(queue.offered()).isEqualTo("A B");
    assertThat(waitsFor()).isEqualTo(Wait.ROOM);
    queue.allocateDriver(b);
    assertThat(queue.offered()).as("the plan has no room for C").isEqualTo("A B");
    assertThat(waitsFor()).isEqualTo(Wait.HEADROOM_NODES);
    queue.allocateExecutors(a, 1);
    assertThat(queue.offered()).isEqualTo("A B");
    queue.allocateExecutors(b, 1);
    assertThat(queue.offered()).as("a slot is free").isEqualTo("A B C");
  }

  @Test
  void claimedSumCountsOutstandingClaims() {
    plan(a, b, c);
    queue.allocateDriver(a);
    asked.clear();
    queue.offered();
    assertThat(asked).as("A's executor, and driver and executor of B and C").containsExactly(8L);
    queue.allocateDriver(b);
    queue.allocateExecutors(a, 1);
    asked.clear();
    queue.offered();
    assertThat(asked).as("B's executor, and driver and executor of C").containsExactly(5L);
    queue.remove(b);
    plan(a, c);
    FakeAttempt d = queue.submit("D");
    queue.allocateDriver(c);
    plan(d);
    asked.clear();
    queue.offered();
    assertThat(asked).as("C's executor, D's driver and executor").containsExactly(5L);
  }

  @Test
  void startWaitsForCurrentHeadroom() {
    plan(a, b);
    queue.allocateDriver(a);
    free = 4;
    assertThat(queue.offered()).as("5 are claimed").isEqualTo("A");
    assertThat(waitsFor()).as("differs from the plan").isEqualTo(Wait.HEADROOM_NODES);
    free = 5;
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void expiredPlanIsIgnored() {
    plan(a, b);
    queue.allocateDriver(a);
    queue.now = UNTIL - 1;
    assertThat(queue.offered()).isEqualTo("A B");
    queue.now = UNTIL;
    assertThat(queue.offered()).isEqualTo("A");
    assertThat(waitsFor()).isEqualTo(Wait.SLOT);
  }

  @Test
  void anUnplannedStartInvalidatesThePlan() {
    plan(b);
    queue.allocateDriver(a);
    assertThat(queue.offered()).as("A's executor was not counted").isEqualTo("A");
    plan(b);
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void planOlderThanAStartIsRejected() {
    queue.order.account().ledger().begin();
    queue.allocateDriver(c);
    Map<FakeAttempt, HeadroomClaim> claims = Map.of(b, toStart(b, new ClaimTotal(this::has)));
    queue.order.setPlan(claims, Map.of());
    queue.order.account().ledger().activate(claims.values(), PlannedStarts.NONE, UNTIL);
    assertThat(queue.offered()).isEqualTo("C");
  }

  @Test
  void startThatThePlanExpectsIsNoReasonToRejectIt() {
    plan(a, b);
    queue.order.account().ledger().begin();
    queue.allocateDriver(a);
    ClaimTotal total = new ClaimTotal(this::has);
    Map<FakeAttempt, HeadroomClaim> claims = Map.of(a, toStart(a, total), b, toStart(b, total));
    queue.order.setPlan(claims, Map.of());
    queue.order.account().ledger().activate(claims.values(), PlannedStarts.NONE, UNTIL);
    asked.clear();
    assertThat(queue.offered()).isEqualTo("A B");
    assertThat(asked).as("A's executor, B's driver and executor").containsExactly(5L);
  }

  @Test
  void unplannedHeadHoldsLaterAttempts() {
    plan(a, c);
    queue.allocateDriver(a);
    assertThat(queue.offered()).as("B is next").isEqualTo("A");
  }

  /** A smaller one of the same user has room for its driver. */
  @Test
  void oneThatIsPassedOverHidesNoLaterOneOfItsUser() {
    FakeAttempt d = queue.submit("D");
    c.user = "other";
    queue.allocateDriver(a);
    passOver(b, c);
    plan(d);
    assertThat(queue.offered()).isEqualTo("A D");
  }

  @Test
  void besideOneAtItsUserLimitThoseThatArePassedOverAreLeftOut() {
    FakeAttempt d = queue.submit("D");
    b.user = "at its limit";
    b.skipped = true;
    queue.allocateDriver(a);
    passOver(c);
    plan(b, d);
    assertThat(queue.offered()).isEqualTo("A B D");
  }

  @Test
  void stalledAttemptWithHeadroomIsOfferedLast() {
    queue.allocateDriver(a);
    plan(b, c);
    assertThat(queue.offered()).isEqualTo("A B");
    queue.now += 100_000;
    FakeAttempt d = queue.submit("D");
    plan(b, c);
    assertThat(queue.offered()).as("A's time is up too: a slot is free").isEqualTo("A B C D");
    assertThat(queue.offered()).isEqualTo("A C D B");
    queue.allocateDriver(c);
    assertThat(queue.offered()).as("C has the slot, B finds room beside it, D does not")
        .isEqualTo("A C B");
    queue.order.account().ledger().cancel();
    assertThat(queue.offered()).isEqualTo("A C");
    assertThat(queue.state(d)).isEqualTo(State.ACCEPTED);
  }

  @Test
  void unreadableHeadroomFallsBackToSlots() {
    plan(a, b);
    unreadable = true;
    queue.allocateDriver(a);
    assertThat(queue.offered()).isEqualTo("A");
    assertThat(queue.events).contains("null failed: no scheduler");
    assertThat(waitsFor()).isEqualTo(Wait.SLOT);
  }

  @Test
  void startsBeyondTheSlotsAreReported() {
    plan(a, b);
    queue.allocateDriver(a);
    queue.allocateDriver(b);
    assertThat(queue.events).contains("B beyond the slots").doesNotContain("A beyond the slots");
  }
}
