// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.headroom;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.headroom.ClaimTotal;
import io.github.dripfeed.core.headroom.Demand;
import io.github.dripfeed.core.headroom.DemandOutlook;
import io.github.dripfeed.core.headroom.PartitionHeadroom;
import io.github.dripfeed.core.headroom.QueuePlan;
import io.github.dripfeed.core.headroom.StartNeeds;
import io.github.dripfeed.core.headroom.UserHeadroom;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.QueueHeadroom;
import io.github.dripfeed.yarn.StockPreemption;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * The part of one queue in a {@link HeadroomRound}. The state of each attempt is read once, so that it is
 * in one list even if its state changes meanwhile.
 */
final class QueueRound<S extends SchedulableEntity> {

  private final CapacityScheduler scheduler;
  private final CSQueue queue;
  private final QueueOrder<S> order;
  private final ExecutorEstimates estimates;
  private final List<S> inOrder = new ArrayList<>();
  private final Map<S, State> states = new IdentityHashMap<>();
  private final Map<S, List<PendingRequest>> pending = new IdentityHashMap<>();
  private final Map<String, PartitionHeadroom> headrooms = new HashMap<>();
  private final Map<String, ResourceVector> largest = new HashMap<>();
  private CountedResources types;
  private ClusterUsage usage;
  private QueueHeadroom headroom;
  private ResourceVector mask;
  private QueuePlan<S> plan;
  private boolean anyWaiting;
  /** Whether starting applications that block each other are taken back. */
  private final boolean takesBack;

  /** @param estimates what its attempts are expected to request */
  QueueRound(CapacityScheduler scheduler, CSQueue queue, QueueOrder<S> order, ExecutorEstimates estimates) {
    this.scheduler = scheduler;
    this.queue = queue;
    this.order = order;
    this.estimates = estimates;
    this.takesBack = order.settings().isTakeBack() && StockPreemption.freesRoom(queue, scheduler);
  }

  /** Reads the states of all attempts and records what they request. */
  void record(CountedResources counted, ClusterUsage cluster) {
    types = counted;
    usage = cluster;
    headroom = new QueueHeadroom(queue, types);
    for (S entity : order.items()) {
      State state = order.state(entity);
      AttemptView<S> view = order.view(entity);
      if (state != null && view != null) {
        states.put(entity, state);
        inOrder.add(entity);
        anyWaiting |= state == State.ACCEPTED;
        if (state != State.ACCEPTED) {
          estimates.record(
              (SchedulerApplicationAttempt) entity, view, requests(entity), usage::partitionOf);
        }
      }
    }
  }

  CSQueue queue() {
    return queue;
  }

  QueueOrder<S> order() {
    return order;
  }

  QueuePlan<S> plan() {
    return plan;
  }

  Map<String, PartitionHeadroom> headrooms() {
    return headrooms;
  }

  boolean isAnyWaiting() {
    return anyWaiting;
  }

  /** Whether what it holds comes free, because it has executors. */
  @SuppressWarnings("unchecked")
  boolean comesFree(SchedulerApplicationAttempt app) {
    AttemptView<S> view = order.view((S) app);
    return view != null && view.facts().liveExecutors() > 0;
  }

  private static boolean hasAttemptLeft(AttemptView<?> view) {
    return ((YarnAttempt) view.facts()).hasAttemptLeft();
  }

  /** Marks the resource types that an application of the queue has requested for its executors. */
  void markRequested(boolean[] requested) {
    for (ResourceVector size : seenSizes()) {
      for (int type = 0; type < requested.length; type++) {
        requested[type] |= size.get(type) > 0;
      }
    }
  }

  /** The sizes that were requested, of all partitions. */
  private List<ResourceVector> seenSizes() {
    List<ResourceVector> sizes = new ArrayList<>();
    for (String partition : linePartitions()) {
      sizes.addAll(estimates.largestRequested(partition));
    }
    for (List<PendingRequest> requests : pending.values()) {
      requests.forEach(request -> sizes.add(types.amounts(request.size())));
    }
    return sizes;
  }

  /** The partitions of the attempts that wait or are starting. */
  private Set<String> linePartitions() {
    return attempts(state -> state != State.RUNNING)
        .map(view -> nameOf(view.facts().partition())).collect(Collectors.toSet());
  }

  /** The attempts that were read in such a state and are still there. */
  private Stream<AttemptView<S>> attempts(Predicate<State> in) {
    return inOrder.stream().filter(entity -> in.test(states.get(entity))).map(order::view)
        .filter(Objects::nonNull);
  }

  private static String nameOf(String partition) {
    return partition == null ? "" : partition;
  }

  /**
   * Adds all applications to the plan of the queue.
   *
   * @param counted 0 for a resource type that no application has requested, else the largest number
   * @param levels the totals of claims on the queue and its ancestors
   */
  QueuePlan<S> prepare(ResourceVector counted, List<ClaimTotal> levels) {
    mask = counted;
    if (keepsReserve()) {
      List<ResourceVector> sizes = seenSizes();
      for (String partition : linePartitions()) {
        headroom(partition).keepReserve(sizes, order.settings().attempts().minExecutors());
        if (isAnyDriverForGood()) {
          headroom(partition).keepBesideAll();
        }
      }
    }
    plan = new QueuePlan<>(order.account(), queue.getQueuePath(), order.settings().maxStarting(),
        new QueuePlan.Headroom(this::headroom, new Outlook()), levels);
    List<S> last = new ArrayList<>();
    for (S entity : inOrder) {
      AttemptView<S> view = order.view(entity);
      if (view != null && view.comesLast()) {
        last.add(entity);
      } else if (view != null) {
        add(entity, view);
      }
    }
    for (S entity : last) {
      AttemptView<S> view = order.view(entity);
      if (view != null) {
        add(entity, view);
      }
    }
    return plan;
  }

  /** Whether room for the largest container stays: for drivers that cannot be taken back. */
  private boolean keepsReserve() {
    return !takesBack || attempts(state -> state != State.RUNNING).anyMatch(view -> !hasAttemptLeft(view));
  }

  /** Whether a starting application has a driver that cannot be taken back. */
  private boolean isAnyDriverForGood() {
    return attempts(state -> state == State.STARTING)
        .anyMatch(view -> !takesBack || !hasAttemptLeft(view));
  }

  private void add(S entity, AttemptView<S> view) {
    State state = states.get(entity);
    if (state == State.RUNNING) {
      List<Demand> demands = demands(entity);
      plan.runs(userOf(entity), demands, claimed(entity, view, demands), demands.isEmpty()
          ? Collections.emptyMap() : usage.held((SchedulerApplicationAttempt) entity));
    } else if (state == State.STARTING) {
      addStarting(entity, view);
    } else {
      String line = nameOf(view.facts().partition());
      plan.waits(entity, line, userOf(entity), () -> needs(entity, view, line));
    }
  }

  private void addStarting(S entity, AttemptView<S> view) {
    YarnAttempt attempt = (YarnAttempt) view.facts();
    int missing = Math.max(0, view.settings().minExecutors() - attempt.liveExecutors());
    List<Demand> requested = largestRequested(entity, missing);
    plan.starts(entity, userOf(entity), requested.isEmpty()
        ? withCount(expected(entity, view, nameOf(attempt.partition())), missing) : requested,
        claimed(entity, view, demands(entity)));
  }

  /** What an attempt with a driver requests, and is expected to request later. */
  private List<Demand> claimed(S entity, AttemptView<S> view, List<Demand> requested) {
    String partition = nameOf(view.facts().partition());
    List<Demand> claimed = new ArrayList<>(requested);
    claimed.addAll(estimates.remaining((SchedulerApplicationAttempt) entity, partition,
        () -> expected(entity, view, partition)));
    return claimed;
  }

  /** Null for an attempt without a pending request, which is not offered in any case. */
  private StartNeeds needs(S entity, AttemptView<S> view, String line) {
    List<Demand> driver = demands(entity);
    if (driver.isEmpty()) {
      return null;
    }
    List<Demand> expected = expected(entity, view, line);
    return new StartNeeds(driver.get(0), withCount(expected, view.settings().minExecutors()), expected,
        !takesBack || !hasAttemptLeft(view));
  }

  private static List<Demand> withCount(List<Demand> demands, int count) {
    List<Demand> changed = new ArrayList<>();
    demands.forEach(demand -> changed.add(demand.withCount(count)));
    return changed;
  }

  /** The pending requests of the attempt, read once per round. */
  private List<PendingRequest> requests(S entity) {
    return pending.computeIfAbsent(entity, e -> PendingRequest.all((SchedulerApplicationAttempt) e));
  }

  /** The pending requests of the attempt, up to {@code max-containers}. */
  private List<Demand> demands(S entity) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    int cap = order.settings().maxContainers();
    long limit = cap == 0 ? Long.MAX_VALUE : Math.max(0, cap - app.getLiveContainersMap().size());
    List<Demand> demands = new ArrayList<>();
    for (PendingRequest request : requests(entity)) {
      demands.add(new Demand(request.partition(), types.amounts(request.size()), request.count())
          .atMost(limit));
    }
    return demands;
  }

  /** Executors of the largest size that the attempt requests. */
  private List<Demand> largestRequested(S entity, int executors) {
    Map<String, ResourceVector> sizes = new HashMap<>();
    for (PendingRequest request : requests(entity)) {
      sizes.merge(request.partition(), types.amounts(request.size()), ResourceVector::componentwiseMax);
    }
    List<Demand> demands = new ArrayList<>();
    sizes.forEach((partition, size) -> demands.add(new Demand(partition, size, executors)));
    return demands;
  }

  /** The executors that it is expected to come to want, no larger than one node could hold. */
  private List<Demand> expected(S entity, AttemptView<S> view, String driverPartition) {
    List<Demand> possible = new ArrayList<>();
    for (Demand demand : estimates.expected((SchedulerApplicationAttempt) entity, driverPartition,
        view.settings().minExecutors(), order.settings().maxContainers(), this::largest)) {
      possible.add(demand.withSize(usage.room(demand.partition()).possible(demand.size())));
    }
    return possible;
  }

  private PartitionHeadroom headroom(String partition) {
    PartitionHeadroom known = headrooms.get(partition);
    if (known == null) {
      known = new PartitionHeadroom(usage.room(partition), usage.levels(queue, partition),
          headroom.used(partition), headroom.guaranteed(partition), largest(partition));
      addUsers(known, partition);
      headrooms.put(partition, known);
    }
    return known;
  }

  private void addUsers(PartitionHeadroom known, String partition) {
    ResourceVector ceiling = headroom.userCeiling(partition);
    double fraction = headroom.userFraction();
    usage.users(queue).forEach((user, of) -> known.addUser(user,
        new UserHeadroom(of.used.in(partition), of.progress.in(partition),
            usage.userLimit(headroom, user, partition),
            ceiling, fraction)));
  }

  /** The largest container that an application of the queue may request, type by type. */
  private ResourceVector largest(String partition) {
    return largest.computeIfAbsent(partition, p -> {
      ResourceVector allowed = types.amounts(
          scheduler.getMaximumResourceCapability(QueueCompat.nameOf(scheduler, queue)))
          .componentwiseMin(usage.largestNode(p)).componentwiseMin(mask);
      for (CSQueue level = queue; level != null; level = level.getParent()) {
        allowed = allowed.componentwiseMin(types.amounts(new QueueHeadroom(level, types).maximum(p)));
      }
      return allowed;
    });
  }

  private String userOf(S entity) {
    return ((SchedulerApplicationAttempt) entity).getUser();
  }

  /** The limits and the usage of the queue and its users, for the outlook on their demand. */
  private final class Outlook implements DemandOutlook.Room {

    @Override
    public ResourceVector limit(String partition) {
      return headroom.free(partition).plus(headroom.used(partition));
    }

    @Override
    public ResourceVector used(String partition) {
      return headroom.used(partition);
    }

    @Override
    public ResourceVector limitOf(String user, String partition) {
      double fraction = headroom.userFraction();
      // The limit grows with the usage of the queue, up to that fraction of a full queue.
      return limit(partition).each(amount -> (long) (fraction * amount))
          .componentwiseMax(usage.userLimit(headroom, user, partition))
          .componentwiseMin(headroom.userCeiling(partition));
    }

    @Override
    public ResourceVector usedBy(String user, String partition) {
      return usage.usedBy(queue, user, partition);
    }
  }
}
