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

import io.github.dripfeed.demo.DriverCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Bursts of real applications, under stock ordering and under Dripfeed, on a ResourceManager and
 * NodeManagers that are processes of their own. Run by the profile {@code spark}.
 */
class RealApplicationsIT {

  /** Of each driver and each executor, in MB. */
  static final int MEMORY = 1024;
  static final Path FIGURES = Path.of(System.getProperty("processes.folder"), "applications.txt");

  private static final Path SPARK = Path.of("target", "spark").toAbsolutePath();
  private static final String STOCK = "stock";
  private static final String DRIPFEED = "dripfed";

  private static ProcessCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Files.createDirectories(FIGURES.getParent());
    Files.deleteIfExists(FIGURES);
    Path folder = FIGURES.resolveSibling("applications");
    cluster = new ProcessCluster(folder, Map.of(
        "yarn.nodemanager.aux-services", "mapreduce_shuffle"));
    cluster.write("mapred-site.xml", mapReduceSite());
    // Each queue of the example has half of the cluster.
    cluster.startResourceManager();
    cluster.startNodes(2, ProcessBurst.DRIVERS_THAT_FIT * MEMORY);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void sparkWithStaticAllocation() throws Exception {
    compare("Spark, static allocation", (queue, number) -> spark(queue, number, Map.of(
        "spark.executor.instances", "2")));
  }

  @Test
  void sparkWithDynamicAllocation() throws Exception {
    compare("Spark, dynamic allocation", (queue, number) -> spark(queue, number, Map.of(
        "spark.dynamicAllocation.enabled", "true",
        "spark.dynamicAllocation.shuffleTracking.enabled", "true",
        "spark.dynamicAllocation.initialExecutors", "0",
        "spark.dynamicAllocation.minExecutors", "0",
        "spark.dynamicAllocation.maxExecutors", "2")));
  }

  @Test
  void mapReduce() throws Exception {
    compare("MapReduce, pi", (queue, number) -> hadoop("org.apache.hadoop.examples.ExampleDriver",
        "mapreduce-" + queue + number, "pi", "-Dmapreduce.job.queuename=" + queue, "2", "1000"));
  }

  @Test
  void distributedShell() throws Exception {
    String client = "org.apache.hadoop.yarn.applications.distributedshell.Client";
    String jar = Path.of(Class.forName(client).getProtectionDomain().getCodeSource().getLocation()
        .toURI()).toString();
    compare("distributed shell", (queue, number) -> hadoop(client, "shell-" + queue + number,
        "-jar", jar, "-shell_command", "sleep", "-shell_args", "5", "-num_containers", "2",
        "-master_memory", "" + MEMORY, "-container_memory", "" + MEMORY, "-queue", queue));
  }

  private static void compare(String kind, ProcessBurst.Client client) throws Exception {
    ProcessBurst.submit(cluster, kind, STOCK, client).deadlocks();
    ProcessBurst.submit(cluster, kind, DRIPFEED, client).succeeds();
  }

  private static Map<String, String> mapReduceSite() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("mapreduce.framework.name", "yarn");
    // One for each NodeManager of this machine.
    properties.put("mapreduce.shuffle.port", "0");
    properties.put("mapreduce.application.classpath", cluster.installation().classpath());
    properties.put("yarn.application.classpath", cluster.installation().classpath()
        .replace(File.pathSeparatorChar, ','));
    properties.put("yarn.app.mapreduce.am.staging-dir", cluster.folder().resolve("staging").toString());
    properties.put("yarn.app.mapreduce.am.resource.mb", "" + MEMORY);
    properties.put("mapreduce.map.memory.mb", "" + MEMORY);
    properties.put("mapreduce.reduce.memory.mb", "" + MEMORY);
    String small = "-Xmx256m --add-opens=java.base/java.lang=ALL-UNNAMED";
    properties.put("yarn.app.mapreduce.am.command-opts", small);
    properties.put("mapreduce.map.java.opts", small);
    properties.put("mapreduce.reduce.java.opts", small);
    return properties;
  }

  private static Process hadoop(String main, String log, String... arguments) throws IOException {
    return cluster.installation().start(main, logOf(log), cluster.folder(), List.of(), arguments);
  }

  private static Process spark(String queue, int number, Map<String, String> allocation)
      throws IOException {
    Map<String, String> conf = new LinkedHashMap<>(allocation);
    conf.put("spark.yarn.queue", queue);
    // With the overhead of 384 MB that Spark adds.
    conf.put("spark.driver.memory", MEMORY - 384 + "m");
    conf.put("spark.executor.memory", MEMORY - 384 + "m");
    conf.put("spark.executor.cores", "1");
    conf.put("spark.ui.enabled", "false");
    conf.put("spark.yarn.jars", "local:" + SPARK.resolve("jars") + "/*");
    conf.put("spark.yarn.stagingDir", cluster.folder().resolve("staging").toUri().toString());
    conf.put("spark.yarn.populateHadoopClasspath", "false");
    conf.put("spark.yarn.maxAppAttempts", "1");
    conf.put("spark.yarn.submit.waitAppCompletion", "false");
    conf.put("spark.yarn.appMasterEnv.SPARK_LOCAL_IP", "127.0.0.1");
    conf.put("spark.executorEnv.SPARK_LOCAL_IP", "127.0.0.1");
    List<String> command = new ArrayList<>(List.of(DriverCommand.java(), "-Xmx256m",
        "--add-opens=java.base/java.lang=ALL-UNNAMED", "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED", "-classpath",
        cluster.configuration() + File.pathSeparator + SPARK.resolve("jars") + "/*",
        "org.apache.spark.deploy.SparkSubmit", "--master", "yarn", "--deploy-mode", "cluster",
        "--name", "spark-" + number, "--class", "io.github.dripfeed.spark.SparkJob"));
    conf.forEach((name, value) -> command.addAll(List.of("--conf", name + "=" + value)));
    command.addAll(List.of(SPARK.resolve("job/spark-job.jar").toString(), "4", "4"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
        .redirectOutput(logOf("spark-" + queue + number));
    builder.environment().put("HADOOP_CONF_DIR", cluster.configuration().toString());
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    return builder.start();
  }

  private static File logOf(String client) {
    return cluster.folder().resolve(client + ".log").toFile();
  }
}
