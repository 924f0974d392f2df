// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.ordering.OrderingDelegate;
import io.github.dripfeed.ordering.StateAwarePolicy;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.QueueHeadroom;
import io.github.dripfeed.yarn.ServingOrder;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Decides whether resources that a queue releases come back to it or go to another queue: YARN first
 * serves the queue with the lowest used capacity that has a placeable pending request. Used by one
 * thread, in one round.
 */
final class SiblingQueues {

  private final CapacityScheduler scheduler;
  private final ServingOrder servingOrder;
  private final CountedResources types;
  private final CSQueue leaf;
  private final NodeSnapshot nodes;
  private final YarnPlacement placement;

  SiblingQueues(CapacityScheduler scheduler, CSQueue leaf, NodeSnapshot nodes, YarnPlacement placement) {
    this.scheduler = scheduler;
    this.servingOrder = new ServingOrder(scheduler);
    this.types = new CountedResources(scheduler.getResourceCalculator());
    this.leaf = leaf;
    this.nodes = nodes;
    this.placement = placement;
  }

  /**
   * Whether all released resources come back to the queue.
   *
   * @param smallest the smallest container that the queue releases; null if none
   * @param total the total that it releases, by resource type
   */
  boolean isReturned(String partition, Resource smallest, ResourceVector total) {
    Resource released = smallest == null ? Resources.none() : smallest;
    for (CSQueue queue = leaf; queue.getParent() != null; queue = queue.getParent()) {
      for (CSQueue sibling : servingOrder.before(queue, partition, released)) {
        if (hasPlaceableRequest(sibling, partition, queue.getParent(), total)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Whether the queue has a pending request that can be placed once the headroom of the common parent has
   * grown.
   *
   * @param released the resources by which the headroom of the parent grows
   */
  private boolean hasPlaceableRequest(CSQueue queue, String partition, CSQueue parent,
      ResourceVector released) {
    Resource pending = queue.getQueueResourceUsage().getPending(partition);
    if (pending.getMemorySize() <= 0 && pending.getVirtualCores() <= 0) {
      return false;
    }
    List<CSQueue> children = queue.getChildQueues();
    if (children != null && !children.isEmpty()) {
      for (CSQueue child : children) {
        if (hasPlaceableRequest(child, partition, parent, released)) {
          return true;
        }
      }
      return false;
    }
    Object policy = QueueCompat.orderingPolicy(queue);
    OrderingDelegate<?> ordering = StateAwarePolicy.orderingOf(policy);
    if (ordering == null && !(policy instanceof OrderingPolicy)) {
      return true;
    }
    // Requests of held applications are not served, nor those of applications that YARN has not activated
    // because of its limit on drivers.
    Iterator<?> all = ordering != null ? ordering.offered()
        : ((OrderingPolicy<?>) policy).getSchedulableEntities().iterator();
    QueueHeadroom headroom = new QueueHeadroom(queue, types);
    Map<String, Boolean> users = new HashMap<>();
    while (all.hasNext()) {
      SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) all.next();
      if (!app.getAppSchedulingInfo().getSchedulerKeys().isEmpty()
          && users.computeIfAbsent(
              app.getUser(), name -> headroom.isBelowUserLimit(name, scheduler, partition))) {
        for (PendingRequest request : PendingRequest.all(app)) {
          if (!request.partition().equals(partition)) {
            continue;
          }
          if (headroom.has(partition, types.amounts(request.size()), parent, released)
              && placement.isPossible(request, nodes.partition(partition))) {
            return true;
          }
          if (request.hidesLater() && !placement.fitsOnAnyNode(request, nodes.partition(partition))) {
            break;
          }
        }
      }
    }
    return false;
  }
}
