// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.dripfeed.fixture.YarnFacts;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The facts about YARN (docs/design.md#facts-about-yarn) on the real Capacity Scheduler. */
class YarnFactsTest {

  @ParameterizedTest
  @EnumSource
  void stateAwarePolicyPassesTheFact(YarnFacts fact) throws Exception {
    fact.check(StateAwareOrderingPolicy.class);
  }

  /** A scenario that the naive policy passes proves nothing. */
  @ParameterizedTest
  @EnumSource
  void countingPolicyFailsTheFact(YarnFacts fact) {
    assertThatThrownBy(() -> fact.check(CountingOrderingPolicy.class))
        .isInstanceOf(AssertionError.class);
  }
}
