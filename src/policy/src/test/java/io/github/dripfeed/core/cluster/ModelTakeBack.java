// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.core.takeback.Blocked;
import io.github.dripfeed.core.takeback.Scene;
import io.github.dripfeed.core.takeback.Standstill;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Takes back starting applications of the model, as {@code TakeBackRound} does for those of YARN. */
final class ModelTakeBack {

  private static final long HELD = 5000;
  /** From the loss of a driver until its room is free, in seconds, at most. */
  static final int STOPPING = 2;

  private static final class Memory {
    final Standstill standstill = new Standstill();
    /** The number that blocked each other when the first was taken back, and how many were since. */
    int blocked;
    int taken;
    boolean isBlocked;
    long changes;
    long since;
  }

  private final ModelCluster cluster;
  private final Map<String, Memory> memories = new TreeMap<>();
  private Map<ModelNode, Node> nodes;
  private Map<String, Limit> limits;
  private List<ModelAttempt> all;

  ModelTakeBack(ModelCluster cluster) {
    this.cluster = cluster;
  }

  void run() {
    all = new ArrayList<>();
    for (ModelAttempt attempt : cluster.attempts) {
      AttemptView<ModelAttempt> view = view(attempt);
      if (attempt.job.queue.order.settings().isTakeBack() && view.state() != State.ACCEPTED) {
        if (attempt.liveExecutors() > 0 && !view.hadExecutor()) {
          attempt.job.queue.order.sawExecutor(attempt);
        }
        if (!isBlocked(attempt)) {
          view.notes().millisBlocked(false, cluster.millis());
        }
        all.add(attempt);
      }
    }
    all.sort(Comparator.comparing(attempt -> attempt.job.number));
    Set<String> partitions = new TreeSet<>(memories.keySet());
    all.stream().filter(this::isBlocked)
        .forEach(attempt -> partitions.add(attempt.job.sizes.executorPartition));
    partitions.forEach(this::resolve);
    cluster.queues.forEach(this::holdStarts);
    memories.values().removeIf(memory -> memory.standstill.isOver() && !memory.isBlocked);
  }

  private static AttemptView<ModelAttempt> view(ModelAttempt attempt) {
    return attempt.job.queue.order.view(attempt);
  }

  private boolean isBlocked(ModelAttempt attempt) {
    AttemptView<ModelAttempt> view = view(attempt);
    return attempt.driverNode != null && attempt.pending() > 0
        && attempt.liveExecutors() < view.settings().minExecutors()
        && (view.state() == State.STARTING || attempt.liveExecutors() == 0) && !view.isTakenBack();
  }

  private static boolean hadExecutor(ModelAttempt attempt) {
    return attempt.liveExecutors() > 0 || view(attempt).hadExecutor();
  }

  private boolean mayLoseDriver(ModelAttempt attempt) {
    return isBlocked(attempt) && !hadExecutor(attempt) && attempt.hasAttemptLeft();
  }

  private void resolve(String partition) {
    List<ModelAttempt> members = new ArrayList<>();
    for (ModelAttempt attempt : all) {
      if (isBlocked(attempt) && (attempt.job.sizes.executorPartition.equals(partition)
          || attempt.driverNode.partition.equals(partition))) {
        members.add(attempt);
      }
    }
    Memory memory = memories.get(partition);
    if (memory == null && members.size() < 2) {
      members.forEach(member -> view(member).notes().millisBlocked(true, cluster.millis()));
      return;
    }
    if (memory == null) {
      memory = new Memory();
      memories.put(partition, memory);
    }
    nodes = new HashMap<>();
    limits = new HashMap<>();
    for (ModelNode node : cluster.nodes) {
      if (node.partition.equals(partition)) {
        nodes.put(node, new Node(node.free, null));
      }
    }
    memory.isBlocked = members.size() > 1;
    Scene scene = scene(members, partition, memory);
    Object gainer = memory.standstill.gainer();
    Container loss = memory.standstill.next(scene, cluster.millis());
    if (loss != null) {
      if (gainer == null) {
        memory.blocked = members.size();
        memory.taken = 0;
      }
      memory.taken++;
      assertThat(memory.taken).as("drivers taken back for one").isLessThan(memory.blocked);
      take((ModelAttempt) loss.application, members);
      memory.standstill.took(loss, scene, cluster.millis());
    }
  }

  private void take(ModelAttempt taken, List<ModelAttempt> members) {
    assertThat(taken.hasAttemptLeft()).as("%s has an attempt left", taken).isTrue();
    assertThat(taken.liveExecutors()).as("%s has no executor", taken).isZero();
    assertThat(taken).as("the oldest").isNotSameAs(members.get(0));
    taken.job.queue.order.takenBack(taken, "test", 0, cluster.millis());
    cluster.preempt(taken, 1 + cluster.random.nextInt(STOPPING));
  }

  private Scene scene(List<ModelAttempt> members, String partition, Memory memory) {
    List<Blocked> blocked = new ArrayList<>();
    for (ModelAttempt member : members) {
      blocked.add(new Blocked(member,
          member.job.sizes.executorPartition.equals(partition)
              ? container(member, member.job.sizes.executor, null) : null,
          mayLoseDriver(member) ? driver(member) : null, false, member.liveExecutors(),
          view(member).notes().millisBlocked(true, cluster.millis()), after(member)));
    }
    List<Blocked> youngestFirst = new ArrayList<>(blocked);
    Collections.reverse(youngestFirst);
    Set<Object> present = new HashSet<>();
    Set<Object> running = new HashSet<>();
    long changes = 0;
    long after = 0;
    for (ModelAttempt attempt : all) {
      if (!view(attempt).isTakenBack()) {
        present.add(attempt);
      }
      if (hadExecutor(attempt)) {
        if (!isBlocked(attempt)) {
          running.add(attempt);
        }
        changes += attempt.job.sizes.executorPartition.equals(partition)
            ? (attempt.changes + 1) * (attempt.job.number + 1_000_003L) : 0;
        after = Math.max(after, after(attempt));
      }
    }
    memory.since = changes == memory.changes ? memory.since : cluster.millis();
    memory.changes = changes;
    return new Scene(new PreemptionSearch(nodes.values()), blocked, youngestFirst,
        (gainer, losses) -> isBehindDemand((ModelAttempt) gainer.application, partition),
        present, running, changes != 0 && cluster.millis() - memory.since < after,
        cluster.isRoomComing(partition));
  }

  private static long after(ModelAttempt attempt) {
    return attempt.job.queue.order.settings().takeBackAfter();
  }

  private boolean isBehindDemand(ModelAttempt member, String partition) {
    for (ModelAttempt other : all) {
      if (other.job.queue == member.job.queue && other.job.number < member.job.number
          && !isBlocked(other) && other.hasOutstandingRequest(partition) && !other.isSkipped()) {
        return true;
      }
    }
    return false;
  }

  private Container driver(ModelAttempt attempt) {
    Node node = nodes.get(attempt.driverNode);
    return node == null ? null : container(attempt, attempt.job.sizes.driver, node);
  }

  private Container container(ModelAttempt attempt, ResourceVector size, Node node) {
    return new Container(
        attempt, size, node, ResourceVector.zero(ModelCluster.TYPES), limits(attempt));
  }

  private List<Limit> limits(ModelAttempt attempt) {
    String partition = nodes.keySet().iterator().next().partition;
    List<Limit> found = new ArrayList<>();
    for (ModelLevel level : attempt.job.queue.level.path()) {
      found.add(limits.computeIfAbsent(level.name, n -> Limit.ofQueue(level.free(partition))));
    }
    ModelQueue queue = attempt.job.queue;
    String user = attempt.job.user;
    found.add(limits.computeIfAbsent(queue.level.name + " " + user, key -> Limit.ofUser(
        released -> !queue.usedBy(user, partition).minus(released)
            .fitsIn(queue.userLimit))));
    return found;
  }

  private void holdStarts(ModelQueue queue) {
    memories.forEach((partition, memory) -> {
      if (memory.standstill.isHolding()) {
        boolean others = all.stream().anyMatch(attempt -> attempt.history.state() == State.STARTING
            && attempt.job.queue != queue);
        queue.order.holdStarts(partition, others, cluster.millis() + HELD);
      } else {
        queue.order.releaseStarts(partition);
      }
    });
  }
}
