// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.plan;

import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.plan.Account;
import io.github.dripfeed.core.plan.ActivePlan;
import io.github.dripfeed.core.plan.Demand;
import io.github.dripfeed.core.plan.DemandHistory;
import io.github.dripfeed.core.plan.Needs;
import io.github.dripfeed.core.plan.PlanPartition;
import io.github.dripfeed.core.plan.PlanQueue;
import io.github.dripfeed.core.plan.QueueMemory;
import io.github.dripfeed.core.plan.Reserve;
import io.github.dripfeed.core.plan.SafetyReserve;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.snapshot.AttemptSnapshot;
import io.github.dripfeed.snapshot.ClusterSnapshot;
import io.github.dripfeed.snapshot.QueueSnapshot;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueHeadroom;
import io.github.dripfeed.yarn.StockPreemption;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * One queue in a {@link PlanRound}.
 *
 * @param <S> the applications
 */
final class QueueRound<S extends SchedulableEntity> {

  private final QueueSnapshot<S> snapshot;
  private final ClusterSnapshot nodes;
  private final CSQueue queue;
  private final QueueOrder<S> order;
  private final boolean fair;
  private final QueueMemory memory;
  private final QueueDemands demands;
  private final CountedResources types;
  private final ClusterReader cluster;
  private final long now;
  private final QueueHeadroom headroom;
  /** Whether starting applications that block each other are taken back. */
  private final boolean takesBack;
  private final List<AttemptSnapshot<S>> inOrder = new ArrayList<>();
  private final Map<String, PlanPartition> partitions = new HashMap<>();
  private final Map<String, Map<String, Account>> users = new HashMap<>();
  private final Map<String, Collection<Demand>> largest = new HashMap<>();
  private final Map<String, ResourceVector> reachable = new HashMap<>();
  private final Set<AttemptSnapshot<S>> silent = new HashSet<>();
  private final Set<S> front = new LinkedHashSet<>();
  private PlanQueue<S> plan;
  /** Whether shares decide who is served: in fair order, and where several queues take turns. */
  private boolean byShare;
  /** Whether YARN's preemption within the queue, or reclaim, takes for an urgent application. */
  private final boolean preempts;
  /** The lowest priority of an application with executors. */
  private int lowest = Integer.MAX_VALUE;
  private final Map<String, Integer> lowestOf = new HashMap<>();

  QueueRound(QueueSnapshot<S> snapshot, ClusterSnapshot nodes, ClusterReader cluster, QueueMemory memory,
      DemandHistory common, long now) {
    this.snapshot = snapshot;
    this.nodes = nodes;
    this.queue = snapshot.yarnQueue;
    this.order = snapshot.order;
    this.fair = snapshot.queue.configuration().isFair();
    this.preempts = snapshot.queue.configuration().reclaims()
        || StockPreemption.isWithin(queue, nodes.scheduler);
    this.memory = memory;
    this.demands = new QueueDemands(snapshot, cluster, memory, common, now);
    this.types = nodes.types;
    this.cluster = cluster;
    this.now = now;
    this.headroom = new QueueHeadroom(queue, types);
    this.takesBack = order.settings().isTakeBack() && StockPreemption.freesRoom(queue, nodes.scheduler);
  }

  CSQueue queue() {
    return queue;
  }

  /** What usually comes free in the partition while a driver starts up. */
  ResourceVector soon(String partition) {
    return demands.soon(partition);
  }

  void read() {
    List<AttemptSnapshot<S>> last = new ArrayList<>();
    Set<Object> starting = new HashSet<>();
    for (AttemptSnapshot<S> attempt : snapshot.attempts) {
      (attempt.view.comesLast() ? last : inOrder).add(attempt);
      if (attempt.state != State.ACCEPTED) {
        if (preempts && attempt.executors > 0) {
          lowest = Math.min(
              lowest, lowestOf.merge(attempt.app.getUser(), priorityOf(attempt), Math::min));
        }
        demands.learn(attempt);
      }
      boolean isSilent = demands.isSilent(attempt);
      if (isSilent) {
        silent.add(attempt);
      }
      if (attempt.isStarting()) {
        starting.add(attempt.id());
        order.setSilent(attempt.item, isSilent);
      }
    }
    if (snapshot.queue.configuration().isNarrow()) {
      sortByWidth();
    }
    inOrder.addAll(last);
    demands.forgetOthers(queue);
    memory.retainInFront(starting);
  }

  /** An accepted application is expected to be as wide as others of its type. */
  private void sortByWidth() {
    for (AttemptSnapshot<S> read : inOrder) {
      if (read.state == State.ACCEPTED) {
        long width = demands.expected(read).stream().mapToLong(Demand::count).sum();
        order.regroup(read.item, width, read.view.millisInState(now));
      }
    }
    inOrder.sort(Comparator.comparing(read -> read.view.place()));
  }

  private int priorityOf(AttemptSnapshot<S> read) {
    return YarnAttempt.priorityOf(read.app);
  }

  /** In fair order all are of one level. */
  private Object levelOf(AttemptSnapshot<S> read) {
    return fair ? 0 : priorityOf(read);
  }

  /** @param several whether other queues are planned, too */
  PlanQueue<S> prepare(boolean several) {
    byShare = fair || several;
    plan = new PlanQueue<>(queue.getQueuePath(), this::partition, this::user);
    plan.setRoomMade(StockPreemption.isOn(nodes.scheduler), preempts);
    // All limits know of the drivers of all queues before the first decision.
    inOrder.forEach(read -> partition(read.partition));
    if (fair) {
      plan.setFair();
    } else {
      // What was admitted comes first, also where several queues take turns.
      inOrder.stream().filter(AttemptSnapshot::isStarting).forEach(this::addStarted);
    }
    for (AttemptSnapshot<S> read : inOrder) {
      if (read.state == State.ACCEPTED) {
        plan.accepted(read.item, read.partition, read.app.getUser(), () -> needs(read));
      } else if (fair || !read.isStarting()) {
        addStarted(read);
      }
    }
    return plan;
  }

  private void addStarted(AttemptSnapshot<S> read) {
    if (read.isStarting() && !silent.contains(read)) {
      plan.isStarting(read.partition, levelOf(read));
    }
    List<Demand> claims = demands.requested(read);
    List<Demand> lacking = Collections.emptyList();
    if (!silent.contains(read)) {
      lacking = read.isStarting() ? lacking(read, claims) : lacking;
      claims.addAll(demands.remaining(read));
    }
    if (read.executors == 0 && !read.facts.isExempt() && (!takesBack || !read.facts.hasAttemptLeft())
        && !silent.contains(read)) {
      plan.keepReserve(read.partition, read.app.getUser());
    }
    plan.started(read.item, read.app.getUser(), lacking,
        lacking.isEmpty() ? claims : QueueDemands.without(claims, lacking));
  }

  private List<Demand> lacking(AttemptSnapshot<S> read, List<Demand> requested) {
    int missing = read.view.settings().minExecutors() - read.executors
        - (read.facts.hasReservation() ? read.app.getReservedContainers().size() : 0);
    if (missing <= 0 || read.isSkipped(read.partition, nodes)) {
      return Collections.emptyList();
    }
    if (requested.isEmpty()) {
      List<Demand> all = demands.expected(read);
      return QueueDemands.firstStage(
          all.isEmpty() && demands.isCold(read) ? cold(read) : all, missing);
    }
    boolean served = !read.facts.isExempt() && isReachable(requested.get(0));
    if (memory.isInFront(read.id(), read.executors, served, now)) {
      front.add(read.item);
    }
    return QueueDemands.first(requested, missing);
  }

  /**
   * Whether the queue has room for one of these, or had lately. YARN ends its walk at an application that
   * does not fit the headroom, so such a one in front would hold all others.
   */
  private boolean isReachable(Demand demand) {
    // Read once: with room that comes free in between, a later one would stand in front of an earlier one.
    return !cluster.shareable(demand.partition()).isEmpty()
        || demand.size().fitsIn(reachable.computeIfAbsent(demand.partition(),
            p -> headroom.free(p).componentwiseMax(
                memory.releases().lately(p, memory.demands().startUp(), types.count(), now))));
  }

  /** Before anything was seen, an executor is expected to be as large as the driver. */
  private List<Demand> cold(AttemptSnapshot<S> read) {
    return read.driver == null ? Collections.emptyList() : Collections.singletonList(
        new Demand(read.partition, types.amounts(read.driver.getAllocatedResource()), 1));
  }

  /** Null for an attempt without a pending request, which is not offered in any case. */
  private Needs needs(AttemptSnapshot<S> read) {
    List<Demand> requested = demands.requested(read);
    if (requested.isEmpty() || read.view.isBackingOff(now)) {
      return null;
    }
    Demand driver = requested.get(0).withCount(1);
    boolean cold = demands.isCold(read);
    List<Demand> all = cold ? Collections.singletonList(driver) : demands.expected(read);
    List<Demand> first = QueueDemands.firstStage(all, read.view.settings().minExecutors());
    return new Needs(
        driver, first, QueueDemands.without(all, first), !takesBack || !read.facts.hasAttemptLeft(), cold)
        .urgentAt(isUrgent(read) ? levelOf(read) : null);
  }

  /** Whether something is taken for it: where its user is above the limit, from that user alone. */
  private boolean isUrgent(AttemptSnapshot<S> read) {
    String user = read.app.getUser();
    return preempts && (user(user, read.partition).free().isNegative()
        ? !fair && priorityOf(read) > lowestOf.getOrDefault(user, Integer.MAX_VALUE)
        : fair || priorityOf(read) > lowest);
  }

  private PlanPartition partition(String name) {
    PlanPartition known = partitions.get(name);
    if (known == null) {
      known = new PlanPartition(cluster.accounts(queue, name), cluster.shareable(name),
          headroom.guaranteed(name), headroom.used(name), drivers(name));
      partitions.put(name, known);
    }
    return known;
  }

  /** What drivers hold that are not silent: where shares decide of all, else of those that are starting. */
  private ResourceVector drivers(String partition) {
    ResourceSum sum = new ResourceSum(types.count());
    for (AttemptSnapshot<S> read : inOrder) {
      if (read.driver != null && read.partition.equals(partition) && !silent.contains(read)
          && (byShare || read.isStarting())) {
        sum.add(types.amounts(read.driver.getAllocatedResource()));
      }
    }
    return sum.toVector();
  }

  /** The executors for which room is kept: the largest that applications request or requested. */
  Collection<Demand> largest(String partition) {
    return largest.computeIfAbsent(partition, this::readLargest);
  }

  private Collection<Demand> readLargest(String partition) {
    Set<ResourceVector> sizes = memory.demands().requested(partition, types.count());
    ResourceVector driver = null;
    boolean kept = !takesBack;
    for (AttemptSnapshot<S> read : inOrder) {
      kept |= read.executors == 0 && !read.facts.hasAttemptLeft();
      for (PendingRequest request : read.requests) {
        ResourceVector size = types.amounts(request.size());
        if (read.state == State.ACCEPTED) {
          driver = driver == null ? size : driver;
        } else {
          sizes.add(size);
        }
      }
    }
    if (sizes.isEmpty() && driver != null) {
      sizes.add(driver.times(2));
    }
    sizes.removeIf(size -> !cluster.isPossible(partition, size));
    int count = order.settings().attempts().minExecutors();
    return !kept ? Collections.emptyList() : sizes.stream()
        .filter(size -> sizes.stream().noneMatch(other -> other != size && size.fitsIn(other)))
        .map(size -> new Demand(partition, size, count)).collect(Collectors.toList());
  }

  private Account user(String user, String partition) {
    return users.computeIfAbsent(user, u -> new HashMap<>())
        .computeIfAbsent(partition, p -> {
          ResourceVector limit = userLimit(user, p);
          ResourceVector free = limit.minus(headroom.usedBy(user, p));
          return new Account(null, free, soon(p), new Reserve(() -> reserveOf(user, p, free))).of(limit);
        });
  }

  /** YARN allocates one container more than the user's limit holds. */
  private List<SafetyReserve> reserveOf(String user, String partition, ResourceVector free) {
    ResourceSum later = new ResourceSum(free);
    for (AttemptSnapshot<S> read : inOrder) {
      if (read.executors > 0 && read.app.getUser().equals(user)) {
        later.add(types.amounts(read.app.getAppAttemptResourceUsage().getUsed(partition)));
      }
    }
    ResourceVector room = later.toVector();
    ResourceVector ceiling = headroom.userCeiling(partition);
    return largest(partition).stream().map(demand -> demand.size().times(demand.count() - 1))
        .filter(kept -> kept.fitsIn(ceiling)).map(kept -> SafetyReserve.ofLimit(room, kept))
        .collect(Collectors.toList());
  }

  /** The limit grows with the usage of the queue, up to the fraction of a full queue. */
  private ResourceVector userLimit(String user, String partition) {
    double fraction = headroom.userFraction();
    ResourceVector limit = headroom.free(partition).plus(headroom.used(partition));
    return limit.each(amount -> (long) (fraction * amount))
        .componentwiseMax(types.amounts(
            headroom.userLimit(user, nodes.scheduler.getClusterResource(), partition)))
        .componentwiseMin(headroom.userCeiling(partition));
  }

  void putIntoEffect(ActivePlan active) {
    order.setPlan(active, plan.starts(), front, plan.reasons(), plan.withoutSlot());
  }
}
