// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;

/**
 * One application of the queue in one partition: its containers, reservations and pending requests. A
 * {@link ReclaimPlan} changes it in its course. Used by one thread.
 */
public final class PlanApplication {

  /** A container or a reservation that may be preempted. Used by one thread. */
  public static final class PreemptibleContainer {

    final PlanApplication application;
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

    PreemptibleContainer(PlanApplication application, PlanNode node, ResourceVector size,
        boolean reservation, boolean notified, Object item) {
      this.application = application;
      this.node = node;
      this.size = size;
      this.newer = application.preemptible.size();
      this.reservation = reservation;
      this.notified = notified;
      this.item = item;
    }

    /** Whether this is a reservation: it counts as used, but nothing runs in it, and it needs no notice. */
    public boolean isReservation() {
      return reservation;
    }

    public ResourceVector size() {
      return size;
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

  /** A pending request of an application for containers of one size. Used by one thread. */
  static final class PlanRequest {

    /** The index at which a node search starts; the request fits on no node before it. */
    static final class Cursor {
      int node;
      int freed;
    }

    final PlanApplication application;
    /** The request of the same application that comes before this one; null if this is the first. */
    private final PlanRequest earlier;
    final ResourceVector size;
    final Placement placement;
    /** The number of containers still pending while the plan is made. */
    long pending;
    /** Whether the request cannot be met in this pass. */
    boolean skipped;
    /** The index at which the node search of this pass starts; shared by equal requests. */
    Cursor cursor;
    /** The same for placements after the locality delay. */
    int laterCursor;

    PlanRequest(PlanApplication application, PlanRequest earlier, ResourceVector size, long count,
        Placement placement) {
      this.application = application;
      this.earlier = earlier;
      this.size = size;
      this.pending = count;
      this.placement = placement;
    }

    /** Whether the request would be placed on the node; earlier requests of the application come first. */
    boolean isPlaceable(PlanNode node) {
      for (PlanRequest other = earlier; other != null; other = other.earlier) {
        if (other.pending > 0 && other.placement.at(node) != Placement.Answer.NEXT) {
          return false;
        }
      }
      return placement.at(node) == Placement.Answer.YES;
    }

    /** Whether the request would be placed on the node, if it fits, after its locality delay. */
    boolean isPlaceableLater(PlanNode node) {
      return placement.isLater(node) && !isEarlierPending();
    }

    /** Whether every request of this size fits on the same nodes. */
    boolean isUnconstrained() {
      return placement.isAnywhere() && !isEarlierPending() && application.reservations.isEmpty();
    }

    /** Whether an earlier request of the application is still pending. */
    private boolean isEarlierPending() {
      for (PlanRequest other = earlier; other != null; other = other.earlier) {
        if (other.pending > 0) {
          return true;
        }
      }
      return false;
    }

    /** Assigns one container of the request. */
    void assign() {
      pending--;
      application.assign(size);
    }
  }

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
  private long containersAssigned;
  /** The containers that may be preempted, newest first. */
  final List<PreemptibleContainer> preemptible = new ArrayList<>();
  final List<PreemptibleContainer> reservations = new ArrayList<>();
  final List<PlanRequest> requests = new ArrayList<>();
  /** Whether the application is not served in this pass. */
  boolean skipped;
  /** The preemption of all containers before this index in {@link #preemptible} is final. */
  private int firstRemaining;
  /** All requests before this index are met, or cannot be met in this pass. */
  private int currentRequest;
  /** The number of containers that it may still get by preemption. */
  long remainingPreemptions = Long.MAX_VALUE;
  boolean isServedLast;

  /**
   * @param weight the weight of the application in fair shares, above 0
   * @param priority an application of higher priority is served first
   * @param remainingContainers the number of containers that it may still get; {@link Long#MAX_VALUE} if
   *     there is no limit
   */
  public PlanApplication(double weight, int priority, PlanUser user, long remainingContainers) {
    this.weight = weight;
    this.priority = priority;
    this.user = user;
    this.remainingContainers = remainingContainers;
    this.protectedUsage = new ResourceSum(user.types());
    this.used = new ResourceSum(user.types());
    this.assigned = new ResourceSum(user.types());
    this.reserved = new ResourceSum(user.types());
  }

  /** Adds a container that is never preempted. */
  public void addProtected(ResourceVector size) {
    protectedUsage.add(size);
    addUsage(size);
  }

  /**
   * Adds a container that may be preempted. Containers are added newest first.
   *
   * @param notified whether a preemption notice was sent for the container
   * @param item the caller's object for the container
   */
  public PreemptibleContainer addPreemptible(
      PlanNode node, ResourceVector size, boolean notified, Object item) {
    addUsage(size);
    PreemptibleContainer container = new PreemptibleContainer(this, node, size, false, notified, item);
    preemptible.add(container);
    return container;
  }

  /**
   * Adds a reservation, which counts as used.
   *
   * @param item the caller's object for the reservation
   */
  public PreemptibleContainer addReservation(PlanNode node, ResourceVector size, Object item) {
    reserved.add(size);
    user.change(size, 1);
    PreemptibleContainer reservation = new PreemptibleContainer(this, node, size, true, false, item);
    reservations.add(reservation);
    return reservation;
  }

  /** Adds a pending request. Requests are added in the order in which the application is served. */
  public void addRequest(ResourceVector size, long count, Placement placement) {
    if (count > 0 && !size.isZero()) {
      PlanRequest earlier = requests.isEmpty() ? null : requests.get(requests.size() - 1);
      requests.add(new PlanRequest(this, earlier, size, count, placement));
    }
  }

  /** Reduces what it may get here by what the plans of other partitions assign to it. */
  public void subtractAssignedElsewhere(long containers) {
    if (remainingContainers != Long.MAX_VALUE) {
      remainingContainers = Math.max(0, remainingContainers - containers);
    }
  }

  /** Limits the number of containers that the application may get by preemption. */
  public void limitPreemptions(long containers) {
    remainingPreemptions = containers;
  }

  /** The application is served only once no other application has a pending request. */
  public void serveLast() {
    isServedLast = true;
  }

  /** The first request that may still be met in this pass, or null. */
  PlanRequest nextRequest() {
    if (remainingContainers > 0 && !skipped) {
      for (; currentRequest < requests.size(); currentRequest++) {
        PlanRequest request = requests.get(currentRequest);
        if (request.pending > 0 && !request.skipped) {
          return request;
        }
      }
    }
    return null;
  }

  void startPass() {
    currentRequest = 0;
    for (PlanRequest request : requests) {
      request.skipped = false;
      request.cursor = null;
      request.laterCursor = 0;
    }
  }

  /** The first index in {@link #preemptible} whose preemption is not final. */
  int firstRemaining() {
    while (firstRemaining < preemptible.size() && preemptible.get(firstRemaining).isFinal) {
      firstRemaining++;
    }
    return firstRemaining;
  }

  /** Whether the application has a container that may be preempted and is not finally preempted. */
  boolean hasPreemptible() {
    return firstRemaining() < preemptible.size();
  }

  /** Whether it has a pending request that the plan does not meet so far. */
  boolean hasPending() {
    return remainingContainers > 0 && requests.stream().anyMatch(request -> request.pending > 0);
  }

  /** What the plan assigns to the application, by resource type. */
  public ResourceVector assigned() {
    return assigned.toVector();
  }

  /** The number of containers that the plan assigns to the application. */
  public long containersAssigned() {
    return containersAssigned;
  }

  boolean isReceiving() {
    return containersAssigned > 0;
  }

  private void addUsage(ResourceVector size) {
    used.add(size);
    user.change(size, 1);
  }

  /** The plan assigns a container of this size. */
  void assign(ResourceVector size) {
    if (remainingContainers != Long.MAX_VALUE) {
      remainingContainers--;
    }
    containersAssigned++;
    assigned.add(size);
    used.add(size);
    user.change(size, 1);
  }

  /** @param count 1 if the plan preempts a container of this size; -1 if it takes that back */
  void preempt(ResourceVector size, int count) {
    used.add(size, -count);
    user.preempt(size, count);
  }

  /** @param count 1 if the plan releases a reservation of this size; -1 if it takes that back */
  void release(ResourceVector size, int count) {
    reserved.add(size, -count);
    user.change(size, -count);
  }
}
