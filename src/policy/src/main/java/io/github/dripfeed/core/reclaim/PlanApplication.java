// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;

/**
 * One application of the queue in one partition: its containers, reservations and pending requests. A
 * {@link ReclaimPlan} changes it in its course. Used by one thread.
 */
public final class PlanApplication extends PlanAccount {

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
  private long remainingPreemptions = Long.MAX_VALUE;
  private boolean servedLast;

  /**
   * @param weight the weight of the application in fair shares, above 0
   * @param priority an application of higher priority is served first
   * @param remainingContainers the number of containers that it may still get; {@link Long#MAX_VALUE} if
   *     there is no limit
   */
  public PlanApplication(double weight, int priority, PlanUser user, long remainingContainers) {
    super(weight, priority, user, remainingContainers);
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
    preemptibleContainers++;
    return container;
  }

  /**
   * Adds a reservation, which counts as used.
   *
   * @param item the caller's object for the reservation
   */
  public PreemptibleContainer addReservation(PlanNode node, ResourceVector size, Object item) {
    addReservation(size);
    PreemptibleContainer reservation = new PreemptibleContainer(this, node, size, true, false, item);
    reservations.add(reservation);
    return reservation;
  }

  /** Adds a pending request. Requests are added in the order in which the application is served. */
  public void addRequest(ResourceVector size, long count, Placement placement) {
    if (count > 0 && !size.isZero()) {
      PlanRequest earlier = requests.isEmpty() ? null : requests.get(requests.size() - 1);
      requests.add(new PlanRequest(this, earlier, size, count, placement));
      user.addPending(count);
    }
  }

  /** The plan of another partition assigns containers to the application, so it may get fewer here. */
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
    servedLast = true;
  }

  boolean isServedLast() {
    return servedLast;
  }

  boolean mayReceive() {
    return remainingPreemptions > 0;
  }

  void countPreemption() {
    remainingPreemptions--;
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

  /** Whether the application has a pending request that the plan does not meet so far. */
  boolean hasPending() {
    return remainingContainers > 0 && requests.stream().anyMatch(request -> request.pending > 0);
  }
}
