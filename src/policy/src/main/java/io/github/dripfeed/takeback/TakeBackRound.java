// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.cluster.Container;
import io.github.dripfeed.core.cluster.Node;
import io.github.dripfeed.core.cluster.PreemptionSearch;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.core.takeback.Blocked;
import io.github.dripfeed.core.takeback.Scene;
import io.github.dripfeed.core.takeback.Standstill;
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
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/** One look at all queues of a scheduler in which applications may be taken back. */
public final class TakeBackRound {

  /** What is remembered of one partition between two rounds; keeps nothing of YARN alive. */
  public static final class Memory {

    private final Standstill standstill = new Standstill();
    /** The drivers that were taken back and whose room is still to come, by attempt. */
    private final Map<Object, LeavingContainer> leaving = new HashMap<>();
    private boolean isBlocked;
    private long fingerprint;
    private long since;

    /** Whether the containers have changed within so many milliseconds. */
    private boolean isMoving(long containers, long after, long now) {
      since = containers == fingerprint ? since : now;
      fingerprint = containers;
      return containers != 0 && now - since < after;
    }

    private boolean isOver() {
      return !isBlocked && standstill.isOver() && leaving.isEmpty();
    }
  }

  /** How long starts stay held without another round, in milliseconds: the monitor may be late. */
  private static final long HELD = 5000;

  private final ClusterSnapshot cluster;
  private final Map<String, Memory> memories;
  private final DriverTakeBack takeBack;
  private final long now;
  private final List<QueueSnapshot<?>> queues = new ArrayList<>();
  private final List<AttemptSnapshot<?>> all = new ArrayList<>();
  /** Positions; only those of one queue are comparable. */
  private final Map<AttemptSnapshot<?>, Integer> places = new HashMap<>();

  /** @param memories what is remembered of each partition; the same for all rounds of the scheduler */
  public TakeBackRound(ClusterSnapshot cluster, List<? extends QueueSnapshot<?>> queues,
      Map<String, Memory> memories, DripfeedRuntime runtime, long now) {
    this.cluster = cluster;
    this.memories = memories;
    this.takeBack = new DriverTakeBack(cluster.scheduler, runtime);
    this.now = now;
    for (QueueSnapshot<?> queue : queues) {
      if (queue.order.settings().isTakeBack()) {
        this.queues.add(queue);
        read(queue);
      }
    }
  }

  private <S extends SchedulableEntity> void read(QueueSnapshot<S> queue) {
    for (AttemptSnapshot<S> attempt : queue.attempts) {
      if (attempt.state != State.ACCEPTED) {
        if (attempt.executors > 0 && !attempt.view.hadExecutor()) {
          queue.order.sawExecutor(attempt.item);
        }
        if (!attempt.isBlocked()) {
          attempt.view.notes().millisBlocked(false, now);
        }
        places.put(attempt, places.size());
        all.add(attempt);
      }
    }
  }

  /** Takes back one driver in each partition in which applications block each other. */
  public void run() {
    forgetThoseThatLeft();
    Set<String> partitions = new TreeSet<>(memories.keySet());
    all.stream().filter(AttemptSnapshot::isBlocked)
        .forEach(attempt -> partitions.addAll(cluster.serving(attempt.requestedPartition())));
    partitions.forEach(this::resolve);
    memories.values().removeIf(Memory::isOver);
  }

  /** With lazy preemption the driver may never end, so nobody waits for its room. */
  private void forgetThoseThatLeft() {
    boolean lazy = cluster.scheduler.getConfiguration().getLazyPreemptionEnabled();
    memories.values().forEach(memory -> memory.leaving.values().removeIf(
        driver -> lazy || !driver.isOnItsNode(cluster.scheduler)));
    // It got an executor in time.
    all.stream().filter(application -> !application.view.isTakenBack()).forEach(
        kept -> memories.values().forEach(memory -> memory.leaving.remove(kept.id())));
  }

  // Applications that block each other.

  private void resolve(String partition) {
    List<AttemptSnapshot<?>> members = all.stream().filter(one -> one.isBlocked()
        && (one.isBlockedIn(partition, cluster) || one.isDriverIn(partition, cluster)))
        .sorted(Comparator.comparing(one -> YarnAttempt.orderKeyOf(one.app, false)))
        .collect(Collectors.toList());
    Memory memory = memories.get(partition);
    if (memory == null && members.size() < 2) {
      members.forEach(member -> member.view.notes().millisBlocked(true, now));
      return;
    }
    memory = memories.computeIfAbsent(partition, p -> new Memory());
    memory.isBlocked = members.size() > 1;
    Map<Object, AttemptSnapshot<?>> byId = new LinkedHashMap<>();
    inOrder(members).forEach(member -> byId.put(member.id(), member));
    Scene scene = scene(partition, members, byId, memory);
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
  private static List<AttemptSnapshot<?>> inOrder(List<AttemptSnapshot<?>> bySubmission) {
    Map<Object, Iterator<AttemptSnapshot<?>>> byQueue = new HashMap<>();
    bySubmission.forEach(one -> byQueue.computeIfAbsent(one.queue, queue -> bySubmission.stream()
        .filter(other -> other.queue == queue)
        .sorted(Comparator.comparing(other -> YarnAttempt.orderKeyOf(other.app, isByPriority(other))))
        .iterator()));
    return bySubmission.stream().map(one -> byQueue.get(one.queue).next()).collect(Collectors.toList());
  }

  /** In fair order the priority is a weight. */
  private static boolean isByPriority(AttemptSnapshot<?> attempt) {
    return attempt.queue.configuration().isByPriority() && !attempt.queue.configuration().isFair();
  }

  private void take(AttemptSnapshot<?> taken, Container driver, Memory memory, Scene scene,
      Map<Object, AttemptSnapshot<?>> members) {
    AttemptSnapshot<?> gainer = members.get(memory.standstill.gainer().application);
    String why =
        Sentences.blocked(members.size(), gainer.application(), gainer.requests.get(0).size());
    if (takeBack.run(taken, why, now)) {
      memory.standstill.took(driver, scene, now);
      memory.leaving.put(taken.id(), new LeavingContainer(taken.driver, now));
      // Nowhere is its end the progress that a hold waits for.
      memories.values().forEach(each -> each.standstill.lost(taken.id()));
    } else {
      memory.standstill.gaveUp();
    }
  }

  private Scene scene(String partition, List<AttemptSnapshot<?>> members,
      Map<Object, AttemptSnapshot<?>> inOrder, Memory memory) {
    Map<NodeId, Node> nodes = nodes(partition);
    Map<AttemptSnapshot<?>, Blocked> blocked = new HashMap<>();
    // What goes on elsewhere matters if it may bring their executors.
    Set<String> around = new HashSet<>(Collections.singleton(partition));
    for (AttemptSnapshot<?> member : members) {
      Node node = nodes.get(member.driver.getAllocatedNode());
      Container need = null;
      if (member.isBlockedIn(partition, cluster)) {
        need = need(member, partition);
        around.addAll(cluster.serving(member.requestedPartition()));
      }
      blocked.put(member, new Blocked(member.id(), need,
          node != null && takeBack.isPossible(member)
              ? container(member, member.driver.getAllocatedResource(), node, partition, partition) : null,
          // The oldest is a last resort: it loses its driver only to one of higher priority.
          member == members.get(0) || member.view.isDriverDiscovered(), member.executors,
          member.view.notes().millisBlocked(true, now), after(member)));
    }
    List<Blocked> youngestFirst = members.stream().map(blocked::get).collect(Collectors.toList());
    Collections.reverse(youngestFirst);
    List<AttemptSnapshot<?>> ran =
        all.stream().filter(AttemptSnapshot::hadExecutor).collect(Collectors.toList());
    boolean moving = memory.isMoving(
        ran.stream().mapToLong(one -> around.stream()
            .mapToLong(each -> one.fingerprint(each, cluster)).sum()).sum(),
        ran.stream().mapToLong(TakeBackRound::after).max().orElse(0), now);
    PreemptionSearch search = new PreemptionSearch(nodes.values());
    Rivals rivals = new Rivals(cluster, partition, search, inOrder.keySet(), now);
    return new Scene(search, inOrder.values().stream().map(blocked::get).collect(Collectors.toList()),
        youngestFirst,
        (gainer, losses) -> goesElsewhere(inOrder.get(gainer.application), partition, rivals, losses),
        idsIn(partition, one -> one.hadExecutor() || one.driver != null && !one.view.isTakenBack()),
        idsIn(partition, one -> one.executors > 0 || one.hadExecutor() && !one.isBlocked()),
        moving, around.stream().anyMatch(
            each -> memories.containsKey(each) && !memories.get(each).leaving.isEmpty()));
  }

  /** Drivers that wait give up their nodes once one is taken back, because starts are held then. */
  private Map<NodeId, Node> nodes(String partition) {
    Map<NodeId, Node> nodes = new LinkedHashMap<>(cluster.nodes(partition));
    for (QueueSnapshot<?> queue : queues) {
      queue.attempts.stream()
          .filter(one -> one.state == State.ACCEPTED && partition.equals(one.partition))
          .flatMap(one -> one.app.getReservedContainers().stream())
          .forEach(driver -> nodes.computeIfPresent(
              driver.getReservedNode(), (id, node) -> node.yielding()));
    }
    return nodes;
  }

  /** The executor for which it waits, on nodes of the partition. */
  private Container need(AttemptSnapshot<?> of, String partition) {
    return container(of, of.requests.get(0).size(), null, partition, of.requestedPartition());
  }

  private Container container(
      AttemptSnapshot<?> of, Resource size, Node node, String partition, String requested) {
    return new Container(of.id(), cluster.types.amounts(size), node, cluster.reserved(of.app, partition),
        cluster.limits(of.yarnQueue, of.app.getUser(), partition, requested));
  }

  private boolean goesElsewhere(
      AttemptSnapshot<?> gainer, String partition, Rivals rivals, List<Container> losses) {
    return !losses.isEmpty() && hasRoomBeside(gainer, partition) || isBehindDemand(gainer, partition)
        || rivals.getRoomOf(gainer, losses);
  }

  /** Whether there is room for it in another partition. */
  private boolean hasRoomBeside(AttemptSnapshot<?> gainer, String partition) {
    return cluster.serving(gainer.requestedPartition()).stream().anyMatch(other -> !other.equals(partition)
        && new PreemptionSearch(cluster.nodes(other).values())
            .isPlaceable(need(gainer, other), Collections.emptyList()));
  }

  /** Those that have containers in the partition, or want their first executors there. */
  private Set<Object> idsIn(String partition, Predicate<AttemptSnapshot<?>> chosen) {
    return all.stream().filter(one -> chosen.test(one) && (one.isDriverIn(partition, cluster)
        || one.isBlockedIn(partition, cluster) || one.fingerprint(partition, cluster) != 0))
        .map(AttemptSnapshot::id).collect(Collectors.toSet());
  }

  private static long after(AttemptSnapshot<?> application) {
    return application.queue.order().settings().takeBackAfter();
  }

  /** Whether another application of its queue comes before it, and would get the room. */
  private boolean isBehindDemand(AttemptSnapshot<?> member, String partition) {
    return all.stream().anyMatch(other -> other.queue == member.queue
        && places.get(other) < places.get(member)
        // Within a priority those that block each other gain one after the other.
        && (!other.isBlocked() || isByPriority(member)
            && YarnAttempt.priorityOf(other.app) > YarnAttempt.priorityOf(member.app))
        && comesFirst(other, partition, member.requestedPartition()));
  }

  /**
   * Whether YARN stops at this application. YARN does if a request that it tries fits on an empty node, or
   * exceeds the headroom of the queue. YARN skips one at {@code max-containers}, and one without a
   * reservation whose user is above the limit. Neither limit counts on nodes that YARN lends.
   *
   * @param requested the partition for which the requests are
   */
  private boolean comesFirst(AttemptSnapshot<?> other, String partition, String requested) {
    int most = other.queue.order().settings().maxContainers();
    if (most > 0 && other.facts.containers() >= most) {
      return false;
    }
    boolean lent = !requested.equals(partition);
    QueueHeadroom headroom = new QueueHeadroom(other.yarnQueue, cluster.types);
    for (PendingRequest request : other.requests) {
      if (request.partition().equals(requested)) {
        ResourceVector size = cluster.types.amounts(request.size());
        if (cluster.partition(partition).isPossible(size) || !lent && !size.fitsIn(
            headroom.free(partition).plus(cluster.reserved(other.app, partition)))) {
          return lent || !other.isSkipped(partition, cluster);
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
    return all.stream().anyMatch(one -> one.isStarting() && one.queue != queue.queue
        && partition.equals(one.partition));
  }
}
