// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import io.github.dripfeed.ReclaimPolicy;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.yarn.FileSystemBasedConfigurationProvider;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.LeveldbRMStateStore;

/**
 * A YARN cluster in this process that uses the files of {@code conf-examples}: a ResourceManager and a
 * NodeManager, whose containers are separate processes.
 */
public final class DemoCluster implements AutoCloseable {

  /** The resources of the NodeManager, unless its property says otherwise. */
  public static final int MEMORY_MB = 8192;

  private static final String STATE = "state";
  private static final String CAPACITY_SCHEDULER = "capacity-scheduler.xml";
  private static final String YARN_SITE = "yarn-site.xml";
  static final String DRIPFED = "yarn.scheduler.capacity.root.dripfed.";

  private final MiniYARNCluster cluster;
  private final Path folder;

  /**
   * Starts the cluster and returns once its node has registered.
   *
   * @param examples the folder of the configuration files
   * @param folder the folder for everything of this cluster
   */
  public static DemoCluster start(Path examples, Path folder) throws Exception {
    return start(examples, folder, 1, Collections.emptyMap());
  }

  /**
   * The same, with the queue of one of the examples.
   *
   * @param order the folder of the example
   * @param memoryMb the memory of the NodeManager
   * @param more properties besides those of the examples
   */
  public static DemoCluster start(Path examples, String order, int memoryMb, Path folder,
      Map<String, String> more) throws Exception {
    Map<String, String> all = new HashMap<>();
    Configuration example = new Configuration(false);
    Path file = examples.resolve(order).resolve(CAPACITY_SCHEDULER);
    example.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    example.forEach(property -> all.put(property.getKey(), property.getValue()));
    all.put(YarnConfiguration.YARN_MINICLUSTER_NM_PMEM_MB, String.valueOf(memoryMb));
    all.putAll(more);
    return start(examples, folder, 1, all);
  }

  /**
   * The same with several ResourceManagers, of which the first is active.
   *
   * @param more properties besides those of the examples, such as the addresses of each ResourceManager
   */
  public static DemoCluster start(
      Path examples, Path folder, int resourceManagers, Map<String, String> more) throws Exception {
    System.setProperty("test.build.data", folder.resolve("nodes").toString());
    Files.createDirectories(folder);
    // What an earlier cluster in this folder stored is not to be recovered.
    FileUtils.deleteQuietly(folder.resolve(STATE).toFile());
    DemoCluster started = new DemoCluster(folder, resourceManagers);
    YarnConfiguration conf = configuration(examples, folder);
    more.forEach(conf::set);
    writeResourceManagerConfiguration(conf, folder.resolve("rm-conf"));
    started.cluster.init(conf);
    started.cluster.start();
    if (!started.cluster.waitForNodeManagersToConnect(60_000)) {
      throw new IllegalStateException("the NodeManager did not connect within a minute");
    }
    started.writeClientConfiguration();
    return started;
  }

  private DemoCluster(Path folder, int resourceManagers) {
    this.folder = folder;
    this.cluster = new MiniYARNCluster("cluster", resourceManagers, 1, 1, 1);
  }

  private static YarnConfiguration configuration(Path examples, Path folder) {
    YarnConfiguration conf = new YarnConfiguration();
    // Sets each property: a resource would lose against a capacity-scheduler.xml on the class path.
    set(conf, examples.resolve(YARN_SITE));
    set(conf, examples.resolve(CAPACITY_SCHEDULER));
    // What the examples have between comment marks.
    conf.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, true);
    conf.set(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES, ReclaimPolicy.class.getName());
    conf.set(YarnConfiguration.RM_STORE, LeveldbRMStateStore.class.getName());
    // The limit with which a stock queue deadlocks.
    conf.set("yarn.scheduler.capacity.root.stock.maximum-am-resource-percent", "1.0");
    // Single steps are seen best where one starts after the other, and all that are held are in line.
    conf.set(DRIPFED + "ordering-policy.state-aware.max-starting", "1");
    conf.set(DRIPFED + "ordering-policy.state-aware.take-back", "off");
    conf.set(DRIPFED + "maximum-am-resource-percent", "100");

    conf.set("fs.defaultFS", "file:///");
    conf.set(YarnConfiguration.RM_LEVELDB_STORE_PATH, folder.resolve(STATE).toString());
    conf.setInt(YarnConfiguration.YARN_MINICLUSTER_NM_PMEM_MB, MEMORY_MB);
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
    conf.setInt(YarnConfiguration.NM_VCORES, 64);
    conf.setLong(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, 200);
    conf.setInt(YarnConfiguration.RM_AM_MAX_ATTEMPTS, 1);
    // At its end a NodeManager would wait ten seconds for the deletion of logs that is hours ahead.
    conf.setLong(YarnConfiguration.NM_LOG_RETAIN_SECONDS, 1);
    conf.setBoolean(YarnConfiguration.NM_DISK_HEALTH_CHECK_ENABLE, false);
    conf.setBoolean(YarnConfiguration.NM_PMEM_CHECK_ENABLED, false);
    conf.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
    conf.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 100f);
    return conf;
  }

  private static void set(Configuration conf, Path file) {
    Configuration example = new Configuration(false);
    example.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    for (Map.Entry<String, String> property : example) {
      conf.set(property.getKey(), property.getValue());
    }
  }

  /** The file that a ResourceManager reads on a refresh and when it becomes active. */
  private static void writeResourceManagerConfiguration(Configuration conf, Path to)
      throws IOException {
    conf.set(YarnConfiguration.RM_CONFIGURATION_PROVIDER_CLASS,
        FileSystemBasedConfigurationProvider.class.getName());
    conf.set(YarnConfiguration.FS_BASED_RM_CONF_STORE, to.toUri().toString());
    Files.createDirectories(to);
    for (String file : new String[] {YARN_SITE, CAPACITY_SCHEDULER}) {
      try (OutputStream out = Files.newOutputStream(to.resolve(file))) {
        conf.writeXml(out);
      }
    }
  }

  /** A folder that, first on the class path of another process, lets it find this cluster. */
  private void writeClientConfiguration() throws IOException {
    Files.createDirectories(clientConfiguration());
    try (OutputStream out = Files.newOutputStream(clientConfiguration().resolve(YARN_SITE))) {
      configuration().writeXml(out);
    }
  }

  public Path clientConfiguration() {
    return folder.resolve("conf");
  }

  public Path folder() {
    return folder;
  }

  /** Includes the addresses that the cluster has bound. */
  public Configuration configuration() {
    return cluster.getConfig();
  }

  /** The active ResourceManager. */
  public ResourceManager resourceManager() {
    return cluster.getResourceManager();
  }

  /** Stops the active ResourceManager, and the given one takes over. */
  void failOverTo(int successor) throws IOException {
    cluster.stopResourceManager(cluster.getActiveRMIndex());
    cluster.getResourceManager(successor).getRMContext().getRMAdminService().transitionToActive(
        new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER_FORCED));
  }

  /** Takes seconds: a NodeManager waits for its containers to end. */
  @Override
  public void close() {
    cluster.stop();
  }

  /** The folder of the examples, relative to the project folder. */
  public static Path examples() {
    Path examples = new File("conf-examples").toPath().toAbsolutePath();
    if (!Files.isRegularFile(examples.resolve(CAPACITY_SCHEDULER))) {
      throw new IllegalStateException(
          examples + " has no " + CAPACITY_SCHEDULER + ": start in the folder of the project");
    }
    return examples;
  }
}
