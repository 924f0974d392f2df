// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

/** Whether and when a queue takes back starting applications. Immutable. Durations are in milliseconds. */
public final class TakeBackSettings {

  /** No application is taken back. */
  public static final TakeBackSettings OFF = new TakeBackSettings(false, 30_000);

  private final boolean on;
  private final long after;

  /**
   * @param on whether starting applications that block each other are taken back
   * @param after how long they have to block each other before, above 0
   */
  public TakeBackSettings(boolean on, long after) {
    if (after < 1) {
      throw new IllegalArgumentException("out of range: after=" + after);
    }
    this.on = on;
    this.after = after;
  }

  /** Whether starting applications that block each other are taken back. */
  public boolean isOn() {
    return on;
  }

  /** How long they have to block each other before one is taken back. */
  public long after() {
    return after;
  }
}
