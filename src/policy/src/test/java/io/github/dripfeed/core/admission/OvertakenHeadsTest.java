// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads of a group's queues that other queues overtake, whether YARN comes to their queues or not. */
class OvertakenHeadsTest {

  private static final long TIMEOUT = 300_000;

  private final StartingGroup<FakeAttempt> group = new StartingGroup<>("etl", false);
  private final OrderFixture one = joined(TIMEOUT);
  private final OrderFixture two = joined(TIMEOUT);
  private FakeAttempt head;
  private int started;

  private OrderFixture joined(long acceptedTimeout) {
    OrderFixture queue =
        new OrderFixture(new QueueSettings(1, acceptedTimeout, AttemptSettings.DEFAULTS));
    queue.order.join(group);
    return queue;
  }

  @BeforeEach
  void submitTheHead() {
    head = one.submit("A1");
    // Applications are numbered in each queue; the first one of this queue is as old.
    FakeAttempt old = two.submit("old");
    old.hasRequest = false;
    old.path = "root.b";
  }

  private void start(int number, OrderFixture queue) {
    for (int i = 0; i < number; i++) {
      FakeAttempt attempt = queue.submit("B" + ++started);
      queue.allocateDriver(attempt);
      queue.allocateExecutors(attempt, 1);
      queue.remove(attempt);
    }
  }

  @Test
  void headThatIsNeverOfferedIsNextAfterEightLaterOnes() {
    start(7, two);
    two.submit("next");
    assertThat(two.offered()).isEqualTo("next");
    start(1, two);
    assertThat(two.offered()).isEmpty();
    assertThat(one.offered()).isEqualTo("A1");
    one.allocateDriver(head);
    one.allocateExecutors(head, 1);
    assertThat(two.offered()).isEqualTo("next");
  }

  @Test
  void readersSeeWhoIsNextAndTakeNoTime() {
    start(8, two);
    two.submit("next");
    for (int i = 0; i < 5; i++) {
      assertThat(two.order.assignmentIterator(null, () -> two.now).hasNext()).isFalse();
      passSeconds(1);
    }
    assertThat(one.offered()).isEqualTo("A1");
  }

  @Test
  void olderOnesOfAnotherQueueOvertakeNobody() {
    FakeAttempt late = null;
    for (int i = 0; i < 30; i++) {
      late = one.submit("A" + (i + 2));
      one.remove(late);
    }
    one.remove(head);
    one.submit("late");
    start(20, two);
    two.submit("next");
    assertThat(two.offered()).isEqualTo("next");
  }

  @Test
  void ofSeveralTheOldestIsFirst() {
    OrderFixture three = joined(TIMEOUT);
    three.submit("gone");
    FakeAttempt younger = three.submit("C1");
    three.order.remove(three.histories.keySet().stream().filter(a -> a != younger).findAny().get(), 0);
    start(1, two);
    start(8, two);
    assertThat(three.offered()).isEmpty();
    one.allocateDriver(head);
    one.allocateExecutors(head, 1);
    assertThat(two.offered()).isEmpty();
    assertThat(three.offered()).isEqualTo("C1");
  }

  @Test
  void oneThatNoNodeHasRoomForStallsAfterAHeartbeatOfEach() {
    start(8, two);
    two.submit("next");
    assertThat(two.offered()).isEmpty();
    passSeconds(1);
    assertThat(two.offered()).isEqualTo("next");
    assertThat(one.events).contains("A1 stalled 0");
  }

  @Test
  void withoutATimeoutItIsOvertakenAgain() {
    OrderFixture patient = joined(0);
    one.remove(head);
    patient.submit("P1");
    start(8, two);
    two.submit("next");
    assertThat(two.offered()).isEmpty();
    passSeconds(1);
    patient.now = two.now;
    assertThat(two.offered()).isEqualTo("next");
    assertThat(patient.events).isEmpty();
    start(8, two);
    assertThat(two.offered()).isEmpty();
    assertThat(patient.offered()).isEqualTo("P1");
  }

  @Test
  void timeRunsWhileItsQueueHasASlot() {
    OrderFixture large = new OrderFixture(new QueueSettings(9, TIMEOUT, AttemptSettings.DEFAULTS));
    large.order.join(group);
    large.submit("old").hasRequest = false;
    FakeAttempt starting = large.submit("S1");
    large.allocateDriver(starting);
    start(8, two);
    large.submit("next");
    for (int i = 0; i < 5; i++) {
      assertThat(large.offered()).as("A1 is next").isEqualTo("S1");
      passSeconds(1);
      large.now = one.now;
    }
    large.allocateExecutors(starting, 1);
    assertThat(one.offered()).isEqualTo("A1");
  }

  /** Its user is at the limit, its queue is full, it requests nothing, or it is gone. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void oneThatCannotUseTheSlotHoldsNobody(int why) {
    start(8, two);
    List<Consumer<FakeAttempt>> obstacles = List.of(attempt -> attempt.skipped = true,
        attempt -> attempt.fullQueue = "root.a", attempt -> attempt.hasRequest = false, one::remove);
    obstacles.get(why).accept(head);
    two.submit("next");
    assertThat(two.offered()).isEqualTo("next");
  }

  @Test
  void inAFullClusterItWaitsForRoomAndHoldsTheOthers() {
    start(8, two);
    head.fullQueue = "root";
    two.submit("next");
    for (int i = 0; i < 5; i++) {
      assertThat(two.offered()).isEmpty();
      passSeconds(1);
    }
    assertThat(one.offered()).isEqualTo("A1");
  }

  private void passSeconds(int seconds) {
    one.now += seconds * 1000L;
    two.now = one.now;
  }
}
