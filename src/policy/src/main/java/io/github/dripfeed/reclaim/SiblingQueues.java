// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.ordering.OrderingDelegate;
import io.github.dripfeed.ordering.StateAwarePolicy;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.QueueHeadroom;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.policy.PriorityUtilizationQueueOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Decides whether resources that a queue releases come back to it or go to another queue: YARN first
 * serves the queue with the lowest used capacity that has a placeable pending request. Used by one
 * thread, in one round.
 */
final class SiblingQueues {

  private static final String BY_PRIORITY = "priority-utilization";

  private final CapacityScheduler scheduler;
  private final ResourceCalculator calculator;
  private final CountedResources types;
  private final CSQueue leaf;
  private final NodeSnapshot nodes;
  private final YarnPlacement placement;

  SiblingQueues(CapacityScheduler scheduler, CSQueue leaf, NodeSnapshot nodes, YarnPlacement placement) {
    this.scheduler = scheduler;
    this.calculator = scheduler.getResourceCalculator();
    this.types = new CountedResources(calculator);
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
      boolean byPriority = BY_PRIORITY.equals(QueueCompat.orderOfChildren(queue.getParent()));
      boolean listedBefore = true;
      for (CSQueue sibling : queue.getParent().getChildQueues()) {
        if (sibling == queue) {
          listedBefore = false;
        } else {
          int order = compare(sibling, queue, partition, released, byPriority);
          if ((order < 0 || order == 0 && listedBefore)
              && hasPlaceableRequest(sibling, partition, queue.getParent(), total)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /**
   * Compares the queues as {@link PriorityUtilizationQueueOrderingPolicy} does, after the second one has
   * released resources.
   *
   * @return negative if YARN serves the sibling first; 0 if it serves them in the order of configuration
   */
  private int compare(
      CSQueue sibling, CSQueue queue, String partition, Resource released, boolean byPriority) {
    float capacity = queue.getQueueCapacities().getAbsoluteCapacity(partition);
    float ofSibling = sibling.getQueueCapacities().getAbsoluteCapacity(partition);
    if (capacity > 0 != ofSibling > 0) {
      return ofSibling > 0 ? -1 : 1;
    }
    int order = PriorityUtilizationQueueOrderingPolicy.compare(
        used(sibling, partition, capacity > 0, Resources.none()),
        used(queue, partition, capacity > 0, released),
        byPriority ? sibling.getPriority().getPriority() : 0,
        byPriority ? queue.getPriority().getPriority() : 0);
    return order == 0 ? compareConfigured(sibling, queue, partition) : order;
  }

  /** Of two queues with the same used capacity, the one with the larger capacity is served first. */
  private static int compareConfigured(CSQueue one, CSQueue other, String partition) {
    Resource min = one.getQueueResourceQuotas().getConfiguredMinResource(partition);
    Resource ofOther = other.getQueueResourceQuotas().getConfiguredMinResource(partition);
    if (!Resources.isNone(min) || !Resources.isNone(ofOther)) {
      return ofOther.compareTo(min);
    }
    return Float.compare(other.getQueueCapacities().getAbsoluteCapacity(partition),
        one.getQueueCapacities().getAbsoluteCapacity(partition));
  }

  /** The used capacity of the queue after it has released resources. */
  private float used(CSQueue queue, String partition, boolean guaranteed, Resource released) {
    float used = guaranteed ? queue.getQueueCapacities().getUsedCapacity(partition)
        : queue.getQueueCapacities().getAbsoluteUsedCapacity(partition);
    Resource all = queue.getQueueResourceUsage().getUsed(partition);
    if (Resources.isNone(released) || Resources.isNone(all)) {
      return used;
    }
    Resource cluster = scheduler.getClusterResource();
    return used * Resources.divide(calculator, cluster, Resources.subtract(all, released), cluster)
        / Resources.divide(calculator, cluster, all, cluster);
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
