// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.cluster.UserLimits;
import io.github.dripfeed.core.resource.ResourceVector;

/** A user of the queue, with a limit on the resources of its applications. Used by one thread. */
public final class PlanUser extends UserLimits.User {

  /** The sum of what its applications use beyond their shares. */
  double excess;
  private final boolean wasActive;
  /** The number of containers that the plan preempts from the user. */
  private long containersPreempted;

  /** @param isActive whether any of its applications has a pending request */
  public PlanUser(UserLimits limits, double weight, boolean isActive) {
    super(limits, weight, isActive);
    this.wasActive = isActive;
  }

  /**
   * A user that loses a container requests it again, and so is active.
   *
   * @param count 1 if the plan preempts a container of this size; -1 if it takes that back
   */
  void preempt(ResourceVector size, int count) {
    change(size, -count);
    containersPreempted += count;
    setActive(wasActive || containersPreempted > 0);
  }
}
