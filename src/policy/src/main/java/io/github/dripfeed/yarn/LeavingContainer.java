// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * A container that is preempted. YARN takes it from its application and its queue at once, but its room is
 * free only when its node has reported that the process has ended. Until then it counts nowhere. Keeps
 * nothing of YARN alive.
 */
public final class LeavingContainer {

  /** A node that has not reported the end after this time, in milliseconds, may never do so. */
  private static final long LONGEST = 30_000;

  private final ContainerId container;
  private final NodeId node;
  private final Resource size;
  private final long since;

  /** @param now when it is preempted, in milliseconds */
  public LeavingContainer(RMContainer preempted, long now) {
    this.container = preempted.getContainerId();
    this.node = preempted.getAllocatedNode();
    this.size = preempted.getAllocatedResource();
    this.since = now;
  }

  public NodeId node() {
    return node;
  }

  public Resource size() {
    return size;
  }

  /** When it was preempted, in milliseconds. */
  public long since() {
    return since;
  }

  /** Whether its room is still to come; no longer once its node has been late for long. */
  public boolean isOnItsNode(CapacityScheduler scheduler, long now) {
    return now - since < LONGEST && isOnItsNode(scheduler);
  }

  /** Whether its room is still to come, however late its node is. */
  public boolean isOnItsNode(CapacityScheduler scheduler) {
    SchedulerNode present = scheduler.getNode(node);
    return present != null && present.getCopiedListOfRunningContainers().stream()
        .anyMatch(each -> each.getContainerId().equals(container));
  }
}
