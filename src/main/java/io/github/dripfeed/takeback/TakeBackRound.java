/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.admission.AdmissionLineView;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.takeback.BlockedApplication;
import io.github.dripfeed.core.takeback.Loss;
import io.github.dripfeed.core.takeback.LossPlan;
import io.github.dripfeed.core.takeback.Standstill;
import io.github.dripfeed.core.takeback.TakeBackRule;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.yarn.PendingRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.apache.hadoop.yarn.util.resource.Resources;

/** One look at all queues of a scheduler in which applications may be taken back. */
final class TakeBackRound {

  /** How long starts stay held without another round, in milliseconds: the monitor may be late. */
  private static final long HELD = 5000;
  /** How many waiting applications of a line are considered for the room of one whose time is over. */
  private static final int MOST_WAITING = 20;

  private final CapacityScheduler scheduler;
  private final DripfeedRuntime runtime;
  private final Map<String, PartitionMemory> memories;
  private final Map<TakeBackQueue<?>, CSQueue> queues;
  /** More than this no node has. */
  private final Resource largest;
  private final long now;
  private final List<Application<?>> all = new ArrayList<>();
  /** The room of partitions as it was read last; read again once a driver is taken back. */
  private final Map<String, RoomSnapshot> rooms = new HashMap<>();
  /**
   * For whom the applications with these ids are taken back in this round, at the end of their
   * starting-timeout. The scheduler ends the drivers later, so room that is read again may not be free yet.
   */
  private final Map<Object, Application<?>> taking = new HashMap<>();

  TakeBackRound(CapacityScheduler scheduler, DripfeedRuntime runtime,
      Map<String, PartitionMemory> memories, Map<TakeBackQueue<?>, CSQueue> queues, long now) {
    this.scheduler = scheduler;
    this.runtime = runtime;
    this.memories = memories;
    this.queues = queues;
    this.largest = scheduler.getMaximumResourceCapability();
    this.now = now;
  }

  void run() {
    queues.forEach(this::read);
    all.sort(Comparator.comparing(application -> application.submitted));
    resolveTimeouts();
    Set<String> partitions = new TreeSet<>(memories.keySet());
    for (Application<?> application : all) {
      if (application.isBlocked()) {
        partitions.add(application.request().partition());
      }
    }
    for (String partition : partitions) {
      resolveStandstill(partition);
    }
    queues.forEach(this::holdStarts);
    memories.values().forEach(memory -> {
      if (!memory.standstill.isHolding()) {
        memory.held.clear();
      }
    });
    memories.values().removeIf(memory -> memory.standstill.isOver());
  }

  // Reading.

  private <S extends SchedulableEntity> void read(TakeBackQueue<S> queue, CSQueue yarnQueue) {
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
      TakeBackQueue<S> queue, CSQueue yarnQueue, AttemptView<S> view, int place) {
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
    RoomSnapshot room = new RoomSnapshot(scheduler, partition);
    Standstill.Scene scene = scene(members, room, partition);
    Loss loss = memory.standstill.next(scene, new TakeBackRule(room.nodes()), now);
    if (loss != null) {
      take(loss, memory, scene, members);
    }
  }

  private void take(Loss loss, PartitionMemory memory, Standstill.Scene scene,
      List<Application<?>> members) {
    Application<?> taken = find(members, loss.application());
    Application<?> gainer = find(members, memory.standstill.gainer());
    String why = members.size() + " starting applications block each other, and with its room "
        + gainer.app.getApplicationId() + " gets an executor of " + gainer.request().size();
    if (new DriverTakeBack(scheduler, runtime).run(taken, why, now)) {
      memory.standstill.took(loss, scene, now);
      members.forEach(member -> memory.held.add(member.yarnQueue.getQueuePath()));
    } else {
      memory.standstill.gaveUp();
    }
  }

  private static Application<?> find(List<Application<?>> applications, Object id) {
    for (Application<?> application : applications) {
      if (application.id().equals(id)) {
        return application;
      }
    }
    throw new IllegalStateException("Not among the applications: " + id);
  }

  /** The blocked applications that wait for room in the partition, or whose drivers hold some. */
  private List<Application<?>> members(String partition) {
    List<Application<?>> members = new ArrayList<>();
    for (Application<?> application : all) {
      if (application.queue.order().settings().isTakeBack() && application.isBlocked()
          && !application.view.isTakenBack() && (application.request().partition().equals(partition)
              || isIn(application.driver, partition))) {
        members.add(application);
      }
    }
    return members;
  }

  private boolean isIn(RMContainer container, String partition) {
    FiCaSchedulerNode node = scheduler.getNode(container.getAllocatedNode());
    return node != null && node.getPartition().equals(partition);
  }

  private Standstill.Scene scene(List<Application<?>> members, RoomSnapshot room, String partition) {
    List<BlockedApplication> blocked = new ArrayList<>();
    for (Application<?> member : members) {
      PendingRequest request = member.request();
      BlockedApplication each = new BlockedApplication(member.id(),
          request.partition().equals(partition) ? room.need(member, request) : null,
          member.mayLoseDriver(scheduler) ? room.loss(member) : null, member.view.isDriverDiscovered())
          .since(member.view.notes().millisBlocked(true, now), after(member)).with(member.executors);
      blocked.add(isBehindDemand(member, partition) ? each.behindDemand() : each);
    }
    Set<Object> present = new HashSet<>();
    Set<Object> running = new HashSet<>();
    boolean moving = false;
    for (Application<?> application : all) {
      if (application.hasDriver()) {
        present.add(application.id());
      }
      if (application.isProgressing()) {
        running.add(application.id());
      }
      if (application.isProgressing() && application.queue.order().settings().isTakeBack()) {
        moving |= application.view.notes().millisUnchanged(
            partition, application.fingerprint(partition, scheduler), now) < after(application);
      }
    }
    return new Standstill.Scene(blocked, present, running, moving);
  }

  private static long after(Application<?> application) {
    return application.queue.order().settings().takeBack().after();
  }

  /** Whether another application of its queue comes before it, and would get the room. */
  private boolean isBehindDemand(Application<?> member, String partition) {
    for (Application<?> other : all) {
      if (other.queue == member.queue && other.place < member.place && !other.isBlocked()
          && !other.isAtMaxContainers() && isAnyPlaceable(other.requests, partition)
          && !other.facts.isSkipped()) {
        return true;
      }
    }
    return false;
  }

  /** Whether any of these is for the partition, and not larger than every node. */
  private boolean isAnyPlaceable(List<PendingRequest> requests, String partition) {
    for (PendingRequest request : requests) {
      if (request.partition().equals(partition) && Resources.fitsIn(scheduler.getResourceCalculator(),
          request.size(), largest)) {
        return true;
      }
    }
    return false;
  }

  // Starts after a take-back.

  private void holdStarts(TakeBackQueue<?> queue, CSQueue yarnQueue) {
    String path = yarnQueue.getQueuePath();
    memories.forEach((partition, memory) -> {
      if (memory.held.contains(path)) {
        if (memory.standstill.isHolding()) {
          queue.order().holdStarts(partition, isAnyStartingBeside(queue, memory), now + HELD);
        } else {
          queue.order().releaseStarts(partition);
        }
      }
    });
  }

  private boolean isAnyStartingBeside(TakeBackQueue<?> queue, PartitionMemory memory) {
    for (Application<?> application : all) {
      if (application.state == State.STARTING && application.queue != queue
          && memory.held.contains(application.yarnQueue.getQueuePath())) {
        return true;
      }
    }
    return false;
  }

  // Applications whose starting time is over.

  private void resolveTimeouts() {
    List<Application<?>> overdue = new ArrayList<>();
    for (Application<?> application : all) {
      if (isOver(application)) {
        overdue.add(application);
      }
    }
    // Youngest first.
    Collections.reverse(overdue);
    List<Application<?>> candidates = new ArrayList<>(overdue);
    // One that was starting before a restart may have had executors.
    candidates.removeIf(each -> !each.mayLoseDriver(scheduler) || each.view.isDriverDiscovered());
    List<Application<?>> waiting =
        candidates.isEmpty() ? Collections.<Application<?>>emptyList() : waiting();
    for (Application<?> application : overdue) {
      // One for which others are taken back gets their room.
      boolean taken = application.view.isTakenBack() || candidates.contains(application)
          && !taking.containsValue(application) && takeAtTimeout(application, candidates, waiting);
      if (!taken) {
        promote(application);
      }
    }
  }

  private <S extends SchedulableEntity> boolean isOver(Application<S> application) {
    return application.queue.order().settings().takeBack().isAtTimeout()
        && application.queue.order().isTimeoutDecisionAwaited(application.item, now);
  }

  private <S extends SchedulableEntity> void promote(Application<S> application) {
    application.queue.order().promote(application.item, now);
  }

  private boolean takeAtTimeout(Application<?> application, List<Application<?>> candidates,
      List<Application<?>> waiting) {
    FiCaSchedulerNode node = scheduler.getNode(application.driver.getAllocatedNode());
    if (node == null) {
      return false;
    }
    if (taking.containsKey(application.id())) {
      return takeFor(taking.get(application.id()), application, node.getPartition());
    }
    RoomSnapshot room =
        rooms.computeIfAbsent(node.getPartition(), each -> new RoomSnapshot(scheduler, each));
    List<Loss> losses = new ArrayList<>();
    for (Application<?> candidate : candidates) {
      Loss loss = candidate.view.isTakenBack() ? null : room.loss(candidate);
      if (loss != null) {
        losses.add(loss);
      }
    }
    for (Application<?> other : waiting) {
      for (PendingRequest request : other.requests) {
        if (other == application || taking.containsValue(other) || other.view.isTakenBack()
            || !request.partition().equals(node.getPartition())) {
          continue;
        }
        List<Loss> enough = new LossPlan(room.nodes()).enough(room.need(other, request), losses);
        if (isLost(application, enough)) {
          boolean taken = takeFor(other, application, node.getPartition());
          if (taken) {
            enough.forEach(loss -> taking.put(loss.application(), other));
          }
          return taken;
        }
      }
    }
    return false;
  }

  private static boolean isLost(Application<?> application, List<Loss> losses) {
    if (losses != null) {
      for (Loss loss : losses) {
        if (loss.application().equals(application.id())) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean takeFor(Application<?> other, Application<?> application, String partition) {
    String why = "its starting-timeout is over, it has no executor, and " + other.app.getApplicationId()
        + " waits for the room that it holds";
    if (!new DriverTakeBack(scheduler, runtime).run(application, why, now)) {
      return false;
    }
    rooms.clear();
    PartitionMemory memory = memories.computeIfAbsent(partition, p -> new PartitionMemory());
    memory.held.add(application.yarnQueue.getQueuePath());
    memory.standstill.hold(application.id(), scene(members(partition),
        new RoomSnapshot(scheduler, partition), partition));
    return true;
  }

  /** Those with a driver that request more, and the first ones of each line. */
  private List<Application<?>> waiting() {
    List<Application<?>> waiting = new ArrayList<>();
    for (Application<?> application : all) {
      if (!application.requests.isEmpty() && !application.view.isTakenBack()
          && !application.isAtMaxContainers()) {
        waiting.add(application);
      }
    }
    queues.forEach((queue, yarnQueue) -> addHeads(queue, yarnQueue, waiting));
    return waiting;
  }

  private <S extends SchedulableEntity> void addHeads(
      TakeBackQueue<S> queue, CSQueue yarnQueue, List<Application<?>> waiting) {
    for (AdmissionLineView<S> line : queue.order().lines(now)) {
      int heads = 0;
      for (AttemptView<S> view : line.waiting()) {
        if (heads++ == MOST_WAITING) {
          break;
        }
        if (!view.isBackingOff(now)) {
          addHead(queue, yarnQueue, view, waiting);
        }
      }
    }
  }

  private static <S extends SchedulableEntity> void addHead(
      TakeBackQueue<S> queue, CSQueue yarnQueue, AttemptView<S> view, List<Application<?>> waiting) {
    try {
      waiting.add(new Application<>(queue, yarnQueue, view, 0));
    } catch (RuntimeException | LinkageError e) {
      // It has ended, or its facts cannot be read: nobody is taken back for it.
    }
  }
}
