// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Rule 3: which attempts are offered besides the admitted ones, and in which order. */
class OfferTest {

  private final OrderFixture queue = new OrderFixture(QueueSettings.DEFAULTS);

  @Test
  void onlyTheFirstAcceptedIsOffered() {
    queue.submit("A");
    queue.submit("B");
    assertThat(queue.offered()).isEqualTo("A");
  }

  @Test
  void idleStartingAttemptHoldsTheOthers() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    queue.allocateDriver(a);
    assertThat(a.hasRequest).isFalse();
    assertThat(queue.offered()).isEqualTo("A");
  }

  @Test
  void startingAttemptAboveItsUserLimitHoldsNobody() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    queue.allocateDriver(a);
    a.skipped = true;
    assertThat(queue.offered()).isEqualTo("A B");
    a.skipped = false;
    assertThat(queue.offered()).isEqualTo("A");
  }

  @Test
  void nextIsOfferedOnceTheFirstRuns() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    queue.allocateDriver(a);
    queue.allocateExecutors(a, 1);
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void slotsAreFilledOneByOne() {
    OrderFixture slots = new OrderFixture(new QueueSettings(2, 0, new AttemptSettings(1000, 1)));
    FakeAttempt a = slots.submit("A");
    FakeAttempt b = slots.submit("B");
    slots.submit("C");
    assertThat(slots.offered()).isEqualTo("A");
    slots.allocateDriver(a);
    assertThat(slots.offered()).isEqualTo("A B");
    slots.allocateDriver(b);
    assertThat(slots.offered()).isEqualTo("A B");
  }

  @Test
  void attemptWithoutARequestIsSkipped() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    a.hasRequest = false;
    assertThat(queue.offered()).isEqualTo("B");
    a.hasRequest = true;
    assertThat(queue.offered()).isEqualTo("A");
  }

  @Test
  void driverAllocatedWithoutACallbackIsDetected() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    a.driver = true;
    a.hasRequest = false;
    assertThat(queue.offered()).isEqualTo("A");
    assertThat(queue.state(a)).isEqualTo(State.STARTING);
  }

  @Test
  void stateDoesNotAffectTheOrder() {
    FakeAttempt a = queue.submit("A");
    FakeAttempt b = queue.submit("B");
    queue.submit("C");
    queue.allocateDriver(b);
    queue.allocateExecutors(b, 1);
    assertThat(queue.offered()).as("accepted, running").isEqualTo("A B");
    queue.allocateDriver(a);
    assertThat(queue.offered()).as("starting, running").isEqualTo("A B");
    queue.allocateExecutors(a, 1);
    assertThat(queue.offered()).as("running, running, accepted").isEqualTo("A B C");
  }

  @Test
  void higherPriorityIsOfferedFirst() {
    queue.submit("A", 0);
    FakeAttempt b = queue.submit("B", 3);
    assertThat(queue.offered()).isEqualTo("B");
    queue.allocateDriver(b);
    queue.allocateExecutors(b, 1);
    assertThat(queue.offered()).isEqualTo("B A");
  }

  @Test
  void reservedDriverKeepsTheOffer() {
    FakeAttempt earlier = queue.submit("B");
    earlier.hasRequest = false;
    FakeAttempt a = queue.submit("A");
    queue.reserve(a);
    earlier.hasRequest = true;
    assertThat(queue.offered()).isEqualTo("A");
    a.reserved = false;
    assertThat(queue.offered()).isEqualTo("B");
  }

  @Test
  void reservedDriverTakesNoSlotOnceItsStartingTimeIsUsedUp() {
    FakeAttempt a = queue.submit("A");
    queue.reserve(a);
    queue.submit("B");
    assertThat(queue.offered()).isEqualTo("A");
    queue.history(a).startedBefore = Long.MAX_VALUE;
    assertThat(queue.offered()).isEqualTo("B");
  }

  @Test
  void nodeReservedWhileTheLossOfAnotherIsNoticedCounts() {
    AtomicBoolean isLost = new AtomicBoolean();
    FakeAttempt earlier = queue.submit("B");
    earlier.hasRequest = false;
    FakeAttempt a = queue.add(new FakeAttempt("A") {
      @Override
      public boolean hasReservation() {
        boolean before = super.hasReservation();
        if (isLost.getAndSet(false)) {
          queue.reserve(this);
        }
        return before;
      }
    }, 0);
    queue.reserve(a);
    earlier.hasRequest = true;
    a.reserved = false;
    isLost.set(true);
    assertThat(queue.offered()).isEqualTo("A");
  }

  @Test
  void liveReservedDriverIsDetectedWithoutAFreeSlot() {
    FakeAttempt a = queue.submit("A");
    queue.reserve(a);
    FakeAttempt moved = queue.submit("B");
    queue.allocateDriver(moved);
    a.driver = true;
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void removalFreesTheSlot() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    queue.allocateDriver(a);
    queue.remove(a);
    assertThat(queue.offered()).isEqualTo("B");
    assertThat(queue.order.remove(a, 0)).isNull();
  }

  @Test
  void relabelledDriverCompetesInItsNewPartition() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    FakeAttempt c = queue.submitIn("gpu", "C");
    queue.allocateDriver(a);
    assertThat(queue.offered()).isEqualTo("A C");
    a.partition = "gpu";
    queue.now++;
    assertThat(queue.offered()).as("the slot of gpu is taken, the other free").isEqualTo("A B");
    queue.remove(a);
    assertThat(queue.offered()).isEqualTo("B C");
    queue.allocateDriver(c);
    c.partition = "new";
    queue.now++;
    assertThat(queue.offered()).isEqualTo("B C");
  }

  @Test
  void driversOfDifferentPartitionsDoNotCompete() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    FakeAttempt c = queue.submitIn("gpu", "C");
    queue.submitIn("gpu", "D");
    assertThat(queue.offered()).isEqualTo("A C");
    queue.allocateDriver(a);
    assertThat(queue.offered()).isEqualTo("A C");
    queue.allocateDriver(c);
    queue.allocateExecutors(c, 1);
    assertThat(queue.offered()).isEqualTo("A C D");
  }

  @Test
  void sharesOrderAdmittedAttempts() {
    FakeAttempt a = queue.submit("A");
    FakeAttempt b = queue.submit("B");
    queue.allocateDriver(a);
    queue.allocateExecutors(a, 1);
    queue.allocateDriver(b);
    queue.order.reposition(a, 3);
    queue.order.reposition(b, 2);
    assertThat(queue.offered()).isEqualTo("B A");
    queue.order.reposition(b, 4);
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void preemptionTakesRunningBeforeStartingAndNewestFirst() {
    for (String name : new String[] {"A", "B"}) {
      FakeAttempt running = queue.submit(name);
      queue.allocateDriver(running);
      queue.allocateExecutors(running, 1);
    }
    queue.allocateDriver(queue.submit("C"));
    queue.submit("D");
    assertThat(queue.inPreemptionOrder()).isEqualTo("B A C D");
  }

  @Test
  void itemsIncludeHeldAttempts() {
    FakeAttempt a = queue.submit("A");
    FakeAttempt b = queue.submit("B");
    assertThat(queue.order.items()).containsExactlyInAnyOrder(a, b);
    queue.add(a, 0);
    assertThat(queue.order.size()).isEqualTo(2);
  }

  @Test
  void reservedDriverTakesASlotInItsNewPartition() {
    queue.submitIn("gpu", "B");
    FakeAttempt a = queue.submit("A");
    queue.reserve(a);
    assertThat(queue.offered()).isEqualTo("B A");
    a.partition = "gpu";
    queue.order.tick(0);
    assertThat(queue.offered()).as("A has the slot of the other partition").isEqualTo("A");
  }
}
