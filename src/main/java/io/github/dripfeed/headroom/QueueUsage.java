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

import io.github.dripfeed.core.headroom.PartitionHeadroom;
import io.github.dripfeed.core.headroom.UserHeadroom;
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

/**
 * What the applications of a queue have, taken down once, and what they could have beside it. Used by
 * one thread.
 */
final class QueueUsage {

  /** What some have in one partition. */
  private final class Holdings {
    final long[] progress = new long[types.count()];
    final Map<String, long[]> used = new HashMap<>();
    final Map<String, long[]> progressOfUsers = new HashMap<>();
  }

  private final CapacityScheduler scheduler;
  private final CSQueue queue;
  private final CountedResources types;
  private final QueueHeadroom room;
  private final Set<String> users = new HashSet<>();
  private final Map<String, Holdings> holdings = new HashMap<>();
  private final Map<NodeId, long[]> progressOfNodes = new HashMap<>();
  private final Map<String, long[]> largest = new HashMap<>();

  QueueUsage(CapacityScheduler scheduler, CSQueue queue, CountedResources types) {
    this.scheduler = scheduler;
    this.queue = queue;
    this.types = types;
    this.room = new QueueHeadroom(queue, types);
  }

  QueueHeadroom room() {
    return room;
  }

  /** Takes down what an application has; all of them before any zone is asked for. */
  void add(SchedulerApplicationAttempt app, YarnAttempt attempt) {
    users.add(app.getUser());
    // Then it goes on, and will end; a driver alone may have to wait for others.
    boolean progress = attempt != null && attempt.liveExecutors() > 0;
    for (RMContainer container : app.getLiveContainersMap().values()) {
      long[] amounts = types.amounts(container.getAllocatedResource());
      Holdings here = holdings(partitionOf(container.getAllocatedNode()));
      here.used.merge(app.getUser(), amounts, ResourceVector::plus);
      if (progress) {
        ResourceVector.add(here.progress, amounts);
        here.progressOfUsers.merge(app.getUser(), amounts, ResourceVector::plus);
        progressOfNodes.merge(container.getAllocatedNode(), amounts, ResourceVector::plus);
      }
    }
    for (RMContainer reservation : app.getReservedContainers()) {
      holdings(partitionOf(reservation.getReservedNode())).used.merge(app.getUser(),
          types.amounts(reservation.getReservedResource()), ResourceVector::plus);
    }
  }

  /** The partition that the node is in; the default one if it is gone. */
  String partitionOf(NodeId id) {
    FiCaSchedulerNode node = scheduler.getNode(id);
    return node == null ? "" : node.getPartition();
  }

  /** What could be had in a partition. */
  PartitionHeadroom zone(String partition) {
    Holdings here = holdings(partition);
    PartitionHeadroom zone = new PartitionHeadroom(
        room.used(partition), room.free(partition), here.progress, largest(partition));
    for (FiCaSchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
      if (node.getPartition().equals(partition) && PendingRequest.isOpen(node)) {
        long[] free = types.amounts(node.getUnallocatedResource());
        long[] progress = progressOfNodes.getOrDefault(node.getNodeID(), none());
        if (node.getReservedContainer() == null) {
          zone.addNode(free, progress);
        } else {
          zone.addReservedNode(free, progress);
        }
      }
    }
    long[] ceiling = room.userCeiling(partition);
    double part = room.userPart();
    for (String user : users) {
      zone.addUser(user, new UserHeadroom(here.used.getOrDefault(user, none()),
          here.progressOfUsers.getOrDefault(user, none()),
          types.amounts(room.userLimit(user, scheduler.getClusterResource(), partition)),
          ceiling, part));
    }
    return zone;
  }

  /** The largest container that an application of the queue may ask for in a partition. */
  long[] largest(String partition) {
    return largest.computeIfAbsent(partition, this::findLargest);
  }

  private long[] findLargest(String partition) {
    long[] allowed = types.amounts(Resources.componentwiseMin(
        scheduler.getMaximumResourceCapability(QueueCompat.nameOf(scheduler, queue)),
        room.maximum(partition)));
    long[] ofNodes = none();
    for (FiCaSchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
      if (node.getPartition().equals(partition)) {
        ofNodes = ResourceVector.most(ofNodes, types.amounts(node.getTotalResource()));
      }
    }
    return ResourceVector.least(ofNodes, allowed);
  }

  private Holdings holdings(String partition) {
    return holdings.computeIfAbsent(partition, p -> new Holdings());
  }

  private long[] none() {
    return new long[types.count()];
  }
}
