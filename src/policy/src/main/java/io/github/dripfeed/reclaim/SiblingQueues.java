// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.cluster.Limit;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.ordering.StateAwarePolicy;
import io.github.dripfeed.snapshot.ClusterSnapshot;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.ServingOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;

/**
 * Decides whether resources that a queue releases in a partition come back to it or go to another queue:
 * YARN serves queues in the order of their parent, and the first with a placeable request gets them. Used
 * by one thread, in one round.
 */
final class SiblingQueues {

  private final ClusterSnapshot cluster;
  private final YarnPlacement placement;
  private final String partition;
  private final PartitionNodes nodes;

  SiblingQueues(ClusterSnapshot cluster, YarnPlacement placement, String partition, PartitionNodes nodes) {
    this.cluster = cluster;
    this.placement = placement;
    this.partition = partition;
    this.nodes = nodes;
  }

  /** Whether what these containers of the queue hold comes back to it; reservations do not count. */
  boolean isReturned(CSQueue leaf, List<PreemptibleContainer> released) {
    ResourceSum total = new ResourceSum(cluster.types.count());
    ResourceVector first = total.toVector();
    for (PreemptibleContainer container : released) {
      if (!container.isReservation()) {
        // The smallest container lowers the used capacity least: the worst case.
        first = total.isZero() || container.size().fitsIn(first) ? container.size() : first;
        total.add(container.size());
      }
    }
    Resource smallest = cluster.types.resource(first);
    return !new ServingOrder(cluster.scheduler).isAnyBefore(leaf, partition, queue -> smallest,
        (sibling, parent) -> hasPlaceableRequest(sibling, parent, total));
  }

  /**
   * Whether the leaf queue has a pending request that can be placed.
   *
   * @param released the resources by which the headroom of the common parent grows
   */
  private boolean hasPlaceableRequest(CSQueue queue, CSQueue parent, ResourceSum released) {
    Resource pending = queue.getQueueResourceUsage().getPending(partition);
    if (pending.getMemorySize() <= 0 && pending.getVirtualCores() <= 0) {
      return false;
    }
    Object policy = QueueCompat.orderingPolicy(queue);
    if (!(policy instanceof OrderingPolicy)) {
      return true;
    }
    // Requests of held applications are not served, nor those of applications that YARN has not activated
    // because of its limit on drivers.
    Iterator<?> all = policy instanceof StateAwarePolicy
        ? ((StateAwarePolicy<?>) policy).ordering().offered()
        : ((OrderingPolicy<?>) policy).getSchedulableEntities().iterator();
    Set<Limit> common = new HashSet<>();
    for (CSQueue level = parent; level != null; level = level.getParent()) {
      common.add(cluster.limit(level, partition));
    }
    ResourceVector none = ResourceVector.zero(cluster.types.count());
    Map<String, List<Limit>> limits = new HashMap<>();
    while (all.hasNext()) {
      SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) all.next();
      for (PendingRequest request : PendingRequest.all(app)) {
        if (!request.partition().equals(partition)) {
          continue;
        }
        ResourceVector size = cluster.types.amounts(request.size());
        if (limits.computeIfAbsent(app.getUser(), user -> cluster.limits(queue, user, partition)).stream()
            .allMatch(limit -> limit.admits(size, common.contains(limit) ? released : none))
            && placement.isPossible(request, nodes)) {
          return true;
        }
        if (request.hidesLater() && !cluster.partition(partition).isPossible(size)) {
          break;
        }
      }
    }
    return false;
  }
}
