// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** A table of the live view, which any tool may collect. */
class TableTest {

  @Test
  void aTableEndsAfterTenThousandRows() {
    Table table = new Table(Attribute.PENDING);
    for (int since = 1; since < 10_000; since++) {
      assertThat(add(table, since)).isTrue();
    }
    assertThat(add(table, 10_000)).as("there is room for another one").isFalse();
    assertThat(add(table, 10_001)).isFalse();
    assertThat(table.rows()).hasSize(10_000);
    assertThat(table.rows()[9_999].get("since")).isEqualTo(10_000L);
  }

  private static boolean add(Table table, int since) {
    return table.add("root.drip", Collections.nCopies(5, null), since, 1L, Wait.AM_LIMIT, "");
  }
}
