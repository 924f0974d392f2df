/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
