// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.wire.Wire.Wait;

/** The reason why no further application may start beside those that are already starting. */
public enum Shortage {
  DEMAND(Wait.HEADROOM_DEMAND),
  EXPECTED(Wait.HEADROOM_EXPECTED),
  NODES(Wait.HEADROOM_NODES),
  QUEUE(Wait.HEADROOM_QUEUE),
  USER(Wait.HEADROOM_USER),
  RESERVE(Wait.HEADROOM_RESERVE);

  private final Wait code;

  Shortage(Wait code) {
    this.code = code;
  }

  public Wait code() {
    return code;
  }
}
