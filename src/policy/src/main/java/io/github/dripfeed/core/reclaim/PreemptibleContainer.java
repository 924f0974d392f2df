// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceVector;

/** A container or a reservation that may be preempted. Used by one thread. */
public final class PreemptibleContainer {

  final PlanAccount application;
  final PlanNode node;
  final ResourceVector size;
  /** The number of newer containers that may be preempted from the same application. */
  final int newer;
  private final boolean reservation;
  private final boolean notified;
  private final Object item;
  /** Whether the plan preempts the container so far. */
  boolean preempted;
  /** Whether its preemption is final for this plan. */
  boolean isFinal;

  PreemptibleContainer(PlanAccount application, PlanNode node, ResourceVector size, boolean reservation,
      boolean notified, Object item) {
    this.application = application;
    this.node = node;
    this.size = size;
    this.newer = application.preemptibleContainers;
    this.reservation = reservation;
    this.notified = notified;
    this.item = item;
  }

  /** Whether this is a reservation: it counts as used, but nothing runs in it, and it needs no notice. */
  public boolean isReservation() {
    return reservation;
  }

  /** The caller's object for the container or reservation. */
  public Object item() {
    return item;
  }

  /** Whether a preemption notice was sent for the container. */
  boolean isNotified() {
    return notified;
  }

  void setPreempted(boolean value) {
    preempted = value;
    int count = value ? 1 : -1;
    if (isReservation()) {
      application.release(size, count);
    } else {
      application.preempt(size, count);
      node.free.add(size, count);
    }
  }
}
