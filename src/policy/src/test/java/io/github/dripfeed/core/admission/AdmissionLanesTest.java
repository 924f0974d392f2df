// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AdmissionLanesTest {

  private final AdmissionLanes<FakeAttempt> lanes = new AdmissionLanes<>();

  /** A thread chooses it for the offer, another one lets it start, and then the first thread goes on. */
  @Test
  void removedAttemptThatWasOfferedWhenItStartedIsForgotten() {
    FakeAttempt app = new FakeAttempt("app");
    Lifecycle<FakeAttempt> lifecycle = new Lifecycle<>(QueueSettings.DEFAULTS, lanes, null);
    QueuedAttempt<FakeAttempt> attempt = new QueuedAttempt<>(app, app, new Arrival(
        new OrderKey(0, 0, 1, 1, 1), new AttemptSettings(1000, 1), new AttemptHistory(0), false),
        lifecycle);
    lanes.assign(attempt, "");
    lanes.settle(attempt, 0);
    attempt.history.take(State.ACCEPTED, State.STARTING, 0);
    lanes.settle(attempt, 0);
    PartitionLanes<FakeAttempt> line = lanes.of(attempt);
    assertThat(line.setOffered(attempt)).isTrue();
    lanes.withdraw(attempt);
    assertThat(line.setOffered(null)).as("another one was offered").isFalse();
    assertThat(line.isEmpty()).isTrue();
    assertThat(lanes.admitted().iterator()).isExhausted();
  }
}
