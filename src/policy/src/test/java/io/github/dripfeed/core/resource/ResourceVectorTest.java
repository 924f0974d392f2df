// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResourceVectorTest {

  private final ResourceVector size = ResourceVector.of(4, 1);

  @Test
  void vectorsWithTheSameAmountsAreEqual() {
    assertThat(size).isEqualTo(ResourceVector.of(2, type -> type == 0 ? 4 : 1))
        .hasSameHashCodeAs(ResourceVector.of(4, 1)).hasToString("[4, 1]")
        .isNotEqualTo(ResourceVector.of(4)).isNotEqualTo(ResourceVector.of(1, 4));
  }

  @Test
  void noOneChangesAVectorThroughWhatItWasMadeOf() {
    long[] amounts = {4, 1};
    ResourceVector vector = ResourceVector.of(amounts);
    amounts[0] = 0;
    ResourceSum sum = new ResourceSum(vector);
    ResourceVector before = sum.toVector();
    sum.add(vector);
    assertThat(vector).isEqualTo(size).isEqualTo(before);
  }

  @Test
  void amountsAreComputedTypeByType() {
    ResourceVector other = ResourceVector.of(1, 3);
    assertThat(size.plus(other)).isEqualTo(ResourceVector.of(5, 4));
    assertThat(size.minus(other)).isEqualTo(ResourceVector.of(3, -2));
    assertThat(size.times(3)).isEqualTo(ResourceVector.of(12, 3));
    assertThat(size.componentwiseMin(other)).isEqualTo(ResourceVector.of(1, 1));
    assertThat(size.componentwiseMax(other)).isEqualTo(ResourceVector.of(4, 3));
  }

  @Test
  void amountsFitIfNoneExceedsTheLimit() {
    assertThat(size.fitsIn(size)).isTrue();
    assertThat(size.fitsIn(ResourceVector.of(9, 0))).isFalse();
    assertThat(size.fitsInSum(ResourceVector.of(9, 0), ResourceVector.of(-5, 1))).isTrue();
    assertThat(size.fitsInSum(ResourceVector.of(9, 0), ResourceVector.of(-6, 1))).isFalse();
  }

  @Test
  void amountsAreZeroIfAllAreAndNegativeIfAnyIs() {
    assertThat(ResourceVector.zero(2).isZero()).isTrue();
    assertThat(ResourceVector.of(0, 1).isZero()).isFalse();
    assertThat(ResourceVector.of(0, 1).isNegative()).isFalse();
    assertThat(ResourceVector.of(1, -1).isNegative()).isTrue();
  }

  @Test
  void runningTotalChangesInPlace() {
    ResourceSum sum = new ResourceSum(2);
    sum.add(size);
    sum.add(size, 2);
    sum.subtract(ResourceVector.of(2, 0));
    assertThat(sum.toVector()).isEqualTo(ResourceVector.of(10, 3));
    sum.set(0, 1);
    assertThat(sum.toVector()).isEqualTo(ResourceVector.of(1, 3));
  }
}
