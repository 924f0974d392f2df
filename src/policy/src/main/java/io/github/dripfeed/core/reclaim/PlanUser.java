// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.cluster.UserLimits;
import io.github.dripfeed.core.resource.ResourceVector;

/** A user of the queue, with a limit on the resources of its applications. Used by one thread. */
public final class PlanUser extends UserLimits.User {

  /** The sum of what its applications use beyond their shares. */
  double excess;
  private final boolean wasActive;
  /** The number of its pending containers in this plan. */
  private long pending;
  /** Whether all its pending requests are part of this plan. */
  private boolean isPendingInPlan = true;
  /** The number of containers that the plan preempts from the user. */
  private long containersPreempted;

  /** @param isActive whether any of its applications has a pending request */
  public PlanUser(UserLimits limits, double weight, boolean isActive) {
    super(limits, weight, isActive);
    this.wasActive = isActive;
  }

  /** The user has pending requests that are not part of this plan. */
  public void addPendingElsewhere() {
    isPendingInPlan = false;
  }

  void addPending(long containers) {
    pending += containers;
  }

  void assign(ResourceVector size) {
    pending--;
    update();
    change(size, 1);
  }

  /** @param count 1 if the plan preempts a container of this size; -1 if it takes that back */
  void preempt(ResourceVector size, int count) {
    change(size, -count);
    containersPreempted += count;
    update();
  }

  /**
   * A user whose pending requests are all met is no longer active. A user that loses a container requests
   * it again, and so is active.
   */
  private void update() {
    setActive(containersPreempted > 0 || (isPendingInPlan ? pending > 0 : wasActive));
  }
}
