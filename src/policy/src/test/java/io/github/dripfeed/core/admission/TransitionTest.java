// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static io.github.dripfeed.core.admission.Transition.DRIVER_ALLOCATED;
import static io.github.dripfeed.core.admission.Transition.EXECUTORS_ALLOCATED;
import static io.github.dripfeed.core.admission.Transition.EXECUTORS_INHERITED;
import static io.github.dripfeed.core.admission.Transition.NOTHING_TO_DRIP;
import static io.github.dripfeed.core.admission.Transition.STARTING_EXEMPT;
import static io.github.dripfeed.core.admission.Transition.STARTING_TIMED_OUT;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The state machine of one attempt. */
class TransitionTest {

  private final FakeAttempt attempt = new FakeAttempt("App1");
  private final AttemptHistory history = new AttemptHistory(0);
  private final AttemptSettings settings = new AttemptSettings(1000, 2);

  private Transition next(int released, long now) {
    return Transition.next(history, attempt, settings, released, now);
  }

  private Transition next(long now) {
    return next(0, now);
  }

  @Test
  void acceptedStaysAcceptedUntilItsDriverIsAllocated() {
    assertThat(next(1_000_000)).isNull();
    attempt.reserved = true;
    assertThat(next(1_000_000)).as("a reservation is not a container").isNull();
    attempt.driver = true;
    assertThat(next(1_000_000)).isEqualTo(DRIVER_ALLOCATED);
  }

  @Test
  void acceptedWithoutADriverRuns() {
    attempt.exempt = true;
    assertThat(next(0)).isEqualTo(NOTHING_TO_DRIP);
  }

  @Test
  void startingThatIsExemptedRuns() {
    startAt(0);
    attempt.exempt = true;
    attempt.executors = 2;
    assertThat(next(1_000_000)).isEqualTo(STARTING_EXEMPT);
  }

  @Test
  void acceptedWithKeptExecutorsRuns() {
    attempt.executors = 1;
    assertThat(next(0)).isEqualTo(EXECUTORS_INHERITED);
  }

  @Test
  void startingEndsWithMinExecutors() {
    startAt(0);
    attempt.executors = 1;
    assertThat(next(0)).isNull();
    attempt.executors = 2;
    assertThat(next(0)).isEqualTo(EXECUTORS_ALLOCATED);
  }

  @Test
  void justReleasedExecutorStillCounts() {
    startAt(0);
    attempt.executors = 1;
    assertThat(next(1, 0)).isEqualTo(EXECUTORS_ALLOCATED);
    attempt.executors = 0;
    assertThat(next(1, 0)).as("both must be live at the same time").isNull();
  }

  @Test
  void startingEndsAtTheTimeout() {
    startAt(500);
    assertThat(next(1499)).isNull();
    assertThat(next(1500)).isEqualTo(STARTING_TIMED_OUT);
  }

  @Test
  void clockStartsWithTheDriver() {
    attempt.age = 400;
    startAt(500);
    assertThat(next(1099)).isNull();
    assertThat(next(1100)).isEqualTo(STARTING_TIMED_OUT);
  }

  @Test
  void clockUsesTheAttemptUntilTheDriverIsReported() {
    attempt.driverLive = false;
    attempt.age = 900;
    startAt(0);
    assertThat(next(0)).isNull();
    // The node reports a driver that is younger than its attempt.
    attempt.driverLive = true;
    attempt.age = 300;
    assertThat(next(50)).isNull();
    assertThat(next(749)).isNull();
    assertThat(next(750)).isEqualTo(STARTING_TIMED_OUT);
  }

  @Test
  void clockIsFixedOnceTheDriverIsObserved() {
    startAt(0);
    attempt.driverLive = false;
    attempt.age = 1_000_000;
    assertThat(next(999)).isNull();
  }

  @Test
  void runningStaysRunning() {
    startAt(0);
    history.take(EXECUTORS_ALLOCATED.from(), EXECUTORS_ALLOCATED.to(), 0);
    attempt.driver = false;
    attempt.executors = 0;
    assertThat(next(1_000_000)).isNull();
  }

  @Test
  void transitionIsTakenOnce() {
    assertThat(history.take(DRIVER_ALLOCATED.from(), DRIVER_ALLOCATED.to(), 5)).isTrue();
    assertThat(history.take(DRIVER_ALLOCATED.from(), DRIVER_ALLOCATED.to(), 6)).isFalse();
    assertThat(history.state()).isEqualTo(State.STARTING);
    assertThat(history.millisInState(7)).isEqualTo(2);
  }

  private void startAt(long now) {
    attempt.driver = true;
    history.take(DRIVER_ALLOCATED.from(), DRIVER_ALLOCATED.to(), now);
    next(now);
  }
}
