// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When stalled attempts are tried again, and for how long. */
class TrialsTest {

  private static final long TIMEOUT = 160_000;
  private static final long LONGEST = TIMEOUT / Trials.SHARE;
  private static final long SHORTEST = 1000;

  private final Trials trials = new Trials(SHORTEST);

  /** An attempt ends after each start and leaves room. */
  private void startAndEnd(int times, long now) {
    start(times, now);
    trials.released();
  }

  private void start(int times, long now) {
    for (int i = 0; i < times; i++) {
      trials.driverAllocated(false, false, now);
    }
  }

  @Test
  void trialIsDueAfterTheTimeout() {
    trials.reset(1000);
    assertThat(trials.begin(TIMEOUT, 1000 + TIMEOUT - 1)).isFalse();
    assertThat(trials.isOn(1000 + TIMEOUT - 1)).isFalse();
    assertThat(trials.begin(TIMEOUT, 1000 + TIMEOUT)).isTrue();
    assertThat(trials.isOn(1000 + TIMEOUT)).isTrue();
    assertThat(trials.number()).isEqualTo(1);
  }

  @Test
  void trialIsDueAfterFourStarts() {
    trials.reset(0);
    startAndEnd(3, 10);
    assertThat(trials.begin(TIMEOUT, 10)).isFalse();
    startAndEnd(1, 10);
    assertThat(trials.begin(TIMEOUT, 10)).isTrue();
  }

  @Test
  void trialDueByStartsBeginsWhenAnAttemptEnds() {
    trials.reset(0);
    trials.released();
    start(4, 10);
    assertThat(trials.begin(TIMEOUT, 10)).as("it ended before").isFalse();
    trials.released();
    assertThat(trials.begin(TIMEOUT, 10)).isTrue();
  }

  @Test
  void trialBeginsAfterEightStartsInAnyCase() {
    trials.reset(0);
    start(7, 10);
    assertThat(trials.begin(TIMEOUT, 10)).isFalse();
    start(1, 10);
    assertThat(trials.begin(TIMEOUT, 10)).isTrue();
  }

  @Test
  void trialWithoutRoomIsMadeUpForOnce() {
    trials.reset(0);
    startAndEnd(4, 10);
    trials.allocated();
    assertThat(trials.begin(TIMEOUT, 10)).as("what ended may be used up").isTrue();
    long over = 10 + LONGEST;
    trials.released();
    trials.allocated();
    assertThat(trials.begin(TIMEOUT, over)).as("so is this").isFalse();
    trials.released();
    assertThat(trials.begin(TIMEOUT, over)).as("now there is room").isTrue();
    trials.released();
    assertThat(trials.begin(TIMEOUT, over + LONGEST)).as("four others start first").isFalse();
  }

  @Test
  void startsBeforeTheFirstStallDoNotCount() {
    startAndEnd(4, 0);
    trials.reset(10);
    assertThat(trials.begin(TIMEOUT, 10)).isFalse();
  }

  @Test
  void unknownStallTimeIsNow() {
    start(4, 0);
    assertThat(trials.begin(TIMEOUT, 5 * TIMEOUT)).isFalse();
    assertThat(trials.begin(TIMEOUT, 6 * TIMEOUT)).isTrue();
  }

  @Test
  void trialTakesASixteenthOfTheTimeSinceTheLast() {
    trials.reset(0);
    startAndEnd(4, 0);
    long now = 32_000;
    trials.begin(TIMEOUT, now);
    assertThat(trials.isOn(now + 1999)).isTrue();
    assertThat(trials.isOn(now + 2000)).isFalse();
  }

  @Test
  void trialTakesAtLeastASecond() {
    trials.reset(0);
    startAndEnd(4, 0);
    trials.begin(TIMEOUT, 1);
    assertThat(trials.isOn(SHORTEST)).isTrue();
    assertThat(trials.isOn(1 + SHORTEST)).isFalse();
  }

  @Test
  void trialTakesAtMostASixteenthOfTheTimeout() {
    trials.reset(0);
    long now = 100 * TIMEOUT;
    trials.begin(TIMEOUT, now);
    assertThat(trials.isOn(now + LONGEST - 1)).isTrue();
    assertThat(trials.isOn(now + LONGEST)).isFalse();
  }

  @Test
  void everyNodeSendsAHeartbeatDuringATrialHoweverShortTheTimeout() {
    trials.reset(0);
    assertThat(trials.begin(160, 16 * SHORTEST - 1)).as("they may take a sixteenth of the time").isFalse();
    assertThat(trials.begin(160, 16 * SHORTEST)).isTrue();
    assertThat(trials.isOn(17 * SHORTEST - 1)).isTrue();
    assertThat(trials.isOn(17 * SHORTEST)).isFalse();
  }

  @Test
  void nextTrialCountsFromTheEndOfTheLast() {
    trials.reset(0);
    trials.begin(TIMEOUT, TIMEOUT);
    long over = TIMEOUT + LONGEST;
    assertThat(trials.begin(TIMEOUT, over + TIMEOUT - 1)).isFalse();
    assertThat(trials.begin(TIMEOUT, over + TIMEOUT)).isTrue();
    assertThat(trials.number()).isEqualTo(2);
  }

  @Test
  void startsAfterAnUnnoticedEndCount() {
    trials.reset(0);
    trials.begin(TIMEOUT, TIMEOUT);
    startAndEnd(4, TIMEOUT + 1);
    assertThat(trials.begin(TIMEOUT, TIMEOUT + LONGEST)).as("starts during a trial do not count").isFalse();
    startAndEnd(4, TIMEOUT + LONGEST);
    assertThat(trials.begin(TIMEOUT, TIMEOUT + LONGEST)).isTrue();
  }

  @Test
  void successfulTrialIsFollowedByTheNextAtOnce() {
    trials.reset(0);
    trials.begin(TIMEOUT, TIMEOUT);
    trials.driverAllocated(true, false, TIMEOUT + 1);
    assertThat(trials.isOn(TIMEOUT + 1)).isFalse();
    assertThat(trials.begin(TIMEOUT, TIMEOUT + 2)).isTrue();
    assertThat(trials.number()).isEqualTo(2);
  }

  @Test
  void startsBeforeATrialDoNotCountForTheNext() {
    trials.reset(0);
    startAndEnd(4, 0);
    trials.begin(TIMEOUT, 0);
    assertThat(trials.begin(TIMEOUT, SHORTEST)).isFalse();
  }

  /** Threads read the time before they call, in any order. */
  @Test
  void lateThreadSeesNoTrialThatEnded() {
    trials.reset(0);
    trials.begin(TIMEOUT, TIMEOUT);
    trials.driverAllocated(true, false, TIMEOUT + 5);
    assertThat(trials.isOn(TIMEOUT + 4)).isFalse();
  }

  @Test
  void secondCallStartsNoOtherTrial() {
    trials.reset(0);
    assertThat(trials.begin(TIMEOUT, TIMEOUT)).isTrue();
    assertThat(trials.begin(TIMEOUT, TIMEOUT + 1)).isTrue();
    assertThat(trials.number()).isEqualTo(1);
    assertThat(trials.isOn(TIMEOUT + LONGEST)).isFalse();
  }
}
