// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.headroom.Shortfall;
import io.github.dripfeed.wire.Wire.Wait;

/** Why the next attempt of a line waits, and with it the attempts behind it. Immutable. */
public final class WaitReason {

  /** It is offered: it waits until the scheduler can place its driver. */
  public static final WaitReason OFFERED = new WaitReason(Wait.ROOM, null);
  /** All slots are taken, and no plan allows more starts. */
  public static final WaitReason FOR_SLOT = new WaitReason(Wait.SLOT, null);
  /** A slot is free, but a starting attempt of the group lacks executors. */
  public static final WaitReason FOR_EXECUTORS = new WaitReason(Wait.EXECUTORS, null);
  /** An application was taken back, and nobody has made progress since. */
  public static final WaitReason FOR_PROGRESS = new WaitReason(Wait.PROGRESS, null);

  private final Wait code;
  private final Shortfall shortfall;

  private WaitReason(Wait code, Shortfall shortfall) {
    this.code = code;
    this.shortfall = shortfall;
  }

  /** It waits for headroom beside the starting attempts, or for a slot. */
  static WaitReason forHeadroom(Shortfall shortfall) {
    return new WaitReason(shortfall.shortage().code(), shortfall);
  }

  public Wait code() {
    return code;
  }

  /** The shortage that prevents its offer; null if it is offered or waits for a slot. */
  public Shortfall shortfall() {
    return shortfall;
  }
}
