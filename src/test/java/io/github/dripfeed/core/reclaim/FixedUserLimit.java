/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceVector;

/** A user limit that nothing changes. */
final class FixedUserLimit implements PlanUser.Limits {

  private final double limit;

  private FixedUserLimit(double limit) {
    this.limit = limit;
  }

  /**
   * A user with this limit.
   *
   * @param limit the limit as a dominant share; a user above it gets no more containers
   * @param types the number of resource types
   */
  static PlanUser user(double limit, int types) {
    return new PlanUser(new FixedUserLimit(limit), 1, true, types);
  }

  @Override
  public double limit(PlanUser user, ResourceVector additional) {
    return limit;
  }

  @Override
  public void add(PlanUser user, ResourceVector size) {
    user.used.add(size);
  }

  @Override
  public void subtract(PlanUser user, ResourceVector size) {
    user.used.subtract(size);
  }

  @Override
  public void setActive(PlanUser user, boolean active) {
    // The limit does not depend on it.
  }
}
