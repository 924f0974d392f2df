// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.reclaim.Placement;
import io.github.dripfeed.core.reclaim.PlanNode;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;

/**
 * Predicts where YARN would place pending requests <em>now</em>, by the rules of its {@code
 * RegularContainerAllocator}: a request for hosts or racks is placed elsewhere only after a number of
 * missed opportunities. Used by one thread.
 */
final class YarnPlacement {

  private final CountedResources types;
  private final int clusterNodes;
  private final int nodeDelay;
  private final int rackDelay;
  private final boolean rackResets;

  YarnPlacement(CapacityScheduler scheduler, CountedResources types) {
    CapacitySchedulerConfiguration conf = scheduler.getConfiguration();
    this.types = types;
    this.clusterNodes = scheduler.getNumClusterNodes();
    this.nodeDelay = conf.getNodeLocalityDelay();
    this.rackDelay = conf.getRackLocalityAdditionalDelay();
    this.rackResets = conf.getRackLocalityFullReset();
  }

  /** The nodes of its partition on which a request would be placed. */
  Placement of(PendingRequest request, PartitionNodes nodes) {
    SchedulerApplicationAttempt app = request.app();
    Set<String> excluded = app.isWaitingForAMContainer() ? null
        : app.getAppSchedulingInfo().getBlackListCopy();
    if (!(request.allocator() instanceof LocalityAppPlacementAllocator)) {
      return new Constrained(request, types.amounts(request.size()));
    }
    Map<String, ResourceRequest> requests = request.allocator().getResourceRequests();
    if (requests.size() == 1 && excluded != null && excluded.isEmpty()) {
      ResourceRequest any = requests.get(ResourceRequest.ANY);
      if (any != null && any.getRelaxLocality()) {
        return Placement.ANYWHERE;
      }
    }
    return new Local(request, nodes, excluded, requests);
  }

  /** Whether there is a node on which the request would be placed now if the node were empty. */
  boolean isPossible(PendingRequest request, PartitionNodes nodes) {
    Placement placement = of(request, nodes);
    ResourceVector size = types.amounts(request.size());
    List<PlanNode> requested = placement.nodes();
    for (PlanNode node : requested == null ? nodes.all() : requested) {
      if (node.isLargeEnough(size) && placement.at(node) == Placement.Answer.YES) {
        return true;
      }
    }
    return false;
  }

  /**
   * Placement by locality: on the requested hosts and racks, after the delay elsewhere, and never on
   * excluded nodes.
   */
  private final class Local implements Placement {

    private final SchedulerApplicationAttempt app;
    private final PartitionNodes nodes;
    /** The excluded hosts and racks; null if the application must be queried for each. */
    private final Set<String> excluded;
    private final ResourceVector size;
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, Boolean> relaxed = new HashMap<>();
    private long missed;
    /** The requested containers and locations before the plan. */
    private final int initialCount;
    private final int initialLocations;
    private boolean isPlacedOnHost;
    private List<PlanNode> only;

    Local(PendingRequest request, PartitionNodes nodes, Set<String> excluded,
        Map<String, ResourceRequest> requests) {
      this.app = request.app();
      this.nodes = nodes;
      this.excluded = excluded;
      this.size = types.amounts(request.size());
      this.missed = request.missedOpportunities();
      for (ResourceRequest location : requests.values()) {
        counts.put(location.getResourceName(), location.getNumContainers());
        relaxed.put(location.getResourceName(), location.getRelaxLocality());
      }
      this.initialCount = count(ResourceRequest.ANY);
      this.initialLocations = counts.size();
    }

    @Override
    public Answer at(PlanNode node) {
      FiCaSchedulerNode yarnNode = PartitionNodes.of(node);
      if (isExcluded(yarnNode) || !node.isLargeEnough(size)) {
        return Answer.STOP;
      }
      if (isNodeLocal(yarnNode) || isRackLocal(yarnNode)) {
        return Answer.YES;
      }
      if (count(yarnNode.getRackName()) > 0 && !isRelaxed(yarnNode.getRackName())
          || !isRelaxed(ResourceRequest.ANY) || count(ResourceRequest.ANY) <= 0) {
        return Answer.NEXT;
      }
      return isOffSwitch() ? Answer.YES : Answer.STOP;
    }

    @Override
    public boolean isLater(PlanNode node) {
      FiCaSchedulerNode yarnNode = PartitionNodes.of(node);
      return !isExcluded(yarnNode) && count(ResourceRequest.ANY) > 0
          && (isRelaxed(yarnNode.getRackName()) || count(yarnNode.getRackName()) == 0)
          && (isRelaxed(ResourceRequest.ANY) || count(yarnNode.getRackName()) > 0);
    }

    private boolean isExcluded(FiCaSchedulerNode yarnNode) {
      return excluded == null
          ? app.isPlaceBlacklisted(yarnNode.getNodeName()) || app.isPlaceBlacklisted(yarnNode.getRackName())
          : excluded.contains(yarnNode.getNodeName()) || excluded.contains(yarnNode.getRackName());
    }

    private boolean isNodeLocal(FiCaSchedulerNode yarnNode) {
      return count(ResourceRequest.ANY) > 0 && count(yarnNode.getRackName()) > 0
          && count(yarnNode.getNodeName()) > 0;
    }

    private boolean isRackLocal(FiCaSchedulerNode yarnNode) {
      return count(ResourceRequest.ANY) > 0 && count(yarnNode.getRackName()) > 0
          && isRelaxed(yarnNode.getRackName()) && isRackDelayOver();
    }

    /**
     * The missed opportunities at the next opportunity: YARN's {@code tryAllocateOnNode} counts that one
     * before it compares.
     */
    private long missedAtNext() {
      return missed + 1;
    }

    private boolean isRackDelayOver() {
      return Math.min(clusterNodes, nodeDelay) < missedAtNext();
    }

    /**
     * Whether the delay before any node is over. YARN's delay gets shorter with every container on a host.
     * If the plan has placed such a container, another node may report before the host, so the delay is
     * as long as before the plan.
     */
    private boolean isOffSwitch() {
      int locations = isPlacedOnHost ? initialLocations : counts.size();
      int containers = isPlacedOnHost ? initialCount : count(ResourceRequest.ANY);
      if (locations == 1) {
        return true;
      }
      if (rackDelay > -1) {
        return Math.min(clusterNodes, nodeDelay + rackDelay) < missedAtNext();
      }
      float factor = Math.min((float) Math.max(locations - 1, 0) / clusterNodes, 1.0f);
      return Math.min(clusterNodes, containers * factor) < missedAtNext();
    }

    @Override
    public List<PlanNode> nodes() {
      if (only == null) {
        only = find();
      }
      return only.isEmpty() && isRelaxed(ResourceRequest.ANY) && isOffSwitch() ? null : only;
    }

    /**
     * The requested nodes if the request would be placed only there; empty if it would be placed
     * elsewhere too.
     */
    private List<PlanNode> find() {
      if (isRelaxed(ResourceRequest.ANY) && isOffSwitch()) {
        return Collections.emptyList();
      }
      Set<PlanNode> found = new LinkedHashSet<>();
      for (Map.Entry<String, Integer> location : counts.entrySet()) {
        if (location.getValue() > 0 && !location.getKey().equals(ResourceRequest.ANY)) {
          for (PlanNode node : nodes.at(location.getKey())) {
            if (isNodeLocal(PartitionNodes.of(node)) || isRackLocal(PartitionNodes.of(node))) {
              found.add(node);
            }
          }
        }
      }
      return new ArrayList<>(found);
    }

    @Override
    public void placed(PlanNode node) {
      FiCaSchedulerNode yarnNode = PartitionNodes.of(node);
      boolean nodeLocal = isNodeLocal(yarnNode);
      boolean rackLocal = !nodeLocal && isRackLocal(yarnNode);
      if (nodeLocal) {
        decrease(yarnNode.getNodeName());
        isPlacedOnHost = true;
      }
      if (nodeLocal || rackLocal) {
        decrease(yarnNode.getRackName());
        missed = nodeLocal || rackResets ? 0 : missed;
      }
      decrease(ResourceRequest.ANY);
      only = null;
    }

    private void decrease(String location) {
      counts.computeIfPresent(location, (l, count) -> count > 1 ? count - 1 : null);
    }

    private int count(String location) {
      return counts.getOrDefault(location, 0);
    }

    /** Whether the request may be placed farther away than this host or rack. */
    private boolean isRelaxed(String location) {
      return relaxed.getOrDefault(location, true);
    }
  }

  /** Placement by the application's placement constraints. */
  private static final class Constrained implements Placement {

    private final PendingRequest request;
    private final ResourceVector size;
    private final Map<PlanNode, Answer> answers = new IdentityHashMap<>();

    Constrained(PendingRequest request, ResourceVector size) {
      this.request = request;
      this.size = size;
    }

    @Override
    public Answer at(PlanNode node) {
      return answers.computeIfAbsent(node, this::find);
    }

    private Answer find(PlanNode node) {
      FiCaSchedulerNode yarnNode = PartitionNodes.of(node);
      if (!request.allocator().precheckNode(yarnNode, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY)) {
        return Answer.NEXT;
      }
      boolean excluded = request.app().isPlaceBlacklisted(yarnNode.getNodeName())
          || request.app().isPlaceBlacklisted(yarnNode.getRackName());
      return excluded || !node.isLargeEnough(size) ? Answer.STOP : Answer.YES;
    }
  }
}
