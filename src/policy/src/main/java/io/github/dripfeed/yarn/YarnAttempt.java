// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import io.github.dripfeed.core.admission.Attempt;
import io.github.dripfeed.core.admission.OrderKey;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.nodelabels.CommonNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractUsersManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.UsersManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * The facts of an attempt, read from the scheduler's own state. They come from live containers, not from
 * callbacks (docs/design.md#reservations-are-not-allocations,
 * #recovered-containers-come-without-a-callback). Stores only the attempt and what it knows of its driver.
 */
public final class YarnAttempt implements Attempt {

  private final SchedulerApplicationAttempt app;
  private final Object policy;
  private final LongSupplier wallMillis;
  private final boolean exempt;
  private final AttemptDriver driver;

  /**
   * @param policy the policy to which it was added
   * @param wallMillis the wall clock, in milliseconds since 1970
   * @param exempt whether the application is never held, by the queue's configuration or by its own tag
   */
  public YarnAttempt(
      SchedulerApplicationAttempt app, Object policy, LongSupplier wallMillis, boolean exempt) {
    this.app = app;
    this.policy = policy;
    this.wallMillis = wallMillis;
    this.exempt = exempt;
    this.driver = new AttemptDriver(app);
  }

  /** @param byPriority whether the application's priority counts */
  public static OrderKey orderKeyOf(SchedulerApplicationAttempt app, boolean byPriority) {
    ApplicationAttemptId id = app.getApplicationAttemptId();
    ApplicationId application = id.getApplicationId();
    return OrderKey.of(byPriority ? priorityOf(app) : 0,
        application.getClusterTimestamp(), application.getId(), id.getAttemptId());
  }

  /** The priority of the application; 0 if it has none. */
  public static int priorityOf(SchedulerApplicationAttempt app) {
    Priority priority = app.getPriority();
    return priority == null ? 0 : priority.getPriority();
  }

  @Override
  public String partition() {
    return driver.partition();
  }

  @Override
  public ResourceVector requested() {
    AppPlacementAllocator<?> request = PendingRequest.firstAllocator(app);
    PendingAsk ask = request == null ? null : request.getPendingAsk(ResourceRequest.ANY);
    return ask == null || ask.getCount() == 0 ? null : types().amounts(ask.getPerAllocationResource());
  }

  private CountedResources types() {
    return new CountedResources(
        app.getAppSchedulingInfo().getRMContext().getScheduler().getResourceCalculator());
  }

  @Override
  public String queue() {
    Queue queue = app.getQueue();
    return queue instanceof CSQueue ? ((CSQueue) queue).getQueuePath() : "";
  }

  /** The first request decides: the leaf queue ends its walk at one that it has no room for. */
  @Override
  public String fullQueue() {
    AppPlacementAllocator<?> request = PendingRequest.firstAllocator(app);
    ResourceVector amounts = requested();
    String full = "";
    if (request == null || amounts == null || hasReservation()) {
      return full;
    }
    CountedResources types = types();
    String partition = request.getPrimaryRequestedNodePartition();
    if (isLent(partition)) {
      return full;
    }
    Queue leaf = app.getQueue();
    for (CSQueue level = leaf instanceof CSQueue ? (CSQueue) leaf : null; level != null;
        level = level.getParent()) {
      if (!new QueueHeadroom(level, types).has(partition, amounts)) {
        full = level.getQueuePath();
      }
    }
    return full;
  }

  @Override
  public String user() {
    return app.getUser();
  }

  /** Whether YARN also places requests for the partition on nodes like that of the driver. */
  private boolean isLent(String requested) {
    String partition = partition();
    return requested.isEmpty() && partition != null
        && PendingRequest.isShareable(partition, app.getAppSchedulingInfo().getRMContext());
  }

  /** Uses the same data and the same comparison as the leaf queue, for its first request. */
  @Override
  public boolean isSkipped() {
    Queue queue = app.getQueue();
    AbstractUsersManager users = queue == null ? null : queue.getAbstractUsersManager();
    ResourceScheduler scheduler = app.getAppSchedulingInfo().getRMContext().getScheduler();
    // The reservation may count toward the user limit, and the attempt keeps the offer in any case.
    if (!(users instanceof UsersManager) || scheduler == null || hasReservation()) {
      return false;
    }
    UsersManager.User user = ((UsersManager) users).getUser(app.getUser());
    AppPlacementAllocator<?> request = PendingRequest.firstAllocator(app);
    String partition = request == null ? partition() : request.getPrimaryRequestedNodePartition();
    Resource cluster = scheduler.getClusterResource();
    return user == null || Resources.greaterThan(scheduler.getResourceCalculator(), cluster,
        user.getUsed(partition), ((UsersManager) users).getComputedResourceLimitForActiveUsers(
            app.getUser(), cluster, partition, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY));
  }

  /**
   * An unmanaged application master runs outside the cluster
   * (docs/design.md#unmanaged-application-masters).
   */
  @Override
  public boolean isExempt() {
    return exempt || app.getUnmanagedAM();
  }

  @Override
  public boolean hasOutstandingRequest() {
    return !app.getAppSchedulingInfo().getSchedulerKeys().isEmpty();
  }

  @Override
  public boolean hasOutstandingRequest(String partition) {
    return isPending(partition)
        || isPending(CommonNodeLabelsManager.NO_LABEL) && isLent(CommonNodeLabelsManager.NO_LABEL);
  }

  private boolean isPending(String partition) {
    Resource pending = app.getAppAttemptResourceUsage().getPending(partition);
    return pending.getMemorySize() > 0 || pending.getVirtualCores() > 0;
  }

  /**
   * YARN counts what it has proposed and not committed, so as not to propose it again: memory and virtual
   * cores of requests without a label.
   */
  @Override
  public boolean isProposed() {
    return isPending(CommonNodeLabelsManager.NO_LABEL) && !app.hasPendingResourceRequest(
        CommonNodeLabelsManager.NO_LABEL, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY);
  }

  @Override
  public boolean hasReservation() {
    return !app.getReservedContainers().isEmpty();
  }

  @Override
  public boolean isDriverAllocated() {
    return driver.isAllocated();
  }

  @Override
  public boolean isDriverLive() {
    return driverContainer() != null;
  }

  @Override
  public int liveExecutors() {
    Map<ContainerId, RMContainer> live = app.getLiveContainersMap();
    int containers = live.size();
    // The driver alone, mostly: this is read for every decision.
    if (containers == 0 || containers == 1 && isDriverLive()) {
      return 0;
    }
    int executors = 0;
    for (RMContainer container : live.values()) {
      if (isExecutor(container)) {
        executors++;
      }
    }
    return executors;
  }

  /** Whether it is an executor: {@link #isDriverOrExecutor}, and not the driver. */
  public boolean isExecutor(RMContainer container) {
    return isDriverOrExecutor(container) && !isDriver(container.getContainerId());
  }

  /**
   * Whether it is neither the temporary container with which YARN changes the size of another one, nor
   * opportunistic (docs/design.md#opportunistic-containers-hold-no-room).
   */
  public static boolean isDriverOrExecutor(RMContainer container) {
    return container.getExecutionType() != ExecutionType.OPPORTUNISTIC && !isTemporary(container);
  }

  /**
   * Whether it is a temporary container, live or reserved, with which YARN changes the size or the kind of
   * another one.
   */
  public static boolean isTemporary(RMContainer container) {
    return isUpdate(container.getAllocatedSchedulerKey()) || isUpdate(container.getReservedSchedulerKey());
  }

  /** Whether the request is for more of a container that is there. */
  private static boolean isUpdate(SchedulerRequestKey key) {
    return key != null && key.getContainerToUpdate() != null;
  }

  @Override
  public int recoveredExecutors() {
    return (int) app.getLiveContainersMap().values().stream()
        .filter(each -> AttemptDriver.isRecovered(app, each.getContainerId()) && isExecutor(each)).count();
  }

  /** Whether its driver is older than the ResourceManager. */
  public boolean isDriverRecovered() {
    return driver.id() != null && AttemptDriver.isRecovered(app, driver.id());
  }

  @Override
  public int containers() {
    // A live temporary one is gone with the next heartbeat of the driver: too soon to look at all of them.
    int containers = app.getLiveContainersMap().size();
    for (RMContainer container : app.getReservedContainers()) {
      containers += isTemporary(container) ? 0 : 1;
    }
    return containers;
  }

  @Override
  public boolean requestsOnlyUpdates() {
    boolean any = false;
    for (SchedulerRequestKey key : app.getAppSchedulingInfo().getSchedulerKeys()) {
      if (!isUpdate(key)) {
        return false;
      }
      any = true;
    }
    return any;
  }

  @Override
  public long millisSinceDriverAllocated() {
    return driver.millisSinceAllocated(wallMillis);
  }

  /**
   * Whether a running scheduler still has the attempt, and its queue has the policy to which it was added.
   * A scheduler that stopped or was replaced in a failover keeps its attempts and gives no notice. During a
   * move, an attempt arrives before it reports its new queue as its own
   * (docs/design.md#priority-changes-and-moves-re-add-the-attempt), and during a refresh before its queue
   * has the new policy.
   */
  @Override
  public boolean isOrdered() {
    ResourceScheduler scheduler = app.getAppSchedulingInfo().getRMContext().getScheduler();
    if (scheduler instanceof Service && ((Service) scheduler).isInState(Service.STATE.STOPPED)
        || scheduler instanceof AbstractYarnScheduler && ((AbstractYarnScheduler<?, ?>) scheduler)
            .getApplicationAttempt(app.getApplicationAttemptId()) != app) {
      return false;
    }
    Object current = QueueCompat.orderingPolicy(app.getQueue());
    return current == null || current == policy;
  }

  /** The container of its driver; null if the driver is not live. */
  public RMContainer driverContainer() {
    return driver.container();
  }

  /**
   * Whether the application gets another attempt if this one is preempted. YARN fails an application with
   * one attempt, and applications clean up in what they take for their last attempt
   * (docs/take-back.md#who-is-never-taken-back).
   */
  public boolean hasAttemptLeft() {
    RMApp application = RmApps.of(app);
    return application != null
        && app.getApplicationAttemptId().getAttemptId() < application.getMaxAppAttempts();
  }

  public boolean isDriver(ContainerId id) {
    return id.equals(driver.id());
  }

  /**
   * Releases nodes that are reserved for the attempt, through an event to the scheduler's own thread.
   *
   * @param kept the number of reservations to keep, oldest first
   */
  public void releaseReservations(int kept) {
    List<RMContainer> reserved = app.getReservedContainers();
    if (reserved.size() > kept) {
      List<RMContainer> inOrder = new ArrayList<>(reserved);
      inOrder.sort(Comparator.comparing(RMContainer::getContainerId));
      for (RMContainer container : inOrder.subList(kept, inOrder.size())) {
        app.getAppSchedulingInfo().getRMContext().getDispatcher().getEventHandler().handle(
            new ContainerPreemptEvent(app.getApplicationAttemptId(), container,
                SchedulerEventType.KILL_RESERVED_CONTAINER));
      }
    }
  }

  @Override
  public String toString() {
    return app.getApplicationAttemptId().toString();
  }
}
