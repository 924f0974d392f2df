// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.reclaim.PlanApplication;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.reclaim.ReclaimPlan;
import io.github.dripfeed.ordering.FairShareComparator;
import io.github.dripfeed.ordering.OrderingDelegate;
import io.github.dripfeed.ordering.StateAwarePolicy;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.StockPreemption;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Plans what to preempt in all partitions of one queue, from its current state. Nodes and containers are
 * read only if there may be anything to reclaim.
 *
 * @param <S> the applications of the queue
 */
final class ReclaimRound<S extends SchedulableEntity> {

  private final ReclaimContext context;
  private final CSQueue queue;
  private final OrderingDelegate<S> ordering;
  /** The comparator by fair share, or null where priority decides. */
  private final FairShareComparator fairShare;
  private final ReclaimMemory<S> memory;
  /**
   * The pending requests of the offered applications. Held applications and those at max-containers are not
   * offered, so their requests are not served.
   */
  private final Map<S, List<PendingRequest>> requests = new HashMap<>();
  /** The applications with pending requests, by partition. */
  private final Map<String, Set<S>> requesting = new TreeMap<>();
  private final List<S> entities;
  /**
   * The containers and reservations to preempt, each with the application that receives its resources;
   * the most urgent application first.
   */
  final Map<PreemptibleContainer, S> planned = new LinkedHashMap<>();
  /**
   * The containers that would be preempted if their resources did not go to another queue at the moment.
   */
  final Set<ContainerId> paused = new HashSet<>();
  /** The usage up to which an application is first in the fair order; empty where priority decides. */
  final Map<S, Double> owed = new HashMap<>();
  /** The number of containers that the plans of other partitions assign to each application. */
  private final Map<S, Long> assignedElsewhere = new IdentityHashMap<>();

  /** Makes the plans. */
  ReclaimRound(
      ReclaimContext context, CSQueue queue, StateAwarePolicy<S> policy, ReclaimMemory<S> memory) {
    this.context = context;
    this.queue = queue;
    this.ordering = policy.ordering();
    this.fairShare = policy.share();
    this.memory = memory;
    readRequests();
    this.entities = requests.isEmpty() ? Collections.emptyList() : ordering.order().bySubmission();
    List<String> partitions = new ArrayList<>(requesting.keySet());
    partitions.removeIf(partition -> !mayPreempt(partition));
    if (!partitions.isEmpty()) {
      YarnPlacement placement = new YarnPlacement(context.scheduler, context.types);
      Set<String> activeUsers = activeUsers();
      partitions.forEach(partition -> plan(partition, placement, activeUsers));
    }
  }

  private void readRequests() {
    for (Iterator<S> offered = ordering.offered(); offered.hasNext();) {
      S entity = offered.next();
      List<PendingRequest> pending = PendingRequest.all((SchedulerApplicationAttempt) entity);
      // More of a container that is there: only its own node can give it.
      pending.removeIf(PendingRequest::isUpdate);
      if (!pending.isEmpty()) {
        requests.put(entity, pending);
        pending.forEach(request ->
            requesting.computeIfAbsent(request.partition(), p -> new LinkedHashSet<>()).add(entity));
      }
    }
  }

  /** The users of whom any application has a pending request, also a held one. */
  private Set<String> activeUsers() {
    Set<String> users = new HashSet<>();
    for (S entity : entities) {
      SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
      if (!app.getAppSchedulingInfo().getSchedulerKeys().isEmpty()) {
        users.add(app.getUser());
      }
    }
    return users;
  }

  /** Whether a plan for the partition could preempt anything. */
  private boolean mayPreempt(String partition) {
    Set<S> receivers = requesting.get(partition);
    if (!Collections.disjoint(receivers, memory.owed.keySet())) {
      return true;
    }
    return fairShare == null ? isAnyLower(highestPriority(partition))
        : new ShareSpread<>(context, queue, partition, this::weight).isUneven(entities, receivers);
  }

  private int highestPriority(String partition) {
    return requesting.get(partition).stream()
        .mapToInt(entity -> YarnAttempt.priorityOf((SchedulerApplicationAttempt) entity)).max().getAsInt();
  }

  /** Whether an application of lower priority has a container or a reservation. */
  private boolean isAnyLower(int priority) {
    for (S entity : entities) {
      SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
      if (YarnAttempt.priorityOf(app) < priority && (!app.getLiveContainersMap().isEmpty()
          || !Resources.isNone(app.getCurrentReservation()))) {
        return true;
      }
    }
    return false;
  }

  private void plan(String partition, YarnPlacement placement, Set<String> activeUsers) {
    PartitionNodes nodes = new PartitionNodes(context.cluster(), partition, memory.leaving.keySet());
    PartitionSnapshot<S> snapshot =
        new PartitionSnapshot<>(context, queue, partition, nodes, activeUsers::contains);
    int highest = highestPriority(partition);
    for (S entity : entities) {
      AttemptView<S> attempt = ordering.order().view(entity);
      // The attempt may have been removed by now.
      if (attempt != null) {
        add(snapshot, attempt, placement, highest);
      }
    }
    if (!context.selected.isEmpty() && StockPreemption.isWithin(queue, context.scheduler)) {
      snapshot.freeSelected();
    }
    ReclaimPlan plan = snapshot.plan(fairShare != null);
    List<PreemptibleContainer> preempted = plan.preempted();
    boolean isReturned = preempted.isEmpty()
        || new SiblingQueues(context.cluster(), placement, partition, nodes).isReturned(queue, preempted);
    Set<PlanApplication> receivers = new HashSet<>();
    for (PreemptibleContainer container : preempted) {
      if (isReturned) {
        planned.put(container, snapshot.entity(plan.receiver(container)));
        receivers.add(plan.receiver(container));
      } else if (!container.isReservation()) {
        paused.add(PartitionSnapshot.yarnContainer(container).getContainerId());
      }
    }
    for (PlanApplication application : snapshot.applications()) {
      S entity = snapshot.entity(application);
      if (application.containersAssigned() > 0) {
        assignedElsewhere.merge(entity, application.containersAssigned(), Long::sum);
        // Resources preempted for an application in an earlier round are owed to it until it has them, as
        // long as it still has pending requests.
        if (receivers.contains(application) || memory.owed.containsKey(entity)) {
          owe(entity, context.types.resource(application.assigned()));
        }
      }
    }
  }

  /** @param highest the highest priority of an application with pending requests */
  private void add(PartitionSnapshot<S> snapshot, AttemptView<S> attempt, YarnPlacement placement,
      int highest) {
    S entity = attempt.item();
    PlanApplication application = snapshot.add(entity, weight(entity),
        ordering.order().settings().maxContainers(),
        requests.getOrDefault(entity, Collections.emptyList()), placement);
    // max-containers applies to all partitions together.
    application.subtractAssignedElsewhere(assignedElsewhere.getOrDefault(entity, 0L));
    application.limitPreemptions(memory.backoff.limit(entity, context.now));
    if (fairShare == null && YarnAttempt.priorityOf((SchedulerApplicationAttempt) entity) >= highest) {
      snapshot.protectAll(application);
    } else {
      // An application's own min-executors protects no more executors than the queue's.
      snapshot.addContainers(application, attempt, Math.min(attempt.settings().minExecutors(),
          ordering.order().settings().attempts().minExecutors()), memory.notices::isNotified);
    }
    if (attempt.comesLast()) {
      application.serveLast();
    }
  }

  /** The weight of the application in fair shares. */
  private double weight(S entity) {
    if (fairShare == null) {
      return 1;
    }
    if (!fairShare.isBySize()) {
      return fairShare.weight(entity, Resources.none());
    }
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    // By used plus pending resources, so that the weight does not change as requests are met.
    return fairShare.weight(entity, Resources.add(app.getAppAttemptResourceUsage().getAllUsed(),
        app.getAppAttemptResourceUsage().getAllPending()));
  }

  /** Records the usage that the application has once it has got what the plan assigns to it. */
  private void owe(S entity, Resource assigned) {
    if (fairShare != null && !Resources.isNone(assigned)) {
      Resource used =
          ((SchedulerApplicationAttempt) entity).getAppAttemptResourceUsage().getAllUsed();
      owed.merge(entity, fairShare.size(entity, Resources.add(used, assigned)), Math::max);
    }
  }
}
