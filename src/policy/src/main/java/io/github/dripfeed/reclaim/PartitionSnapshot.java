// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.cluster.UserLimits;
import io.github.dripfeed.core.reclaim.PlacementState;
import io.github.dripfeed.core.reclaim.PlanApplication;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.reclaim.PlanNode;
import io.github.dripfeed.core.reclaim.PlanUser;
import io.github.dripfeed.core.reclaim.ReclaimPlan;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueHeadroom;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * The containers and pending requests of one queue's applications in one partition, for a
 * {@link ReclaimPlan}. Used by one thread while the scheduler continues, so the data may be slightly out of
 * date.
 *
 * <p>It takes no YARN lock for a container: the fields that it reads never change, except the size, which
 * is replaced as a whole.
 *
 * @param <S> the applications of the queue
 */
final class PartitionSnapshot<S extends SchedulableEntity> {

  private final ReclaimContext context;
  private final String partition;
  private final PartitionNodes nodes;
  private final CountedResources types;
  private final QueueHeadroom headroom;
  private final UserLimits limits;
  private final Predicate<String> isActive;
  private final Map<String, PlanUser> users = new HashMap<>();
  private final Map<PlanApplication, S> entities = new LinkedHashMap<>();
  /** What YARN's own preemption releases for applications of this queue: it still counts as used. */
  private final ResourceSum released;
  /** The last size that was read; most containers have the same size. */
  private ResourceVector lastSize;

  /** @param isActive whether any application of a user, whatever its partition, has a pending request */
  PartitionSnapshot(ReclaimContext context, CSQueue queue, String partition, PartitionNodes nodes,
      Predicate<String> isActive) {
    this.context = context;
    this.partition = partition;
    this.nodes = nodes;
    this.isActive = isActive;
    this.types = context.types;
    this.headroom = new QueueHeadroom(queue, types);
    this.limits = headroom.userLimits(context.scheduler, partition);
    this.released = new ResourceSum(types.count());
    this.lastSize = ResourceVector.zero(types.count());
  }

  /**
   * Adds an application. Applications are added in the order of submission.
   *
   * @param maxContainers the maximum number of its containers; 0 means no limit
   * @param requests its pending requests; empty if it is not offered
   */
  PlanApplication add(
      S entity, double weight, int maxContainers, List<PendingRequest> requests, YarnPlacement placement) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    PlanUser user = users.computeIfAbsent(app.getUser(),
        name -> new PlanUser(limits, headroom.userWeight(name), isActive.test(name)));
    long remaining = maxContainers == 0 ? Long.MAX_VALUE
        : Math.max(0, maxContainers - app.getLiveContainersMap().size());
    PlanApplication application =
        new PlanApplication(weight, YarnAttempt.priorityOf(app), user, remaining);
    entities.put(application, entity);
    for (PendingRequest request : requests) {
      if (request.partition().equals(partition)) {
        application.addRequest(
            types.amounts(request.size()), request.count(), placement.of(request, nodes));
      }
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
   * @param protectedExecutors the number of oldest executors that are never preempted
   * @param notified whether a preemption notice for a container was sent before
   */
  void addContainers(PlanApplication application, AttemptView<S> attempt, int protectedExecutors,
      Predicate<ContainerId> notified) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) attempt.item();
    YarnAttempt facts = (YarnAttempt) attempt.facts();
    List<RMContainer> live = live(app);
    boolean isDriverKnown = app.getUnmanagedAM() || facts.isDriverLive();
    // The protected containers are at the beginning; the plan considers the newest ones first, so the loop
    // below runs backwards.
    int executors = 0;
    int firstPreemptible = 0;
    while (firstPreemptible < live.size() && (!isDriverKnown || executors < protectedExecutors)) {
      if (!facts.isDriver(live.get(firstPreemptible).getContainerId())) {
        executors++;
      }
      firstPreemptible++;
    }
    for (int i = live.size() - 1; i >= 0; i--) {
      RMContainer container = live.get(i);
      PlanNode node = nodes.node(container.getAllocatedNode());
      if (i >= firstPreemptible && node != null && facts.isExecutor(container)) {
        application.addPreemptible(
            node, size(container), notified.test(container.getContainerId()), container);
      } else if (partition.equals(context.cluster().partitionOf(container.getAllocatedNode()))) {
        application.addProtected(size(container));
      }
    }
  }

  /**
   * The live containers, oldest first, except opportunistic ones and those that YARN's preemption has
   * selected.
   */
  private List<RMContainer> live(SchedulerApplicationAttempt app) {
    List<RMContainer> live = new ArrayList<>(app.getLiveContainersMap().values());
    live.removeIf(container -> container.getExecutionType() != ExecutionType.GUARANTEED
        || context.selected.contains(container.getContainerId()));
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
    return new ArrayList<>(entities.keySet());
  }

  /** Makes the plan; called once, after all applications were added. */
  ReclaimPlan plan(boolean byShare) {
    addReservations();
    PlacementState state =
        new PlacementState(nodes.all(), headroom.free(partition).plus(released), context.measure);
    return byShare ? ReclaimPlan.byShare(applications(), state, context.maxPerRound, context.tolerance)
        : ReclaimPlan.byPriority(applications(), state, context.maxPerRound);
  }

  private void addReservations() {
    Map<ApplicationId, PlanApplication> byId = new HashMap<>();
    entities.forEach((application, entity) ->
        byId.put(((SchedulerApplicationAttempt) entity).getApplicationId(), application));
    for (PlanNode node : nodes.all()) {
      RMContainer reservation = ((FiCaSchedulerNode) node.item()).getReservedContainer();
      if (reservation != null) {
        PlanApplication application =
            byId.get(reservation.getApplicationAttemptId().getApplicationId());
        if (application == null) {
          node.block();
        } else {
          application.addReservation(node, types.amounts(reservation.getReservedResource()), reservation);
        }
      }
    }
  }

  /** Counts resources as free that YARN's preemption releases for applications of this queue. */
  void freeSelected() {
    for (S entity : entities.values()) {
      ((SchedulerApplicationAttempt) entity).getLiveContainersMap().forEach((id, container) -> {
        PlanNode node = context.selected.contains(id) ? nodes.node(container.getAllocatedNode()) : null;
        if (node != null) {
          node.addFree(size(container));
          released.add(size(container));
        }
      });
    }
  }

  /** YARN's object for the application. */
  S entity(PlanApplication application) {
    return entities.get(application);
  }

  /** YARN's object for the container or reservation. */
  static RMContainer yarnContainer(PreemptibleContainer container) {
    return (RMContainer) container.item();
  }
}
