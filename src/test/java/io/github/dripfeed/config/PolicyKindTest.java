/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.StateAwareFairOrderingPolicy;
import io.github.dripfeed.StateAwareOrderingPolicy;
import org.junit.jupiter.api.Test;

class PolicyKindTest {

  @Test
  void kindIsFoundByPolicyClassName() {
    assertThat(PolicyKind.of(StateAwareOrderingPolicy.class.getName())).isSameAs(PolicyKind.SUBMISSION);
    assertThat(PolicyKind.of(StateAwareFairOrderingPolicy.class.getName())).isSameAs(PolicyKind.FAIR);
    assertThat(PolicyKind.of("fifo")).isNull();
  }

  @Test
  void eachKindSupportsAllPropertiesButOne() {
    assertThat(PolicyProperty.values())
        .filteredOn(property -> !PolicyKind.SUBMISSION.supports(property))
        .containsExactly(PolicyProperty.PRIORITY_WEIGHT);
    assertThat(PolicyProperty.values()).filteredOn(property -> !PolicyKind.FAIR.supports(property))
        .containsExactly(PolicyProperty.ORDER);
  }
}
