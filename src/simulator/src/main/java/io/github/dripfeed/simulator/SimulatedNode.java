// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.impl.pb.ContainerStatusPBImpl;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeStatusEvent;
import org.apache.hadoop.yarn.util.Records;

/**
 * A NodeManager: its heartbeats tell the ResourceManager the states of its containers.
 *
 * <p>A heartbeat begins where YARN has read its message and checked who sent it, which is a tenth of the
 * time of a simulation: nodes here are never unknown, excluded, late, or without their keys.
 */
final class SimulatedNode {

  /** What YARN asks for in each heartbeat, without a look into the message. */
  private static final class Status extends ContainerStatusPBImpl {

    private final ContainerId container;
    private final ContainerState state;

    Status(ContainerId container, ContainerState state, int exitStatus) {
      this.container = container;
      this.state = state;
      setContainerId(container);
      setState(state);
      setDiagnostics("");
      setExitStatus(exitStatus);
    }

    @Override
    public ContainerId getContainerId() {
      return container;
    }

    @Override
    public ContainerState getState() {
      return state;
    }

    @Override
    public Resource getCapability() {
      return null;
    }
  }

  /** A heartbeat; all of one node say the same about its health. */
  private static final class Heartbeat extends RMNodeStatusEvent {

    private final List<ContainerStatus> containers;

    Heartbeat(NodeId node, NodeStatus status, List<ContainerStatus> containers) {
      super(node, status);
      this.containers = containers;
    }

    @Override
    public List<ContainerStatus> getContainers() {
      return containers;
    }
  }

  private final VirtualResourceManager rm;
  private final RMNode node;
  private final NodeStatus healthy = Records.newRecord(NodeStatus.class);
  private final Map<ContainerId, ContainerStatus> containers = new LinkedHashMap<>();
  private final List<ContainerId> exited = new ArrayList<>();

  /** @param node registered with the ResourceManager */
  SimulatedNode(VirtualResourceManager rm, RMNode node) {
    this.rm = rm;
    this.node = node;
    healthy.setNodeId(node.getNodeID());
    healthy.setNodeHealthStatus(NodeHealthStatus.newInstance(true, "", 1));
  }

  NodeId id() {
    return node.getNodeID();
  }

  void started(ContainerId container) {
    containers.put(container, new Status(container, ContainerState.RUNNING, ContainerExitStatus.INVALID));
  }

  void exited(ContainerId container, int exitStatus) {
    containers.put(container, new Status(container, ContainerState.COMPLETE, exitStatus));
    exited.add(container);
  }

  /** Tells the states of all containers; of those that have exited for the last time. */
  void heartbeat() {
    NodeHeartbeatResponse response = Records.newRecord(NodeHeartbeatResponse.class);
    node.setAndUpdateNodeHeartbeatResponse(response);
    tell(new Heartbeat(id(), healthy, new ArrayList<>(containers.values())));
    exited.forEach(containers::remove);
    exited.clear();
    for (ContainerId unwanted : response.getContainersToCleanup()) {
      exited(unwanted, ContainerExitStatus.KILLED_BY_RESOURCEMANAGER);
    }
  }

  /** The ResourceManager hears of it no more. */
  void lose() {
    tell(new RMNodeEvent(id(), RMNodeEventType.EXPIRE));
  }

  private void tell(RMNodeEvent event) {
    rm.getRMContext().getDispatcher().getEventHandler().handle(event);
  }
}
