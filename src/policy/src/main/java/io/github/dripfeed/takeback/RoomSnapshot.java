// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.core.takeback.Loss;
import io.github.dripfeed.core.takeback.RoomLimit;
import io.github.dripfeed.core.takeback.RoomNeed;
import io.github.dripfeed.core.takeback.RoomNode;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueHeadroom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** The nodes and limits of one partition, read once. */
final class RoomSnapshot {

  private final CapacityScheduler scheduler;
  private final String partition;
  private final CountedResources types;
  private final Map<NodeId, RoomNode> nodes = new HashMap<>();
  private final List<RoomNode> inAnyOrder = new ArrayList<>();
  /** What the nodes have in total; few differ. */
  private final Set<ResourceVector> sizes = new HashSet<>();
  private final Map<String, RoomLimit> limits = new HashMap<>();
  private final Map<Application<?>, List<RoomLimit>> byApplication = new HashMap<>();

  RoomSnapshot(CapacityScheduler scheduler, String partition) {
    this.scheduler = scheduler;
    this.partition = partition;
    this.types = new CountedResources(scheduler.getResourceCalculator());
    for (FiCaSchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
      if (node.getPartition().equals(partition) && PendingRequest.isSchedulable(node)) {
        RMContainer reserved = node.getReservedContainer();
        nodes.put(node.getNodeID(), new RoomNode(types.amounts(node.getUnallocatedResource()),
            reserved == null ? null : reserved.getApplicationAttemptId()));
        sizes.add(types.amounts(node.getTotalResource()));
      }
    }
    inAnyOrder.addAll(nodes.values());
  }

  /** Not to be changed. */
  List<RoomNode> nodes() {
    return inAnyOrder;
  }

  /**
   * Whether YARN does not go on to the applications behind this one: of its requests in the partition, one
   * to which YARN comes fits on an empty node, or exceeds what is left to the queue, where YARN ends its
   * walk.
   */
  boolean comesFirst(Application<?> application) {
    for (PendingRequest request : application.requests) {
      if (request.partition().equals(partition)) {
        ResourceVector size = types.amounts(request.size());
        if (fitsOnAnyNode(size) || !size.fitsIn(new QueueHeadroom(application.yarnQueue, types)
            .free(partition).plus(reserved(application)))) {
          return true;
        }
        if (request.hidesLater()) {
          return false;
        }
      }
    }
    return false;
  }

  private boolean fitsOnAnyNode(ResourceVector size) {
    return sizes.stream().anyMatch(size::fitsIn);
  }

  /** Whether YARN passes over the application in the partition, because its user is above the limit. */
  boolean isSkipped(Application<?> application) {
    // A reservation may count toward the limit, and YARN allocates it in any case.
    return !application.facts.hasReservation()
        && !new QueueHeadroom(application.yarnQueue, types)
            .isBelowUserLimit(application.app.getUser(), scheduler, partition);
  }

  /** The container that the request asks for. */
  RoomNeed need(Application<?> application, PendingRequest request) {
    return new RoomNeed(application.id(), types.amounts(request.size()), reserved(application),
        limits(application));
  }

  /** The driver; null if it is not on a node of the partition. */
  Loss loss(Application<?> application) {
    RoomNode node = nodes.get(application.driver.getAllocatedNode());
    if (node == null) {
      return null;
    }
    ResourceVector driver = types.amounts(application.driver.getAllocatedResource());
    return new Loss(application.id(), node, driver, driver.plus(reserved(application)),
        limits(application));
  }

  private ResourceVector reserved(Application<?> application) {
    ResourceSum sum = new ResourceSum(types.count());
    for (RMContainer container : application.app.getReservedContainers()) {
      if (nodes.containsKey(container.getReservedNode())) {
        sum.add(types.amounts(container.getReservedResource()));
      }
    }
    return sum.toVector();
  }

  private List<RoomLimit> limits(Application<?> application) {
    return byApplication.computeIfAbsent(application, this::readLimits);
  }

  private List<RoomLimit> readLimits(Application<?> application) {
    List<RoomLimit> all = new ArrayList<>();
    CSQueue leaf = application.yarnQueue;
    for (CSQueue level = leaf; level != null; level = level.getParent()) {
      QueueHeadroom headroom = new QueueHeadroom(level, types);
      all.add(limits.computeIfAbsent(level.getQueuePath(), path -> RoomLimit.ofQueue(
          types.amounts(headroom.maximum(partition)).minus(headroom.used(partition)))));
    }
    String user = application.app.getUser();
    // A path has no blank.
    all.add(limits.computeIfAbsent(leaf.getQueuePath() + " " + user, key -> RoomLimit.ofUser(
        new QueueHeadroom(leaf, types).isAboveUserLimit(user, scheduler, partition))));
    return all;
  }
}
