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
 * What one user may have in one partition. Used up as a plan goes on.
 *
 * <p>As YARN has it, a queue that has more than its share grants its users more: a part of what all of
 * them have, up to a ceiling. Below that share the limit is what YARN says now.
 */
public final class UserHeadroom {

  private final long[] used;
  /** What drivers without executors have of it. */
  private final long[] stuck;
  private final long[] limit;
  private final long[] ceiling;
  private final double part;

  /**
   * @param used what the user has
   * @param progress what of it applications have that have executors
   * @param limit what he may have as things are
   * @param ceiling what he may have at most
   * @param part of all that the queue has, which he may have even if it is more than the limit
   */
  public UserHeadroom(long[] used, long[] progress, long[] limit, long[] ceiling, double part) {
    this.used = used.clone();
    this.stuck = ResourceVector.minus(used, progress);
    this.limit = limit.clone();
    this.ceiling = ceiling.clone();
    this.part = part;
  }

  /** @param all what the whole queue has */
  boolean has(long[] size, long[] all) {
    long[] after = ResourceVector.plus(used, size);
    return ResourceVector.fits(after, ceiling)
        && (ResourceVector.fits(after, limit) || isPart(used, all));
  }

  void take(long[] size) {
    ResourceVector.add(used, size);
  }

  /**
   * Takes the room of a driver that may stay without executors.
   *
   * @param rest what has to be left
   * @return whether so much is left
   */
  boolean keep(long[] driver, long[] rest) {
    ResourceVector.add(stuck, driver);
    long[] needed = ResourceVector.plus(stuck, rest);
    return ResourceVector.fits(needed, ceiling) && (part >= 1 || ResourceVector.fits(needed, limit));
  }

  private boolean isPart(long[] amounts, long[] all) {
    for (int type = 0; type < amounts.length; type++) {
      if (amounts[type] > part * all[type]) {
        return false;
      }
    }
    return true;
  }
}
