/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.headroom;

import io.github.dripfeed.core.headroom.DemandOutlook;
import io.github.dripfeed.core.headroom.PartitionHeadroom;
import io.github.dripfeed.core.headroom.UserHeadroom;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.QueueHeadroom;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.util.resource.Resources;

/** The usage of a queue's applications, read once, and the headroom that remains. Used by one thread. */
final class QueueUsage implements DemandOutlook.Room {

  /** The usage in one partition. */
  private final class Usage {
    final ResourceSum progress = new ResourceSum(types.count());
    final Map<String, ResourceSum> used = new HashMap<>();
    final Map<String, ResourceSum> progressOfUsers = new HashMap<>();
  }

  private final CapacityScheduler scheduler;
  private final CSQueue queue;
  private final CountedResources types;
  private final QueueHeadroom headroom;
  private final Set<String> users = new HashSet<>();
  private final Map<String, Usage> byPartition = new HashMap<>();
  private final Map<NodeId, ResourceSum> progressOfNodes = new HashMap<>();
  private final Map<String, ResourceVector> largest = new HashMap<>();

  QueueUsage(CapacityScheduler scheduler, CSQueue queue, CountedResources types) {
    this.scheduler = scheduler;
    this.queue = queue;
    this.types = types;
    this.headroom = new QueueHeadroom(queue, types);
  }

  QueueHeadroom headroom() {
    return headroom;
  }

  /** Adds the usage of an application. All applications are added before {@link #headroomOf} is called. */
  void add(SchedulerApplicationAttempt app, YarnAttempt attempt) {
    users.add(app.getUser());
    // An application with an executor makes progress and will end; a driver without executors may have to
    // wait for other applications.
    boolean progress = attempt != null && attempt.liveExecutors() > 0;
    for (RMContainer container : app.getLiveContainersMap().values()) {
      ResourceVector amounts = types.amounts(container.getAllocatedResource());
      Usage here = usage(partitionOf(container.getAllocatedNode()));
      sum(here.used, app.getUser()).add(amounts);
      if (progress) {
        here.progress.add(amounts);
        sum(here.progressOfUsers, app.getUser()).add(amounts);
        sum(progressOfNodes, container.getAllocatedNode()).add(amounts);
      }
    }
    for (RMContainer reservation : app.getReservedContainers()) {
      sum(usage(partitionOf(reservation.getReservedNode())).used, app.getUser())
          .add(types.amounts(reservation.getReservedResource()));
    }
  }

  /** The partition of the node; the default partition if the node is gone. */
  String partitionOf(NodeId id) {
    FiCaSchedulerNode node = scheduler.getNode(id);
    return node == null ? "" : node.getPartition();
  }

  /** The headroom in a partition. */
  PartitionHeadroom headroomOf(String partition) {
    Usage here = usage(partition);
    PartitionHeadroom partitionHeadroom = new PartitionHeadroom(
        headroom.used(partition), headroom.free(partition), here.progress, largest(partition));
    for (FiCaSchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
      if (node.getPartition().equals(partition) && PendingRequest.isSchedulable(node)) {
        ResourceVector free = types.amounts(node.getUnallocatedResource());
        ResourceSum progress = sum(progressOfNodes, node.getNodeID());
        if (node.getReservedContainer() == null) {
          partitionHeadroom.addNode(free, progress);
        } else {
          partitionHeadroom.addReservedNode(free, progress);
        }
      }
    }
    ResourceVector ceiling = headroom.userCeiling(partition);
    double fraction = headroom.userFraction();
    for (String user : users) {
      partitionHeadroom.addUser(user, new UserHeadroom(
          sum(here.used, user), sum(here.progressOfUsers, user),
          userLimit(user, partition), ceiling, fraction));
    }
    return partitionHeadroom;
  }

  @Override
  public ResourceVector limit(String partition) {
    return headroom.free(partition).plus(headroom.used(partition));
  }

  @Override
  public ResourceVector used(String partition) {
    return headroom.used(partition);
  }

  @Override
  public ResourceVector limitOf(String user, String partition) {
    double fraction = headroom.userFraction();
    // The limit grows with the usage of the queue, up to that fraction of a full queue.
    return limit(partition).each(amount -> (long) (fraction * amount))
        .componentwiseMax(userLimit(user, partition)).componentwiseMin(headroom.userCeiling(partition));
  }

  @Override
  public ResourceVector usedBy(String user, String partition) {
    return sum(usage(partition).used, user).toVector();
  }

  private ResourceVector userLimit(String user, String partition) {
    return types.amounts(headroom.userLimit(user, scheduler.getClusterResource(), partition));
  }

  /** The largest container that an application of the queue may request in a partition. */
  ResourceVector largest(String partition) {
    return largest.computeIfAbsent(partition, this::findLargest);
  }

  private ResourceVector findLargest(String partition) {
    ResourceVector allowed = types.amounts(Resources.componentwiseMin(
        scheduler.getMaximumResourceCapability(QueueCompat.nameOf(scheduler, queue)),
        headroom.maximum(partition)));
    ResourceVector ofNodes = ResourceVector.zero(types.count());
    for (FiCaSchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
      if (node.getPartition().equals(partition)) {
        ofNodes = ofNodes.componentwiseMax(types.amounts(node.getTotalResource()));
      }
    }
    return ofNodes.componentwiseMin(allowed);
  }

  private Usage usage(String partition) {
    return byPartition.computeIfAbsent(partition, p -> new Usage());
  }

  private <K> ResourceSum sum(Map<K, ResourceSum> sums, K key) {
    return sums.computeIfAbsent(key, k -> new ResourceSum(types.count()));
  }
}
