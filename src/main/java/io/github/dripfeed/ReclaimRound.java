/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import io.github.dripfeed.core.Settings;
import io.github.dripfeed.core.reclaim.Claimant;
import io.github.dripfeed.core.reclaim.Holding;
import io.github.dripfeed.core.reclaim.Plan;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * What is to be taken in one queue as things are now, in all its partitions.
 *
 * @param <S> the applications of the queue
 */
final class ReclaimRound<S extends SchedulableEntity> {

  private final CapacityScheduler scheduler;
  private final CSQueue queue;
  private final StateAwareOrdering<S> ordering;
  /** What shares are told by, or null where priority decides. */
  private final WeightedShare share;
  private final Set<ContainerId> leaving;
  private final Predicate<ContainerId> isAsked;
  private final Predicate<S> wasOwed;
  private final Map<S, List<Asking>> asking = new HashMap<>();
  private final Map<RMContainer, S> planned = new LinkedHashMap<>();
  private final Map<S, Double> owed = new HashMap<>();

  /**
   * Makes the plans.
   *
   * @param share what shares are told by, or null where priority decides
   * @param leaving what YARN's preemption has chosen
   * @param isAsked whether a container was asked back before
   * @param wasOwed whether something was owed to an application in the last round
   */
  ReclaimRound(CapacityScheduler scheduler, CSQueue queue, StateAwareOrdering<S> ordering,
      WeightedShare share, Set<ContainerId> leaving, Predicate<ContainerId> isAsked,
      Predicate<S> wasOwed) {
    this.scheduler = scheduler;
    this.queue = queue;
    this.ordering = ordering;
    this.share = share;
    this.leaving = leaving;
    this.isAsked = isAsked;
    this.wasOwed = wasOwed;
    for (String partition : partitionsAskedFor()) {
      plan(partition);
    }
  }

  /** What is to be taken, and for whom: for the most urgent first. */
  Map<RMContainer, S> planned() {
    return planned;
  }

  /** How much each is to have before any other gets more; empty where priority decides. */
  Map<S, Double> owed() {
    return owed;
  }

  /** Also remembers what is asked for. Those held ask in vain, and so do those at their cap. */
  private Set<String> partitionsAskedFor() {
    Set<String> partitions = new TreeSet<>();
    for (Iterator<S> offered = ordering.assignmentIterator(); offered.hasNext();) {
      S entity = offered.next();
      SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
      List<Asking> asks = Asking.all(app);
      asks.forEach(ask -> partitions.add(ask.partition()));
      asking.put(entity, asks);
    }
    return partitions;
  }

  private void plan(String partition) {
    Survey<S> survey = new Survey<>(scheduler, queue, partition, leaving,
        YarnPreemption.isWithin(queue, scheduler));
    for (S entity : ordering.order().bySubmission()) {
      YarnAttempt attempt = (YarnAttempt) ordering.order().attempt(entity);
      Settings settings = ordering.order().settings(entity);
      // It may have left by now.
      if (attempt != null && settings != null) {
        Claimant claimant = survey.add(entity, attempt, settings, weight(entity),
            asking.getOrDefault(entity, Collections.emptyList()), isAsked);
        if (ordering.isStalled(entity)) {
          claimant.comesLast();
        }
      }
    }
    Plan plan = survey.plan(ordering.configuration(), share != null);
    Set<Claimant> takers = new HashSet<>();
    if (!plan.taken().isEmpty() && isForUs(partition, survey, plan)) {
      for (Holding holding : plan.taken()) {
        planned.put(survey.container(holding), survey.entity(plan.taker(holding)));
        takers.add(plan.taker(holding));
      }
    }
    for (Claimant claimant : survey.claimants()) {
      // What was taken for somebody in an earlier round is his until he has it, while he still asks.
      if (takers.contains(claimant) || wasOwed.test(survey.entity(claimant))) {
        owe(survey, claimant);
      }
    }
  }

  private double weight(S entity) {
    if (share == null) {
      return 1;
    }
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    // By all that it wants: what it has already must not change what it deserves.
    return share.weight(entity, Resources.add(app.getAppAttemptResourceUsage().getAllUsed(),
        app.getAppAttemptResourceUsage().getAllPending()));
  }

  /** Whether what is taken comes back to this queue, and goes to no other. */
  private boolean isForUs(String partition, Survey<S> survey, Plan plan) {
    return new Competition(partition)
        .isWonBy(queue, survey.partOfUsed(plan.taken().get(0)));
  }

  private void owe(Survey<S> survey, Claimant claimant) {
    Resource given = survey.given(claimant);
    S entity = survey.entity(claimant);
    if (share != null && !Resources.isNone(given)) {
      Resource used =
          ((SchedulerApplicationAttempt) entity).getAppAttemptResourceUsage().getAllUsed();
      owed.merge(entity, share.size(entity, Resources.add(used, given)), Math::max);
    }
  }
}
