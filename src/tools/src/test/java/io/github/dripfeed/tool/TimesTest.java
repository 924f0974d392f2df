// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimesTest {

  /** The unit is told once where both ends have the same one, and it is all that follows their numbers. */
  @ParameterizedTest
  @CsvSource({"25,50,25 to 50 s", "50,240,50 s to 4 min", "240,600,4 to 10 min", "10800,18000,3 to 5 h",
      "12000,19200,3 h 20 min to 5 h 20 min", "183600,270000,2 d 3 h to 3 d 3 h",
      "10800,19200,3 h to 5 h 20 min", "12000,12000,3 h 20 min", "0,0,now", "-1,5,-"})
  void rangesTellTheirUnitOnceWhereThatIsClear(long low, long high, String text) {
    assertThat(Times.range(low, high)).isEqualTo(text);
  }
}
