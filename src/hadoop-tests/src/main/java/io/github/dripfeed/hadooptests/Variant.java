// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.hadooptests;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Hadoop's tests with one default for the ordering policy of leaf queues, in a process for each class. */
final class Variant {

  private static final long MINUTES_A_CLASS = 10;

  /** Tests that start a ResourceManager take its ports from the configuration; each process has its own. */
  private static final AtomicInteger NEXT_PORT = new AtomicInteger(20_000);
  private static final String[] SERVERS = {"", ".scheduler", ".resource-tracker", ".admin", ".webapp"};

  private final String name;
  private final String policy;
  private final Path folder;

  /** @param policy a name or a class, as for the property {@code ordering-policy} */
  Variant(Path parent, String name, String policy) {
    this.name = name;
    this.policy = policy;
    this.folder = parent.resolve(name);
  }

  String name() {
    return name;
  }

  /** Runs a test class to its end or to the timeout; its log stays in the folder. */
  Results run(Class<?> testClass) throws IOException, InterruptedException {
    Path place = Files.createDirectories(folder.resolve(testClass.getSimpleName()));
    Path front = Files.createDirectories(place.resolve("front"));
    HadoopJar.unpackFiles(front);
    // Tests set the root logger to DEBUG, which writes gigabytes.
    Files.writeString(
        front.resolve("log4j.properties"), "\nlog4j.threshold=INFO\n", StandardOpenOption.APPEND);
    ChangedDefault.write(front, policy);
    String site = site();
    Files.writeString(front.resolve("core-site.xml"), site);
    Files.writeString(front.resolve("yarn-site.xml"), site);
    Path results = place.resolve("results");
    Files.deleteIfExists(results);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of(
        "-Djava.io.tmpdir=" + Files.createDirectories(place.resolve("tmp")), "-classpath",
        front + File.pathSeparator + System.getProperty("java.class.path"),
        OneClass.class.getName(), testClass.getName(), results.toString()));
    Process process = new ProcessBuilder(command).directory(place.toFile()).redirectErrorStream(true)
        .redirectOutput(place.resolve("log").toFile()).start();
    try {
      process.waitFor(MINUTES_A_CLASS, TimeUnit.MINUTES);
    } finally {
      process.destroyForcibly().waitFor();
    }
    return Results.read(results);
  }

  /** Lets processes run in parallel on a machine that cannot resolve the tests' hosts (h1). */
  private static String site() {
    StringBuilder site = new StringBuilder("<configuration>\n");
    property(site, "hadoop.tmp.dir", "${user.dir}/tmp");
    property(site, "yarn.node-attribute.fs-store.root-dir", "${user.dir}/node-attribute");
    property(site, "yarn.node-labels.fs-store.root-dir", "${user.dir}/node-labels");
    property(site, "hadoop.security.token.service.use_ip", "false");
    for (String server : SERVERS) {
      property(site, "yarn.resourcemanager" + server + ".address",
          "0.0.0.0:" + NEXT_PORT.getAndIncrement());
    }
    return site.append("</configuration>\n").toString();
  }

  private static void property(StringBuilder site, String name, String value) {
    site.append("  <property><name>").append(name).append("</name><value>").append(value)
        .append("</value></property>\n");
  }
}
