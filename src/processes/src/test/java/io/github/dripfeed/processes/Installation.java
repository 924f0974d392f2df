// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import io.github.dripfeed.demo.DriverCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The software on a machine of the cluster: the published jars of Hadoop, the packaged jar, and a Java.
 * With {@code -Dprocesses.java.home=FOLDER} Hadoop's processes run on that Java; drivers and executors stay
 * on the Java of the test, for which they are compiled.
 */
final class Installation {

  /** Not part of Hadoop, but on the class path of the tests. */
  private static final Pattern OF_TESTS = Pattern.compile(".*-tests\\.jar|(hadoop-minikdc|log4j-core"
      + "|junit|jqwik|mockito|byte-buddy|assertj|opentest4j|apiguardian|picocli|jline|freemarker).*");

  /** The main class of the commands, which have a jar of their own. */
  static final String COMMANDS = "io.github.dripfeed.command.Main";

  private static final Pattern BUSY = Pattern.compile("BLOCKED|deadlock|dripfeed|AdminService|^\"main\"");
  private static final Path JAVA_HOME =
      Path.of(System.getProperty("processes.java.home", System.getProperty("java.home")));

  private final Path configuration;
  /** What is on the class path between the configuration and Hadoop's jars. */
  private final List<String> ours;
  private final Map<String, String> environment;

  /** @param configuration the folder that is first on the class path */
  Installation(Path configuration) {
    this(configuration, List.of(packagedJar().toString()), Map.of());
  }

  private Installation(Path configuration, List<String> ours, Map<String, String> environment) {
    this.configuration = configuration;
    this.ours = ours;
    this.environment = environment;
  }

  /** The jar for the ResourceManager, as the build has made it. */
  static Path packagedJar() {
    return Path.of(System.getProperty("policy.jar"));
  }

  /** The jar with the commands, as the build has made it. */
  static Path toolsJar() {
    return Path.of(System.getProperty("tools.jar"));
  }

  /** The same machine, to which nobody has copied the packaged jar. */
  Installation withoutJar() {
    return new Installation(configuration, List.of(), environment);
  }

  /** The same machine, whose processes take what this folder has when they start. */
  Installation withJarsOf(Path folder) {
    return new Installation(configuration, List.of(folder + "/*"), environment);
  }

  /** The same machine, for a user whose shell has set these variables. */
  Installation with(Map<String, String> variables) {
    return new Installation(configuration, ours, variables);
  }

  private static List<String> hadoop() {
    return Arrays.stream(DriverCommand.classpath().split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar") && isOfHadoop(Path.of(entry).getFileName().toString()))
        .toList();
  }

  private static boolean isOfHadoop(String jar) {
    return !jar.startsWith("dripfeed-") && !OF_TESTS.matcher(jar).matches();
  }

  private static String java() {
    return JAVA_HOME.resolve("bin").resolve("java").toString();
  }

  /** The Java on which Hadoop's processes run, as it says so itself, such as {@code 1.8.0_402}. */
  static String javaVersion() throws IOException {
    Process process = new ProcessBuilder(java(), "-version").redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    return output.replaceFirst("(?s).*?version \"([^\"]*)\".*", "$1");
  }

  /** What Guice and the RPC layer of a ResourceManager need of a Java that has modules. */
  private static List<String> openModules() {
    return Files.exists(JAVA_HOME.resolve("lib/modules"))
        ? List.of("--add-opens=java.base/java.lang=ALL-UNNAMED") : List.of();
  }

  /** Hadoop and the packaged jar, with the configuration first. */
  String classpath() {
    List<String> all = new ArrayList<>(List.of(configuration.toString()));
    all.addAll(ours);
    all.addAll(hadoop());
    return String.join(File.pathSeparator, all);
  }

  /** Starts a program of Hadoop in its log folder. Its output goes to the file. */
  Process start(String main, File output, Path logs, List<String> options, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(openModules());
    // Small and quick to start: most of these processes live for seconds.
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m",
        "-Dhadoop.log.dir=" + logs, "-Dyarn.log.dir=" + logs));
    command.addAll(options);
    String commands = main.equals(COMMANDS) ? toolsJar() + File.pathSeparator : "";
    command.addAll(List.of("-classpath", commands + classpath(), main));
    command.addAll(List.of(arguments));
    // Not in the project folder: a killed program leaves files in its working directory.
    ProcessBuilder builder = new ProcessBuilder(command).directory(logs.toFile())
        .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(output));
    prepare(builder.environment());
    return builder.start();
  }

  private void prepare(Map<String, String> variables) {
    variables.put("JAVA_HOME", JAVA_HOME.toString());
    variables.put("HADOOP_CONF_DIR", configuration.toString());
    variables.remove("HADOOP_HOME");
    variables.remove("HADOOP_YARN_HOME");
    variables.putAll(environment);
  }

  /** The stacks of its main thread and of those that wait for a lock, or are in the jar or in a command. */
  static String busyThreads(Process process) {
    try {
      Process dump = new ProcessBuilder(
          JAVA_HOME.resolve("bin").resolve("jstack").toString(), "" + process.pid())
          .redirectErrorStream(true).start();
      return Arrays.stream(new String(dump.getInputStream().readAllBytes()).split("\n\n"))
          .filter(thread -> BUSY.matcher(thread).find())
          .collect(Collectors.joining(System.lineSeparator()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /**
   * Asks a NodeManager to end, and kills it once the processes of its containers have ended: it would go on
   * for seventeen seconds to wait for what nobody needs here, the deletion of logs for instance.
   */
  static void stopNode(Process node) {
    node.destroy();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    try {
      while (node.isAlive() && node.descendants().findAny().isPresent() && System.nanoTime() < deadline) {
        Thread.sleep(20);
      }
      node.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      node.destroyForcibly();
      Thread.currentThread().interrupt();
    }
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
