// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class StartForecastTest {

  @Test
  void evenLineHasANarrowRange() {
    StartForecast forecast = moved(10, 30_000).forecast(600_000, 300_000 + 10_000);
    assertThat(forecast.isKnown()).isTrue();
    assertThat(forecast.intervals()).isEqualTo(9);
    assertThat(forecast.earliest(4)).isEqualTo((4 * 30_000 - 10_000) * 9 / 10);
    assertThat(forecast.latest(4)).isEqualTo((4 * 30_000 - 10_000) * 11 / 10);
  }

  /** Of ten moments, nine are within the one long interval; whoever asks then waits for its end. */
  @Test
  void onlyIntervalsCountThatAreLongerThanTheTimeSinceTheLastStart() {
    StartHistory history = new StartHistory();
    long now = 0;
    for (int round = 0; round < 4; round++) {
      for (long gap : new long[] {1000, 1000, 1000, 90_000}) {
        now += gap;
        history.started(10_000_000, now);
      }
    }
    StartForecast soon = history.forecast(10_000_000, now + 500);
    assertThat(soon.earliest(1)).isEqualTo(450);
    assertThat(soon.latest(1)).isEqualTo(89_500 * 11 / 10);
    StartForecast late = history.forecast(10_000_000, now + 2000);
    assertThat(late.earliest(1)).isEqualTo(88_000 * 9 / 10);
    assertThat(late.latest(1)).isEqualTo(88_000 * 11 / 10);
    assertThat(late.earliest(2)).as("a short interval follows").isEqualTo(89_000 * 9 / 10);
  }

  @Test
  void rangeIsWhatTheFastestAndTheSlowestRowTook() {
    StartHistory history = new StartHistory();
    long now = 0;
    for (long gap : new long[] {10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000}) {
      now += gap;
      history.started(10_000_000, now);
    }
    StartForecast forecast = history.forecast(10_000_000, now);
    assertThat(forecast.earliest(2)).isEqualTo(50_000 * 9 / 10);
    assertThat(forecast.latest(2)).isEqualTo(130_000 * 11 / 10);
    assertThat(forecast.latest(20)).as("twenty starts like the slowest two").isEqualTo(1_300_000 * 11 / 10);
  }

  @Test
  void onlyTheLastSixtyIntervalsCount() {
    assertThat(moved(64, 30_000).forecast(600_000, 1_920_000).intervals()).isEqualTo(60);
  }

  @Test
  void nothingIsSaidWithoutFiveIntervals() {
    assertThat(moved(5, 30_000).forecast(60_000, 150_000).isKnown(1)).isFalse();
    assertThat(moved(6, 30_000).forecast(60_000, 180_000).isKnown(1)).isTrue();
    assertThat(new StartHistory().forecast(60_000, 60_000).isKnown(1)).isFalse();
  }

  @Test
  void nothingIsSaidOfALineThatStandsStill() {
    StartHistory history = moved(10, 30_000);
    assertThat(history.forecast(600_000, 300_000 + 29_999).isKnown()).isTrue();
    assertThat(history.forecast(600_000, 300_000 + 30_000).isKnown()).isFalse();
    assertThat(history.forecast(10_000, 300_000 + 70_000).isKnown())
        .as("nobody waited until ten seconds ago").isTrue();
  }

  @Test
  void startsLongAgoDoNotCount() {
    assertThat(moved(10, 30_000).forecast(1000, 300_000 + StartHistory.LATELY).intervals()).isZero();
  }

  @Test
  void timesWithoutAnyoneWaitingDoNotCount() {
    StartHistory history = new StartHistory();
    for (int i = 1; i <= 20; i++) {
      history.started(1000, i * 30_000L);
    }
    assertThat(history.forecast(1000, 620_000).intervals()).isZero();
  }

  @Property(tries = 300)
  void rangesAreOrdered(
      @ForAll @Size(min = 6, max = 40) List<@LongRange(min = 0, max = 100_000) Long> gaps,
      @ForAll @IntRange(min = 1, max = 200) int place) {
    StartHistory history = new StartHistory();
    long now = 0;
    for (long gap : gaps) {
      now += gap;
      history.started(10_000_000, now);
    }
    StartForecast forecast = history.forecast(10_000_000, now);
    if (forecast.isKnown(place)) {
      assertThat(forecast.earliest(place)).isBetween(0L, forecast.latest(place));
      assertThat(forecast.shortInterval()).isLessThanOrEqualTo(forecast.longInterval());
    }
  }

  /** A line in which somebody always waited. */
  private static StartHistory moved(int starts, long interval) {
    StartHistory history = new StartHistory();
    for (int i = 1; i <= starts; i++) {
      history.started(10_000_000, i * interval);
    }
    return history;
  }
}
