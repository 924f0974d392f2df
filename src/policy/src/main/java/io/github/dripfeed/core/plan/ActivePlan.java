// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import java.util.function.BooleanSupplier;

/** How long one plan is in effect. Safe for use by any thread. */
public final class ActivePlan {

  private final long until;
  private final BooleanSupplier holds;

  /**
   * @param until the time at which the plan ends if no other replaces it: the monitor may be late
   * @param holds whether what the plan rests on still holds: no node has left
   */
  public ActivePlan(long until, BooleanSupplier holds) {
    this.until = until;
    this.holds = holds;
  }

  /** When it ends if no other replaces it. */
  public long until() {
    return until;
  }

  public boolean isValid(long now) {
    return now - until < 0 && holds.getAsBoolean();
  }
}
