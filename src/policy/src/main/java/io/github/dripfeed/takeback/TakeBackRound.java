// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.cluster.Container;
import io.github.dripfeed.core.cluster.Node;
import io.github.dripfeed.core.cluster.PreemptionSearch;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.core.takeback.Blocked;
import io.github.dripfeed.core.takeback.Scene;
import io.github.dripfeed.observe.Sentences;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.snapshot.AttemptSnapshot;
import io.github.dripfeed.snapshot.ClusterSnapshot;
import io.github.dripfeed.snapshot.QueueSnapshot;
import io.github.dripfeed.yarn.LeavingContainer;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueHeadroom;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/** One look at all queues of a scheduler in which applications may be taken back. */
public final class TakeBackRound {

  /** How long starts stay held without another round, in milliseconds: the monitor may be late. */
  private static final long HELD = 5000;

  private final ClusterSnapshot cluster;
  private final Map<String, PartitionMemory> memories;
  private final DripfeedRuntime runtime;
  private final long now;
  private final List<QueueSnapshot<?>> queues = new ArrayList<>();
  /** In the order of submission. */
  private final List<StartedApplication<?>> all = new ArrayList<>();
  /** The place of each in its queue, the first one first. */
  private final Map<StartedApplication<?>, Integer> places = new HashMap<>();

  /** @param memories what is remembered of each partition; the same for all rounds of the scheduler */
  public TakeBackRound(ClusterSnapshot cluster, List<? extends QueueSnapshot<?>> queues,
      Map<String, PartitionMemory> memories, DripfeedRuntime runtime, long now) {
    this.cluster = cluster;
    this.memories = memories;
    this.runtime = runtime;
    this.now = now;
    for (QueueSnapshot<?> queue : queues) {
      if (queue.order.settings().isTakeBack()) {
        this.queues.add(queue);
        read(queue);
      }
    }
    all.sort(Comparator.comparing(application -> application.submitted));
  }

  private <S extends SchedulableEntity> void read(QueueSnapshot<S> queue) {
    for (AttemptSnapshot<S> attempt : queue.attempts) {
      if (attempt.state != State.ACCEPTED) {
        StartedApplication<S> application =
            new StartedApplication<>(attempt, queue.queue, queue.yarnQueue);
        if (attempt.executors > 0 && !attempt.view.hadExecutor()) {
          queue.order.sawExecutor(attempt.item);
        }
        if (!application.isBlocked()) {
          attempt.view.notes().millisBlocked(false, now);
        }
        places.put(application, places.size());
        all.add(application);
      }
    }
  }

  /** Takes back one driver in each partition in which applications block each other. */
  public void run() {
    forgetThoseThatLeft();
    Set<String> partitions = new TreeSet<>(memories.keySet());
    all.stream().filter(StartedApplication::isBlocked)
        .forEach(application -> partitions.add(application.request().partition()));
    partitions.forEach(this::resolve);
    memories.values().removeIf(PartitionMemory::isOver);
  }

  /** With lazy preemption a driver goes on until somebody else needs its room: nobody waits for that. */
  private void forgetThoseThatLeft() {
    boolean lazy = cluster.scheduler.getConfiguration().getLazyPreemptionEnabled();
    memories.values().forEach(memory -> memory.leaving.values().removeIf(
        driver -> lazy || !driver.isOnItsNode(cluster.scheduler)));
    // It got an executor in time.
    all.stream().filter(application -> !application.read.view.isTakenBack()).forEach(
        kept -> memories.values().forEach(memory -> memory.leaving.remove(kept.read.id())));
  }

  // Applications that block each other.

  private void resolve(String partition) {
    List<StartedApplication<?>> members = all.stream().filter(application -> application.isBlocked()
        && (application.requestsIn(partition) || application.isDriverIn(partition, cluster)))
        .collect(Collectors.toList());
    PartitionMemory memory = memories.get(partition);
    if (memory == null && members.size() < 2) {
      members.forEach(member -> member.read.view.notes().millisBlocked(true, now));
      return;
    }
    memory = memories.computeIfAbsent(partition, p -> new PartitionMemory());
    Map<Object, StartedApplication<?>> byId = new LinkedHashMap<>();
    inOrder(members).forEach(member -> byId.put(member.read.id(), member));
    Scene scene = scene(partition, members, byId, !memory.leaving.isEmpty());
    boolean held = memory.standstill.isHolding();
    Container driver = memory.standstill.next(scene, now);
    if (driver != null) {
      take(byId.get(driver.application), driver, memory, scene, byId);
    }
    if (memory.standstill.isHolding()) {
      queues.forEach(queue -> queue.order.holdStarts(
          partition, isAnyStartingBeside(queue, partition), now + HELD));
    } else if (held) {
      queues.forEach(queue -> queue.order.releaseStarts(partition));
    }
  }

  /** Those of one queue in its order, and those of different queues by submission. */
  private static List<StartedApplication<?>> inOrder(List<StartedApplication<?>> bySubmission) {
    Map<Object, Iterator<StartedApplication<?>>> byQueue = new HashMap<>();
    bySubmission.forEach(one -> byQueue.computeIfAbsent(one.queue, queue -> bySubmission.stream()
        .filter(other -> other.queue == queue)
        .sorted(Comparator.comparing(other -> other.inQueue)).iterator()));
    return bySubmission.stream().map(one -> byQueue.get(one.queue).next()).collect(Collectors.toList());
  }

  private void take(StartedApplication<?> taken, Container driver, PartitionMemory memory, Scene scene,
      Map<Object, StartedApplication<?>> members) {
    StartedApplication<?> gainer = members.get(memory.standstill.gainer().application);
    String why = Sentences.blocked(
        members.size(), gainer.read.application(), gainer.request().size());
    if (new DriverTakeBack(cluster.scheduler, runtime).run(taken, why, now)) {
      memory.standstill.took(driver, scene, now);
      memory.leaving.put(taken.read.id(), new LeavingContainer(taken.driver, now));
      // Nowhere is its end the progress that a hold waits for.
      memories.values().forEach(each -> each.standstill.lost(taken.read.id()));
    } else {
      memory.standstill.gaveUp();
    }
  }

  private Scene scene(String partition, List<StartedApplication<?>> members,
      Map<Object, StartedApplication<?>> inOrder, boolean roomComes) {
    Map<?, Node> nodes = cluster.nodes(partition);
    Map<StartedApplication<?>, Blocked> blocked = new HashMap<>();
    for (StartedApplication<?> member : members) {
      ResourceVector reserved = cluster.reserved(member.read.app, partition);
      Node node = nodes.get(member.driver.getAllocatedNode());
      blocked.put(member, new Blocked(member.read.id(),
          member.requestsIn(partition)
              ? container(member, member.request().size(), null, reserved, partition) : null,
          node != null && member.mayLoseDriver(cluster.scheduler)
              ? container(member, member.driver.getAllocatedResource(), node, reserved, partition) : null,
          // The oldest loses its driver only for one of a higher priority that nobody else can help.
          member == members.get(0) || member.read.view.isDriverDiscovered(), member.read.executors,
          member.read.view.notes().millisBlocked(true, now), after(member)));
    }
    List<Blocked> youngestFirst = members.stream().map(blocked::get).collect(Collectors.toList());
    Collections.reverse(youngestFirst);
    boolean moving = false;
    for (StartedApplication<?> one : all) {
      moving |= one.hadExecutor() && one.read.view.notes().millisUnchanged(
          partition, one.fingerprint(partition, cluster), now) < after(one);
    }
    PreemptionSearch search = new PreemptionSearch(cluster.nodes(partition).values());
    Rivals rivals = new Rivals(cluster, partition, search, inOrder.keySet(), now);
    Predicate<StartedApplication<?>> runs =
        one -> one.read.executors > 0 || one.hadExecutor() && !one.isBlocked();
    return new Scene(search, inOrder.values().stream().map(blocked::get).collect(Collectors.toList()),
        youngestFirst, (gainer, losses) -> isBehindDemand(inOrder.get(gainer.application), partition)
            || rivals.getRoomOf(
                inOrder.get(gainer.application).yarnQueue, gainer.need, losses),
        idsIn(partition, one -> one.hadExecutor()
            || one.driver != null && !one.read.view.isTakenBack()),
        idsIn(partition, runs), moving, roomComes);
  }

  private Container container(StartedApplication<?> of, Resource size,
      Node node, ResourceVector reserved, String partition) {
    return new Container(of.read.id(), cluster.types.amounts(size), node, reserved,
        cluster.limits(of.yarnQueue, of.read.app.getUser(), partition));
  }

  /** Those that have containers in the partition, or want their first executors there. */
  private Set<Object> idsIn(String partition, Predicate<StartedApplication<?>> chosen) {
    return all.stream().filter(one -> chosen.test(one) && (one.isDriverIn(partition, cluster)
        || one.requestsIn(partition) || one.fingerprint(partition, cluster) != 0))
        .map(one -> one.read.id()).collect(Collectors.toSet());
  }

  private static long after(StartedApplication<?> application) {
    return application.queue.order().settings().takeBack().after();
  }

  /** Whether another application of its queue comes before it, and would get the room. */
  private boolean isBehindDemand(StartedApplication<?> member, String partition) {
    return all.stream().anyMatch(other -> other.queue == member.queue
        && places.get(other) < places.get(member) && !other.isAtMaxContainers()
        && (!other.isBlocked() || isAbove(other, member))
        && comesFirst(other, partition));
  }

  /** Within a priority those that block each other come first in turns. */
  private static boolean isAbove(StartedApplication<?> other, StartedApplication<?> member) {
    return member.queue.isByPriority()
        && YarnAttempt.priorityOf(other.read.app) > YarnAttempt.priorityOf(member.read.app);
  }

  /**
   * Whether YARN does not go on to the applications behind this one: of its requests in the partition, one
   * to which YARN comes fits on an empty node, or exceeds what is left to the queue, where YARN ends its
   * walk. It passes over an application whose user is above the limit and that has no reservation.
   */
  private boolean comesFirst(StartedApplication<?> other, String partition) {
    QueueHeadroom headroom = new QueueHeadroom(other.yarnQueue, cluster.types);
    for (PendingRequest request : other.read.requests) {
      if (request.partition().equals(partition)) {
        ResourceVector size = cluster.types.amounts(request.size());
        if (cluster.partition(partition).isPossible(size) || !size.fitsIn(
            headroom.free(partition).plus(cluster.reserved(other.read.app, partition)))) {
          return other.read.facts.hasReservation()
              || headroom.isBelowUserLimit(other.read.app.getUser(), cluster.scheduler, partition);
        }
        if (request.hidesLater()) {
          return false;
        }
      }
    }
    return false;
  }

  /** Whether applications of other queues are starting there. */
  private boolean isAnyStartingBeside(QueueSnapshot<?> queue, String partition) {
    return all.stream().anyMatch(one -> one.read.isStarting() && one.queue != queue.queue
        && partition.equals(one.read.partition));
  }
}
