// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.FinishedProcess;
import io.github.dripfeed.fixture.InstalledProgram;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged jar, started in the documented ways, in processes of its own. */
class CheckJarIT {

  private static final String EXAMPLE = "conf-examples/fair/capacity-scheduler.xml";

  @TempDir
  private Path home;
  private String hadoop;
  private String jar;
  private String site;
  private String output;

  @BeforeEach
  void layOutHadoop() throws Exception {
    jar = System.getProperty("tools.jar");
    Path lib = Files.createDirectories(home.resolve("share/hadoop/common/lib"));
    List<String> jars = InstalledProgram.hadoop();
    for (String each : jars) {
      Files.createSymbolicLink(lib.resolve(jars.indexOf(each) + ".jar"), Path.of(each).toAbsolutePath());
    }
    hadoop = String.join(File.pathSeparator, jars);
    site = Files.writeString(home.resolve("reclaim.xml"), "<configuration>"
        + property("yarn.resourcemanager.scheduler.monitor.enable", "true")
        + property("yarn.resourcemanager.scheduler.monitor.policies", "io.github.dripfeed.ReclaimPolicy")
        + "</configuration>").toString();
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  @Test
  void javaJarFindsHadoopByHadoopHome() throws Exception {
    assertThat(run(home.toString(), "-jar", jar, "check", EXAMPLE, site))
        .as(output).isZero();
    assertThat(output).contains("root.batch: io.github.dripfeed.StateAwareFairOrderingPolicy");
    assertThat(run(home.toString(), "-jar", jar, "check", "conf-examples/fair", "conf-examples/fifo"))
        .as(output).isEqualTo(1);
    assertThat(output).contains("conf-examples/fifo: io.github.dripfeed.StateAwareOrderingPolicy",
        "Each can become active with its files");
  }

  @Test
  void missingHadoopIsExplained() throws Exception {
    assertThat(run(null, "-jar", jar, "check", EXAMPLE)).isEqualTo(2);
    assertThat(output).contains("Hadoop's jars are needed", "yarn jar dripfeed-tools-");
    assertThat(run(null, "-jar", jar, "queues")).isEqualTo(2);
    assertThat(output).startsWith("No such command: 'queues'").doesNotContain("Hadoop's jars");
    assertThat(run(null, "-jar", jar, "check", "--json", EXAMPLE)).isEqualTo(2);
    assertThat(output).as("Hadoop brings the library for JSON").startsWith("Hadoop's jars are needed");
  }

  /** The main class that {@code hadoop jar} and {@code yarn jar} start. */
  @Test
  void yarnJarRunsTheCheck() throws Exception {
    assertThat(run(null, "-classpath", hadoop, "org.apache.hadoop.util.RunJar", jar, "check", EXAMPLE))
        .as("reclaim without its monitor: %s", output).isEqualTo(1);
    assertThat(output).contains("ADVICE  reclaim.enabled", ": accepts the files, in its own validation");
  }

  /** The log of YARN's validation is silenced, that of the reading is not. */
  @Test
  void whatHadoopWarnsOfWhileItReadsIsShown() throws Exception {
    String site = Files.writeString(home.resolve("yarn-site.xml"), "<configuration><property>"
        + "<name>yarn.scheduler.capacity.root.queues</name><value>default</value><final>true</final>"
        + "</property></configuration>").toString();
    run(null, "-classpath", hadoop, "org.apache.hadoop.util.RunJar", jar, "check", EXAMPLE, site);
    assertThat(output).doesNotContain("INFO")
        .contains("an attempt to override final parameter: yarn.scheduler.capacity.root.queues");
  }

  /** YARN would read it from its class path, beside the properties that it is given. */
  @Test
  void theFileInUseIsNotValidated() throws Exception {
    Files.writeString(home.resolve("capacity-scheduler.xml"), "<configuration><property>"
        + "<name>yarn.scheduler.capacity.node-locality-delay</name><value>many</value></property>"
        + "</configuration>");
    assertThat(run(null, "-classpath", home + File.pathSeparator + hadoop, "org.apache.hadoop.util.RunJar",
        jar, "check", EXAMPLE, site)).as(output).isZero();
  }

  @Test
  void helpAndVersionNeedNoHadoop() throws Exception {
    assertThat(run(null, "-jar", jar, "--help")).isZero();
    assertThat(output).startsWith("Usage: dripfeed-tools")
        .contains("<command>", "yarn jar dripfeed-tools-*.jar");
    assertThat(run(null, "-jar", jar)).isEqualTo(2);
    assertThat(output).contains("Missing required subcommand", "Usage: dripfeed-tools");
    assertThat(run(null, "-jar", jar, "--version")).isZero();
    assertThat(output).as("the version in the manifest").containsPattern("^Dripfeed \\d+\\.\\d+");
    assertThat(run(null, "-jar", jar, "--json")).as("no command").isEqualTo(2);
    for (String command : new String[] {"status", "events", "explain", "view", "check"}) {
      assertThat(run(null, "-jar", jar, command, "--help")).as(output).isZero();
      assertThat(output).startsWith("Usage: dripfeed-tools " + command);
    }
    assertThat(run(null, "-jar", jar, "generate-completion")).as(output).isZero();
    assertThat(output).startsWith("#!/usr/bin/env bash").contains("--cluster-memory", "explain");
  }

  @Test
  void checkHasHelpAndVersion() throws Exception {
    String runJar = "org.apache.hadoop.util.RunJar";
    assertThat(run(null, "-classpath", hadoop, runJar, jar, "check", "--help")).isZero();
    assertThat(output).contains("Usage: dripfeed-tools check");
    assertThat(run(null, "-classpath", hadoop, runJar, jar, "check", "--version")).isZero();
    assertThat(output).containsPattern("Dripfeed \\d+\\.\\d+");
  }

  /** On the host of a ResourceManager its jar is on the class path, before that of the tools. */
  @Test
  void theToolsUseTheirOwnClassesAndNameAnotherVersion() throws Exception {
    String older = withVersion(System.getProperty("policy.jar"), "0.0.9");
    for (String[] call : new String[][] {
        {"-classpath", older + File.pathSeparator + hadoop, "org.apache.hadoop.util.RunJar", jar},
        {"-classpath", older + File.pathSeparator + jar + File.pathSeparator + hadoop,
            "io.github.dripfeed.command.Main"}}) {
      List<String> check = new ArrayList<>(List.of(call));
      check.addAll(List.of("check", EXAMPLE, site));
      assertThat(run(null, check.toArray(new String[0]))).as(output).isZero();
      assertThat(output).as("it answers itself, and says what else is there")
          .containsPattern("This check is of Dripfeed \\d+\\.[1-9]\\S*, and on the class path is another"
              + " one: dripfeed-yarn 0\\.0\\.9\n")
          .contains("root.batch: io.github.dripfeed.StateAwareFairOrderingPolicy", "accepts the files");
      check = new ArrayList<>(List.of(call));
      check.add("--version");
      run(null, check.toArray(new String[0]));
      assertThat(output).startsWith("Dripfeed ").doesNotContain("0.0.9");
    }
    assertThat(run(null, "-classpath", System.getProperty("policy.jar") + File.pathSeparator + hadoop,
        "org.apache.hadoop.util.RunJar", jar, "check", EXAMPLE, site)).isZero();
    assertThat(output).as("the same version").doesNotContain("This check is of");
  }

  /** The jar with another version in its manifest, and without a class that the tools need. */
  private String withVersion(String original, String version) throws Exception {
    Path copy = home.resolve("dripfeed-yarn-" + version + ".jar");
    try (JarFile from = new JarFile(original)) {
      Manifest manifest = from.getManifest();
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
      try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(copy), manifest)) {
        for (JarEntry entry : Collections.list(from.entries())) {
          if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
            to.putNextEntry(new JarEntry(entry.getName()));
            if (!entry.getName().endsWith("PolicyProperty.class")) {
              from.getInputStream(entry).transferTo(to);
            }
          }
        }
      }
    }
    return copy.toString();
  }

  private int run(String hadoopHome, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(InstalledProgram.java());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("HADOOP_HOME");
    if (hadoopHome != null) {
      builder.environment().put("HADOOP_HOME", hadoopHome);
    }
    FinishedProcess process = FinishedProcess.of(builder, Duration.ofMinutes(1));
    output = process.output();
    return process.exitCode();
  }
}
