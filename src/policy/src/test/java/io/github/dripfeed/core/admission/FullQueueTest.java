// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which queues of a group are held by an application of a full queue. */
class FullQueueTest {

  private final StartingGroup<FakeAttempt> group = new StartingGroup<>("etl", false);
  private final OrderFixture one = new OrderFixture(QueueSettings.DEFAULTS);
  private final OrderFixture two = new OrderFixture(QueueSettings.DEFAULTS);
  private FakeAttempt lacking;
  private FakeAttempt next;

  @BeforeEach
  void start() {
    one.order.join(group);
    two.order.join(group);
    lacking = one.submit("A1");
    one.allocateDriver(lacking);
    lacking.hasRequest = true;
    next = two.submit("B1");
  }

  /** The first column is the highest full queue; what ends below it is of use to the application. */
  @ParameterizedTest
  @CsvSource({
      "'', root.b, true",
      "root, root.b, true",
      "root.a, root.b, false",
      "root.a, root.a.b, true",
      "root.a, root.ab, false",
      "root.a.b, root.a, false",
      "root.a, '', false"})
  void onlyQueuesBelowTheFullOneAreHeld(String full, String other, boolean held) {
    lacking.fullQueue = full;
    next.path = other;
    assertThat(two.offered().isEmpty()).as("while it is starting").isEqualTo(held);
    passSeconds(300);
    assertThat(one.state(lacking)).isEqualTo(State.RUNNING);
    assertThat(two.offered()).isNotEmpty();
    one.order.executorReleased(lacking, () -> "", one.now);
    assertThat(two.offered().isEmpty()).as("when something has ended").isEqualTo(held);
  }

  private void passSeconds(int seconds) {
    one.now += seconds * 1000L;
    two.now = one.now;
    one.order.tick(one.now);
  }
}
