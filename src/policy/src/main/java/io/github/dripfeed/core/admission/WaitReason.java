// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.headroom.Shortage;
import io.github.dripfeed.core.headroom.Shortfall;

/** Why the next attempt of a line waits, and with it the attempts behind it. Immutable. */
public final class WaitReason {

  /** It is offered: it waits until the scheduler can place its driver. */
  public static final WaitReason OFFERED = new WaitReason("room", null);
  /** All slots are taken, and no plan allows more starts. */
  public static final WaitReason FOR_SLOT = new WaitReason("a starting slot", null);
  /** A slot is free, but a starting attempt of the group lacks executors. */
  public static final WaitReason FOR_EXECUTORS =
      new WaitReason("the first executors of another starting application", null);
  /** An application was taken back, and nobody has made progress since. */
  public static final WaitReason FOR_PROGRESS = new WaitReason(
      "the progress of a starting application: another one was taken back to make room", null);

  private final String what;
  private final Shortfall shortfall;

  private WaitReason(String what, Shortfall shortfall) {
    this.what = what;
    this.shortfall = shortfall;
  }

  /** It waits for headroom beside the starting attempts, or for a slot. */
  static WaitReason forHeadroom(Shortfall shortfall) {
    return new WaitReason(OFFERED.what, shortfall);
  }

  /** Whether it waits for free resources rather than for a starting slot. */
  public boolean isForHeadroom() {
    return this == OFFERED || shortfall != null;
  }

  /** The reason in words. */
  public String what() {
    return what;
  }

  /** The shortage that prevents its offer; null if it is offered or waits for a slot. */
  public Shortage shortage() {
    return shortfall == null ? null : shortfall.shortage();
  }

  /** The same in words, with the claims that are in its way. */
  public String shortageText() {
    return shortfall == null ? "" : shortfall.reason();
  }
}
