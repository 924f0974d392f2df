// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

/** Whether and when a queue takes back starting applications. Immutable. Durations are in milliseconds. */
public final class TakeBackSettings {

  /** No application is taken back. */
  public static final TakeBackSettings OFF = new TakeBackSettings(false, 30_000, false);

  private final boolean on;
  private final long after;
  private final boolean atTimeout;

  /**
   * @param on whether starting applications that block each other are taken back
   * @param after how long they have to block each other before, above 0
   * @param atTimeout whether a starting application whose time is over is taken back
   */
  public TakeBackSettings(boolean on, long after, boolean atTimeout) {
    if (after < 1) {
      throw new IllegalArgumentException("out of range: after=" + after);
    }
    this.on = on;
    this.after = after;
    this.atTimeout = atTimeout;
  }

  /** Whether starting applications that block each other are taken back. */
  public boolean isOn() {
    return on;
  }

  /** How long they have to block each other before one is taken back. */
  public long after() {
    return after;
  }

  /** Whether a starting application whose time is over is taken back if others wait for its room. */
  public boolean isAtTimeout() {
    return atTimeout;
  }
}
