// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReclaimBackoffTest {

  private static final long PATIENCE = 4_500;

  private final ReclaimBackoff<String, Integer> backoff = new ReclaimBackoff<>();

  @Test
  void successfulPreemptionIsUnlimited() {
    backoff.recordPreemption("a", 7, 0);
    assertThat(backoff.isInVain("a", 8, true, PATIENCE, 3_000)).isFalse();
    assertThat(backoff.limit("a", 3_000)).isEqualTo(Long.MAX_VALUE);
    assertThat(backoff.isEmpty()).as("no state is kept").isTrue();
  }

  @Test
  void preemptionInVainBacksOffExponentially() {
    long now = 0;
    long pause = 30_000;
    for (int failure = 0; failure < 20; failure++) {
      backoff.recordPreemption("a", 7, now);
      assertThat(backoff.isInVain("a", 7, true, PATIENCE, now + 3_000)).as("within the patience").isFalse();
      now += 6_000;
      assertThat(backoff.isInVain("a", 7, true, PATIENCE, now)).isTrue();
      assertThat(backoff.limit("a", now + pause - 1)).isZero();
      now += pause;
      assertThat(backoff.limit("a", now)).as("one container").isEqualTo(1);
      pause = Math.min(3_600_000, 2 * pause);
    }
  }

  @Test
  void successShortensTheBackoff() {
    backoff.recordPreemption("a", 7, 0);
    backoff.isInVain("a", 7, true, PATIENCE, 6_000);
    int newest = 7;
    for (long limit = 1; limit <= 1024; limit *= 2) {
      assertThat(backoff.limit("a", 100_000)).isEqualTo(limit);
      backoff.recordPreemption("a", newest, 100_000);
      assertThat(backoff.isInVain("a", ++newest, true, PATIENCE, 103_000)).isFalse();
    }
    assertThat(backoff.isEmpty()).isTrue();
  }

  /**
   * A container is preempted in every round, or in every other one; the patience is that of an interval of
   * 3 s, with a heartbeat of 1 s for each application that waits.
   */
  @ParameterizedTest(name = "every {0} ms, {1} applications wait")
  @CsvSource({"3000, 1", "3000, 2", "6000, 1", "6000, 2"})
  void furtherPreemptionsDoNotHideThatTheFirstWasInVain(long every, int waiting) {
    long patience = PATIENCE + waiting * 1_000;
    int preempted = 0;
    long now = 0;
    while (!backoff.isInVain("a", 7, true, patience, now)) {
      assertThat(now).as("%d containers were preempted", preempted).isLessThanOrEqualTo(patience + 3_000);
      if (now % every == 0 && backoff.limit("a", now) > 0) {
        backoff.recordPreemption("a", 7, now);
        preempted++;
      }
      now += 3_000;
    }
    assertThat(preempted).isLessThanOrEqualTo(3);
    assertThat(backoff.limit("a", now)).isZero();
  }

  @Test
  void preemptionsOfSeveralApplicationsAreToldApart() {
    long now = 0;
    for (; now < 6_000; now += 3_000) {
      backoff.recordPreemption("a", 7, now);
      backoff.recordPreemption("b", 3, now);
    }
    assertThat(backoff.isInVain("b", 4, true, PATIENCE, now)).as("it got a container").isFalse();
    backoff.recordPreemption("b", 4, now);
    assertThat(backoff.isInVain("a", 7, true, PATIENCE, now)).isTrue();
    assertThat(backoff.isInVain("b", 4, true, PATIENCE, now + 3_000)).as("measured anew").isFalse();
    assertThat(backoff.limit("b", now)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void withdrawnDemandIsNoFailure() {
    backoff.recordPreemption("a", 7, 0);
    assertThat(backoff.isInVain("a", 7, false, PATIENCE, 60_000)).isFalse();
    assertThat(backoff.limit("a", 60_000)).isEqualTo(Long.MAX_VALUE);
  }
}
