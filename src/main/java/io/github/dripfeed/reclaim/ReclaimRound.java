/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.reclaim.PlanApplication;
import io.github.dripfeed.core.reclaim.PreemptibleContainer;
import io.github.dripfeed.core.reclaim.ReclaimBackoff;
import io.github.dripfeed.core.reclaim.ReclaimPlan;
import io.github.dripfeed.ordering.FairShareComparator;
import io.github.dripfeed.ordering.OrderingDelegate;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.StockPreemption;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * What is to be taken in one queue as things are now, in all its partitions. Nodes and containers are
 * read once, and only if there is anything to be decided.
 *
 * @param <S> the applications of the queue
 */
final class ReclaimRound<S extends SchedulableEntity> {

  /** What is known from earlier rounds. */
  interface Memory<S> {

    /** Whether a container was asked back before. */
    boolean isAsked(ContainerId container);

    /** Whether something was owed to an application in the last round. */
    boolean wasOwed(S entity);

    /** What came of what was taken before. */
    ReclaimBackoff<S> trials();
  }

  private final CapacityScheduler scheduler;
  private final CSQueue queue;
  private final OrderingDelegate<S> ordering;
  /** What shares are told by, or null where priority decides. */
  private final FairShareComparator share;
  private final Set<ContainerId> leaving;
  private final Memory<S> memory;
  private final long now;
  private final Asked<S> asked;
  private final List<S> entities;
  private final Map<PreemptibleContainer, S> planned = new LinkedHashMap<>();
  private final Set<ContainerId> paused = new HashSet<>();
  private final Map<S, Double> owed = new HashMap<>();
  private final Map<S, Long> gotElsewhere = new IdentityHashMap<>();
  private final Set<String> usersWhoAsk = new HashSet<>();
  private long looked;

  /**
   * Makes the plans.
   *
   * @param share what shares are told by, or null where priority decides
   * @param leaving what YARN's preemption has chosen
   */
  ReclaimRound(CapacityScheduler scheduler, CSQueue queue, OrderingDelegate<S> ordering,
      FairShareComparator share, Set<ContainerId> leaving, Memory<S> memory, long now) {
    this.scheduler = scheduler;
    this.queue = queue;
    this.ordering = ordering;
    this.share = share;
    this.leaving = leaving;
    this.memory = memory;
    this.now = now;
    this.asked = new Asked<>(ordering.assignmentIterator());
    this.entities = asked.isEmpty() ? Collections.emptyList() : ordering.order().bySubmission();
    Set<String> partitions = new TreeSet<>(asked.partitions());
    partitions.removeIf(partition -> !isWorth(partition));
    if (!partitions.isEmpty()) {
      make(partitions);
    }
  }

  /** What is to be taken, and for whom: for the most urgent first. */
  Map<PreemptibleContainer, S> planned() {
    return planned;
  }

  /** What would be taken, if it did not go to another queue just now. */
  Set<ContainerId> paused() {
    return paused;
  }

  /** How much each is to have before any other gets more; empty where priority decides. */
  Map<S, Double> owed() {
    return owed;
  }

  /** How many containers and nodes were looked at to make the plans. */
  long looked() {
    return looked;
  }

  /** Whether somebody asks for something in the partition that another may have to lose. */
  private boolean isWorth(String partition) {
    for (S entity : asked.in(partition)) {
      if (memory.wasOwed(entity)) {
        return true;
      }
    }
    return share == null ? isAnybodyLower(asked.highestPriority(partition))
        : new ShareSpread<>(scheduler, queue, partition, this::weight)
            .isUneven(entities, asked.in(partition));
  }

  private boolean isAnybodyLower(int priority) {
    for (S entity : entities) {
      SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
      if (YarnAttempt.priorityOf(app) < priority && (!app.getLiveContainersMap().isEmpty()
          || !Resources.isNone(app.getCurrentReservation()))) {
        return true;
      }
    }
    return false;
  }

  private void make(Set<String> partitions) {
    CountedResources types = new CountedResources(scheduler.getResourceCalculator());
    NodeSnapshot book = new NodeSnapshot(scheduler, types);
    YarnPlacement reaches = new YarnPlacement(scheduler, types);
    for (S entity : entities) {
      SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
      if (!app.getAppSchedulingInfo().getSchedulerKeys().isEmpty()) {
        usersWhoAsk.add(app.getUser());
      }
    }
    boolean isLeavingFree = StockPreemption.isWithin(queue, scheduler);
    Map<String, PartitionSnapshot<S>> surveys = new LinkedHashMap<>();
    for (String partition : partitions) {
      surveys.put(partition, new PartitionSnapshot<>(
          scheduler, queue, partition, book, reaches, leaving, isLeavingFree));
    }
    for (S entity : entities) {
      AttemptView<S> attempt = ordering.order().view(entity);
      // It may have left by now.
      if (attempt != null) {
        survey(surveys, attempt);
      }
    }
    SiblingQueues competition = new SiblingQueues(scheduler, queue, book, reaches);
    surveys.forEach((partition, survey) -> plan(partition, survey, competition));
  }

  private void survey(Map<String, PartitionSnapshot<S>> surveys, AttemptView<S> attempt) {
    S entity = attempt.item();
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    List<RMContainer> live = null;
    // What an application says of itself shields no more than the queue does.
    int kept = Math.min(attempt.settings().minExecutors(),
        ordering.order().settings().attempts().minExecutors());
    boolean last = attempt.isStalled();
    for (Map.Entry<String, PartitionSnapshot<S>> each : surveys.entrySet()) {
      PartitionSnapshot<S> survey = each.getValue();
      survey.addUser(app.getUser(), usersWhoAsk.contains(app.getUser()));
      PlanApplication claimant =
          survey.add(entity, weight(entity), ordering.order().settings().maxContainers(), asked.of(entity));
      claimant.takesAtMost(memory.trials().allowed(entity, now));
      if (share == null
          && YarnAttempt.priorityOf(app) >= asked.highestPriority(each.getKey())) {
        survey.keepsAll(claimant);
      } else {
        live = live == null ? survey.live(app) : live;
        survey.addHoldings(claimant, (YarnAttempt) attempt.facts(), live, kept, memory::isAsked);
      }
      if (last) {
        claimant.comesLast();
      }
    }
  }

  private void plan(String partition, PartitionSnapshot<S> survey, SiblingQueues competition) {
    // A cap holds for all partitions together.
    for (PlanApplication claimant : survey.claimants()) {
      claimant.getsElsewhere(gotElsewhere.getOrDefault(survey.entity(claimant), 0L));
    }
    ReclaimPlan plan = survey.plan(ordering.configuration(), share != null);
    looked += plan.looked();
    Set<PlanApplication> takers = new HashSet<>();
    List<PreemptibleContainer> taken = plan.taken();
    boolean ours = taken.isEmpty()
        || competition.isWonBy(partition, survey.smallest(taken), survey.sum(taken));
    for (PreemptibleContainer holding : taken) {
      if (ours) {
        planned.put(holding, survey.entity(plan.taker(holding)));
        takers.add(plan.taker(holding));
      } else if (!holding.isReservation()) {
        paused.add(PartitionSnapshot.container(holding).getContainerId());
      }
    }
    for (PlanApplication claimant : survey.claimants()) {
      S entity = survey.entity(claimant);
      if (claimant.containersGiven() > 0) {
        gotElsewhere.merge(entity, claimant.containersGiven(), Long::sum);
        // What was taken for somebody in an earlier round is his until he has it, while he still asks.
        if (takers.contains(claimant) || memory.wasOwed(entity)) {
          owe(survey, claimant);
        }
      }
    }
  }

  private double weight(S entity) {
    if (share == null) {
      return 1;
    }
    if (!share.isBySize()) {
      return share.weight(entity, Resources.none());
    }
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    // By all that it wants: what it has already must not change what it deserves.
    return share.weight(entity, Resources.add(app.getAppAttemptResourceUsage().getAllUsed(),
        app.getAppAttemptResourceUsage().getAllPending()));
  }

  private void owe(PartitionSnapshot<S> survey, PlanApplication claimant) {
    Resource given = survey.given(claimant);
    S entity = survey.entity(claimant);
    if (share != null && !Resources.isNone(given)) {
      Resource used =
          ((SchedulerApplicationAttempt) entity).getAppAttemptResourceUsage().getAllUsed();
      owed.merge(entity, share.size(entity, Resources.add(used, given)), Math::max);
    }
  }

  /** What those ask for who are offered; those held ask in vain, and so do those at their cap. */
  private static final class Asked<S extends SchedulableEntity> {

    private final Map<S, List<PendingRequest>> all = new HashMap<>();
    private final Map<String, List<S>> byPartition = new HashMap<>();

    Asked(Iterator<S> offered) {
      while (offered.hasNext()) {
        S entity = offered.next();
        List<PendingRequest> asks = PendingRequest.all((SchedulerApplicationAttempt) entity);
        if (!asks.isEmpty()) {
          all.put(entity, asks);
          Set<String> partitions = new HashSet<>();
          for (PendingRequest ask : asks) {
            if (partitions.add(ask.partition())) {
              byPartition.computeIfAbsent(ask.partition(), p -> new ArrayList<>()).add(entity);
            }
          }
        }
      }
    }

    boolean isEmpty() {
      return all.isEmpty();
    }

    Set<String> partitions() {
      return byPartition.keySet();
    }

    List<S> in(String partition) {
      return byPartition.getOrDefault(partition, Collections.emptyList());
    }

    List<PendingRequest> of(S entity) {
      return all.getOrDefault(entity, Collections.emptyList());
    }

    int highestPriority(String partition) {
      int highest = Integer.MIN_VALUE;
      for (S entity : in(partition)) {
        highest = Math.max(
            highest, YarnAttempt.priorityOf((SchedulerApplicationAttempt) entity));
      }
      return highest;
    }
  }
}
