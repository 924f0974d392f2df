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

import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.core.reclaim.PlacementState;
import io.github.dripfeed.core.reclaim.PlanApplication;
import io.github.dripfeed.core.reclaim.PlanNode;
import io.github.dripfeed.core.reclaim.PlanUser;
import io.github.dripfeed.core.reclaim.PreemptibleContainer;
import io.github.dripfeed.core.reclaim.ReclaimPlan;
import io.github.dripfeed.core.reclaim.UserLimits;
import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueHeadroom;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * What the applications of one queue hold and ask for in one partition, and where there is room, as
 * it stands in the scheduler's books: what a {@link ReclaimPlan} is made from. Used by one thread while the
 * scheduler goes on, so what it sees may be a moment old.
 *
 * <p>It takes no lock of YARN's for a container: what it reads of one never changes, but for its size,
 * which is replaced as a whole.
 *
 * @param <S> the applications of the queue
 */
final class PartitionSnapshot<S extends SchedulableEntity> {

  private final String partition;
  private final NodeSnapshot.Partition nodes;
  private final YarnPlacement reaches;
  private final CountedResources types;
  private final QueueHeadroom room;
  private final DominantShare measure;
  private final UserLimits limits;
  private final Map<String, PlanUser> users = new HashMap<>();
  private final List<PlanApplication> claimants = new ArrayList<>();
  private final Map<PlanApplication, S> entities = new IdentityHashMap<>();
  private final Map<ApplicationId, PlanApplication> byApplication = new HashMap<>();
  private final Set<ContainerId> leaving;
  private final boolean isLeavingFree;
  /** What counts as used by the queue, and is had for what is asked for here. */
  private final long[] freed;
  /** The last size that was read: most are of one. */
  private long[] lastSize = new long[0];
  private final long[] scratch;

  /**
   * @param leaving containers that YARN's preemption has chosen
   * @param isLeavingFree whether those go to applications of this queue, and so count as free
   */
  PartitionSnapshot(CapacityScheduler scheduler, CSQueue queue, String partition, NodeSnapshot book,
      YarnPlacement reaches, Set<ContainerId> leaving, boolean isLeavingFree) {
    this.partition = partition;
    this.nodes = book.partition(partition);
    this.reaches = reaches;
    this.leaving = leaving;
    this.isLeavingFree = isLeavingFree;
    this.types = new CountedResources(scheduler.getResourceCalculator());
    this.room = new QueueHeadroom(queue, types);
    Resource cluster = scheduler.getClusterResource();
    this.measure = types.measure(cluster);
    this.freed = new long[types.count()];
    this.scratch = new long[types.count()];
    this.limits = room.userLimits(partition, measure, types.amounts(
        scheduler.getRMContext().getNodeLabelManager().getResourceByLabel(partition, cluster)),
        types.amounts(scheduler.getMinimumResourceCapability()));
  }

  /**
   * A user of the queue; told before any application of his.
   *
   * @param asks whether any of his applications asks for something
   */
  void addUser(String name, boolean asks) {
    users.computeIfAbsent(name, n -> limits.user(room.userWeight(n), asks));
  }

  /**
   * Adds an application; told in the order of submission.
   *
   * @param maxContainers the most that it may have, 0 if there is no limit
   * @param asks what it asks for; nothing if it is not offered
   */
  PlanApplication add(S entity, double weight, int maxContainers, List<PendingRequest> asks) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    long more = maxContainers == 0 ? Long.MAX_VALUE
        : Math.max(0, maxContainers - app.getLiveContainersMap().size());
    PlanApplication claimant = new PlanApplication(
        weight, YarnAttempt.priorityOf(app), users.get(app.getUser()), more);
    claimants.add(claimant);
    entities.put(claimant, entity);
    byApplication.put(app.getApplicationId(), claimant);
    boolean asksElsewhere = asks.size() < app.getAppSchedulingInfo().getSchedulerKeys().size();
    for (PendingRequest ask : asks) {
      asksElsewhere |= !ask.partition().equals(partition);
      if (ask.partition().equals(partition)) {
        claimant.asks(types.amounts(ask.size()), ask.count(), reaches.of(ask, nodes));
      }
    }
    if (asksElsewhere) {
      users.get(app.getUser()).asksElsewhere();
    }
    return claimant;
  }

  /** It holds what it holds, and nothing of it is to be taken. */
  void keepsAll(PlanApplication claimant) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity(claimant);
    claimant.keeps(types.amounts(app.getAppAttemptResourceUsage().getUsed(partition)));
  }

  /**
   * What it holds, and may lose: never the driver, nor those with which it counts as running.
   *
   * @param live oldest first
   * @param kept how many of the oldest executors it keeps in any case
   * @param asked whether a container was asked back before
   */
  void addHoldings(PlanApplication claimant, YarnAttempt attempt, List<RMContainer> live, int kept,
      Predicate<ContainerId> asked) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity(claimant);
    boolean isDriverKnown = app.getUnmanagedAM() || attempt.isDriverLive();
    // What is to be kept is at the beginning, and what is told first at the end.
    int executors = 0;
    int from = 0;
    while (from < live.size() && (!isDriverKnown || executors < kept)) {
      if (!attempt.isDriver(live.get(from).getContainerId())) {
        executors++;
      }
      from++;
    }
    for (int i = live.size() - 1; i >= 0; i--) {
      RMContainer container = live.get(i);
      PlanNode node = nodes.node(container.getAllocatedNode());
      if (node != null) {
        long[] size = size(container);
        if (i < from || attempt.isDriver(container.getContainerId())) {
          claimant.keeps(size);
        } else {
          claimant.mayLose(node, size, asked.test(container.getContainerId()), container);
        }
      }
    }
  }

  /** What is live, oldest first, but for what is about to go and what only uses what others leave. */
  List<RMContainer> live(SchedulerApplicationAttempt app) {
    Map<ContainerId, RMContainer> all = app.getLiveContainersMap();
    List<RMContainer> live = new ArrayList<>(all.size());
    for (RMContainer container : all.values()) {
      if (container.getExecutionType() == ExecutionType.GUARANTEED
          && (leaving.isEmpty() || !leaving.contains(container.getContainerId()))) {
        live.add(container);
      }
    }
    live.sort((one, other) -> Long.compare(
        one.getContainerId().getContainerId(), other.getContainerId().getContainerId()));
    return live;
  }

  private long[] size(RMContainer container) {
    types.read(container.getContainer().getResource(), scratch);
    if (!Arrays.equals(scratch, lastSize)) {
      lastSize = scratch.clone();
    }
    return lastSize;
  }

  /** In the order in which they were added. */
  List<PlanApplication> claimants() {
    return claimants;
  }

  /** What to take from whom; asked for once, when all applications are added. */
  ReclaimPlan plan(PolicyConfiguration configuration, boolean byShare) {
    addReservations();
    freeLeaving();
    long[] headroom = room.free(partition);
    ResourceVector.add(headroom, freed);
    PlacementState space = new PlacementState(nodes.all(), headroom, measure);
    return byShare
        ? ReclaimPlan.byShare(claimants, space, configuration.reclaimMaxPerRound(),
            configuration.reclaimDeadZone())
        : ReclaimPlan.byPriority(claimants, space, configuration.reclaimMaxPerRound());
  }

  private void addReservations() {
    for (RMContainer reservation : nodes.reservations()) {
      PlanNode node = nodes.node(reservation.getReservedNode());
      PlanApplication owner = byApplication.get(reservation.getApplicationAttemptId().getApplicationId());
      if (node != null && owner != null) {
        owner.hasReserved(node, types.amounts(reservation.getReservedResource()), reservation);
      } else if (node != null) {
        node.close();
      }
    }
  }

  /** What goes to applications of this queue counts as free. */
  private void freeLeaving() {
    if (isLeavingFree) {
      for (S entity : entities.values()) {
        SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
        if (leaving.isEmpty()) {
          return;
        }
        app.getLiveContainersMap().forEach((id, container) -> {
          PlanNode node = leaving.contains(id) ? nodes.node(container.getAllocatedNode()) : null;
          if (node != null) {
            node.frees(size(container));
            ResourceVector.add(freed, size(container));
          }
        });
      }
    }
  }

  S entity(PlanApplication claimant) {
    return entities.get(claimant);
  }

  /** The smallest amount that is to be taken of any, whose absence others are least likely to notice. */
  Resource smallest(List<PreemptibleContainer> taken) {
    Resource smallest = null;
    double least = Double.MAX_VALUE;
    for (PreemptibleContainer holding : taken) {
      if (!holding.isReservation()) {
        Resource size = container(holding).getContainer().getResource();
        double much = measure.of(types.amounts(size));
        if (much < least) {
          least = much;
          smallest = size;
        }
      }
    }
    return smallest;
  }

  /** All that is to be taken, by type of resource. */
  long[] sum(List<PreemptibleContainer> taken) {
    long[] sum = new long[types.count()];
    for (PreemptibleContainer holding : taken) {
      if (!holding.isReservation()) {
        ResourceVector.add(sum, size(container(holding)));
      }
    }
    return sum;
  }

  static RMContainer container(PreemptibleContainer holding) {
    return (RMContainer) holding.what();
  }

  Resource given(PlanApplication claimant) {
    return types.resource(claimant.given());
  }
}
