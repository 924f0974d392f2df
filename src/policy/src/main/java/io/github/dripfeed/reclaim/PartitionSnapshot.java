// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.cluster.UserLimits;
import io.github.dripfeed.core.reclaim.PlacementState;
import io.github.dripfeed.core.reclaim.PlanApplication;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.reclaim.PlanNode;
import io.github.dripfeed.core.reclaim.PlanUser;
import io.github.dripfeed.core.reclaim.ReclaimPlan;
import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueHeadroom;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * A snapshot of one partition for a {@link ReclaimPlan}: the containers and pending requests of one
 * queue's applications, and the free resources of the nodes. Used by one thread while the scheduler
 * continues, so the data may be slightly out of date.
 *
 * <p>It takes no YARN lock for a container: the fields that it reads never change, except the size, which
 * is replaced as a whole.
 *
 * @param <S> the applications of the queue
 */
final class PartitionSnapshot<S extends SchedulableEntity> {

  private final String partition;
  private final NodeSnapshot.Partition nodes;
  private final YarnPlacement placement;
  private final CountedResources types;
  private final QueueHeadroom queueHeadroom;
  private final DominantShare measure;
  private final UserLimits limits;
  private final Map<String, PlanUser> users = new HashMap<>();
  private final List<PlanApplication> applications = new ArrayList<>();
  private final Map<PlanApplication, S> entities = new IdentityHashMap<>();
  private final Map<ApplicationId, PlanApplication> byApplication = new HashMap<>();
  private final Set<ContainerId> selected;
  private final boolean isSelectedFree;
  /** Resources that still count as used by the queue, but are available for this queue's requests. */
  private final ResourceSum released;
  /** The last size that was read; most containers have the same size. */
  private ResourceVector lastSize;

  /**
   * @param nodes the nodes of the partition
   * @param selected the containers that YARN's own preemption has selected
   * @param isSelectedFree whether YARN preempts within the queue, so that the resources of these containers
   *     go to applications of the queue
   */
  PartitionSnapshot(CapacityScheduler scheduler, CSQueue queue, NodeSnapshot.Partition nodes,
      YarnPlacement placement, Set<ContainerId> selected, boolean isSelectedFree) {
    this.partition = nodes.name();
    this.nodes = nodes;
    this.placement = placement;
    this.selected = selected;
    this.isSelectedFree = isSelectedFree;
    this.types = new CountedResources(scheduler.getResourceCalculator());
    this.queueHeadroom = new QueueHeadroom(queue, types);
    Resource cluster = scheduler.getClusterResource();
    this.measure = types.measure(cluster);
    this.released = new ResourceSum(types.count());
    this.lastSize = ResourceVector.zero(types.count());
    this.limits = queueHeadroom.userLimits(partition, measure, types.amounts(
        scheduler.getRMContext().getNodeLabelManager().getResourceByLabel(partition, cluster)),
        types.amounts(scheduler.getMinimumResourceCapability()));
  }

  /**
   * Adds a user of the queue, before any of its applications.
   *
   * @param pending whether any of its applications has a pending request
   */
  void addUser(String name, boolean pending) {
    users.computeIfAbsent(name, n -> new PlanUser(limits, queueHeadroom.userWeight(n), pending));
  }

  /**
   * Adds an application. Applications are added in the order of submission.
   *
   * @param maxContainers the maximum number of its containers; 0 means no limit
   * @param requests its pending requests; empty if it is not offered
   */
  PlanApplication add(S entity, double weight, int maxContainers, List<PendingRequest> requests) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    long remaining = maxContainers == 0 ? Long.MAX_VALUE
        : Math.max(0, maxContainers - app.getLiveContainersMap().size());
    PlanApplication application = new PlanApplication(
        weight, YarnAttempt.priorityOf(app), users.get(app.getUser()), remaining);
    applications.add(application);
    entities.put(application, entity);
    byApplication.put(app.getApplicationId(), application);
    boolean hasRequestsElsewhere = requests.size() < app.getAppSchedulingInfo().getSchedulerKeys().size();
    for (PendingRequest request : requests) {
      hasRequestsElsewhere |= !request.partition().equals(partition);
      if (request.partition().equals(partition)) {
        application.addRequest(
            types.amounts(request.size()), request.count(), placement.of(request, nodes));
      }
    }
    if (hasRequestsElsewhere) {
      users.get(app.getUser()).addPendingElsewhere();
    }
    return application;
  }

  /** None of the application's containers may be preempted. */
  void protectAll(PlanApplication application) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity(application);
    application.addProtected(types.amounts(app.getAppAttemptResourceUsage().getUsed(partition)));
  }

  /**
   * Adds the containers that may be preempted: never the driver, nor the oldest executors that keep it
   * running.
   *
   * @param live its containers, oldest first
   * @param protectedExecutors the number of oldest executors that are never preempted
   * @param notified whether a preemption notice for a container was sent before
   */
  void addContainers(PlanApplication application, YarnAttempt attempt, List<RMContainer> live,
      int protectedExecutors, Predicate<ContainerId> notified) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity(application);
    boolean isDriverKnown = app.getUnmanagedAM() || attempt.isDriverLive();
    // The protected containers are at the beginning; the plan considers the newest ones first, so the loop
    // below runs backwards.
    int executors = 0;
    int firstPreemptible = 0;
    while (firstPreemptible < live.size() && (!isDriverKnown || executors < protectedExecutors)) {
      if (!attempt.isDriver(live.get(firstPreemptible).getContainerId())) {
        executors++;
      }
      firstPreemptible++;
    }
    for (int i = live.size() - 1; i >= 0; i--) {
      RMContainer container = live.get(i);
      PlanNode node = nodes.node(container.getAllocatedNode());
      if (node != null) {
        ResourceVector size = size(container);
        if (i < firstPreemptible || !attempt.isExecutor(container)) {
          application.addProtected(size);
        } else {
          application.addPreemptible(node, size, notified.test(container.getContainerId()), container);
        }
      }
    }
  }

  /**
   * The live containers, oldest first, except opportunistic ones and those that YARN's preemption has
   * selected.
   */
  List<RMContainer> live(SchedulerApplicationAttempt app) {
    Map<ContainerId, RMContainer> all = app.getLiveContainersMap();
    List<RMContainer> live = new ArrayList<>(all.size());
    for (RMContainer container : all.values()) {
      if (container.getExecutionType() == ExecutionType.GUARANTEED
          && !selected.contains(container.getContainerId())) {
        live.add(container);
      }
    }
    // By attempt first: the next one, which may keep the containers, numbers its own from 1 again.
    live.sort(Comparator.comparing(RMContainer::getContainerId));
    return live;
  }

  private ResourceVector size(RMContainer container) {
    Resource size = container.getContainer().getResource();
    if (!types.isEqual(lastSize, size)) {
      lastSize = types.amounts(size);
    }
    return lastSize;
  }

  /** The applications, in the order in which they were added. */
  List<PlanApplication> applications() {
    return applications;
  }

  /** Makes the plan; called once, after all applications were added. */
  ReclaimPlan plan(ReclaimSettings settings, boolean byShare) {
    addReservations();
    freeSelected();
    ResourceVector headroom = queueHeadroom.free(partition).plus(released);
    PlacementState state = new PlacementState(nodes.all(), headroom, measure);
    return byShare
        ? ReclaimPlan.byShare(applications, state, settings.maxPerRound, settings.tolerance)
        : ReclaimPlan.byPriority(applications, state, settings.maxPerRound);
  }

  private void addReservations() {
    for (RMContainer reservation : nodes.reservations()) {
      PlanNode node = nodes.node(reservation.getReservedNode());
      PlanApplication application =
          byApplication.get(reservation.getApplicationAttemptId().getApplicationId());
      if (node != null && application != null) {
        application.addReservation(node, types.amounts(reservation.getReservedResource()), reservation);
      } else if (node != null) {
        node.block();
      }
    }
  }

  /** Counts resources as free that YARN's preemption releases for applications of this queue. */
  private void freeSelected() {
    if (isSelectedFree && !selected.isEmpty()) {
      for (S entity : entities.values()) {
        SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
        app.getLiveContainersMap().forEach((id, container) -> {
          PlanNode node = selected.contains(id) ? nodes.node(container.getAllocatedNode()) : null;
          if (node != null) {
            node.addFree(size(container));
            released.add(size(container));
          }
        });
      }
    }
  }

  /** YARN's object for the application. */
  S entity(PlanApplication application) {
    return entities.get(application);
  }

  /** The smallest container to be preempted, which changes the used capacity of the queue the least. */
  Resource smallest(List<PreemptibleContainer> preempted) {
    Resource smallest = null;
    double smallestShare = Double.MAX_VALUE;
    for (PreemptibleContainer container : preempted) {
      if (!container.isReservation()) {
        Resource size = yarnContainer(container).getContainer().getResource();
        double share = measure.of(types.amounts(size));
        if (share < smallestShare) {
          smallestShare = share;
          smallest = size;
        }
      }
    }
    return smallest;
  }

  /** The total to be preempted, by resource type. */
  ResourceVector sum(List<PreemptibleContainer> preempted) {
    ResourceSum sum = new ResourceSum(types.count());
    for (PreemptibleContainer container : preempted) {
      if (!container.isReservation()) {
        sum.add(size(yarnContainer(container)));
      }
    }
    return sum.toVector();
  }

  /** YARN's object for the container or reservation. */
  static RMContainer yarnContainer(PreemptibleContainer container) {
    return (RMContainer) container.item();
  }

  /** What a plan assigns to the application. */
  Resource assigned(PlanApplication application) {
    return types.resource(application.assigned());
  }
}
