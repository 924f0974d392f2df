/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A table of the live view, which any tool may collect. */
class TableTest {

  @Test
  void aTableEndsAfterTenThousandRows() {
    Table table = new Table(new Table.Columns("Line").texts("queue").numbers("place"));
    for (int place = 1; place < 10_000; place++) {
      assertThat(table.add("root.drip", place)).isTrue();
    }
    assertThat(table.add("root.drip", 10_000)).as("there is room for another one").isFalse();
    assertThat(table.add("root.drip", 10_001)).isFalse();
    assertThat(table.rows()).hasSize(10_000);
    assertThat(table.rows()[9_999].get("place")).isEqualTo(10_000L);
  }
}
