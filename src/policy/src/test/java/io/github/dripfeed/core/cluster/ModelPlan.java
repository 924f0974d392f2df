// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.plan.Account;
import io.github.dripfeed.core.plan.ActivePlan;
import io.github.dripfeed.core.plan.Demand;
import io.github.dripfeed.core.plan.DemandHistory;
import io.github.dripfeed.core.plan.Needs;
import io.github.dripfeed.core.plan.PlanPartition;
import io.github.dripfeed.core.plan.PlanQueue;
import io.github.dripfeed.core.plan.Reserve;
import io.github.dripfeed.core.plan.SafetyReserve;
import io.github.dripfeed.core.plan.StartPlan;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Makes the plan for all queues of the model, as {@code PlanRound} does for those of YARN. */
final class ModelPlan {

  private static final int VALID = 5000;
  private static final ResourceVector NONE = ResourceVector.zero(ModelCluster.TYPES);

  private final ModelCluster cluster;
  private Map<String, Account> accounts;
  private List<QueueRound> rounds;

  ModelPlan(ModelCluster cluster) {
    this.cluster = cluster;
  }

  void run() {
    accounts = new HashMap<>();
    rounds = new ArrayList<>();
    cluster.queues.forEach(queue -> rounds.add(new QueueRound(queue)));
    StartPlan<ModelAttempt> plan = new StartPlan<>();
    rounds.forEach(round -> plan.add(round.prepare()));
    plan.make();
    List<ModelNode> nodes = List.copyOf(cluster.nodes);
    ActivePlan active = new ActivePlan(
        cluster.millis() + VALID, () -> cluster.nodes.containsAll(nodes));
    rounds.forEach(round -> round.queue.order.setPlan(
        active, round.plan.starts(), round.front, round.plan.reasons(),
        round.plan.withoutSlot()));
  }

  /** An account of the queues in the partition that pass the filter; null for nodes. */
  private Account account(ModelLevel level, String partition) {
    String name = level == null ? null : level.name;
    return accounts.computeIfAbsent(name + " " + partition, key -> {
      ResourceVector soon = NONE;
      for (ModelQueue queue : cluster.queues) {
        if (level == null || queue.level.path().contains(level)) {
          soon = soon.plus(soon(queue, partition));
        }
      }
      return new Account(name, level == null ? free(partition) : level.free(partition), soon,
          new Reserve(() -> reserve(level, partition)));
    });
  }

  private List<SafetyReserve> reserve(ModelLevel level, String partition) {
    List<SafetyReserve> all = new ArrayList<>();
    for (QueueRound round : rounds) {
      if (level == null) {
        round.largest(partition).forEach(size -> all.add(onNodes(partition, size, round.first)));
      } else if (round.queue.level.path().contains(level)) {
        all.addAll(round.below(level.maximum(partition), level.free(partition), partition, round.first,
            attempt -> attempt.job.queue.level.path().contains(level)));
      }
    }
    return all;
  }

  private SafetyReserve onNodes(String partition, ResourceVector size, int count) {
    SafetyReserve reserve = new SafetyReserve(size);
    cluster.nodesIn(partition).forEach(node -> {
      ResourceVector progress =
          node.free.plus(cluster.held(node::equals, each -> !each.executors.isEmpty()));
      reserve.addNode(progress);
      reserve.addBest(progress.plus(cluster.held(node::equals, each -> each.executors.isEmpty())));
    });
    reserve.need(count);
    return reserve;
  }

  private ResourceVector soon(ModelQueue queue, String partition) {
    return queue.memory.releases().soon(
        partition, queue.memory.demands().startUp(), ModelCluster.TYPES, cluster.millis());
  }

  private ResourceVector free(String partition) {
    return cluster.nodesIn(partition).map(node -> node.free).reduce(NONE, ResourceVector::plus);
  }

  /** One queue. */
  private final class QueueRound {

    final ModelQueue queue;
    final PlanQueue<ModelAttempt> plan;
    final Set<ModelAttempt> front = new HashSet<>();
    private final DemandHistory seen;
    private final int first;
    private final Map<String, PlanPartition> partitions = new HashMap<>();
    private final Map<String, Account> users = new HashMap<>();

    QueueRound(ModelQueue queue) {
      this.queue = queue;
      this.seen = queue.memory.demands();
      this.first = queue.order.settings().attempts().minExecutors();
      this.plan = new PlanQueue<>(queue.level.name,
          partition -> partitions.computeIfAbsent(partition, this::partition),
          (user, partition) -> users.computeIfAbsent(user + " " + partition, key -> new Account(null,
              queue.userLimit.minus(queue.usedBy(user, partition)), soon(queue, partition),
              new Reserve(() -> below(queue.userLimit, queue.userLimit.minus(
                  queue.usedBy(user, partition)), partition, first - 1,
                  attempt -> attempt.job.queue == queue && attempt.job.user.equals(user))))));
      Set<Object> known = new HashSet<>();
      Set<Object> starting = new HashSet<>();
      for (ModelAttempt attempt : queue.order.items()) {
        known.add(attempt.job);
        if (attempt.driverNode != null) {
          learn(attempt);
        }
        if (state(attempt) == State.STARTING) {
          starting.add(attempt);
          queue.order.setSilent(attempt, isSilent(attempt));
        }
      }
      seen.retain(known::contains, known::contains);
      queue.memory.retainInFront(starting);
    }

    private State state(ModelAttempt attempt) {
      return attempt.history.state();
    }

    private boolean isSilent(ModelAttempt attempt) {
      return attempt.executors.isEmpty() && attempt.pending() == 0
          && queue.order.view(attempt).millisInState(cluster.millis()) > seen.silentAfter("");
    }

    private void learn(ModelAttempt attempt) {
      int number = attempt.executors.size() + attempt.pending();
      if (number == 0) {
        seen.startsUp(attempt.job, attempt.partition(), "");
        return;
      }
      boolean asksFirst = state(attempt) == State.STARTING && attempt.executors.isEmpty();
      seen.wants(attempt.job, attempt.partition(), "",
          asksFirst ? queue.order.view(attempt).millisInState(cluster.millis()) : -1,
          attempt.gone > 0 ? List.of() : List.of(new Demand(attempt.job.sizes.executorPartition,
              attempt.job.sizes.executor, number)), number, cluster.millis());
    }

    PlanQueue<ModelAttempt> prepare() {
      for (ModelAttempt attempt : queue.order.bySubmission()) {
        if (state(attempt) == State.ACCEPTED) {
          plan.accepted(attempt, attempt.partition(), attempt.job.user, () -> needs(attempt));
        } else {
          addStarted(attempt);
        }
      }
      return plan;
    }

    private Needs needs(ModelAttempt attempt) {
      AttemptView<ModelAttempt> view = queue.order.view(attempt);
      if (view.takeBacks().millisLeft(cluster.millis()) > 0) {
        return null;
      }
      String partition = attempt.partition();
      Demand driver = new Demand(partition, attempt.job.sizes.driver, 1);
      boolean cold = !seen.isAnyKnown(partition);
      List<Demand> all = cold ? List.of(driver) : expected(attempt);
      List<Demand> stage = firstStage(all, first);
      return new Needs(driver, stage, without(all, stage), keepsReserve(attempt), cold);
    }

    private void addStarted(ModelAttempt attempt) {
      List<Demand> requested = attempt.driverNode == null || attempt.pending() == 0 ? List.of()
          : List.of(new Demand(
              attempt.requestedPartition(), attempt.requestedSize(), attempt.pending()));
      List<Demand> claims = new ArrayList<>(requested);
      List<Demand> lacking = List.of();
      if (!isSilent(attempt)) {
        List<Demand> all = expected(attempt);
        claims.addAll(seen.remaining(attempt.job, attempt.partition(), () -> all, cluster.millis()));
        int missing = first - attempt.executors.size();
        if (state(attempt) == State.STARTING && missing > 0 && !attempt.isSkipped()) {
          lacking = requested.isEmpty() ? firstStage(seen.isAnyKnown(attempt.partition()) ? all
              : List.of(new Demand(attempt.partition(), attempt.job.sizes.driver, 1)), missing)
              : List.of(requested.get(0).atMost(missing));
          if (!requested.isEmpty()
              && queue.memory.isInFront(attempt, attempt.executors.size(), true, cluster.millis())) {
            front.add(attempt);
          }
        }
      }
      if (attempt.executors.isEmpty() && keepsReserve(attempt)) {
        plan.keepReserve(attempt.partition(), attempt.job.user);
      }
      plan.started(attempt, attempt.job.user, lacking, without(claims, lacking));
    }

    private boolean keepsReserve(ModelAttempt attempt) {
      return !queue.order.settings().isTakeBack() || !attempt.hasAttemptLeft();
    }

    private List<Demand> expected(ModelAttempt attempt) {
      List<Demand> all = new ArrayList<>();
      for (Demand demand : seen.expected(attempt.partition(), "", ModelCluster.TYPES)) {
        ResourceVector own = seen.ownSize(
            attempt.job, attempt.partition(), demand.partition(), ModelCluster.TYPES);
        all.add(own == null ? demand : demand.withSize(own));
      }
      return all;
    }

    private List<Demand> firstStage(List<Demand> all, int count) {
      return all.stream().max(Comparator.comparing(Demand::count))
          .map(most -> List.of(most.withCount(count))).orElse(List.of());
    }

    private List<Demand> without(List<Demand> all, List<Demand> taken) {
      List<Demand> rest = new ArrayList<>();
      for (Demand demand : all) {
        long less = taken.stream().filter(each -> each.partition().equals(demand.partition()))
            .mapToLong(Demand::count).sum();
        if (demand.count() > less) {
          rest.add(demand.withCount(demand.count() - less));
        }
      }
      return rest;
    }

    private PlanPartition partition(String partition) {
      List<Account> levels = new ArrayList<>();
      queue.level.path().forEach(level -> levels.add(account(level, partition)));
      levels.add(account(null, partition));
      return new PlanPartition(levels, List.of(), queue.level.maximum(partition),
          queue.level.used(partition), drivers(partition));
    }

    private ResourceVector drivers(String partition) {
      return queue.order.items().stream()
          .filter(each -> state(each) == State.STARTING && each.partition().equals(partition))
          .map(each -> each.job.sizes.driver).reduce(NONE, ResourceVector::plus);
    }

    /** What stays below the limit of a level, or of a user. */
    List<SafetyReserve> below(ResourceVector limit, ResourceVector free, String partition, int count,
        Predicate<ModelAttempt> of) {
      ResourceVector later = free.plus(cluster.held(
          node -> node.partition.equals(partition), of.and(each -> !each.executors.isEmpty())));
      return largest(partition).stream().map(size -> size.times(count)).filter(kept -> kept.fitsIn(limit))
          .map(kept -> SafetyReserve.ofLimit(later, kept)).toList();
    }

    /** The executors for which room is kept. */
    Set<ResourceVector> largest(String partition) {
      Set<ResourceVector> sizes = seen.requested(partition, ModelCluster.TYPES);
      ResourceVector driver = NONE;
      boolean kept = false;
      for (ModelAttempt attempt : queue.order.items()) {
        kept |= attempt.executors.isEmpty() && keepsReserve(attempt);
        if (attempt.driverNode != null && attempt.pending() > 0) {
          sizes.add(attempt.job.sizes.executor);
        } else if (attempt.driverNode == null) {
          driver = driver.componentwiseMax(attempt.job.sizes.driver);
        }
      }
      if (sizes.isEmpty()) {
        sizes.add(driver.times(2));
      }
      sizes.removeIf(size -> cluster.nodesIn(partition).noneMatch(node -> size.fitsIn(node.total)));
      Set<ResourceVector> all = Set.copyOf(sizes);
      sizes.removeIf(size -> all.stream().anyMatch(other -> !other.equals(size) && size.fitsIn(other)));
      return kept ? sizes : Set.of();
    }
  }
}
