/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.headroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.resource.ResourceVector;
import org.junit.jupiter.api.Test;

/** The executor sizes expected of an application that has not requested any yet. */
class ExecutorSizeHistoryTest {

  private final ExecutorSizeHistory seen = new ExecutorSizeHistory();

  @Test
  void emptyHistoryExpectsNothing() {
    assertThat(seen.expected("", 2)).isEmpty();
  }

  @Test
  void largestAmountOfEachTypeIsExpected() {
    seen.add("app1", "", "", ResourceVector.of(4, 1));
    seen.add("app1", "", "", ResourceVector.of(2, 3));
    seen.add("app2", "", "gpu", ResourceVector.of(9, 1));
    seen.add("app3", "other", "", ResourceVector.of(99, 99));
    assertThat(seen.expected("", 2)).containsOnlyKeys("", "gpu");
    assertThat(seen.expected("", 2).get("")).isEqualTo(ResourceVector.of(4, 3));
    assertThat(seen.expected("", 2).get("gpu")).isEqualTo(ResourceVector.of(9, 1));
  }

  @Test
  void oldestSizesAreForgotten() {
    seen.add("large", "", "", ResourceVector.of(100));
    for (int i = 1; i < ExecutorSizeHistory.REMEMBERED; i++) {
      seen.add(i, "", "", ResourceVector.of(1));
    }
    assertThat(seen.expected("", 1).get("")).isEqualTo(ResourceVector.of(100));
    seen.add("last", "", "", ResourceVector.of(2));
    assertThat(seen.expected("", 1).get("")).isEqualTo(ResourceVector.of(2));
  }

  @Test
  void sizesWithOtherResourceTypesAreIgnored() {
    seen.add("app1", "", "", ResourceVector.of(100));
    assertThat(seen.expected("", 2)).isEmpty();
    seen.add("app1", "", "", ResourceVector.of(1, 1));
    assertThat(seen.expected("", 2).get("")).isEqualTo(ResourceVector.of(1, 1));
  }
}
