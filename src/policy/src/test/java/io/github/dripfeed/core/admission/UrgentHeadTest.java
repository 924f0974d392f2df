// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A slot that a less urgent application of the queue holds does not bind a more urgent one. */
class UrgentHeadTest {

  private OrderFixture queue = withSlots(1);

  private static OrderFixture withSlots(int slots) {
    return new OrderFixture(new QueueSettings(slots, 300_000, AttemptSettings.DEFAULTS));
  }

  private FakeAttempt start(String name, int priority) {
    FakeAttempt attempt = queue.submit(name, priority);
    queue.allocateDriver(attempt);
    return attempt;
  }

  @Test
  void oneStartsForEachPriorityAboveThoseThatHoldTheSlots() {
    start("X", 0);
    queue.submit("equal", 0);
    assertThat(queue.offered()).isEqualTo("X");
    FakeAttempt urgent = queue.submit("urgent", 5);
    assertThat(queue.offered()).isEqualTo("urgent X");
    queue.allocateDriver(urgent);
    queue.submit("as urgent", 5);
    queue.submit("between", 3);
    assertThat(queue.offered()).isEqualTo("urgent X");
    FakeAttempt top = queue.submit("top", 9);
    assertThat(queue.offered()).isEqualTo("top urgent X");
    assertThat(queue.events).noneMatch(event -> event.contains("beyond"));
    queue.allocateDriver(top);
    queue.allocateExecutors(top, 1);
    queue.allocateExecutors(urgent, 1);
    assertThat(queue.offered()).as("X alone holds a slot").isEqualTo("top urgent as urgent X");
  }

  @Test
  void ofSeveralSlotsThoseOfLessUrgentOnesLeaveOneMore() {
    queue = withSlots(2);
    start("X", 0);
    start("Y", 0);
    FakeAttempt urgent = queue.submit("urgent", 5);
    assertThat(queue.offered()).isEqualTo("urgent X Y");
    queue.allocateDriver(urgent);
    queue.submit("as urgent", 5);
    assertThat(queue.offered()).isEqualTo("urgent X Y");
  }

  @Test
  void oneWithoutARequestLetsNoLessUrgentOnePass() {
    start("X", 0);
    queue.submit("urgent", 5).hasRequest = false;
    queue.submit("equal", 0);
    assertThat(queue.offered()).isEqualTo("X");
  }

  @Test
  void besideAnUrgentOneAtItsUserLimitAnotherUrgentOneStarts() {
    start("X", 0);
    FakeAttempt limited = queue.submitOf("at its limit", "limited", 5);
    limited.skipped = true;
    queue.submit("urgent", 5);
    queue.submit("equal", 0);
    assertThat(queue.offered()).isEqualTo("limited urgent X");
  }

  @Test
  void reservedDriverOfALessUrgentOneGivesWay() {
    FakeAttempt reserved = queue.submit("reserved", 0);
    queue.reserve(reserved);
    FakeAttempt urgent = queue.submit("urgent", 5);
    assertThat(queue.offered()).isEqualTo("urgent reserved");
    queue.allocateDriver(urgent);
    assertThat(queue.order.losers(queue.now)).containsExactly(reserved);
  }

  @Test
  void urgentOneKeepsItsNodeBesideALessUrgentOneThatIsStarting() {
    start("X", 0);
    FakeAttempt urgent = queue.submit("urgent", 5);
    FakeAttempt asUrgent = queue.submit("as urgent", 5);
    queue.reserve(urgent, asUrgent);
    assertThat(queue.order.losers(queue.now)).containsExactly(asUrgent);
  }

  @Test
  void afterATakeBackNobodyStartsBesideAnotherWhateverItsPriority() {
    start("X", 0);
    queue.submit("urgent", 5);
    queue.order.holdStarts("", false, queue.now + 1000);
    assertThat(queue.offered()).isEqualTo("X");
    queue.order.releaseStarts("");
    assertThat(queue.offered()).isEqualTo("urgent X");
  }

  @Test
  void holderInAnotherQueueBindsWhateverItsPriority() {
    StartingGroup<FakeAttempt> group = new StartingGroup<>("etl", false);
    OrderFixture other = withSlots(1);
    queue.order.join(group);
    other.order.join(group);
    start("X", 0);
    other.submit("urgent", 5);
    assertThat(other.offered()).as("priorities order one queue").isEmpty();
    queue.histories.keySet().forEach(attempt -> attempt.hasRequest = true);
    queue.submit("own", 5);
    assertThat(queue.offered()).as("X lacks executors, and comes behind").isEqualTo("own X");
  }
}
