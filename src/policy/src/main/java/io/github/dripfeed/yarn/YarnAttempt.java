// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import io.github.dripfeed.core.admission.Attempt;
import io.github.dripfeed.core.admission.OrderKey;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.nodelabels.CommonNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractUsersManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
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
 * #recovered-containers-come-without-a-callback). Stores only the attempt, the id of its driver, and the
 * partition of the driver's request.
 */
public final class YarnAttempt implements Attempt {

  /**
   * The epoch is stored above the container number, which fills {@link ContainerId#CONTAINER_ID_BITMASK}.
   */
  private static final int EPOCH_SHIFT = Long.bitCount(ContainerId.CONTAINER_ID_BITMASK);

  private final SchedulerApplicationAttempt app;
  private final Object policy;
  private final LongSupplier wallMillis;
  private final boolean exempt;
  private volatile ContainerId driver;
  /** The partition in the driver's request, and YARN's value when it was read; see {@link #partition}. */
  private volatile String requestedPartition;
  private volatile String namedPartition;

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

  /**
   * Mostly YARN's value. The exception is an application for which YARN creates its queue: YARN reads the
   * partition before the queue and its default label exist, and puts the label only into the request.
   */
  @Override
  public String partition() {
    String named = app.getAppAMNodePartitionName();
    String requested = requestedPartition;
    if (requested == null) {
      requested = app.isWaitingForAMContainer() ? partitionRequested() : null;
      if (requested == null) {
        requested = partitionOfDriver(named);
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

  private String partitionRequested() {
    AppPlacementAllocator<?> request = firstRequest();
    return request == null ? null : request.getPrimaryRequestedNodePartition();
  }

  /**
   * The partition for which the live driver was requested; null if there is none. If YARN's value is not
   * the default partition, it is right: it was requested, or YARN has followed the label of the driver's
   * node.
   */
  private String partitionOfDriver(String named) {
    RMContainer container = rmApp() == null ? null : driverContainer();
    if (container == null || named != null && !named.isEmpty()) {
      return container == null ? null : named;
    }
    String requested = container.getNodeLabelExpression();
    return requested == null || requested.isEmpty() || isOnNodeOf(requested, container) ? requested : named;
  }

  private boolean isOnNodeOf(String partition, RMContainer container) {
    ResourceScheduler scheduler = app.getAppSchedulingInfo().getRMContext().getScheduler();
    SchedulerNode node =
        scheduler == null ? null : scheduler.getSchedulerNode(container.getAllocatedNode());
    return node != null && partition.equals(node.getPartition());
  }

  private AppPlacementAllocator<?> firstRequest() {
    // A thread that allocates the container may remove the key at any time; an iterator has it already.
    Iterator<SchedulerRequestKey> keys = app.getAppSchedulingInfo().getSchedulerKeys().iterator();
    return keys.hasNext() ? app.getAppSchedulingInfo().getAppPlacementAllocator(keys.next()) : null;
  }

  @Override
  public ResourceVector requested() {
    AppPlacementAllocator<?> request = firstRequest();
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
    AppPlacementAllocator<?> request = firstRequest();
    ResourceVector amounts = requested();
    String full = "";
    if (request == null || amounts == null || hasReservation()) {
      return full;
    }
    CountedResources types = types();
    String partition = request.getPrimaryRequestedNodePartition();
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

  /** Uses the same data and the same comparison as the leaf queue. */
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
    String partition = partition();
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
    Resource pending = app.getAppAttemptResourceUsage().getPending(partition);
    return pending.getMemorySize() > 0 || pending.getVirtualCores() > 0;
  }

  /**
   * YARN counts what it has proposed and not committed, so as not to propose it again: memory and virtual
   * cores of requests without a label.
   */
  @Override
  public boolean isProposed() {
    return hasOutstandingRequest(CommonNodeLabelsManager.NO_LABEL) && !app.hasPendingResourceRequest(
        CommonNodeLabelsManager.NO_LABEL, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY);
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

  /**
   * Whether it is neither the driver, nor the temporary container with which YARN changes the size of
   * another one, nor opportunistic (docs/design.md#opportunistic-containers-hold-no-room).
   */
  public boolean isExecutor(RMContainer container) {
    return container.getExecutionType() != ExecutionType.OPPORTUNISTIC && !isTemporary(container)
        && !isDriver(container.getContainerId());
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

  /** Recognized by the epoch in their ids, which increases with every restart of the ResourceManager. */
  @Override
  public int recoveredExecutors() {
    int recovered = 0;
    for (RMContainer container : app.getLiveContainersMap().values()) {
      if (isRecovered(container.getContainerId()) && isExecutor(container)) {
        recovered++;
      }
    }
    return recovered;
  }

  private boolean isRecovered(ContainerId id) {
    return id.getContainerId() >>> EPOCH_SHIFT < app.getAppSchedulingInfo().getRMContext().getEpoch();
  }

  /** Whether its driver is older than the ResourceManager. */
  public boolean isDriverRecovered() {
    ContainerId id = driver();
    return id != null && isRecovered(id);
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

  /**
   * The age of the driver's container (docs/design.md#a-driver-keeps-its-age-over-a-restart). Before its
   * node has reported it, the time since the launch of the application, which YARN stores for the first
   * attempt; no other stored time separates waiting from starting.
   */
  @Override
  public long millisSinceDriverAllocated() {
    RMContainer container = driverContainer();
    long since;
    if (container != null) {
      since = container.getCreationTime();
    } else {
      long launched = rmApp().getLaunchTime();
      RMAppAttempt attempt = rmAttempt();
      since = attempt == null || launched < attempt.getStartTime() ? 0 : launched;
    }
    return millisSince(since);
  }

  private long millisSince(long wallTime) {
    return wallTime <= 0 ? 0 : Math.max(0, wallMillis.getAsLong() - wallTime);
  }

  /**
   * Whether a running scheduler still has the attempt. A scheduler that stopped or was replaced in a
   * failover keeps its attempts and gives no notice.
   */
  public boolean isScheduled() {
    ResourceScheduler scheduler = app.getAppSchedulingInfo().getRMContext().getScheduler();
    if (scheduler instanceof Service && ((Service) scheduler).isInState(Service.STATE.STOPPED)) {
      return false;
    }
    return !(scheduler instanceof AbstractYarnScheduler)
        || ((AbstractYarnScheduler<?, ?>) scheduler)
            .getApplicationAttempt(app.getApplicationAttemptId()) == app;
  }

  /**
   * Whether the attempt is scheduled, and its queue has the policy to which it was added. During a move,
   * an attempt arrives before it reports its new queue as its own
   * (docs/design.md#priority-changes-and-moves-re-add-the-attempt), and during a refresh before its queue
   * has the new policy.
   */
  @Override
  public boolean isOrdered() {
    if (!isScheduled()) {
      return false;
    }
    Object current = QueueCompat.orderingPolicy(app.getQueue());
    return current == null || current == policy;
  }

  /** The container of its driver; null if the driver is not live. */
  public RMContainer driverContainer() {
    ContainerId id = driver();
    return id == null ? null : app.getLiveContainersMap().get(id);
  }

  /**
   * Whether the application gets another attempt if this one is preempted. YARN fails an application with
   * one attempt, and applications clean up in what they take for their last attempt
   * (docs/take-back.md#who-is-never-taken-back).
   */
  public boolean hasAttemptLeft() {
    RMApp application = rmApp();
    return application != null
        && app.getApplicationAttemptId().getAttemptId() < application.getMaxAppAttempts();
  }

  public boolean isDriver(ContainerId id) {
    return id.equals(driver());
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

  /** The id of the driver's container, or null until it is allocated. */
  private ContainerId driver() {
    ContainerId known = driver;
    if (known == null) {
      known = app.isWaitingForAMContainer() ? firstOwnContainer() : masterContainer();
      driver = known;
    }
    return known;
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
    RMAppAttempt attempt = rmAttempt();
    Container master = attempt == null ? null : attempt.getMasterContainer();
    return master == null ? null : master.getId();
  }

  private RMAppAttempt rmAttempt() {
    // Not every version has getRMContext() on the attempt itself
    // (docs/design.md#signatures-differ-between-versions).
    return rmApp().getRMAppAttempt(app.getApplicationAttemptId());
  }

  private RMApp rmApp() {
    return RmApps.of(app);
  }

  @Override
  public String toString() {
    return app.getApplicationAttemptId().toString();
  }
}
