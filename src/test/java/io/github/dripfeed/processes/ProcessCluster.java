/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.processes;

import io.github.dripfeed.demo.Burst;
import io.github.dripfeed.demo.DriverCommand;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;

/**
 * A ResourceManager and NodeManagers as separate processes on the loopback interface, set up as an operator
 * does it: Hadoop's jars, the packaged jar beside them, and the files of {@code conf-examples}.
 */
final class ProcessCluster implements AutoCloseable {

  /** The memory of each test driver and of its executors, in MB. */
  private static final int DRIVER_MEMORY = 256;
  static final Path EXAMPLES = Path.of("conf-examples").toAbsolutePath();

  private final Path folder;
  private final Path configuration;
  private final Installation installation;
  private final Rest rest;
  private final List<Process> nodes = new ArrayList<>();
  private Process resourceManager;

  /**
   * Prepares the cluster and starts nothing yet.
   *
   * @param folder the folder for everything of this cluster; created anew
   * @param more properties of {@code yarn-site.xml} besides those of the example
   */
  ProcessCluster(Path folder, Map<String, String> more) throws IOException {
    this.folder = folder.toAbsolutePath();
    FileUtils.deleteDirectory(this.folder.toFile());
    configuration = Files.createDirectories(this.folder.resolve("conf"));
    installation = new Installation(configuration);
    Map<String, String> properties = new LinkedHashMap<>();
    Configuration example = new Configuration(false);
    example.addResource(new org.apache.hadoop.fs.Path(EXAMPLES.resolve("yarn-site.xml").toUri()));
    example.forEach(property -> properties.put(property.getKey(), property.getValue()));
    properties.putAll(onThisMachine());
    properties.putAll(more);
    write("yarn-site.xml", properties);
    write("core-site.xml", Map.of("fs.defaultFS", "file:///",
        "hadoop.tmp.dir", this.folder.resolve("tmp").toString(),
        "hadoop.http.staticuser.user", "dr.who"));
    Files.writeString(configuration.resolve("log4j.properties"), """
        log4j.rootLogger=INFO,console
        log4j.appender.console=org.apache.log4j.ConsoleAppender
        log4j.appender.console.layout=org.apache.log4j.PatternLayout
        log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c: %m%n
        """);
    useScheduler(EXAMPLES.resolve("capacity-scheduler.xml"));
    rest = new Rest(properties.get("yarn.resourcemanager.webapp.address"));
  }

  private Map<String, String> onThisMachine() throws IOException {
    Map<String, String> properties = new LinkedHashMap<>();
    FreePorts ports = new FreePorts();
    for (String service : new String[] {
        "address", "scheduler.address", "resource-tracker.address", "admin.address", "webapp.address"}) {
      properties.put("yarn.resourcemanager." + service, "127.0.0.1:" + ports.next());
    }
    properties.put("yarn.resourcemanager.hostname", "127.0.0.1");
    properties.put("yarn.resourcemanager.leveldb-state-store.path",
        folder.resolve("state").toString());
    properties.put("yarn.resourcemanager.connect.retry-interval.ms", "500");
    properties.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200");
    properties.put("yarn.scheduler.minimum-allocation-mb", "256");
    properties.put("yarn.webapp.ui2.enable", "false");
    properties.put("yarn.node-attribute.fs-store.root-dir",
        folder.resolve("node-attributes").toUri().toString());
    for (String service : new String[] {"address", "localizer.address", "webapp.address"}) {
      properties.put("yarn.nodemanager." + service, "127.0.0.1:0");
    }
    properties.put("yarn.nodemanager.hostname", "127.0.0.1");
    properties.put("yarn.nodemanager.resource.cpu-vcores", "64");
    properties.put("yarn.nodemanager.pmem-check-enabled", "false");
    properties.put("yarn.nodemanager.vmem-check-enabled", "false");
    properties.put("yarn.nodemanager.disk-health-checker.enable", "false");
    properties.put("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage",
        "100");
    return properties;
  }

  /** Writes a file of the configuration folder that contains only these properties. */
  void write(String file, Map<String, String> properties) throws IOException {
    Configuration conf = new Configuration(false);
    properties.forEach(conf::set);
    try (OutputStream out = Files.newOutputStream(configuration.resolve(file))) {
      conf.writeXml(out);
    }
  }

  /** Takes effect at a start of the ResourceManager or at a refresh. */
  void useScheduler(Path file) throws IOException {
    Files.writeString(configuration.resolve("capacity-scheduler.xml"), Files.readString(file));
  }

  /** Changes the value in the file that is in use. */
  void editScheduler(String property, String value) throws IOException {
    Configuration conf = new Configuration(false);
    conf.addResource(
        new org.apache.hadoop.fs.Path(configuration.resolve("capacity-scheduler.xml").toUri()));
    Map<String, String> properties = new LinkedHashMap<>();
    conf.forEach(each -> properties.put(each.getKey(), each.getValue()));
    properties.put(property, value);
    write("capacity-scheduler.xml", properties);
  }

  /** Returns once the ResourceManager answers. */
  void startResourceManager() throws Exception {
    Process process = launchResourceManager();
    Eventually.is("the ResourceManager answers", () -> {
      if (!process.isAlive()) {
        throw new IllegalStateException("The ResourceManager ended: " + resourceManagerLog());
      }
      return rest.isUp();
    });
  }

  /** Returns at once. */
  Process launchResourceManager() throws IOException {
    resourceManager = installation.start(
        "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager", resourceManagerLog().toFile(),
        folder, List.of());
    return resourceManager;
  }

  /** Kills the process, as a power failure does. */
  void killResourceManager() throws InterruptedException {
    resourceManager.destroyForcibly().waitFor();
  }

  /** Returns once the ResourceManager knows all NodeManagers. */
  void startNodes(int count, int memory) throws Exception {
    for (int i = 0; i < count; i++) {
      Path local = folder.resolve("node" + i);
      nodes.add(installation.start("org.apache.hadoop.yarn.server.nodemanager.NodeManager",
          logOf("nodemanager" + i), folder, List.of(),
          "-Dyarn.nodemanager.resource.memory-mb=" + memory,
          "-Dyarn.nodemanager.local-dirs=" + local.resolve("local"),
          "-Dyarn.nodemanager.log-dirs=" + local.resolve("logs")));
    }
    awaitNodes();
  }

  void awaitNodes() throws Exception {
    Eventually.is("the NodeManagers have registered",
        () -> rest.get("metrics").at("/clusterMetrics/activeNodes").asInt() == nodes.size());
  }

  Path resourceManagerLog() {
    return folder.resolve("resourcemanager.log");
  }

  /** The file for the output of the process of this name. */
  File logOf(String client) {
    return folder.resolve(client + ".log").toFile();
  }

  Path folder() {
    return folder;
  }

  Path configuration() {
    return configuration;
  }

  Installation installation() {
    return installation;
  }

  Rest rest() {
    return rest;
  }

  /**
   * Runs a command of Hadoop until it ends.
   *
   * @return its exit code and its output
   */
  Map.Entry<Integer, String> run(String main, String... arguments) throws Exception {
    File output = Files.createTempFile(folder, "command", ".log").toFile();
    Process process = installation.start(main, output, folder, List.of(), arguments);
    if (!process.waitFor(300, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(main + " did not end: " + output);
    }
    return Map.entry(process.exitValue(), Files.readString(output.toPath()));
  }

  /** {@code yarn rmadmin -refreshQueues}. */
  Map.Entry<Integer, String> refreshQueues() throws Exception {
    return run("org.apache.hadoop.yarn.client.cli.RMAdminCLI", "-refreshQueues");
  }

  /** A driver of 256 MB that takes this long to start, and whose executors of 256 MB work this long. */
  String submit(String name, String queue, int startSeconds, int executors, int workSeconds)
      throws IOException {
    Burst.Shape shape =
        new Burst.Shape(1, DRIVER_MEMORY, startSeconds, executors, DRIVER_MEMORY, workSeconds);
    return rest.submit(
        name, queue, shape.driverMb(), DriverCommand.of(shape, folder, configuration));
  }

  @Override
  public void close() {
    // NodeManagers first: they end the processes of their containers.
    nodes.forEach(Process::destroy);
    nodes.forEach(Installation::stop);
    if (resourceManager != null) {
      Installation.stop(resourceManager);
    }
  }
}
