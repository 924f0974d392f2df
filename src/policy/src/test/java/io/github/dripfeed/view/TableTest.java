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
      add(table, since);
      assertThat(table.isFull()).isFalse();
    }
    add(table, 10_000);
    assertThat(table.isFull()).isTrue();
    add(table, 10_001);
    assertThat(table.rows()).hasSize(10_000);
    assertThat(table.rows()[9_999].get("since")).isEqualTo(10_000L);
  }

  private static void add(Table table, int since) {
    table.add("root.drip", Collections.nCopies(5, null), since, 1L, Wait.AM_LIMIT, "");
  }
}
