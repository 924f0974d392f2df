// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceVector;

/** A container or a reservation that may be preempted. Used by one thread. */
public final class PreemptibleContainer {

  /** What may be preempted. */
  enum Kind {
    /** A container for which no preemption notice was sent. */
    CONTAINER,
    /** A container for which a preemption notice was sent. */
    NOTIFIED_CONTAINER,
    /** A reservation: it counts as used, but nothing runs in it, and it needs no preemption notice. */
    RESERVATION
  }

  final PlanAccount application;
  final PlanNode node;
  final ResourceVector size;
  /** The number of newer containers that may be preempted from the same application. */
  final int newer;
  private final Kind kind;
  private final Object item;
  /** Whether the plan preempts the container so far. */
  boolean preempted;
  /** Whether its preemption is final for this plan. */
  boolean isFinal;

  PreemptibleContainer(
      PlanAccount application, PlanNode node, ResourceVector size, Kind kind, Object item) {
    this.application = application;
    this.node = node;
    this.size = size;
    this.newer = application.preemptibleContainers;
    this.kind = kind;
    this.item = item;
  }

  /** Whether this is a reservation. */
  public boolean isReservation() {
    return kind == Kind.RESERVATION;
  }

  /** The caller's object for the container or reservation. */
  public Object item() {
    return item;
  }

  /** Whether a preemption notice was sent for the container. */
  boolean isNotified() {
    return kind == Kind.NOTIFIED_CONTAINER;
  }

  void preempt() {
    preempted = true;
    if (isReservation()) {
      application.releaseReservation(size);
    } else {
      application.preempt(size);
      node.free.add(size);
    }
  }

  void undoPreemption() {
    preempted = false;
    if (isReservation()) {
      application.restoreReservation(size);
    } else {
      application.undoPreemption(size);
      node.free.subtract(size);
    }
  }
}
