// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;

/**
 * The usage of one application in one partition in the course of a {@link ReclaimPlan}: what is assigned
 * to it and what is preempted from it. Used by one thread.
 */
public class PlanAccount {

  final double weight;
  final int priority;
  final PlanUser user;
  /** The part of the usage that is never preempted. */
  final ResourceSum protectedUsage;
  /** The usage in the current state of the plan, without reservations. */
  final ResourceSum used;
  /** What the plan assigns to the application. */
  final ResourceSum assigned;
  /** What is reserved for the application. */
  final ResourceSum reserved;
  /** The number of containers that the application may still get. */
  long remainingContainers;
  /** The fair share, as a dominant share; computed by {@link MaxMinShares}. */
  double share;
  /** Whether the usage deviated from the share by more than the dead zone when shares were computed. */
  boolean isOutsideDeadZone;
  /** The index of the application in the order of the rule; set by the rule. */
  int index;
  /** The usage beyond the share, as of the last update by the rule. */
  double excess;
  /** The dominant share of the smallest container that may be preempted from the application. */
  double smallestContainer;
  /** The number of containers that may be preempted from the application. */
  int preemptibleContainers;
  private long containersAssigned;
  private boolean hasReservation;

  PlanAccount(double weight, int priority, PlanUser user, long remainingContainers) {
    this.weight = weight;
    this.priority = priority;
    this.user = user;
    this.remainingContainers = remainingContainers;
    this.protectedUsage = new ResourceSum(user.used.types());
    this.used = new ResourceSum(user.used.types());
    this.assigned = new ResourceSum(user.used.types());
    this.reserved = new ResourceSum(user.used.types());
  }

  /** What the plan assigns to the application, by resource type. */
  public final ResourceVector assigned() {
    return assigned.toVector();
  }

  /** The number of containers that the plan assigns to the application. */
  public final long containersAssigned() {
    return containersAssigned;
  }

  final boolean isReceiving() {
    return containersAssigned > 0;
  }

  /** Whether any node was reserved for the application before the plan. */
  final boolean hasReservation() {
    return hasReservation;
  }

  final void addUsage(ResourceVector size) {
    used.add(size);
    user.change(size, 1);
  }

  final void addReservation(ResourceVector size) {
    hasReservation = true;
    reserved.add(size);
    user.change(size, 1);
  }

  /** @param count 1 if the plan assigns a container of this size; -1 if it takes that back */
  final void assign(ResourceVector size, int count) {
    if (remainingContainers != Long.MAX_VALUE) {
      remainingContainers -= count;
    }
    containersAssigned += count;
    assigned.add(size, count);
    used.add(size, count);
    user.assign(size, count);
  }

  /** @param count 1 if the plan preempts a container of this size; -1 if it takes that back */
  final void preempt(ResourceVector size, int count) {
    used.add(size, -count);
    user.preempt(size, count);
  }

  /** @param count 1 if the plan releases a reservation of this size; -1 if it takes that back */
  final void release(ResourceVector size, int count) {
    reserved.add(size, -count);
    user.change(size, -count);
  }
}
