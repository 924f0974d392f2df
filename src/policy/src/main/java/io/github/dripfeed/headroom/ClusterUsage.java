// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.headroom;

import io.github.dripfeed.core.headroom.LevelRoom;
import io.github.dripfeed.core.headroom.PartitionRoom;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueHeadroom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * The usage of the nodes and of all applications of a scheduler, read once for one plan. It distinguishes
 * what comes free (applications with executors make progress and will end; drivers that block others may be
 * taken back) from what other drivers without executors hold, which may have to wait for others. Used by
 * one thread.
 */
final class ClusterUsage {

  /** Usage by partition. */
  final class Usage {
    private final Map<String, ResourceSum> sums = new HashMap<>();

    ResourceSum in(String partition) {
      return sums.computeIfAbsent(partition, p -> new ResourceSum(types.count()));
    }

    void add(Usage more) {
      more.sums.forEach((partition, amounts) -> in(partition).add(amounts));
    }
  }

  /** What the applications of a planned queue and of one of its users hold. */
  final class UserUsage {
    final Usage used = new Usage();
    final Usage progress = new Usage();
  }

  /** A level of the queue hierarchy. */
  private final class Level {
    final Usage progress = new Usage();
    final Usage stuck = new Usage();
  }

  private final class Node {
    final FiCaSchedulerNode node;
    final ResourceSum progress = new ResourceSum(types.count());
    final ResourceSum stuck = new ResourceSum(types.count());

    Node(FiCaSchedulerNode node) {
      this.node = node;
    }
  }

  private final CapacityScheduler scheduler;
  private final CountedResources types;
  private final Map<NodeId, Node> nodes = new HashMap<>();
  private final Map<String, List<Node>> byPartition = new HashMap<>();
  private final Map<CSQueue, Level> levels = new IdentityHashMap<>();
  private final Map<CSQueue, Map<String, UserUsage>> users = new IdentityHashMap<>();
  private final Map<String, PartitionRoom> rooms = new HashMap<>();
  private final Map<String, ResourceVector> largestNode = new HashMap<>();
  private final Map<CSQueue, Map<String, LevelRoom>> levelRooms = new IdentityHashMap<>();

  ClusterUsage(CapacityScheduler scheduler, CountedResources types) {
    this.scheduler = scheduler;
    this.types = types;
  }

  /** Reads the nodes. */
  void readNodes() {
    for (FiCaSchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
      Node known = new Node(node);
      nodes.put(node.getNodeID(), known);
      byPartition.computeIfAbsent(node.getPartition(), p -> new ArrayList<>()).add(known);
    }
  }

  /**
   * Reads what all applications hold.
   *
   * @param comesFree whether what an application of a planned queue holds comes free; null for an
   *     application of another queue
   */
  void readApplications(BiFunction<CSQueue, FiCaSchedulerApp, Boolean> comesFree) {
    for (SchedulerApplication<FiCaSchedulerApp> application
        : scheduler.getSchedulerApplications().values()) {
      FiCaSchedulerApp app = application.getCurrentAppAttempt();
      if (app != null && app.getQueue() instanceof CSQueue) {
        CSQueue queue = (CSQueue) app.getQueue();
        read(app, queue, comesFree.apply(queue, app));
      }
    }
  }

  private void read(FiCaSchedulerApp app, CSQueue queue, Boolean planned) {
    UserUsage ofUser = planned == null ? null : users.computeIfAbsent(queue, q -> new HashMap<>())
        .computeIfAbsent(app.getUser(), u -> new UserUsage());
    Map<?, RMContainer> live = app.getLiveContainersMap();
    if (live.isEmpty() && app.getReservedContainers().isEmpty()) {
      return;
    }
    // Beside its driver, another application has more than one container; an unmanaged one has no driver.
    boolean progress = planned == null ? live.size() > (app.getUnmanagedAM() ? 0 : 1) : planned;
    Usage held = new Usage();
    for (RMContainer container : live.values()) {
      if (!takesRoom(container)) {
        continue;
      }
      ResourceVector amounts = types.amounts(container.getAllocatedResource());
      Node node = nodes.get(container.getAllocatedNode());
      held.in(node == null ? "" : node.node.getPartition()).add(amounts);
      if (node != null && progress) {
        node.progress.add(amounts);
      } else if (node != null && planned != null) {
        node.stuck.add(amounts);
      }
    }
    for (CSQueue level = queue; level != null; level = level.getParent()) {
      Level here = levels.computeIfAbsent(level, l -> new Level());
      if (progress) {
        here.progress.add(held);
      } else if (planned != null) {
        here.stuck.add(held);
      }
    }
    if (ofUser != null) {
      ofUser.used.add(held);
      if (progress) {
        ofUser.progress.add(held);
      }
      for (RMContainer reservation : app.getReservedContainers()) {
        ofUser.used.in(partitionOf(reservation.getReservedNode()))
            .add(types.amounts(reservation.getReservedResource()));
      }
    }
  }

  /** An opportunistic one takes nothing that the scheduler has to give, of its queue or of its node. */
  private static boolean takesRoom(RMContainer container) {
    return container.getExecutionType() != ExecutionType.OPPORTUNISTIC;
  }

  /** What the executors of a running application hold, by partition. */
  Map<String, ResourceVector> held(SchedulerApplicationAttempt app) {
    Map<String, ResourceVector> held = new HashMap<>();
    for (RMContainer container : app.getLiveContainersMap().values()) {
      if (!container.isAMContainer() && takesRoom(container)) {
        held.merge(partitionOf(container.getAllocatedNode()),
            types.amounts(container.getAllocatedResource()), ResourceVector::plus);
      }
    }
    return held;
  }

  /** The users of a planned queue. */
  Map<String, UserUsage> users(CSQueue queue) {
    return users.getOrDefault(queue, Collections.<String, UserUsage>emptyMap());
  }

  /** What the user of a planned queue holds in the partition. */
  ResourceVector usedBy(CSQueue queue, String user, String partition) {
    UserUsage usage = users(queue).get(user);
    return usage == null ? ResourceVector.zero(types.count()) : usage.used.in(partition).toVector();
  }

  /** YARN's current limit of the user in the partition. */
  ResourceVector userLimit(QueueHeadroom headroom, String user, String partition) {
    return types.amounts(headroom.userLimit(user, scheduler.getClusterResource(), partition));
  }

  /** The partition of the node; the default partition if the node is gone. */
  String partitionOf(NodeId id) {
    Node node = nodes.get(id);
    return node == null ? "" : node.node.getPartition();
  }

  /** The largest node of the partition, type by type. */
  ResourceVector largestNode(String partition) {
    return largestNode.computeIfAbsent(partition, p -> {
      ResourceVector largest = ResourceVector.zero(types.count());
      for (Node node : nodesOf(p)) {
        largest = largest.componentwiseMax(types.amounts(node.node.getTotalResource()));
      }
      return largest;
    });
  }

  private List<Node> nodesOf(String partition) {
    return byPartition.getOrDefault(partition, Collections.<Node>emptyList());
  }

  /** The nodes of the partition. */
  PartitionRoom room(String partition) {
    return rooms.computeIfAbsent(partition, p -> {
      PartitionRoom room = new PartitionRoom();
      for (Node each : nodesOf(p)) {
        if (PendingRequest.isSchedulable(each.node)) {
          ResourceVector free = types.amounts(each.node.getUnallocatedResource());
          ResourceVector later = free.plus(each.progress);
          room.addNode(types.amounts(each.node.getTotalResource()),
              each.node.getReservedContainer() == null ? free : null, later, later.plus(each.stuck));
        }
      }
      return room;
    });
  }

  /** The headroom of the queue and of its ancestors in the partition. */
  List<LevelRoom> levels(CSQueue queue, String partition) {
    List<LevelRoom> found = new ArrayList<>();
    for (CSQueue level = queue; level != null; level = level.getParent()) {
      CSQueue here = level;
      Level usage = levels.computeIfAbsent(level, l -> new Level());
      found.add(levelRooms.computeIfAbsent(level, l -> new HashMap<>()).computeIfAbsent(partition,
          p -> new LevelRoom(here.getQueuePath(), new QueueHeadroom(here, types).freeOfItsOwn(p),
              usage.progress.in(p), usage.stuck.in(p))));
    }
    return found;
  }
}
