// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.reclaim.PlanNode;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.LeavingContainer;
import io.github.dripfeed.yarn.PendingRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * A snapshot of the cluster's nodes, read once per round whatever the number of partitions and
 * applications. Used by one thread.
 */
final class NodeSnapshot {

  /** The nodes of one partition. */
  static final class Partition {
    private final String name;
    private final Map<NodeId, PlanNode> nodes = new LinkedHashMap<>();
    private final List<RMContainer> reservations = new ArrayList<>();
    private final Map<PlanNode, ResourceVector> totals = new HashMap<>();
    private Map<String, List<PlanNode>> byPlace;

    Partition(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }

    List<PlanNode> all() {
      return new ArrayList<>(nodes.values());
    }

    /** The node, or null if it is gone or in another partition. */
    PlanNode node(NodeId id) {
      return nodes.get(id);
    }

    /** The nodes on the host or rack with this name. */
    List<PlanNode> at(String place) {
      if (byPlace == null) {
        byPlace = new HashMap<>();
        for (PlanNode node : nodes.values()) {
          byPlace.computeIfAbsent(of(node).getNodeName(), p -> new ArrayList<>()).add(node);
          byPlace.computeIfAbsent(of(node).getRackName(), p -> new ArrayList<>()).add(node);
        }
      }
      return byPlace.getOrDefault(place, Collections.emptyList());
    }

    /** The reservations on these nodes, for applications of any queue. */
    List<RMContainer> reservations() {
      return reservations;
    }

    /** The total resources of a node, by resource type. */
    ResourceVector total(PlanNode node) {
      return totals.get(node);
    }
  }

  private final Map<String, Partition> partitions = new HashMap<>();

  NodeSnapshot(CapacityScheduler scheduler, CountedResources types) {
    for (FiCaSchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
      Partition partition = partitions.computeIfAbsent(node.getPartition(), Partition::new);
      PlanNode planNode = new PlanNode(
          types.amounts(node.getUnallocatedResource()), PendingRequest.isSchedulable(node), node);
      partition.nodes.put(node.getNodeID(), planNode);
      partition.totals.put(planNode, types.amounts(node.getTotalResource()));
      RMContainer reservation = node.getReservedContainer();
      if (reservation != null) {
        partition.reservations.add(reservation);
      }
    }
  }

  /** Counts what the nodes of preempted containers have not freed yet as free. */
  void addLeaving(Iterable<LeavingContainer> leaving, CountedResources types) {
    for (LeavingContainer container : leaving) {
      for (Partition partition : partitions.values()) {
        PlanNode node = partition.node(container.node());
        if (node != null) {
          node.addFree(types.amounts(container.size()));
        }
      }
    }
  }

  Partition partition(String name) {
    return partitions.computeIfAbsent(name, Partition::new);
  }

  static FiCaSchedulerNode of(PlanNode node) {
    return (FiCaSchedulerNode) node.item();
  }
}
