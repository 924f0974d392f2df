// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.QueueSettings;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.headroom.ClaimTotal;
import io.github.dripfeed.core.headroom.Demand;
import io.github.dripfeed.core.headroom.HeadroomClaim;
import io.github.dripfeed.core.headroom.LevelRoom;
import io.github.dripfeed.core.headroom.PartitionHeadroom;
import io.github.dripfeed.core.headroom.PartitionRoom;
import io.github.dripfeed.core.headroom.QueuePlan;
import io.github.dripfeed.core.headroom.StartNeeds;
import io.github.dripfeed.core.headroom.StartPlan;
import io.github.dripfeed.core.headroom.UserHeadroom;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes the plan for all queues of the model, as {@code HeadroomRound} does for those of YARN. */
final class ModelPlan {

  private static final int VALID = 5000;

  private final ModelCluster cluster;
  private final ResourceVector largest;
  private Map<String, PartitionRoom> rooms;
  private Map<String, LevelRoom> levelRooms;
  private Map<ModelLevel, ClaimTotal> totals;
  private Map<ModelQueue, Map<String, PartitionHeadroom>> headrooms;
  private Map<String, ResourceVector> held;
  private ResourceVector mask;

  /** @param largest the largest container that any queue allows */
  ModelPlan(ModelCluster cluster, ResourceVector largest) {
    this.cluster = cluster;
    this.largest = largest;
  }

  void run() {
    rooms = new HashMap<>();
    levelRooms = new HashMap<>();
    totals = new HashMap<>();
    headrooms = new HashMap<>();
    hold();
    cluster.ledger.begin();
    for (ModelAttempt attempt : cluster.attempts) {
      if (state(attempt) != State.ACCEPTED) {
        record(attempt);
      }
    }
    if (cluster.attempts.stream().noneMatch(attempt -> state(attempt) == State.ACCEPTED)) {
      cluster.ledger.cancel();
      return;
    }
    boolean gpus = cluster.queues.stream().flatMap(queue -> sizes(queue).stream())
        .anyMatch(size -> size.get(1) > 0);
    mask = ResourceVector.of(Long.MAX_VALUE, gpus ? Long.MAX_VALUE : 0);
    StartPlan<ModelAttempt> plan = new StartPlan<>();
    Map<ModelQueue, QueuePlan<ModelAttempt>> plans = new HashMap<>();
    for (ModelQueue queue : cluster.queues) {
      if (queue.order.size() > 0) {
        plans.put(queue, prepare(queue));
        plan.add(plans.get(queue));
      }
    }
    plan.make();
    List<HeadroomClaim> claims = new ArrayList<>();
    Map<String, Collection<PartitionHeadroom>> all = new HashMap<>();
    plans.forEach((queue, ofQueue) -> {
      claims.addAll(ofQueue.claims().values());
      headrooms.getOrDefault(queue, Map.of()).forEach((partition, headroom) ->
          all.computeIfAbsent(partition, p -> new ArrayList<>()).add(headroom));
      queue.order.setPlan(ofQueue.claims(), plan.shortfalls(ofQueue));
    });
    cluster.ledger.activate(claims, plan.starts(all), cluster.millis() + VALID);
  }

  private static State state(ModelAttempt attempt) {
    return attempt.history.state();
  }

  private void record(ModelAttempt attempt) {
    ModelJob job = attempt.job;
    int live = attempt.executors.size();
    int number = live + attempt.pending();
    if (number == 0) {
      job.queue.seen.startsUp(job.number, cluster.millis());
      return;
    }
    if (!attempt.history.notes().setSizesRecorded()) {
      job.queue.seen.add(job.number, attempt.partition(), "", cluster.millis());
    }
    job.queue.seen.update(job.number, attempt.partition(),
        List.of(new Demand(job.sizes.executorPartition, job.sizes.executor, number)), number,
        cluster.millis());
  }

  /** The sizes that count in the reserve in full. */
  private List<ResourceVector> sizes(ModelQueue queue) {
    List<ResourceVector> sizes = new ArrayList<>();
    for (String partition : lines(queue)) {
      sizes.addAll(queue.seen.largest(partition, ModelCluster.TYPES));
    }
    for (ModelAttempt attempt : queue.order.items()) {
      if (state(attempt) != State.ACCEPTED && attempt.pending() > 0) {
        sizes.add(attempt.requestedSize());
      }
    }
    return sizes;
  }

  private static Set<String> lines(ModelQueue queue) {
    Set<String> lines = new HashSet<>();
    for (ModelAttempt attempt : queue.order.items()) {
      if (state(attempt) != State.RUNNING) {
        lines.add(attempt.partition());
      }
    }
    return lines;
  }

  private QueuePlan<ModelAttempt> prepare(ModelQueue queue) {
    QueueSettings settings = queue.order.settings();
    List<ModelAttempt> attempts = queue.order.bySubmission();
    boolean takesBack = settings.isTakeBack();
    if (!takesBack || attempts.stream().anyMatch(
        attempt -> state(attempt) != State.RUNNING && !attempt.hasAttemptLeft())) {
      List<ResourceVector> sizes = sizes(queue);
      boolean forGood = attempts.stream().anyMatch(attempt ->
          state(attempt) == State.STARTING && !(takesBack && attempt.hasAttemptLeft()));
      for (String partition : lines(queue)) {
        headroom(queue, partition).keepReserve(sizes, settings.attempts().minExecutors());
        if (forGood) {
          headroom(queue, partition).keepBesideAll();
        }
      }
    }
    List<ClaimTotal> levels = new ArrayList<>();
    for (ModelLevel level : queue.level.path()) {
      levels.add(totals.computeIfAbsent(level, l -> new ClaimTotal(
          (partition, amounts) -> amounts.fitsIn(l.free(partition)))));
    }
    QueuePlan<ModelAttempt> plan = new QueuePlan<>(queue.order.account(), queue.level.name,
        settings.maxStarting(),
        new QueuePlan.Headroom(partition -> headroom(queue, partition), queue), levels);
    for (ModelAttempt attempt : attempts) {
      add(plan, attempt, takesBack);
    }
    return plan;
  }

  private void add(QueuePlan<ModelAttempt> plan, ModelAttempt attempt, boolean takesBack) {
    ModelJob job = attempt.job;
    AttemptView<ModelAttempt> view = job.queue.order.view(attempt);
    int first = view.settings().minExecutors();
    List<Demand> requested = new ArrayList<>();
    if (attempt.pending() > 0) {
      requested.add(
          new Demand(attempt.requestedPartition(), attempt.requestedSize(), attempt.pending()));
    }
    if (state(attempt) == State.ACCEPTED) {
      Demand driver = new Demand(job.sizes.driverPartition, job.sizes.driver, 1);
      plan.waits(attempt, attempt.partition(), job.user, () -> {
        List<Demand> expected = expected(job, first);
        return new StartNeeds(driver, withCount(expected, first), expected,
            !takesBack || !attempt.hasAttemptLeft());
      });
      return;
    }
    List<Demand> claimed = new ArrayList<>(requested);
    claimed.addAll(job.queue.seen.remaining(
        job.number, attempt.partition(), () -> expected(job, first), cluster.millis()));
    if (state(attempt) == State.RUNNING) {
      plan.runs(job.user, requested, claimed, requested.isEmpty() ? Map.of()
          : Map.of(job.sizes.executorPartition, job.sizes.executor.times(attempt.executors.size())));
    } else {
      int missing = Math.max(0, first - attempt.executors.size());
      plan.starts(attempt, job.user,
          withCount(requested.isEmpty() ? expected(job, first) : requested, missing), claimed);
    }
  }

  private static List<Demand> withCount(List<Demand> demands, int count) {
    List<Demand> changed = new ArrayList<>();
    demands.forEach(demand -> changed.add(demand.withCount(count)));
    return changed;
  }

  private List<Demand> expected(ModelJob job, int first) {
    String driverPartition = job.sizes.driverPartition;
    List<Demand> recorded = job.queue.seen.expected(driverPartition, "", ModelCluster.TYPES);
    if (recorded.isEmpty()) {
      return List.of(possible(
          new Demand(driverPartition, allowed(job.queue, driverPartition), first)));
    }
    List<Demand> expected = new ArrayList<>();
    for (Demand demand : recorded) {
      expected.add(possible(new Demand(demand.partition(),
          demand.size().componentwiseMin(allowed(job.queue, demand.partition())),
          Math.max(first, demand.count()))));
    }
    return expected;
  }

  private Demand possible(Demand demand) {
    return demand.withSize(room(demand.partition()).possible(demand.size()));
  }

  /** The largest container that an application of the queue may request. */
  private ResourceVector allowed(ModelQueue queue, String partition) {
    ResourceVector node = ResourceVector.zero(ModelCluster.TYPES);
    for (ModelNode each : cluster.nodes) {
      node = each.partition.equals(partition) ? node.componentwiseMax(each.total) : node;
    }
    ResourceVector allowed = largest.componentwiseMin(node).componentwiseMin(mask);
    for (ModelLevel level : queue.level.path()) {
      allowed = allowed.componentwiseMin(level.maximum(partition));
    }
    return allowed;
  }

  // Room.

  private PartitionHeadroom headroom(ModelQueue queue, String partition) {
    Map<String, PartitionHeadroom> ofQueue =
        headrooms.computeIfAbsent(queue, q -> new HashMap<>());
    PartitionHeadroom known = ofQueue.get(partition);
    if (known == null) {
      List<LevelRoom> levels = new ArrayList<>();
      for (ModelLevel level : queue.level.path()) {
        levels.add(levelRooms.computeIfAbsent(level.name + " " + partition, key ->
            new LevelRoom(level.name, level.free(partition), held(level, null, partition, true),
                held(level, null, partition, false))));
      }
      known = new PartitionHeadroom(room(partition), levels, queue.used(partition),
          queue.level.maximum(partition), allowed(queue, partition));
      for (ModelAttempt attempt : queue.order.items()) {
        String user = attempt.job.user;
        known.addUser(user, new UserHeadroom(queue.usedBy(user, partition),
            held(queue.level, user, partition, true), queue.limitOf(user, partition),
            queue.limitOf(user, partition), 0));
      }
      ofQueue.put(partition, known);
    }
    return known;
  }

  private PartitionRoom room(String partition) {
    return rooms.computeIfAbsent(partition, p -> {
      PartitionRoom room = new PartitionRoom();
      for (ModelNode node : cluster.nodes) {
        if (node.partition.equals(p)) {
          ResourceVector later = node.free.plus(on(node, true));
          room.addNode(node.total, node.free, later, later.plus(on(node, false)));
        }
      }
      return room;
    });
  }

  /** What applications with executors hold on the node, or those without. */
  private ResourceVector on(ModelNode node, boolean progress) {
    return held(node.hashCode() + " " + node.partition, progress);
  }

  /** What they hold below the level. @param user null for all */
  private ResourceVector held(ModelLevel level, String user, String partition, boolean progress) {
    return held(level.name + " " + user + " " + partition, progress);
  }

  private ResourceVector held(String where, boolean progress) {
    return held.getOrDefault(where + " " + progress, ResourceVector.zero(ModelCluster.TYPES));
  }

  private void hold() {
    held = new HashMap<>();
    for (ModelAttempt attempt : cluster.attempts) {
      if (attempt.driverNode != null) {
        hold(attempt, attempt.driverNode, attempt.job.sizes.driver);
        attempt.executors.forEach(executor -> hold(attempt, executor.node, attempt.job.sizes.executor));
      }
    }
  }

  private void hold(ModelAttempt attempt, ModelNode node, ResourceVector size) {
    String kind = " " + node.partition + " " + !attempt.executors.isEmpty();
    held.merge(node.hashCode() + kind, size, ResourceVector::plus);
    for (ModelLevel level : attempt.job.queue.level.path()) {
      held.merge(level.name + " null" + kind, size, ResourceVector::plus);
    }
    held.merge(attempt.job.queue.level.name + " " + attempt.job.user + kind, size, ResourceVector::plus);
  }
}
