// SPDX-License-Identifier: Apache-2.0
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
  public void change(PlanUser user, ResourceVector size, int count) {
    user.used.add(size, count);
  }

  @Override
  public void setActive(PlanUser user, boolean active) {
    // The limit does not depend on it.
  }
}
