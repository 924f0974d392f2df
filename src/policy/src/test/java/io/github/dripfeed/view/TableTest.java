// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import org.junit.jupiter.api.Test;

/** A table of the live view, which any tool may collect. */
class TableTest {

  @Test
  void aTableEndsAfterTenThousandRows() {
    Table table = new Table(new Table.Columns(Attribute.LINE, Column.QUEUE, Column.PLACE));
    for (int place = 1; place < 10_000; place++) {
      assertThat(table.add("root.drip", place)).isTrue();
    }
    assertThat(table.add("root.drip", 10_000)).as("there is room for another one").isFalse();
    assertThat(table.add("root.drip", 10_001)).isFalse();
    assertThat(table.rows()).hasSize(10_000);
    assertThat(table.rows()[9_999].get("place")).isEqualTo(10_000L);
  }
}
