// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/** The nodes, each with its heartbeat; an autoscaler may change their number. */
final class Cluster {

  /** Spreads the heartbeats over the interval. */
  private static final int STEP_MILLIS = 617;

  private final VirtualResourceManager rm;
  private final VirtualSchedule agenda;
  private final Usage usage;
  private final int nodeMemory;
  private final int heartbeatMillis;
  private final Map<NodeId, SimulatedNode> nodes = new LinkedHashMap<>();
  private int added;

  Cluster(VirtualResourceManager rm, VirtualSchedule agenda, Usage usage, int nodeMemory) {
    this.heartbeatMillis = rm.getConfig().getInt(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS,
        (int) YarnConfiguration.DEFAULT_RM_NM_HEARTBEAT_INTERVAL_MS);
    this.rm = rm;
    this.agenda = agenda;
    this.usage = usage;
    this.nodeMemory = nodeMemory;
  }

  /** Adds nodes, or removes the least used ones together with their containers. */
  void resize(int size) throws Exception {
    while (nodes.size() < size) {
      add();
    }
    while (nodes.size() > size) {
      SimulatedNode idlest = nodes.values().stream().min(Comparator.comparingInt(this::containers)).get();
      nodes.remove(idlest.id());
      idlest.lose();
      rm.drain();
    }
    usage.setCapacity(memory());
  }

  /** The number of nodes. */
  int size() {
    return nodes.size();
  }

  /** The memory of all nodes, in MB. */
  long memory() {
    return (long) nodes.size() * nodeMemory;
  }

  private int containers(SimulatedNode node) {
    SchedulerNode known = rm.scheduler().getSchedulerNode(node.id());
    return known == null ? 0 : known.getNumContainers();
  }

  private void add() throws Exception {
    // Host names that are no addresses break the tokens of application masters.
    String host = "127." + (1 + added / 62_500) + "." + added / 250 % 250 + "." + (added % 250 + 1);
    MockNM manager = rm.registerNode(host + ":1234", nodeMemory, Math.max(1, nodeMemory / 512));
    rm.drain();
    SimulatedNode node = new SimulatedNode(rm, rm.getRMContext().getRMNodes().get(manager.getNodeId()));
    nodes.put(node.id(), node);
    agenda.routine((long) added * STEP_MILLIS % heartbeatMillis, () -> heartbeat(node));
    added++;
  }

  private void heartbeat(SimulatedNode node) {
    if (node(node.id()) != node) {
      return;
    }
    node.heartbeat();
    rm.drain();
    agenda.routine(heartbeatMillis, () -> heartbeat(node));
  }

  /** The node, or null if it is gone. */
  SimulatedNode node(NodeId id) {
    return nodes.get(id);
  }
}
