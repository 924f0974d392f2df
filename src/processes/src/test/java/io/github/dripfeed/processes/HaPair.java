// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Two ResourceManagers, NodeManagers and the ZooKeeper that stores the state, all as separate processes.
 * Failovers are manual, what an operator types, unless {@link #AUTOMATIC} is set.
 */
final class HaPair implements AutoCloseable {

  private static final String RM = "yarn.resourcemanager.";
  /** Both take part in an election of ZooKeeper's, and whoever wins is active. */
  static final Map<String, String> AUTOMATIC = Map.of(RM + "ha.automatic-failover.enabled", "true");
  private static final String[] ADDRESSES = {
      "address", "scheduler.address", "resource-tracker.address", "admin.address", "webapp.address"};

  private final ProcessCluster cluster;
  private final Map<String, Rest> rests = new HashMap<>();
  private final Map<String, Process> processes = new HashMap<>();
  private final ZooKeeper zooKeeper;

  /**
   * Prepares the pair and starts nothing yet.
   *
   * @param folder the folder for everything of this cluster; created anew
   * @param more properties of {@code yarn-site.xml} besides those of the example
   */
  HaPair(Path folder, Map<String, String> more) throws IOException {
    zooKeeper = new ZooKeeper();
    Map<String, String> properties = new HashMap<>(Map.of(
        RM + "ha.enabled", "true",
        RM + "ha.automatic-failover.enabled", "false",
        RM + "ha.rm-ids", "rm1,rm2",
        RM + "cluster-id", "pair",
        RM + "store.class", "org.apache.hadoop.yarn.server.resourcemanager.recovery.ZKRMStateStore",
        // A refused client tries the other ResourceManager without a long pause.
        "yarn.client.failover-sleep-base-ms", "100",
        // A machine that stands still for a while is no failure of the one that is active.
        "hadoop.zk.timeout-ms", "12000",
        "yarn.client.failover-sleep-max-ms", "500"));
    properties.putAll(zooKeeper.properties());
    for (String id : List.of("rm1", "rm2")) {
      properties.put(RM + "hostname." + id, "127.0.0.1");
      for (String address : ADDRESSES) {
        properties.put(RM + address + "." + id, "127.0.0.1:" + FreePorts.next());
      }
      rests.put(id, new Rest(properties.get(RM + "webapp.address." + id)));
    }
    properties.putAll(more);
    cluster = new ProcessCluster(folder, properties);
    // No limit is reached, however slow the machine is.
    cluster.editScheduler(ProcessCluster.POLICY + ".state-aware.starting-timeout", "1h");
    cluster.editScheduler(ProcessCluster.POLICY + ".state-aware.accepted-timeout", "1h");
  }

  ProcessCluster cluster() {
    return cluster;
  }

  Rest rest(String id) {
    return rests.get(id);
  }

  Path log(String id) {
    return cluster.logOf(id).toPath();
  }

  Process process(String id) {
    return processes.get(id);
  }

  /** Returns at once. */
  void startZooKeeper() throws IOException {
    zooKeeper.start(cluster);
  }

  /** Returns at once. */
  void launch(String id, Installation installation) throws IOException {
    processes.put(id, installation.start(
        "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager", cluster.logOf(id),
        cluster.folder(), List.of(), "-D" + RM + "ha.id=" + id));
  }

  /** Returns once the ResourceManager answers, as a standby. */
  void awaitStandby(String id) throws Exception {
    Eventually.is(id + " answers", () -> {
      if (!processes.get(id).isAlive()) {
        throw new IllegalStateException(id + " ended: " + log(id));
      }
      return rests.get(id).isUp();
    });
  }

  /** Returns once the ResourceManager is active. */
  void awaitActive(String id) throws Exception {
    Eventually.is(id + " is active", () -> state(id).equals("ACTIVE"));
  }

  /** {@code ACTIVE} or {@code STANDBY}; empty if it does not answer. */
  String state(String id) {
    try {
      return rests.get(id).get("info").at("/clusterInfo/haState").asText();
    } catch (IOException e) {
      return "";
    }
  }

  /** {@code yarn rmadmin -transitionToActive rm1}, for example; returns its exit code and its output. */
  Map.Entry<Integer, String> admin(String... command) throws Exception {
    return cluster.run("org.apache.hadoop.yarn.client.cli.RMAdminCLI", command);
  }

  /** Hands over as an operator does it: one becomes the standby, then the other becomes active. */
  void failOver(String from, String to) throws Exception {
    for (Map.Entry<Integer, String> done : List.of(
        admin("-transitionToStandby", from), admin("-transitionToActive", to))) {
      if (done.getKey() != 0) {
        throw new IllegalStateException(done.getValue());
      }
    }
  }

  @Override
  public void close() {
    cluster.close();
    processes.values().forEach(Process::destroy);
    processes.values().forEach(Installation::stop);
    zooKeeper.close();
  }
}
