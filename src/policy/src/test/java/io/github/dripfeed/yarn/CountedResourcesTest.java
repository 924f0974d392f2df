// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.resource.ResourceVector;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.junit.jupiter.api.Test;

class CountedResourcesTest {

  private static final Resource CLUSTER = Resource.newInstance(20_000, 100);

  private static boolean isAbove(
      ResourceCalculator calculator, Resource used, Resource limit, Resource released) {
    CountedResources types = new CountedResources(calculator);
    ResourceVector amounts = types.amounts(used);
    return types.isAbove(calculator, CLUSTER, amounts, limit).test(types.amounts(released));
  }

  private static Resource size(long memory, int cores) {
    return Resource.newInstance(memory, cores);
  }

  @Test
  void dominantSharesAreComparedAsYarnDoes() {
    ResourceCalculator dominant = new DominantResourceCalculator();
    assertThat(isAbove(dominant, size(5000, 20), size(12_000, 10), size(0, 0)))
        .as("25% of the memory, where 60% are allowed").isFalse();
    assertThat(isAbove(dominant, size(5000, 70), size(12_000, 10), size(0, 0))).isTrue();
    assertThat(isAbove(dominant, size(5000, 70), size(12_000, 10), size(0, 10)))
        .as("60% each; then the smaller shares count").isTrue();
    assertThat(isAbove(dominant, size(5000, 70), size(12_000, 10), size(0, 11))).isFalse();
  }

  @Test
  void memoryAloneCountsByDefault() {
    ResourceCalculator memory = new DefaultResourceCalculator();
    assertThat(isAbove(memory, size(5000, 70), size(5000, 10), size(0, 0))).isFalse();
    assertThat(isAbove(memory, size(5001, 70), size(5000, 100), size(0, 0))).isTrue();
    assertThat(isAbove(memory, size(5001, 70), size(5000, 10), size(1, 0))).isFalse();
  }
}
