// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/** The pending containers of an application under one scheduler key. */
public final class PendingRequest {

  private final SchedulerApplicationAttempt app;
  private final SchedulerRequestKey key;
  private final AppPlacementAllocator<FiCaSchedulerNode> allocator;
  private final PendingAsk ask;

  private PendingRequest(SchedulerApplicationAttempt app, SchedulerRequestKey key,
      AppPlacementAllocator<FiCaSchedulerNode> allocator, PendingAsk ask) {
    this.app = app;
    this.key = key;
    this.allocator = allocator;
    this.ask = ask;
  }

  /** The pending request under the key, or null if none is pending any more. */
  private static PendingRequest of(SchedulerApplicationAttempt app, SchedulerRequestKey key) {
    AppPlacementAllocator<FiCaSchedulerNode> allocator =
        app.getAppSchedulingInfo().getAppPlacementAllocator(key);
    PendingAsk ask = allocator == null ? null : allocator.getPendingAsk(ResourceRequest.ANY);
    return ask == null || ask.getCount() <= 0 ? null : new PendingRequest(app, key, allocator, ask);
  }

  /** All pending requests of the application, in the order in which the scheduler serves them. */
  public static List<PendingRequest> all(SchedulerApplicationAttempt app) {
    List<PendingRequest> all = new ArrayList<>();
    for (SchedulerRequestKey key : app.getAppSchedulingInfo().getSchedulerKeys()) {
      PendingRequest request = of(app, key);
      if (request != null) {
        all.add(request);
      }
    }
    return all;
  }

  /** The placement of the first request that the scheduler serves; null if there is none. */
  static AppPlacementAllocator<?> firstAllocator(SchedulerApplicationAttempt app) {
    // A thread that allocates the container may remove the key at any time; an iterator has it already.
    Iterator<SchedulerRequestKey> keys = app.getAppSchedulingInfo().getSchedulerKeys().iterator();
    return keys.hasNext() ? app.getAppSchedulingInfo().getAppPlacementAllocator(keys.next()) : null;
  }

  /** Whether it is for more resources of a container that it has: only that one's node can give them. */
  public boolean isUpdate() {
    return key.getContainerToUpdate() != null;
  }

  public SchedulerApplicationAttempt app() {
    return app;
  }

  public AppPlacementAllocator<FiCaSchedulerNode> allocator() {
    return allocator;
  }

  public String partition() {
    return allocator.getPrimaryRequestedNodePartition();
  }

  public int count() {
    return ask.getCount();
  }

  public Resource size() {
    return ask.getPerAllocationResource();
  }

  /**
   * Whether the scheduler, where it cannot place this request, does not go on to later ones of the
   * application (docs/design.md#a-walk-ends-early). It may go on where locality is strict, or where there
   * are placement constraints, which are not resource requests.
   */
  public boolean hidesLater() {
    boolean relaxed = false;
    for (ResourceRequest place : allocator.getResourceRequests().values()) {
      if (!place.getRelaxLocality()) {
        return false;
      }
      relaxed = true;
    }
    return relaxed;
  }

  /**
   * Whether the scheduler never places it elsewhere than on the hosts and racks that it names. Placement
   * constraints do not count.
   */
  public boolean isStrict() {
    ResourceRequest any = allocator.getResourceRequests().get(ResourceRequest.ANY);
    return any != null && !any.getRelaxLocality();
  }

  /** Whether it names the host of the node, or its rack for any host there. */
  public boolean names(FiCaSchedulerNode node) {
    ResourceRequest rack = allocator.getResourceRequests().get(node.getRackName());
    ResourceRequest host = allocator.getResourceRequests().get(node.getNodeName());
    return rack != null && rack.getNumContainers() > 0
        && (rack.getRelaxLocality() || host != null && host.getNumContainers() > 0);
  }

  /** The number of nodes on which it could have been placed if it had not waited for better locality. */
  public int missedOpportunities() {
    return app.getSchedulingOpportunities(key);
  }

  /**
   * Whether the scheduler places new containers on the node; it does not while the node is
   * decommissioning.
   */
  public static boolean isSchedulable(FiCaSchedulerNode node) {
    return node.getRMNode().getState() == NodeState.RUNNING;
  }

  /** Whether the scheduler lends the nodes of the partition to requests without a label. */
  public static boolean isShareable(String partition, RMContext context) {
    try {
      RMNodeLabelsManager labels = context.getNodeLabelManager();
      return !partition.isEmpty() && labels != null && !labels.isExclusiveNodeLabel(partition);
    } catch (IOException e) {
      // The label is gone.
      return false;
    }
  }
}
