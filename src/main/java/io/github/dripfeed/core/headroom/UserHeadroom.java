/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceVector;

/**
 * The headroom of one user in one partition. It shrinks while a plan is made.
 *
 * <p>As in YARN, users of a queue above its capacity may hold more: a fraction of the queue's usage, up
 * to a ceiling. Below the capacity, the limit is YARN's current one.
 */
public final class UserHeadroom {

  private final long[] used;
  /** The part of it that drivers without executors hold. */
  private final long[] stuck;
  private final long[] limit;
  private final long[] ceiling;
  private final double fraction;

  /**
   * @param used the usage of the user
   * @param progress the part of it that applications with executors hold
   * @param limit the current user limit
   * @param ceiling the upper bound of the user limit
   * @param fraction the fraction of the queue's usage that the user may hold even if it exceeds the limit
   */
  public UserHeadroom(long[] used, long[] progress, long[] limit, long[] ceiling, double fraction) {
    this.used = used.clone();
    this.stuck = ResourceVector.minus(used, progress);
    this.limit = limit.clone();
    this.ceiling = ceiling.clone();
    this.fraction = fraction;
  }

  /** @param all the usage of the whole queue */
  boolean has(long[] size, long[] all) {
    long[] after = ResourceVector.plus(used, size);
    return ResourceVector.fits(after, ceiling)
        && (ResourceVector.fits(after, limit) || isWithinFraction(used, all));
  }

  void take(long[] size) {
    ResourceVector.add(used, size);
  }

  /**
   * Reserves headroom for a driver that may stay without executors.
   *
   * @param rest the headroom that must remain
   * @return whether so much remains
   */
  boolean reserveForDriver(long[] driver, long[] rest) {
    ResourceVector.add(stuck, driver);
    long[] needed = ResourceVector.plus(stuck, rest);
    return ResourceVector.fits(needed, ceiling) && (fraction >= 1 || ResourceVector.fits(needed, limit));
  }

  private boolean isWithinFraction(long[] amounts, long[] all) {
    for (int type = 0; type < amounts.length; type++) {
      if (amounts[type] > fraction * all[type]) {
        return false;
      }
    }
    return true;
  }
}
