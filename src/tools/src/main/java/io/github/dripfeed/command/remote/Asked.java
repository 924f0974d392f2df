// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.List;

/** What a driver asks for, in words. */
public final class Asked {

  private static final long MEGABYTES = 1024;

  private Asked() {
  }

  /** {@code 2 GB, 1 vcore}; empty if it is unknown. */
  public static String by(Row row) {
    long memory = row.number(Column.MEMORY_MB);
    long vcores = row.number(Column.VCORES);
    List<String> asks = new ArrayList<>();
    if (memory > 0) {
      asks.add(memory % MEGABYTES == 0 ? memory / MEGABYTES + " GB" : memory + " MB");
    }
    if (vcores > 0) {
      asks.add(vcores + (vcores == 1 ? " vcore" : " vcores"));
    }
    if (!row.text(Column.RESOURCES).isEmpty()) {
      asks.add(row.text(Column.RESOURCES));
    }
    return String.join(", ", asks);
  }
}
