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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Submits Spark applications in cluster mode, as {@code spark-submit} does. */
final class SparkClient implements ProcessBurst.Client {

  private static final Path SPARK = Path.of("target", "spark").toAbsolutePath();
  /** The overhead that Spark adds to the memory of drivers and executors, in MB. */
  private static final int OVERHEAD = 384;

  private final ProcessCluster cluster;
  private final Map<String, String> allocation;

  private SparkClient(ProcessCluster cluster, Map<String, String> allocation) {
    this.cluster = cluster;
    this.allocation = allocation;
  }

  /** With static allocation. */
  static SparkClient withExecutors(ProcessCluster cluster, int count) {
    return new SparkClient(cluster, Map.of("spark.executor.instances", "" + count));
  }

  /** With dynamic allocation, starting from zero executors. */
  static SparkClient withExecutorsUpTo(ProcessCluster cluster, int count) {
    return new SparkClient(cluster, Map.of(
        "spark.dynamicAllocation.enabled", "true",
        "spark.dynamicAllocation.shuffleTracking.enabled", "true",
        "spark.dynamicAllocation.initialExecutors", "0",
        "spark.dynamicAllocation.minExecutors", "0",
        "spark.dynamicAllocation.maxExecutors", "" + count));
  }

  @Override
  public Process submit(String queue, int number) throws IOException {
    Map<String, String> conf = new LinkedHashMap<>(allocation);
    conf.put("spark.yarn.queue", queue);
    conf.put("spark.driver.memory", RealApplicationsIT.MEMORY - OVERHEAD + "m");
    conf.put("spark.executor.memory", RealApplicationsIT.MEMORY - OVERHEAD + "m");
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
        .redirectOutput(cluster.logOf("spark-" + queue + number));
    builder.environment().put("HADOOP_CONF_DIR", cluster.configuration().toString());
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    return builder.start();
  }
}
