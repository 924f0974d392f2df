// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.reclaim.PlanApplication;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.reclaim.ReclaimBackoff;
import io.github.dripfeed.core.reclaim.ReclaimPlan;
import io.github.dripfeed.ordering.FairShareComparator;
import io.github.dripfeed.ordering.OrderingDelegate;
import io.github.dripfeed.ordering.StateAwarePolicy;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.LeavingContainer;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.StockPreemption;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Plans what to preempt in all partitions of one queue, from its current state. Nodes and containers are
 * read once, and only if there may be anything to reclaim.
 *
 * @param <S> the applications of the queue
 */
final class ReclaimRound<S extends SchedulableEntity> {

  /** State from earlier rounds. */
  interface Memory<S> {

    /** Whether a preemption notice for a container was sent before. */
    boolean isNotified(ContainerId container);

    /** Whether resources were owed to an application in the last round. */
    boolean wasOwed(S entity);

    /** What was preempted before and is still on its node. */
    Collection<LeavingContainer> leaving();

    /** Limits the containers that may be preempted for an application after preemptions in vain. */
    ReclaimBackoff<S, ?> backoff();
  }

  private final CapacityScheduler scheduler;
  private final CSQueue queue;
  private final ReclaimSettings settings;
  private final OrderingDelegate<S> ordering;
  /** The comparator by fair share, or null where priority decides. */
  private final FairShareComparator fairShare;
  private final Set<ContainerId> selected;
  private final Memory<S> memory;
  private final long now;
  private final Requests<S> requests;
  private final List<S> entities;
  private final Map<PreemptibleContainer, S> planned = new LinkedHashMap<>();
  private final Set<ContainerId> paused = new HashSet<>();
  private final Map<S, Double> owed = new HashMap<>();
  /** The number of containers that the plans of other partitions assign to each application. */
  private final Map<S, Long> assignedElsewhere = new IdentityHashMap<>();
  private final Set<String> usersWithRequests = new HashSet<>();

  /**
   * Makes the plans.
   *
   * @param selected the containers that YARN's preemption has selected
   */
  ReclaimRound(CapacityScheduler scheduler, CSQueue queue, StateAwarePolicy<S> policy,
      ReclaimSettings settings, Set<ContainerId> selected, Memory<S> memory, long now) {
    this.scheduler = scheduler;
    this.settings = settings;
    this.queue = queue;
    this.ordering = policy.ordering();
    this.fairShare = policy.share();
    this.selected = selected;
    this.memory = memory;
    this.now = now;
    this.requests = new Requests<>(ordering.offered());
    this.entities = requests.isEmpty() ? Collections.emptyList() : ordering.order().bySubmission();
    Set<String> partitions = new TreeSet<>(requests.partitions());
    partitions.removeIf(partition -> !mayPreempt(partition));
    if (!partitions.isEmpty()) {
      plan(partitions);
    }
  }

  /**
   * The containers and reservations to preempt, each with the application that receives its resources;
   * the most urgent application first.
   */
  Map<PreemptibleContainer, S> planned() {
    return planned;
  }

  /**
   * The containers that would be preempted if their resources did not go to another queue at the moment.
   */
  Set<ContainerId> paused() {
    return paused;
  }

  /** The usage up to which each application comes first; empty where priority decides. */
  Map<S, Double> owed() {
    return owed;
  }

  /** Whether a plan for the partition could preempt anything. */
  private boolean mayPreempt(String partition) {
    if (requests.in(partition).stream().anyMatch(memory::wasOwed)) {
      return true;
    }
    return fairShare == null ? isAnyLower(requests.highestPriority(partition))
        : new ShareSpread<>(scheduler, queue, partition, this::weight)
            .isUneven(entities, requests.in(partition));
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

  private void plan(Set<String> partitions) {
    CountedResources types = new CountedResources(scheduler.getResourceCalculator());
    NodeSnapshot nodes = new NodeSnapshot(scheduler, types);
    nodes.addLeaving(memory.leaving(), types);
    YarnPlacement placement = new YarnPlacement(scheduler, types);
    for (S entity : entities) {
      SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
      if (!app.getAppSchedulingInfo().getSchedulerKeys().isEmpty()) {
        usersWithRequests.add(app.getUser());
      }
    }
    boolean isWithinQueue = StockPreemption.isWithin(queue, scheduler);
    Map<String, PartitionSnapshot<S>> snapshots = new LinkedHashMap<>();
    for (String partition : partitions) {
      snapshots.put(partition, new PartitionSnapshot<>(
          scheduler, queue, nodes.partition(partition), placement, selected, isWithinQueue));
    }
    for (S entity : entities) {
      AttemptView<S> attempt = ordering.order().view(entity);
      // The attempt may have been removed by now.
      if (attempt != null) {
        add(snapshots, attempt);
      }
    }
    SiblingQueues siblings = new SiblingQueues(scheduler, queue, nodes, placement);
    snapshots.forEach((partition, snapshot) -> plan(partition, snapshot, siblings));
  }

  private void add(Map<String, PartitionSnapshot<S>> snapshots, AttemptView<S> attempt) {
    S entity = attempt.item();
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    List<RMContainer> live = null;
    boolean comesLast = attempt.comesLast();
    // An application's own min-executors protects no more executors than the queue's.
    int protectedExecutors = Math.min(attempt.settings().minExecutors(),
        ordering.order().settings().attempts().minExecutors());
    for (Map.Entry<String, PartitionSnapshot<S>> each : snapshots.entrySet()) {
      PartitionSnapshot<S> snapshot = each.getValue();
      snapshot.addUser(app.getUser(), usersWithRequests.contains(app.getUser()));
      PlanApplication application =
          snapshot.add(entity, weight(entity), ordering.order().settings().maxContainers(),
              requests.of(entity));
      application.limitPreemptions(memory.backoff().limit(entity, now));
      if (fairShare == null
          && YarnAttempt.priorityOf(app) >= requests.highestPriority(each.getKey())) {
        snapshot.protectAll(application);
      } else {
        live = live == null ? snapshot.live(app) : live;
        snapshot.addContainers(
            application, (YarnAttempt) attempt.facts(), live, protectedExecutors, memory::isNotified);
      }
      if (comesLast) {
        application.serveLast();
      }
    }
  }

  private void plan(String partition, PartitionSnapshot<S> snapshot, SiblingQueues siblings) {
    // max-containers applies to all partitions together.
    for (PlanApplication application : snapshot.applications()) {
      application.subtractAssignedElsewhere(
          assignedElsewhere.getOrDefault(snapshot.entity(application), 0L));
    }
    ReclaimPlan plan = snapshot.plan(settings, fairShare != null);
    Set<PlanApplication> receivers = new HashSet<>();
    List<PreemptibleContainer> preempted = plan.preempted();
    boolean isReturned = preempted.isEmpty()
        || siblings.isReturned(partition, snapshot.smallest(preempted), snapshot.sum(preempted));
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
        if (receivers.contains(application) || memory.wasOwed(entity)) {
          owe(snapshot, application);
        }
      }
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
  private void owe(PartitionSnapshot<S> snapshot, PlanApplication application) {
    Resource assigned = snapshot.assigned(application);
    S entity = snapshot.entity(application);
    if (fairShare != null && !Resources.isNone(assigned)) {
      Resource used =
          ((SchedulerApplicationAttempt) entity).getAppAttemptResourceUsage().getAllUsed();
      owed.merge(entity, fairShare.size(entity, Resources.add(used, assigned)), Math::max);
    }
  }

  /**
   * The pending requests of the offered applications. Held applications and those at max-containers are
   * not offered, so their requests are not served.
   */
  private static final class Requests<S extends SchedulableEntity> {

    private final Map<S, List<PendingRequest>> all = new HashMap<>();
    private final Map<String, List<S>> byPartition = new HashMap<>();

    Requests(Iterator<S> offered) {
      while (offered.hasNext()) {
        S entity = offered.next();
        List<PendingRequest> pending = PendingRequest.all((SchedulerApplicationAttempt) entity);
        if (!pending.isEmpty()) {
          all.put(entity, pending);
          Set<String> partitions = new HashSet<>();
          for (PendingRequest request : pending) {
            if (partitions.add(request.partition())) {
              byPartition.computeIfAbsent(request.partition(), p -> new ArrayList<>()).add(entity);
            }
          }
        }
      }
    }

    boolean isEmpty() {
      return all.isEmpty();
    }

    Set<String> partitions() {
      return byPartition.keySet();
    }

    List<S> in(String partition) {
      return byPartition.getOrDefault(partition, Collections.emptyList());
    }

    List<PendingRequest> of(S entity) {
      return all.getOrDefault(entity, Collections.emptyList());
    }

    int highestPriority(String partition) {
      int highest = Integer.MIN_VALUE;
      for (S entity : in(partition)) {
        highest = Math.max(
            highest, YarnAttempt.priorityOf((SchedulerApplicationAttempt) entity));
      }
      return highest;
    }
  }
}
