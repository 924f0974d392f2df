/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
