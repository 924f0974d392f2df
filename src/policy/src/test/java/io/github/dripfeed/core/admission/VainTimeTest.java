// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which time counts as spent in vain. */
class VainTimeTest {

  private final VainTime vain = new VainTime();
  private final Object period = new Object();

  @Test
  void timeCountsFromTheFirstTryToTheLast() {
    vain.tried(period, 1000);
    assertThat(vain.millis()).isZero();
    vain.tried(period, 1500);
    vain.tried(period, 1700);
    assertThat(vain.millis()).isEqualTo(700);
  }

  @Test
  void periodsAddUpWithoutTheGaps() {
    vain.tried(period, 0);
    vain.tried(period, 100);
    Object next = new Object();
    vain.tried(next, 5000);
    vain.tried(next, 5020);
    assertThat(vain.millis()).isEqualTo(120);
  }

  @Test
  void pauseBeginsANewPeriod() {
    vain.tried(period, 0);
    vain.tried(period, 100);
    vain.pause();
    vain.pause();
    vain.tried(period, 5000);
    vain.tried(period, 5020);
    assertThat(vain.millis()).isEqualTo(120);
  }

  @Test
  void restartClearsTheTime() {
    vain.restart(50);
    vain.tried(period, 0);
    vain.tried(period, 100);
    vain.restart(0);
    assertThat(vain.millis()).isZero();
    vain.tried(period, 5000);
    vain.tried(period, 5020);
    assertThat(vain.millis()).isEqualTo(20);
  }

  @Test
  void timeThatIsKeptIsAdded() {
    vain.restart(50);
    assertThat(vain.millis()).isEqualTo(50);
    vain.tried(period, 0);
    vain.tried(period, 200);
    assertThat(vain.millis()).isEqualTo(250);
  }

  @Test
  void tryIsCurrentOnlyAtItsTimeAndPeriod() {
    assertThat(vain.isCurrent(period, 0)).isFalse();
    vain.tried(period, 1000);
    assertThat(vain.isCurrent(period, 1000)).isTrue();
    assertThat(vain.isCurrent(period, 1001)).isFalse();
    assertThat(vain.isCurrent(new Object(), 1000)).isFalse();
    vain.restart(0);
    assertThat(vain.isCurrent(period, 1000)).isFalse();
  }
}
