// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AxisTest {

  @ParameterizedTest
  @CsvSource({
      "2882, 15340, 5400, 900",
      "2882, 3937, 4200, 600",
      "1186, 7292, 2100, 300",
      "32.3, 5000, 60, 10",
      "100, 100, 105, 15",
      "0, 3, 3, 1",
      "0.2, 7, 1, 1",
      "0, 0, 1, 1",
      "1000000, 9000000, 1814400, 259200",
  })
  void endsAtARoundTimeAtMostTwiceTheBest(double best, double most, double top, double step) {
    Axis axis = Axis.ofSeconds(best, most);

    assertThat(axis.step()).isEqualTo(step);
    assertThat(axis.top()).isEqualTo(top);
  }

  @ParameterizedTest
  @CsvSource({"7.5, 8", "33, 65", "61, 5000", "127, 254", "950, 1100", "3601, 7000",
      "86000, 900000"})
  void differencesBetweenGoodLimitsCanBeSeen(double best, double most) {
    Axis axis = Axis.ofSeconds(best, most);

    assertThat(axis.top()).isGreaterThanOrEqualTo(Math.min(most, 1.5 * best));
    assertThat(axis.top()).isLessThanOrEqualTo(2 * best);
    assertThat(axis.part(1.05 * best) - axis.part(best)).isGreaterThan(0.024);
  }
}
