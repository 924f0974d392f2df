// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.admission.Arrival;
import io.github.dripfeed.core.admission.OrderKey;
import io.github.dripfeed.core.admission.StartingGroup;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.fixture.ModelListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A cluster with memory and GPUs, partitions, queues below parents, and users with limits. Its scheduler
 * gives each node's free resources to the offered applications of the queue that uses least; the orders,
 * the plan, and take-back are the real ones. A step is a second, with a heartbeat of each node.
 */
final class ModelCluster extends ModelListener<ModelAttempt> {

  /** Memory and GPUs. */
  static final int TYPES = 2;

  /** The room of a driver that was taken back, which its node has not freed yet. */
  private static final class ComingRoom {
    final ModelNode node;
    final ResourceVector size;
    final int from;

    ComingRoom(ModelNode node, ResourceVector size, int from) {
      this.node = node;
      this.size = size;
      this.from = from;
    }
  }

  final Random random;
  final List<ModelNode> nodes = new ArrayList<>();
  final List<ModelQueue> queues = new ArrayList<>();
  final List<ModelJob> jobs = new ArrayList<>();
  final List<ModelAttempt> attempts = new ArrayList<>();
  private final StartingGroup<ModelAttempt> group = new StartingGroup<>("auto", false);
  private final List<ComingRoom> coming = new ArrayList<>();
  private final ModelPlan plan;
  private final ModelTakeBack takeBack;
  int now;
  int takenBack;
  private final int perHeartbeat;
  /** When an application that ends got or released a container, or began to request executors. */
  int lastEvent;
  int longestQuiet;

  /** @param perHeartbeat the most containers that a node gets at a time; one is YARN's default */
  ModelCluster(Random random, int perHeartbeat) {
    this.random = random;
    this.perHeartbeat = perHeartbeat;
    this.plan = new ModelPlan(this);
    this.takeBack = new ModelTakeBack(this);
  }

  long millis() {
    return now * 1000L;
  }

  void add(ModelQueue queue) {
    queue.order.join(group);
    queues.add(queue);
  }

  void submit(ModelJob job) {
    jobs.add(job);
    newAttempt(job);
  }

  private void newAttempt(ModelJob job) {
    ModelAttempt attempt = new ModelAttempt(job, this);
    // The only end before the last one is that its driver was taken back.
    job.history.add(attempt.number, attempt.history, number -> false);
    attempts.add(attempt);
    job.queue.order.add(attempt, attempt, new Arrival(
        new OrderKey(0, 0, 1, job.number, attempt.number), job.queue.order.settings().attempts(),
        attempt.history, false), millis());
  }

  /**
   * The driver is preempted. The attempt ends in the next step.
   *
   * @param stopping the seconds until the node reports that, which makes the room free
   */
  void preempt(ModelAttempt attempt, int stopping) {
    attempt.gone = now + 1;
    coming.add(new ComingRoom(attempt.driverNode, attempt.job.sizes.driver, now + stopping));
    attempt.job.takenBack++;
    takenBack++;
    event(attempt.job);
  }

  /** The node is lost with its containers; a driver that is lost counts as no failed attempt. */
  void lose(ModelNode node) {
    nodes.remove(node);
    coming.removeIf(room -> room.node == node);
    for (ModelAttempt attempt : new ArrayList<>(attempts)) {
      if (attempt.driverNode == node && attempt.gone == 0) {
        leave(attempt);
        attempt.job.maxAttempts++;
        newAttempt(attempt.job);
      } else {
        new ArrayList<>(attempt.executors).stream().filter(executor -> executor.node == node)
            .forEach(executor -> release(attempt, executor));
      }
    }
  }

  Stream<ModelNode> nodesIn(String partition) {
    return nodes.stream().filter(node -> node.partition.equals(partition));
  }

  /** What such applications hold on such nodes. */
  ResourceVector held(Predicate<ModelNode> where, Predicate<ModelAttempt> of) {
    ResourceSum held = new ResourceSum(TYPES);
    for (ModelAttempt attempt : attempts) {
      if (of.test(attempt)) {
        if (attempt.driverNode != null && where.test(attempt.driverNode)) {
          held.add(attempt.job.sizes.driver);
        }
        attempt.executors.stream().filter(executor -> where.test(executor.node))
            .forEach(executor -> held.add(attempt.job.sizes.executor));
      }
    }
    return held.toVector();
  }

  boolean isRoomComing(String partition) {
    return coming.stream().anyMatch(room -> room.node.partition.equals(partition));
  }

  private void event(ModelJob job) {
    if (job.ends()) {
      if (now - lastEvent > longestQuiet) {
        longestQuiet = now - lastEvent;
      }
      lastEvent = now;
    }
  }

  /** @param monitor whether the monitor is on time */
  void step(boolean monitor) {
    now++;
    for (ModelAttempt attempt : new ArrayList<>(attempts)) {
      work(attempt);
    }
    coming.removeIf(room -> {
      if (room.from <= now) {
        room.node.free = room.node.free.plus(room.size);
      }
      return room.from <= now;
    });
    if (monitor) {
      for (ModelQueue queue : queues) {
        queue.order.tick(millis());
      }
      takeBack.run();
      plan.run();
    }
    List<ModelNode> beating = new ArrayList<>(nodes);
    Collections.shuffle(beating, random);
    beating.forEach(this::heartbeat);
    assertNoFailure();
  }

  private void work(ModelAttempt attempt) {
    if (attempt.gone > 0) {
      if (attempt.gone <= now) {
        leave(attempt);
        attempt.driverNode.free = attempt.driverNode.free.minus(attempt.job.sizes.driver);
        newAttempt(attempt.job);
      }
      return;
    }
    if (attempt.driverNode != null && attempt.startsUntil == now
        || attempt.driverNode == null && isBackOffOver(attempt)) {
      event(attempt.job);
    }
    for (ModelAttempt.Executor executor : new ArrayList<>(attempt.executors)) {
      if (executor.until <= now) {
        event(attempt.job);
        executor.until = now + attempt.job.work;
        if (attempt.finishes()) {
          release(attempt, executor);
        }
      }
    }
    if (attempt.isOver()) {
      leave(attempt);
      attempt.job.ended = true;
    }
  }

  private boolean isBackOffOver(ModelAttempt attempt) {
    return attempt.job.queue.order.view(attempt).takeBacks().millisLeft(millis() - 1000) > 0
        && attempt.job.queue.order.view(attempt).takeBacks().millisLeft(millis()) == 0;
  }

  private void leave(ModelAttempt attempt) {
    ModelJob job = attempt.job;
    new ArrayList<>(attempt.executors).forEach(executor -> release(attempt, executor));
    giveBack(attempt, attempt.driverNode, job.sizes.driver);
    job.queue.order.driverReleased(attempt, attempt.driverNode.partition::toString);
    job.queue.order.remove(attempt, millis());
    attempts.remove(attempt);
    event(job);
  }

  private void release(ModelAttempt attempt, ModelAttempt.Executor executor) {
    attempt.executors.remove(executor);
    giveBack(attempt, executor.node, attempt.job.sizes.executor);
    attempt.job.queue.order.executorReleased(attempt, executor.node.partition::toString, millis());
  }

  /** What is lost with a node, or taken back, does not usually come free. */
  private void giveBack(ModelAttempt attempt, ModelNode node, ResourceVector size) {
    give(attempt, node, size, -1);
    if (attempt.gone == 0 && nodes.contains(node)) {
      attempt.job.queue.memory.releases().add(node.partition, size, millis());
    }
  }

  private void give(ModelAttempt attempt, ModelNode node, ResourceVector size, int times) {
    ResourceVector amounts = size.times(times);
    node.free = node.free.minus(amounts);
    attempt.job.queue.use(attempt.job.user, node.partition, amounts);
    attempt.changes++;
  }

  /** Allocates as many containers as fit and as a heartbeat may get, one offer at a time. */
  private void heartbeat(ModelNode node) {
    boolean placed = true;
    for (int containers = 0; placed && containers < perHeartbeat; containers++) {
      placed = false;
      List<ModelQueue> inTurn = new ArrayList<>(queues);
      inTurn.sort(Comparator.comparing(queue -> queue.share(node.partition)));
      for (ModelQueue queue : inTurn) {
        for (Iterator<ModelAttempt> offered =
            queue.order.assignmentIterator(node.partition, this::millis); offered.hasNext() && !placed;) {
          placed = place(offered.next(), node);
        }
      }
    }
  }

  private boolean place(ModelAttempt attempt, ModelNode node) {
    ResourceVector size = attempt.requestedSize();
    if (attempt.pending() <= 0 || !attempt.requestedPartition().equals(node.partition)
        || !size.fitsIn(node.free) || attempt.isSkipped()) {
      return false;
    }
    for (ModelLevel level : attempt.job.queue.level.path()) {
      if (!size.fitsIn(level.free(node.partition))) {
        return false;
      }
    }
    give(attempt, node, size, 1);
    event(attempt.job);
    if (attempt.driverNode == null) {
      attempt.driverNode = node;
      attempt.startsUntil = now + attempt.job.startUp;
    } else {
      attempt.executors.add(new ModelAttempt.Executor(node, now + attempt.job.work));
    }
    attempt.job.queue.order.containerAllocated(attempt, () -> node.partition, millis());
    return true;
  }

  boolean isOver() {
    return jobs.stream().allMatch(job -> job.ended || !job.ends());
  }

  /** What keeps it from going on, for the message of a failure. */
  String describe() {
    StringBuilder text = new StringBuilder("after " + now + " s, longest quiet " + longestQuiet + ":\n");
    nodes.forEach(node -> text.append(node).append(" free ").append(node.free).append('\n'));
    queues.forEach(queue -> text.append(queue.level.name).append(" below ")
        .append(queue.level.parent.name).append(": ").append(queue.level.free("")).append(" of ")
        .append(queue.level.maximum("")).append(' ').append(queue.order.lines(millis()).size())
        .append(" lines\n"));
    attempts.stream().sorted(Comparator.comparing(attempt -> attempt.job.number))
        .filter(attempt -> attempt.driverNode != null || attempt.job.number % 5 == 0)
        .forEach(attempt -> text.append(attempt).append('\n'));
    return text.toString();
  }
}
