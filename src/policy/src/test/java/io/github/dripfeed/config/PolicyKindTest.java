// SPDX-License-Identifier: Apache-2.0
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
