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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The software on a machine of the cluster: the published jars of Hadoop and the packaged jar. */
final class Installation {

  /** Not part of Hadoop, but on the class path of the tests. */
  private static final Pattern OF_TESTS = Pattern.compile(".*-tests\\.jar|(junit|jqwik|mockito|byte-buddy"
      + "|assertj|opentest4j|apiguardian|picocli|jline|freemarker).*");

  private final Path configuration;

  /** @param configuration the folder that is first on the class path */
  Installation(Path configuration) {
    this.configuration = configuration;
  }

  private static List<String> hadoop() {
    return Arrays.stream(DriverCommand.classpath().split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar") && !entry.contains("dripfeed-yarn")
            && !OF_TESTS.matcher(Path.of(entry).getFileName().toString()).matches())
        .toList();
  }

  /** Hadoop and the packaged jar, with the configuration first. */
  String classpath() {
    List<String> all = new ArrayList<>(List.of(configuration.toString()));
    all.add(System.getProperty("dripfeed.jar"));
    all.addAll(hadoop());
    return String.join(File.pathSeparator, all);
  }

  /** Starts a program of Hadoop in its log folder. Its output goes to the file. */
  Process start(String main, File output, Path logs, List<String> options, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(DriverCommand.java(),
        "--add-opens=java.base/java.lang=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx512m",
        "-Dhadoop.log.dir=" + logs, "-Dyarn.log.dir=" + logs));
    command.addAll(options);
    command.addAll(List.of("-classpath", classpath(), main));
    command.addAll(List.of(arguments));
    // Not in the project folder: a killed program leaves files in its working directory.
    ProcessBuilder builder = new ProcessBuilder(command).directory(logs.toFile())
        .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(output));
    environment(builder.environment());
    return builder.start();
  }

  private void environment(Map<String, String> environment) {
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("HADOOP_CONF_DIR", configuration.toString());
    environment.remove("HADOOP_HOME");
    environment.remove("HADOOP_YARN_HOME");
  }

  /** Asks a process to end, and kills it if it does not. */
  static void stop(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(40, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
