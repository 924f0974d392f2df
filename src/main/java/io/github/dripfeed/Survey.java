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

import io.github.dripfeed.core.Amounts;
import io.github.dripfeed.core.Settings;
import io.github.dripfeed.core.reclaim.Claimant;
import io.github.dripfeed.core.reclaim.Holding;
import io.github.dripfeed.core.reclaim.Measure;
import io.github.dripfeed.core.reclaim.Node;
import io.github.dripfeed.core.reclaim.Plan;
import io.github.dripfeed.core.reclaim.Space;
import io.github.dripfeed.core.reclaim.User;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * What the applications of one queue hold and ask for in one partition, and where there is room, as
 * it stands in the scheduler's books: what a {@link Plan} is made from. Used by one thread while the
 * scheduler goes on, so what it sees may be a moment old.
 *
 * @param <S> the applications of the queue
 */
final class Survey<S extends SchedulableEntity> {

  private final QueueRoom room;
  private final String partition;
  private final ResourceTypes types;
  private final Resource cluster;
  private final Measure measure;
  private final Map<NodeId, Node> nodes = new LinkedHashMap<>();
  private final Map<Node, FiCaSchedulerNode> schedulerNodes = new IdentityHashMap<>();
  private final Map<String, User> users = new HashMap<>();
  private final List<Claimant> claimants = new ArrayList<>();
  private final Map<Claimant, S> entities = new IdentityHashMap<>();
  private final Map<Holding, RMContainer> containers = new IdentityHashMap<>();
  private final Set<ContainerId> leaving;
  private final boolean isLeavingFree;
  /** What counts as used by the queue, and is had for what is asked for here. */
  private final long[] reserved;

  /**
   * @param leaving containers that YARN's preemption has chosen
   * @param isLeavingFree whether those go to applications of this queue, and so count as free
   */
  Survey(CapacityScheduler scheduler, CSQueue queue, String partition, Set<ContainerId> leaving,
      boolean isLeavingFree) {
    this.partition = partition;
    this.leaving = leaving;
    this.isLeavingFree = isLeavingFree;
    this.types = new ResourceTypes(scheduler.getResourceCalculator());
    this.room = new QueueRoom(queue, types);
    this.cluster = scheduler.getClusterResource();
    this.measure = types.measure(cluster);
    this.reserved = new long[types.amounts(cluster).length];
    for (FiCaSchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
      if (node.getPartition().equals(partition)) {
        Node known = new Node(types.amounts(node.getUnallocatedResource()), Asking.isOpen(node));
        nodes.put(node.getNodeID(), known);
        schedulerNodes.put(known, node);
      }
    }
  }

  /**
   * Adds an application; told in the order of submission.
   *
   * @param settings the numbers that apply to it
   * @param attempt what is known of it
   * @param asks what it asks for; nothing if it is not offered
   * @param asked whether a container was asked back before
   */
  Claimant add(S entity, YarnAttempt attempt, Settings settings, double weight, List<Asking> asks,
      Predicate<ContainerId> asked) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    List<RMContainer> live = live(app);
    long room = settings.maxContainers() == 0 ? Long.MAX_VALUE
        : Math.max(0, settings.maxContainers() - live.size());
    Claimant claimant =
        new Claimant(weight, YarnAttempt.priorityOf(app), user(app.getUser()), room);
    claimants.add(claimant);
    entities.put(claimant, entity);
    addHoldings(claimant, app, attempt, live, settings.minExecutors(), asked);
    for (Asking ask : asks) {
      if (ask.partition().equals(partition) && isPossible(ask)) {
        claimant.asks(types.amounts(ask.size()), ask.count(),
            node -> ask.isFor(schedulerNodes.get(node)));
      }
    }
    return claimant;
  }

  /** What is live, oldest first, but for what is about to go. */
  private List<RMContainer> live(SchedulerApplicationAttempt app) {
    Map<ContainerId, RMContainer> live = new TreeMap<>();
    app.getLiveContainersMap().forEach((id, container) -> {
      if (container.getExecutionType() == ExecutionType.GUARANTEED) {
        if (!leaving.contains(id)) {
          live.put(id, container);
        } else if (isLeavingFree) {
          countAsFree(container);
        }
      }
    });
    return new ArrayList<>(live.values());
  }

  /** Never the driver, nor those with which it counts as running. */
  private void addHoldings(Claimant claimant, SchedulerApplicationAttempt app, YarnAttempt attempt,
      List<RMContainer> live, int minExecutors, Predicate<ContainerId> asked) {
    boolean isDriverKnown = app.getUnmanagedAM() || attempt.isDriverLive();
    List<RMContainer> losable = new ArrayList<>();
    int executors = 0;
    for (RMContainer container : live) {
      boolean driver = container.isAMContainer() || attempt.isDriver(container.getContainerId());
      if (!driver) {
        executors++;
      }
      Node node = nodes.get(container.getAllocatedNode());
      if (node != null) {
        if (!isDriverKnown || driver || executors <= minExecutors) {
          claimant.keeps(types.amounts(container.getAllocatedResource()));
        } else {
          losable.add(container);
        }
      }
    }
    Collections.reverse(losable);
    for (RMContainer container : losable) {
      containers.put(claimant.mayLose(nodes.get(container.getAllocatedNode()),
          types.amounts(container.getAllocatedResource()),
          asked.test(container.getContainerId())), container);
    }
  }

  /** Whether there is any node that could hold it if it were empty. */
  private boolean isPossible(Asking ask) {
    if (!fits(ask.size(), room.maximum(partition))) {
      return false;
    }
    for (FiCaSchedulerNode node : schedulerNodes.values()) {
      if (fits(ask.size(), node.getTotalResource()) && ask.isFor(node)) {
        return true;
      }
    }
    return false;
  }

  private boolean fits(Resource small, Resource large) {
    return Amounts.fits(types.amounts(small), types.amounts(large));
  }

  private User user(String name) {
    return users.computeIfAbsent(name, n -> {
      Resource limit = room.userLimit(n, cluster, partition);
      return new User(measure.of(types.amounts(limit)), reserved.length);
    });
  }

  private void countAsFree(RMContainer container) {
    Node node = nodes.get(container.getAllocatedNode());
    if (node != null) {
      node.frees(types.amounts(container.getAllocatedResource()));
      Amounts.add(reserved, types.amounts(container.getAllocatedResource()));
    }
  }

  /** In the order in which they were added. */
  List<Claimant> claimants() {
    return claimants;
  }

  /** What to take from whom; asked for once, when all applications are added. */
  Plan plan(PolicyConfiguration configuration, boolean byShare) {
    return byShare
        ? Plan.byShare(claimants, space(), configuration.reclaimMaxPerRound(),
            configuration.reclaimDeadZone())
        : Plan.byPriority(claimants, space(), configuration.reclaimMaxPerRound());
  }

  private Space space() {
    for (Map.Entry<Node, FiCaSchedulerNode> node : schedulerNodes.entrySet()) {
      RMContainer reservation = node.getValue().getReservedContainer();
      if (reservation != null) {
        Claimant owner = claimantOf(reservation);
        if (owner == null) {
          node.getKey().close();
        } else {
          node.getKey().reserveFor(owner);
          // It holds the node, and not yet what is asked for.
          Amounts.add(reserved, types.amounts(reservation.getReservedResource()));
        }
      }
    }
    long[] headroom = room.free(partition);
    Amounts.add(headroom, reserved);
    return new Space(new ArrayList<>(nodes.values()), headroom, measure);
  }

  private Claimant claimantOf(RMContainer container) {
    for (Claimant claimant : claimants) {
      if (((SchedulerApplicationAttempt) entity(claimant)).getApplicationId()
          .equals(container.getApplicationAttemptId().getApplicationId())) {
        return claimant;
      }
    }
    return null;
  }

  S entity(Claimant claimant) {
    return entities.get(claimant);
  }

  /** How much of what the queue uses in the partition this is, from 0 to 1. */
  double partOfUsed(Holding holding) {
    double used = measure.of(room.used(partition));
    return used == 0 ? 0 : Math.min(1, measure.of(types.amounts(
        container(holding).getAllocatedResource())) / used);
  }

  RMContainer container(Holding holding) {
    return containers.get(holding);
  }

  Resource given(Claimant claimant) {
    return types.resource(claimant.given());
  }
}
