// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.resource.ResourceVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What comes free soon: a quarter of what did in a window of four times as long. */
class ReleasesTest {

  private final Releases releases = new Releases();

  private ResourceVector soon(String partition, long ahead, int types, long now) {
    return releases.soon(partition, ahead, types, now);
  }

  @ParameterizedTest(name = "{0} ms ahead, {1} ms after the release of 40: {2}")
  @CsvSource({"0, 0, 0", "10000, 0, 10", "10000, 40000, 10", "10000, 40501, 0", "5000, 20000, 10",
      "5000, 20501, 0", "3000000, 1200000, 10"})
  void releaseCountsForFourTimesTheTimeAhead(long ahead, long after, long soon) {
    releases.add("", ResourceVector.of(40), 1000);
    assertThat(soon("", ahead, 1, 1000 + after)).isEqualTo(ResourceVector.of(soon));
  }

  @Test
  void partitionsAndNumbersOfTypesAreSeparate() {
    releases.add("", ResourceVector.of(4), 0);
    releases.add("gpu", ResourceVector.of(8), 100);
    releases.add("", ResourceVector.of(8), 200);
    assertThat(soon("", 1000, 1, 300)).isEqualTo(ResourceVector.of(3));
    assertThat(soon("gpu", 1000, 1, 300)).isEqualTo(ResourceVector.of(2));
    assertThat(soon("other", 1000, 1, 300)).isEqualTo(ResourceVector.of(0));
    assertThat(soon("", 1000, 2, 300)).isEqualTo(ResourceVector.of(0, 0));
    releases.add("", ResourceVector.of(12, 4), 400);
    assertThat(soon("", 1000, 2, 400)).as("the types have changed").isEqualTo(ResourceVector.of(3, 1));
  }

  @Test
  void whatIsTooOldIsForgotten() {
    releases.add("", ResourceVector.of(40), 0);
    releases.add("", ResourceVector.of(4), 1_300_000);
    assertThat(soon("", 1_000_000, 1, 1_300_000)).isEqualTo(ResourceVector.of(1));
  }
}
