// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.dripfeed.fixture.FreePorts;
import io.github.dripfeed.fixture.HadoopVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A ZooKeeper as a process of its own, from the jars that come with Hadoop. */
final class ZooKeeper implements AutoCloseable {

  private final int port = FreePorts.next();
  private Process process;

  /** Skips the test where Hadoop's client of ZooKeeper does not run on the Java of the processes. */
  static void assumeClientRuns() throws IOException {
    assumeTrue(HadoopVersion.isAtLeast("3.3") || Installation.javaVersion().matches("1\\.8.*|11.*"),
        "ZooKeeper's client in Hadoop 3.2 resolves no address from Java 14 on");
  }

  /** What a ResourceManager needs to find it. */
  Map<String, String> properties() {
    String address = "127.0.0.1:" + port;
    return Map.of("yarn.resourcemanager.zk-address", address, "hadoop.zk.address", address);
  }

  /** Returns at once. */
  void start(ProcessCluster cluster) throws IOException {
    Path data = Files.createDirectories(cluster.folder().resolve("zookeeper"));
    process = cluster.installation().start("org.apache.zookeeper.server.ZooKeeperServerMain",
        cluster.logOf("zookeeper"), cluster.folder(),
        // One of its jars, which it needs for a page that nobody asks for, is not among Hadoop's.
        List.of("-Dzookeeper.admin.enableServer=false"), "" + port, data.toString());
  }

  @Override
  public void close() {
    if (process != null) {
      Installation.stop(process);
    }
  }
}
