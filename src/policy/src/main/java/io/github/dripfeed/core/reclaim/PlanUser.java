// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;

/** A user of the queue, with a limit on the resources of its applications. Used by one thread. */
public final class PlanUser {

  /** The limits of all users of the queue. They depend on the usage and pending requests of each user. */
  interface Limits {

    /**
     * The current limit of the user, as a dominant share.
     *
     * @param additional resources to add to the usage of the active users; null if none
     */
    double limit(PlanUser user, ResourceVector additional);

    /** The usage of the user grows, or falls, by so many containers of a size. */
    void change(PlanUser user, ResourceVector size, int count);

    /** Sets whether the user is active: whether it has pending requests. */
    void setActive(PlanUser user, boolean active);
  }

  private final Limits limits;
  final double weight;
  boolean active;
  /** The usage of the user, including reservations. */
  final ResourceSum used;
  /** The resources that the user releases to others: preempted from it, less assigned to it. */
  final ResourceSum released;
  /** The sum of what its applications use beyond their shares. */
  double excess;
  private final boolean wasActive;
  /** Whether the user was above its limit before the plan. */
  boolean wasAboveLimit;
  /** The number of its pending containers in this plan. */
  private long pending;
  /** Whether all its pending requests are part of this plan. */
  private boolean isPendingInPlan = true;
  /** The number of containers that the plan preempts from the user. */
  private long containersPreempted;

  PlanUser(Limits limits, double weight, boolean active, int types) {
    this.limits = limits;
    this.weight = weight;
    this.active = active;
    this.wasActive = active;
    this.used = new ResourceSum(types);
    this.released = new ResourceSum(types);
  }

  /**
   * The limit in the current state of the plan, as a dominant share.
   *
   * @param additional what active users use beyond that; null if nothing
   */
  double limit(ResourceVector additional) {
    return limits.limit(this, additional);
  }

  /** The user has pending requests that are not part of this plan. */
  public void addPendingElsewhere() {
    isPendingInPlan = false;
  }

  void addPending(long containers) {
    pending += containers;
  }

  void assign(ResourceVector size, int count) {
    pending -= count;
    released.add(size, -count);
    setActive(isActiveInPlan());
    change(size, count);
  }

  void preempt(ResourceVector size, int count) {
    change(size, -count);
    containersPreempted += count;
    released.add(size, count);
    setActive(isActiveInPlan());
  }

  /**
   * A user whose pending requests are all met is no longer active. A user that loses a container requests
   * it again, and so is active.
   */
  private boolean isActiveInPlan() {
    return containersPreempted > 0 || (isPendingInPlan ? pending > 0 : wasActive);
  }

  /** Sets whether limits are computed as if the user were active. */
  void setActive(boolean value) {
    limits.setActive(this, value);
  }

  void change(ResourceVector size, int count) {
    limits.change(this, size, count);
  }
}
