// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;

/**
 * The headroom of one user in one partition. It shrinks while a plan is made.
 *
 * <p>As in YARN, users of a queue above its capacity may hold more: a fraction of the queue's usage, up
 * to a ceiling. Below the capacity, the limit is YARN's current one.
 */
public final class UserHeadroom {

  private final ResourceSum used;
  /** The part of it that drivers without executors hold. */
  private final ResourceSum stuck;
  private final ResourceVector limit;
  private final ResourceVector ceiling;
  private final double fraction;

  /**
   * @param used the usage of the user
   * @param progress the part of it that applications with executors hold
   * @param limit the current user limit
   * @param ceiling the upper bound of the user limit
   * @param fraction the fraction of the queue's usage that the user may hold even if it exceeds the limit
   */
  public UserHeadroom(ResourceAmounts used, ResourceAmounts progress, ResourceVector limit,
      ResourceVector ceiling, double fraction) {
    this.used = new ResourceSum(used);
    this.stuck = new ResourceSum(used);
    stuck.subtract(progress);
    this.limit = limit;
    this.ceiling = ceiling;
    this.fraction = fraction;
  }

  /** @param all the usage of the whole queue */
  boolean has(ResourceVector size, ResourceAmounts all) {
    ResourceVector after = size.plus(used);
    return after.fitsIn(ceiling) && (after.fitsIn(limit) || isWithinFraction(all));
  }

  void take(ResourceVector size) {
    used.add(size);
  }

  void giveBack(ResourceVector size) {
    used.subtract(size);
  }

  /**
   * Whether headroom remains beside another driver that may stay without executors.
   *
   * @param rest the headroom that must remain
   */
  boolean keepsBeside(ResourceVector driver, ResourceVector rest) {
    ResourceVector needed = rest.plus(stuck).plus(driver);
    return needed.fitsIn(ceiling) && (fraction >= 1 || needed.fitsIn(limit));
  }

  /** Accounts for a driver that may stay without executors. */
  void addDriver(ResourceVector driver) {
    stuck.add(driver);
  }

  private boolean isWithinFraction(ResourceAmounts all) {
    for (int type = 0; type < used.types(); type++) {
      if (used.get(type) > fraction * all.get(type)) {
        return false;
      }
    }
    return true;
  }
}
