// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;

/**
 * The driver of an attempt: the partition for which it is requested, its container, and its age. Stores
 * only the attempt, the id of the container, and the partition of the request. Safe for use by any thread.
 */
final class AttemptDriver {

  /**
   * The epoch is stored above the container number, which fills {@link ContainerId#CONTAINER_ID_BITMASK}.
   */
  private static final int EPOCH_SHIFT = Long.bitCount(ContainerId.CONTAINER_ID_BITMASK);

  private final SchedulerApplicationAttempt app;
  private volatile ContainerId known;
  /** The partition in the request, and YARN's value when it was read; see {@link #partition}. */
  private volatile String requestedPartition;
  private volatile String namedPartition;

  AttemptDriver(SchedulerApplicationAttempt app) {
    this.app = app;
  }

  /**
   * Mostly YARN's value. The exception is an application for which YARN creates its queue: YARN reads the
   * partition before the queue and its default label exist, and puts the label only into the request.
   */
  String partition() {
    String named = app.getAppAMNodePartitionName();
    String requested = requestedPartition;
    if (requested == null) {
      AppPlacementAllocator<?> request =
          app.isWaitingForAMContainer() ? PendingRequest.firstAllocator(app) : null;
      requested = request == null ? null : request.getPrimaryRequestedNodePartition();
      if (requested == null) {
        requested = partitionOfContainer(named);
      }
      if (requested == null) {
        return named;
      }
      namedPartition = named;
      requestedPartition = requested;
    }
    // YARN's value has changed: the driver is allocated, and the label of its node has changed.
    return named == null || named.equals(namedPartition) ? requested : named;
  }

  /**
   * The partition for which the live driver was requested; null if there is none. If YARN's value is not
   * the default partition, it is right: it was requested, or YARN has followed the label of the driver's
   * node.
   */
  private String partitionOfContainer(String named) {
    RMContainer container = RmApps.of(app) == null ? null : container();
    if (container == null || named != null && !named.isEmpty()) {
      return container == null ? null : named;
    }
    String requested = container.getNodeLabelExpression();
    return requested == null || requested.isEmpty()
        || requested.equals(RmApps.partitionOf(app, container)) ? requested : named;
  }

  boolean isAllocated() {
    return !app.isWaitingForAMContainer() || id() != null;
  }

  /** Null if it is not live. */
  RMContainer container() {
    ContainerId id = id();
    return id == null ? null : app.getLiveContainersMap().get(id);
  }

  /** The id of its container, or null until it is allocated. */
  ContainerId id() {
    ContainerId id = known;
    if (id == null) {
      id = app.isWaitingForAMContainer() ? firstOwnContainer() : masterContainer();
      known = id;
    }
    return id;
  }

  /** Until its driver registers, an attempt can get no other container of its own. */
  private ContainerId firstOwnContainer() {
    ContainerId first = null;
    if (!app.getLiveContainersMap().isEmpty()) {
      for (ContainerId id : app.getLiveContainersMap().keySet()) {
        // Containers of other attempt ids are executors kept from an earlier attempt
        // (docs/design.md#a-new-attempt-is-a-new-entity).
        if (id.getApplicationAttemptId().equals(app.getApplicationAttemptId())
            && (first == null || id.compareTo(first) < 0)) {
          first = id;
        }
      }
    }
    return first;
  }

  private ContainerId masterContainer() {
    RMAppAttempt attempt = RmApps.attemptOf(app);
    Container master = attempt == null ? null : attempt.getMasterContainer();
    return master == null ? null : master.getId();
  }

  /**
   * The age of its container (docs/design.md#a-driver-keeps-its-age-over-a-restart). Before its node has
   * reported it, the time since the launch of the application, which YARN stores for the first attempt; no
   * other stored time separates waiting from starting.
   *
   * @param wallMillis the wall clock, in milliseconds since 1970
   */
  long millisSinceAllocated(LongSupplier wallMillis) {
    RMContainer container = container();
    long since;
    if (container != null) {
      since = container.getCreationTime();
    } else {
      long launched = RmApps.of(app).getLaunchTime();
      RMAppAttempt attempt = RmApps.attemptOf(app);
      since = attempt == null || launched < attempt.getStartTime() ? 0 : launched;
    }
    return since <= 0 ? 0 : Math.max(0, wallMillis.getAsLong() - since);
  }

  /**
   * Whether the container of the attempt is older than the ResourceManager: the epoch in its id increases
   * with every restart.
   */
  static boolean isRecovered(SchedulerApplicationAttempt app, ContainerId id) {
    return id.getContainerId() >>> EPOCH_SHIFT < app.getAppSchedulingInfo().getRMContext().getEpoch();
  }
}
