// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import io.github.dripfeed.demo.DriverCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Submits Spark applications in cluster mode, as {@code spark-submit} does. Immutable. */
final class SparkClient implements ProcessBurst.Client {

  private static final Path SPARK = Path.of("target", "spark").toAbsolutePath();
  /** The heap of drivers and executors, in MB; what they request beyond it is never touched. */
  private static final int HEAP = 512;
  /** Cheap JVMs: many of them share the cores of one machine. */
  private static final String JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  private final ProcessCluster cluster;
  private final Map<String, String> conf;
  private final List<String> jobArguments;

  private SparkClient(ProcessCluster cluster, Map<String, String> conf, List<String> jobArguments) {
    this.cluster = cluster;
    this.conf = conf;
    this.jobArguments = jobArguments;
  }

  /** With this static number of executors. */
  static SparkClient withExecutors(ProcessCluster cluster, int count) {
    return of(cluster).with("spark.executor.instances", "" + count);
  }

  /** With dynamic allocation, starting from zero executors. */
  static SparkClient withExecutorsUpTo(ProcessCluster cluster, int count) {
    return of(cluster).with("spark.dynamicAllocation.enabled", "true")
        .with("spark.dynamicAllocation.shuffleTracking.enabled", "true")
        .with("spark.dynamicAllocation.initialExecutors", "0")
        .with("spark.dynamicAllocation.minExecutors", "0")
        .with("spark.dynamicAllocation.maxExecutors", "" + count);
  }

  private static SparkClient of(ProcessCluster cluster) {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("spark.driver.memory", HEAP + "m");
    conf.put("spark.executor.memory", HEAP + "m");
    conf.put("spark.executor.cores", "1");
    conf.put("spark.driver.extraJavaOptions", JVM);
    conf.put("spark.executor.extraJavaOptions", JVM);
    conf.put("spark.ui.enabled", "false");
    conf.put("spark.yarn.jars", "local:" + SPARK.resolve("jars") + "/*");
    conf.put("spark.yarn.stagingDir", cluster.folder().resolve("staging").toUri().toString());
    conf.put("spark.yarn.populateHadoopClasspath", "false");
    conf.put("spark.yarn.submit.waitAppCompletion", "false");
    conf.put("spark.yarn.appMasterEnv.SPARK_LOCAL_IP", "127.0.0.1");
    conf.put("spark.executorEnv.SPARK_LOCAL_IP", "127.0.0.1");
    return new SparkClient(cluster, conf, List.of("4", "4"))
        .withMemory(ProcessBurst.MEMORY, ProcessBurst.MEMORY);
  }

  /** The folder in which Spark keeps the files of an application, as long as it may have attempts. */
  static Path stagingOf(ProcessCluster cluster, String application) {
    return cluster.folder().resolve(
        Path.of("staging", System.getProperty("user.name"), ".sparkStaging", application));
  }

  /** The same with this property. */
  SparkClient with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(conf);
    more.put(name, value);
    return new SparkClient(cluster, more, jobArguments);
  }

  /** The same with containers of these sizes, in MB. */
  SparkClient withMemory(int driver, int executor) {
    return with("spark.driver.memoryOverhead", driver - HEAP + "m")
        .with("spark.executor.memoryOverhead", executor - HEAP + "m");
  }

  /**
   * The same with other work.
   *
   * @param gate until this file exists, drivers request no executors
   */
  SparkClient withWork(int tasks, int seconds, Path gate) {
    return new SparkClient(cluster, conf, List.of("" + tasks, "" + seconds, gate.toString()));
  }

  @Override
  public List<Process> submitAll(String queue, int count) throws IOException {
    List<String> command = new ArrayList<>(List.of(DriverCommand.java(), "-Xmx256m"));
    command.addAll(List.of(JVM.split(" ")));
    command.addAll(List.of(
        "--add-opens=java.base/java.lang=ALL-UNNAMED", "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED", "-classpath", String.join(File.pathSeparator,
            cluster.configuration().toString(), SPARK.resolve("jars") + "/*", job()),
        "io.github.dripfeed.spark.SparkBurst", "" + count, "--master", "yarn", "--deploy-mode", "cluster",
        "--name", "spark-{number}", "--class", "io.github.dripfeed.spark.SparkJob"));
    with("spark.yarn.queue", queue).conf
        .forEach((name, value) -> command.addAll(List.of("--conf", name + "=" + value)));
    command.add(job());
    command.addAll(jobArguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(cluster.logOf("spark-" + queue)));
    builder.environment().put("HADOOP_CONF_DIR", cluster.configuration().toString());
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    return List.of(builder.start());
  }

  private static String job() {
    return SPARK.resolve("job/spark-job.jar").toString();
  }
}
