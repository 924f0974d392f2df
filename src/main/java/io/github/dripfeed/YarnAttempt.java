/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import io.github.dripfeed.core.Attempt;
import io.github.dripfeed.core.Place;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/**
 * The facts of an attempt, read from the scheduler's own books: live containers, not callbacks, are
 * the truth (contract, facts 1 and 2). Holds nothing but the attempt and the id of its driver.
 */
final class YarnAttempt implements Attempt {

  /** Above the number of the container, which has {@link ContainerId#CONTAINER_ID_BITMASK}. */
  private static final int EPOCH_SHIFT = Long.bitCount(ContainerId.CONTAINER_ID_BITMASK);

  private final SchedulerApplicationAttempt app;
  private final Clock clock;
  private final boolean exempt;
  private volatile ContainerId driver;

  /** @param exempt whether it skips the drip by the queue's configuration or its own wish */
  YarnAttempt(SchedulerApplicationAttempt app, Clock clock, boolean exempt) {
    this.app = app;
    this.clock = clock;
    this.exempt = exempt;
  }

  /** @param byPriority whether the application's priority counts */
  static Place placeOf(SchedulerApplicationAttempt app, boolean byPriority) {
    ApplicationAttemptId id = app.getApplicationAttemptId();
    ApplicationId application = id.getApplicationId();
    return new Place(0, byPriority ? priorityOf(app) : 0,
        application.getClusterTimestamp(), application.getId(), id.getAttemptId());
  }

  /** Its application's priority, 0 if it has none. */
  static int priorityOf(SchedulerApplicationAttempt app) {
    Priority priority = app.getPriority();
    return priority == null ? 0 : priority.getPriority();
  }

  @Override
  public String partition() {
    return app.getAppAMNodePartitionName();
  }

  /** An unmanaged application master runs outside the cluster (fact 7). */
  @Override
  public boolean isExempt() {
    return exempt || app.getUnmanagedAM();
  }

  @Override
  public boolean hasOutstandingRequest() {
    return !app.getAppSchedulingInfo().getSchedulerKeys().isEmpty();
  }

  @Override
  public boolean hasReservation() {
    return !app.getReservedContainers().isEmpty();
  }

  @Override
  public boolean isDriverAllocated() {
    return !app.isWaitingForAMContainer() || driver() != null;
  }

  @Override
  public boolean isDriverLive() {
    ContainerId id = driver();
    return id != null && app.getLiveContainersMap().containsKey(id);
  }

  @Override
  public int liveExecutors() {
    int live = app.getLiveContainersMap().size();
    return live > 0 && isDriverLive() ? live - 1 : live;
  }

  /** By the epoch in their ids: each ResourceManager that takes over has the next one. */
  @Override
  public int recoveredExecutors() {
    long epoch = app.getAppSchedulingInfo().getRMContext().getEpoch();
    int recovered = 0;
    for (ContainerId id : app.getLiveContainersMap().keySet()) {
      if (id.getContainerId() >>> EPOCH_SHIFT < epoch && !isDriver(id)) {
        recovered++;
      }
    }
    return recovered;
  }

  @Override
  public int containers() {
    return app.getLiveContainersMap().size() + app.getReservedContainers().size();
  }

  /** From the driver's container (fact 13), or, where its node has not reported it, the attempt. */
  @Override
  public long millisSinceDriverAllocated() {
    ContainerId id = driver();
    RMContainer container = id == null ? null : app.getLiveContainersMap().get(id);
    long since;
    if (container != null) {
      since = container.getCreationTime();
    } else {
      RMAppAttempt attempt = rmAttempt();
      since = attempt == null ? 0 : attempt.getStartTime();
    }
    return since <= 0 ? 0 : Math.max(0, clock.wallMillis() - since);
  }

  /**
   * Whether a scheduler that runs still has it. One that was stopped, or replaced in a failover, tells
   * nobody, and keeps what it has.
   */
  boolean isScheduled() {
    ResourceScheduler scheduler = app.getAppSchedulingInfo().getRMContext().getScheduler();
    if (scheduler instanceof Service && ((Service) scheduler).isInState(Service.STATE.STOPPED)) {
      return false;
    }
    return !(scheduler instanceof AbstractYarnScheduler)
        || ((AbstractYarnScheduler<?, ?>) scheduler)
            .getApplicationAttempt(app.getApplicationAttemptId()) == app;
  }

  boolean isDriver(ContainerId id) {
    return id.equals(driver());
  }

  /** The id of the driver's container, or null as long as none is allocated. */
  private ContainerId driver() {
    ContainerId known = driver;
    if (known == null) {
      known = app.isWaitingForAMContainer() ? firstOwnContainer() : masterContainer();
      driver = known;
    }
    return known;
  }

  /** Until its driver registers an attempt can get no other container of its own. */
  private ContainerId firstOwnContainer() {
    ContainerId first = null;
    if (!app.getLiveContainersMap().isEmpty()) {
      for (ContainerId id : app.getLiveContainersMap().keySet()) {
        // Others are executors kept from an earlier attempt (fact 6).
        if (id.getApplicationAttemptId().equals(app.getApplicationAttemptId())
            && (first == null || id.compareTo(first) < 0)) {
          first = id;
        }
      }
    }
    return first;
  }

  private ContainerId masterContainer() {
    RMAppAttempt attempt = rmAttempt();
    Container master = attempt == null ? null : attempt.getMasterContainer();
    return master == null ? null : master.getId();
  }

  private RMAppAttempt rmAttempt() {
    // getRMContext() of the attempt itself is not in every version (fact 12).
    return app.getAppSchedulingInfo().getRMContext().getRMApps().get(app.getApplicationId())
        .getRMAppAttempt(app.getApplicationAttemptId());
  }

  @Override
  public String toString() {
    return app.getApplicationAttemptId().toString();
  }
}
