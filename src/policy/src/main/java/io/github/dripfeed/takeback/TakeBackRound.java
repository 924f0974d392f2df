// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.takeback.BlockedApplication;
import io.github.dripfeed.core.takeback.Loss;
import io.github.dripfeed.core.takeback.Standstill;
import io.github.dripfeed.core.takeback.TakeBackRule;
import io.github.dripfeed.observe.Sentences;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.yarn.LeavingContainer;
import io.github.dripfeed.yarn.PendingRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/** One look at all queues of a scheduler in which applications may be taken back. */
final class TakeBackRound {

  /** How long starts stay held without another round, in milliseconds: the monitor may be late. */
  private static final long HELD = 5000;

  private final CapacityScheduler scheduler;
  private final DripfeedRuntime runtime;
  private final Map<String, PartitionMemory> memories;
  private final Map<StateAwareQueue<?>, CSQueue> queues;
  private final long now;
  private final List<Application<?>> all = new ArrayList<>();
  /** The room of partitions, read once. */
  private final Map<String, RoomSnapshot> rooms = new HashMap<>();

  TakeBackRound(CapacityScheduler scheduler, DripfeedRuntime runtime,
      Map<String, PartitionMemory> memories, Map<StateAwareQueue<?>, CSQueue> queues, long now) {
    this.scheduler = scheduler;
    this.runtime = runtime;
    this.memories = memories;
    this.queues = queues;
    this.now = now;
  }

  void run() {
    queues.forEach(this::read);
    all.sort(Comparator.comparing(application -> application.submitted));
    forgetThoseThatLeft();
    Set<String> partitions = new TreeSet<>(memories.keySet());
    for (Application<?> application : all) {
      if (application.isBlocked()) {
        partitions.add(application.request().partition());
      }
    }
    partitions.forEach(this::resolveStandstill);
    queues.forEach(this::holdStarts);
    memories.values().forEach(memory -> {
      if (!memory.standstill.isHolding()) {
        memory.held.clear();
      }
    });
    memories.values().removeIf(PartitionMemory::isOver);
  }

  // Reading.

  private <S extends SchedulableEntity> void read(StateAwareQueue<S> queue, CSQueue yarnQueue) {
    QueueOrder<S> order = queue.order();
    int place = 0;
    for (S item : order.items()) {
      AttemptView<S> view = order.view(item);
      if (view != null && view.state() != State.ACCEPTED) {
        read(queue, yarnQueue, view, place);
      }
      place++;
    }
  }

  private <S extends SchedulableEntity> void read(
      StateAwareQueue<S> queue, CSQueue yarnQueue, AttemptView<S> view, int place) {
    try {
      Application<S> application = new Application<>(queue, yarnQueue, view, place);
      if (application.executors > 0 && !view.hadExecutor()) {
        queue.order().sawExecutor(application.item);
      }
      if (!application.isBlocked()) {
        view.notes().millisBlocked(false, now);
      }
      all.add(application);
    } catch (RuntimeException | LinkageError e) {
      // It has ended, or its facts cannot be read, which the order reports: it is left alone.
      view.notes().millisBlocked(false, now);
    }
  }

  // Drivers that were taken back.

  /** With lazy preemption a driver goes on until somebody else needs its room: nobody waits for that. */
  private void forgetThoseThatLeft() {
    boolean lazy = scheduler.getConfiguration().getLazyPreemptionEnabled();
    for (PartitionMemory memory : memories.values()) {
      memory.leaving.values().removeIf(driver -> lazy || !driver.isOnItsNode(scheduler, now));
    }
    for (Application<?> application : all) {
      if (!application.view.isTakenBack()) {
        // It got an executor in time.
        memories.values().forEach(memory -> memory.leaving.remove(application.id()));
      }
    }
  }

  private boolean isRoomComing(String partition) {
    PartitionMemory memory = memories.get(partition);
    return memory != null && !memory.leaving.isEmpty();
  }

  private void took(Application<?> taken, PartitionMemory memory) {
    memory.leaving.put(taken.id(), new LeavingContainer(taken.driver, now));
    // It is taken back: nowhere is its end the progress that a hold waits for.
    memories.values().forEach(each -> each.standstill.lost(taken.id()));
  }

  // Applications that block each other.

  private void resolveStandstill(String partition) {
    List<Application<?>> members = members(partition);
    PartitionMemory memory = memories.get(partition);
    if (memory == null && members.size() < 2) {
      members.forEach(member -> member.view.notes().millisBlocked(true, now));
      return;
    }
    if (memory == null) {
      memory = new PartitionMemory();
      memories.put(partition, memory);
    }
    RoomSnapshot room = room(partition);
    Standstill.Scene scene = scene(members, room, partition);
    Loss loss = memory.standstill.next(scene, new TakeBackRule(room.nodes()), now);
    if (loss != null) {
      take(loss, memory, scene, members);
    }
  }

  private RoomSnapshot room(String partition) {
    return rooms.computeIfAbsent(partition, each -> new RoomSnapshot(scheduler, each));
  }

  private void take(Loss loss, PartitionMemory memory, Standstill.Scene scene,
      List<Application<?>> members) {
    Application<?> taken = find(members, loss.application());
    Application<?> gainer = find(members, memory.standstill.gainer());
    String why = Sentences.blocked(
        members.size(), gainer.app.getApplicationId(), gainer.request().size());
    if (new DriverTakeBack(scheduler, runtime).run(taken, why, now)) {
      memory.standstill.took(loss, scene, now);
      took(taken, memory);
      members.forEach(member -> memory.held.add(member.yarnQueue.getQueuePath()));
    } else {
      memory.standstill.gaveUp();
    }
  }

  private static Application<?> find(List<Application<?>> applications, Object id) {
    return applications.stream().filter(application -> application.id().equals(id)).findFirst()
        .orElseThrow(() -> new IllegalStateException("Not among the applications: " + id));
  }

  /** The blocked applications that wait for room in the partition, or whose drivers hold some. */
  private List<Application<?>> members(String partition) {
    return among(application -> application.queue.order().settings().isTakeBack()
        && application.isBlocked() && !application.view.isTakenBack()
        && (application.request().partition().equals(partition) || isDriverIn(application, partition)));
  }

  private List<Application<?>> among(Predicate<Application<?>> chosen) {
    return all.stream().filter(chosen).collect(Collectors.toCollection(ArrayList::new));
  }

  /** False also if the node of its driver is gone. */
  private boolean isDriverIn(Application<?> application, String partition) {
    FiCaSchedulerNode node = application.driver == null ? null
        : scheduler.getNode(application.driver.getAllocatedNode());
    return node != null && partition.equals(node.getPartition());
  }

  private Standstill.Scene scene(List<Application<?>> members, RoomSnapshot room, String partition) {
    List<BlockedApplication> blocked = new ArrayList<>();
    for (Application<?> member : members) {
      PendingRequest request = member.request();
      BlockedApplication each = new BlockedApplication(member.id(),
          request.partition().equals(partition) ? room.need(member, request) : null,
          member.mayLoseDriver(scheduler) ? room.loss(member) : null, member.view.isDriverDiscovered())
          .since(member.view.notes().millisBlocked(true, now), after(member)).with(member.executors);
      blocked.add(isBehindDemand(member, room) ? each.behindDemand() : each);
    }
    boolean moving = false;
    for (Application<?> application : all) {
      if (application.isProgressing() && application.queue.order().settings().isTakeBack()) {
        moving |= application.view.notes().millisUnchanged(
            partition, application.fingerprint(partition, scheduler), now) < after(application);
      }
    }
    return new Standstill.Scene(
        blocked, present(partition), running(partition), moving, isRoomComing(partition));
  }

  /** The applications of the partition that have their drivers and keep them, or had executors. */
  private Set<Object> present(String partition) {
    Set<Object> present = running(partition);
    present.addAll(idsIn(partition,
        application -> application.hasDriver() && !application.view.isTakenBack()));
    return present;
  }

  /** The applications of the partition that have executors, or had some. */
  private Set<Object> running(String partition) {
    return idsIn(partition, Application::isProgressing);
  }

  private Set<Object> idsIn(String partition, Predicate<Application<?>> chosen) {
    return all.stream().filter(application -> chosen.test(application) && isIn(application, partition))
        .map(Application::id).collect(Collectors.toCollection(HashSet::new));
  }

  /** Whether it has its driver, its first executors or other containers in the partition, or wants them. */
  private boolean isIn(Application<?> application, String partition) {
    return isDriverIn(application, partition)
        || application.isBlocked() && application.request().partition().equals(partition)
        || application.fingerprint(partition, scheduler) != 0;
  }

  private static long after(Application<?> application) {
    return application.queue.order().settings().takeBack().after();
  }

  /** Whether another application of its queue comes before it, and would get the room. */
  private boolean isBehindDemand(Application<?> member, RoomSnapshot room) {
    return all.stream().anyMatch(other -> other.queue == member.queue && other.place < member.place
        && !other.isBlocked() && !other.isAtMaxContainers() && room.comesFirst(other)
        && !room.isSkipped(other));
  }

  // Starts after a take-back.

  private void holdStarts(StateAwareQueue<?> queue, CSQueue yarnQueue) {
    String path = yarnQueue.getQueuePath();
    memories.forEach((partition, memory) -> {
      if (memory.held.contains(path)) {
        if (memory.standstill.isHolding()) {
          queue.order().holdStarts(
              partition, isAnyStartingBeside(queue, partition, memory), now + HELD);
        } else {
          queue.order().releaseStarts(partition);
        }
      }
    });
  }

  private boolean isAnyStartingBeside(
      StateAwareQueue<?> queue, String partition, PartitionMemory memory) {
    return all.stream().anyMatch(application -> application.state == State.STARTING
        && application.queue != queue && partition.equals(application.facts.partition())
        && memory.held.contains(application.yarnQueue.getQueuePath()));
  }
}
