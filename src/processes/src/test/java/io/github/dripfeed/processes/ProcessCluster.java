// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import io.github.dripfeed.demo.Burst;
import io.github.dripfeed.demo.DriverCommand;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;

/**
 * A ResourceManager and NodeManagers as separate processes on the loopback interface, set up as an operator
 * does it: Hadoop's jars, the packaged jar beside them, and the files of {@code conf-examples}.
 */
final class ProcessCluster implements AutoCloseable {

  /** The memory of each test driver and of its executors, in MB. */
  static final int DRIVER_MEMORY = 256;
  /** The property that names the policy of the queue in the example. */
  static final String POLICY = "yarn.scheduler.capacity.root.dripfed.ordering-policy";
  static final Path EXAMPLES = Path.of("conf-examples").toAbsolutePath();

  private final Path folder;
  private final Path configuration;
  private Installation installation;
  private final Rest rest;
  private final InetSocketAddress commands;
  private final List<Process> nodes = new ArrayList<>();
  private final List<Process> clients = new ArrayList<>();
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
    Map<String, String> properties = propertiesOf(EXAMPLES.resolve("yarn-site.xml"));
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
    // Most tests are about one start after the other, and all that are held in the policy's line.
    editScheduler(POLICY + ".state-aware.max-starting", "1");
    editScheduler(POLICY + ".state-aware.take-back", "off");
    editScheduler("yarn.scheduler.capacity.root.dripfed.maximum-am-resource-percent", "100");
    // With this limit a stock queue deadlocks.
    editScheduler("yarn.scheduler.capacity.root.stock.maximum-am-resource-percent", "1.0");
    rest = new Rest(properties.get("yarn.resourcemanager.webapp.address"));
    commands = NetUtils.createSocketAddr(properties.get("yarn.resourcemanager.admin.address"));
  }

  private Map<String, String> onThisMachine() throws IOException {
    Map<String, String> properties = new LinkedHashMap<>();
    for (String service : new String[] {
        "address", "scheduler.address", "resource-tracker.address", "admin.address", "webapp.address"}) {
      properties.put("yarn.resourcemanager." + service, "127.0.0.1:" + FreePorts.next());
    }
    properties.put("yarn.resourcemanager.hostname", "127.0.0.1");
    properties.put("yarn.resourcemanager.store.class",
        "org.apache.hadoop.yarn.server.resourcemanager.recovery.LeveldbRMStateStore");
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

  /** Appends the example for the state log to {@code log4j.properties}, as an operator does it. */
  void useStateLog() throws IOException {
    Files.writeString(configuration.resolve("log4j.properties"),
        Files.readString(EXAMPLES.resolve("log4j").resolve("log4j.properties")),
        StandardOpenOption.APPEND);
  }

  /** Takes effect at a start of the ResourceManager or at a refresh. */
  void useScheduler(Path file) throws IOException {
    Files.writeString(configuration.resolve("capacity-scheduler.xml"), Files.readString(file));
  }

  /** Changes the value in the file that is in use. */
  void editScheduler(String property, String value) throws IOException {
    Map<String, String> properties = scheduler();
    properties.put(property, value);
    write("capacity-scheduler.xml", properties);
  }

  /** The properties of the file that is in use. */
  Map<String, String> scheduler() {
    return propertiesOf(configuration.resolve("capacity-scheduler.xml"));
  }

  private static Map<String, String> propertiesOf(Path file) {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    Map<String, String> properties = new LinkedHashMap<>();
    conf.forEach(each -> properties.put(each.getKey(), each.getValue()));
    return properties;
  }

  /** Returns once the ResourceManager answers, and takes commands: its REST API is up before that. */
  void startResourceManager() throws Exception {
    Process process = launchResourceManager();
    try {
      Eventually.is("the ResourceManager answers", () -> {
        if (!process.isAlive()) {
          throw new IllegalStateException("The ResourceManager ended");
        }
        return rest.isUp() && takesCommands();
      });
    } catch (AssertionError | IllegalStateException e) {
      throw new IllegalStateException(trouble(), e);
    }
  }

  /** What an operator would look at first. */
  private String trouble() throws IOException {
    if (resourceManager == null) {
      return "";
    }
    try (Stream<String> log = Files.lines(resourceManagerLog())) {
      return log.filter(line -> line.contains(" ERROR ") || line.contains(" FATAL "))
          .collect(Collectors.joining(System.lineSeparator(), "The log of the ResourceManager: ",
              System.lineSeparator() + Installation.busyThreads(resourceManager)));
    }
  }

  private boolean takesCommands() {
    try (Socket socket = new Socket()) {
      socket.connect(commands);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns at once. */
  Process launchResourceManager() throws IOException {
    return launchResourceManager(List.of());
  }

  /** @param options of its Java */
  Process launchResourceManager(List<String> options) throws IOException {
    resourceManager = installation.start(
        "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager", resourceManagerLog().toFile(),
        folder, options);
    return resourceManager;
  }

  /** Kills the process, as a power failure does. */
  void killResourceManager() throws InterruptedException {
    resourceManager.destroyForcibly().waitFor();
  }

  /** Returns once the ResourceManager knows all NodeManagers. */
  void startNodes(int count, int memory) throws Exception {
    launchNodes(count, memory);
    awaitNodes();
  }

  /** Returns at once. */
  void launchNodes(int count, int memory) throws IOException {
    for (int i = 0; i < count; i++) {
      Path local = folder.resolve("node" + i);
      nodes.add(installation.start("org.apache.hadoop.yarn.server.nodemanager.NodeManager",
          logOf("nodemanager" + i), folder, List.of(),
          "-Dyarn.nodemanager.resource.memory-mb=" + memory,
          "-Dyarn.nodemanager.local-dirs=" + local.resolve("local"),
          "-Dyarn.nodemanager.log-dirs=" + local.resolve("logs")));
    }
  }

  void awaitNodes() throws Exception {
    awaitNodes(rest);
  }

  /** @param active the ResourceManager that has to know them */
  void awaitNodes(Rest active) throws Exception {
    Eventually.is("the NodeManagers have registered",
        () -> active.get("metrics").at("/clusterMetrics/activeNodes").asInt() == nodes.size());
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

  /** The software of the processes that start from now on. */
  void install(Installation other) {
    installation = other;
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
    return run(Map.of(), List.of(), main, arguments);
  }

  /** The same with more variables of the environment and more options of Java. */
  Map.Entry<Integer, String> run(
      Map<String, String> environment, List<String> options, String main, String... arguments)
      throws Exception {
    return run(installation.with(environment), options, main, arguments);
  }

  /**
   * {@code yarn jar dripfeed-tools.jar ...} on a machine without the ResourceManager's jar.
   */
  Map.Entry<Integer, String> yarnJar(String... arguments) throws Exception {
    return run(installation.withoutJar(), List.of(), "org.apache.hadoop.util.RunJar",
        Stream.concat(Stream.of(Installation.toolsJar().toString()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  private Map.Entry<Integer, String> run(Installation from, List<String> options, String main,
      String... arguments) throws Exception {
    File output = Files.createTempFile(folder, "command", ".log").toFile();
    Process process = from.start(main, output, folder, options, arguments);
    if (!process.waitFor(300, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(main + " did not end: " + Files.readString(output.toPath())
          + trouble());
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
    return rest.submit(name, queue, DRIVER_MEMORY, driver(startSeconds, executors, workSeconds));
  }

  /** The command of such a driver. */
  String driver(int startSeconds, int executors, int workSeconds) throws IOException {
    Burst.Shape shape =
        new Burst.Shape(1, DRIVER_MEMORY, startSeconds, executors, DRIVER_MEMORY, workSeconds);
    return DriverCommand.of(shape, folder, configuration);
  }

  /** One application of this shape. */
  String submit(String name, String queue, Burst.Shape shape) throws IOException {
    return rest.submit(
        name, queue, shape.driverMb(), DriverCommand.of(shape, folder, configuration));
  }

  /** These clients end with the cluster, if they have not ended before. */
  void endAtClose(List<Process> processes) {
    clients.addAll(processes);
  }

  @Override
  public void close() {
    clients.forEach(Process::destroyForcibly);
    // NodeManagers first: they end the processes of their containers.
    nodes.forEach(Process::destroy);
    nodes.forEach(Installation::stopNode);
    if (resourceManager != null) {
      Installation.stop(resourceManager);
    }
  }
}
