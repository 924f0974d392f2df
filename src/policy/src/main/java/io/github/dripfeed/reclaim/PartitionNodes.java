// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.reclaim.PlanNode;
import io.github.dripfeed.snapshot.ClusterSnapshot;
import io.github.dripfeed.yarn.LeavingContainer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** The nodes of one partition in the course of a plan. Used by one thread. */
final class PartitionNodes {

  private final Map<NodeId, PlanNode> nodes = new LinkedHashMap<>();
  private Map<String, List<PlanNode>> byPlace;

  /** @param leaving containers whose nodes have not freed them yet; they count as free */
  PartitionNodes(ClusterSnapshot cluster, String partition, Iterable<LeavingContainer> leaving) {
    for (FiCaSchedulerNode node : cluster.partition(partition).nodes) {
      nodes.put(node.getNodeID(), new PlanNode(cluster.types.amounts(node.getUnallocatedResource()),
          cluster.types.amounts(node.getTotalResource()), node));
    }
    for (LeavingContainer container : leaving) {
      PlanNode node = nodes.get(container.node());
      if (node != null) {
        node.addFree(cluster.types.amounts(container.size()));
      }
    }
  }

  List<PlanNode> all() {
    return new ArrayList<>(nodes.values());
  }

  /** The node; null if no container may be placed on it, or if it is in another partition. */
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

  static FiCaSchedulerNode of(PlanNode node) {
    return (FiCaSchedulerNode) node.item();
  }
}
