// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PolicyKindTest {

  @Test
  void eachKindSupportsAllPropertiesButOne() {
    assertThat(PolicyProperty.values())
        .filteredOn(property -> !PolicyKind.SUBMISSION.supports(property))
        .containsExactly(PolicyProperty.PRIORITY_WEIGHT);
    assertThat(PolicyProperty.values()).filteredOn(property -> !PolicyKind.FAIR.supports(property))
        .containsExactly(PolicyProperty.ORDER);
  }
}
