// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/** The nodes, each with its heartbeat; an autoscaler may change their number. */
final class Cluster {

  /** Spreads the heartbeats over the interval. */
  private static final int STEP_MILLIS = 617;

  private final VirtualResourceManager rm;
  private final VirtualSchedule agenda;
  private final Usage usage;
  private final Workload.Nodes kind;
  private final int heartbeatMillis;
  private final Map<NodeId, SimulatedNode> nodes = new LinkedHashMap<>();
  private int added;

  Cluster(VirtualResourceManager rm, VirtualSchedule agenda, Usage usage, Workload.Nodes kind) {
    this.heartbeatMillis = rm.getConfig().getInt(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS,
        (int) YarnConfiguration.DEFAULT_RM_NM_HEARTBEAT_INTERVAL_MS);
    this.rm = rm;
    this.agenda = agenda;
    this.usage = usage;
    this.kind = kind;
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
    return (long) nodes.size() * kind.memory();
  }

  private int containers(SimulatedNode node) {
    SchedulerNode known = rm.scheduler().getSchedulerNode(node.id());
    return known == null ? 0 : known.getNumContainers();
  }

  private void add() throws Exception {
    // Host names that are no addresses break the tokens of application masters.
    String host = "127." + (1 + added / 62_500) + "." + added / 250 % 250 + "." + (added % 250 + 1);
    int vcores = kind.vcores() > 0 ? kind.vcores() : Math.max(1, kind.memory() / 512);
    MockNM manager = rm.registerNode(host + ":1234", kind.memory(), vcores);
    rm.drain();
    if (added < kind.label().nodes()) {
      label(manager.getNodeId(), kind.label());
    }
    SimulatedNode node = new SimulatedNode(rm, rm.getRMContext().getRMNodes().get(manager.getNodeId()));
    nodes.put(node.id(), node);
    agenda.routine((long) added * STEP_MILLIS % heartbeatMillis, () -> heartbeat(node));
    added++;
  }

  private void label(NodeId node, Workload.Label label) throws IOException {
    RMNodeLabelsManager labels = rm.getRMContext().getNodeLabelManager();
    labels.addToCluserNodeLabels(List.of(NodeLabel.newInstance(label.name(), !label.shareable())));
    labels.replaceLabelsOnNode(Map.of(node, Set.of(label.name())));
    rm.drain();
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
