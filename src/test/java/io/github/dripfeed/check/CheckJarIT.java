// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.dripfeed.demo.DriverCommand;
import io.github.dripfeed.fixture.FinishedProcess;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
  private String output;

  @BeforeEach
  void layOutHadoop() throws Exception {
    jar = System.getProperty("dripfeed.jar");
    Path lib = Files.createDirectories(home.resolve("share/hadoop/common/lib"));
    List<String> jars = new ArrayList<>();
    for (String entry : DriverCommand.classpath().split(File.pathSeparator)) {
      if (entry.endsWith(".jar") && !Path.of(entry).getFileName().toString().startsWith("dripfeed")) {
        jars.add(entry);
        Files.createSymbolicLink(lib.resolve(jars.size() + ".jar"), Path.of(entry).toAbsolutePath());
      }
    }
    hadoop = String.join(File.pathSeparator, jars);
  }

  @Test
  void javaJarFindsHadoopByHadoopHome() throws Exception {
    assertThat(run(home.toString(), "-jar", jar, "check", EXAMPLE, "conf-examples/yarn-site.xml"))
        .as(output).isZero();
    assertThat(output).contains("root.batch: io.github.dripfeed.StateAwareFairOrderingPolicy");
  }

  @Test
  void missingHadoopIsExplained() throws Exception {
    assertThat(run(null, "-jar", jar, "check", EXAMPLE)).isEqualTo(2);
    assertThat(output).contains("Hadoop's jars are needed", "yarn jar dripfeed-yarn-");
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
        jar, "check", EXAMPLE, "conf-examples/yarn-site.xml")).as(output).isZero();
  }

  @Test
  void helpAndVersionNeedNoHadoop() throws Exception {
    assertThat(run(null, "-jar", jar, "--help")).isZero();
    assertThat(output).startsWith("Usage: yarn jar dripfeed-yarn.jar <command>");
    assertThat(run(null, "-jar", jar)).isEqualTo(2);
    assertThat(output).startsWith("Usage: yarn jar dripfeed-yarn.jar <command>");
    assertThat(run(null, "-jar", jar, "--version")).isZero();
    assertThat(output).as("the version in the manifest").containsPattern("^Dripfeed \\d+\\.\\d+");
    assertThat(run(null, "-jar", jar, "--version", "--json")).isZero();
    assertThat(new ObjectMapper().readTree(output).at("/version").asText()).startsWith("Dripfeed ");
    assertThat(run(null, "-jar", jar, "--json", "--help")).isZero();
    assertThat(new ObjectMapper().readTree(output).at("/usage").asText()).contains("<command> --help\n");
    assertThat(run(null, "-jar", jar, "--json")).as("no command").isEqualTo(2);
    assertThat(run(null, "-jar", jar, "check", "--json", EXAMPLE)).isEqualTo(2);
    assertThat(new ObjectMapper().readTree(output).at("/errors/0").asText())
        .startsWith("Hadoop's jars are needed");
  }

  @Test
  void checkHasHelpAndVersion() throws Exception {
    String runJar = "org.apache.hadoop.util.RunJar";
    assertThat(run(null, "-classpath", hadoop, runJar, jar, "check", "--help")).isZero();
    assertThat(output).contains("Usage: check");
    assertThat(run(null, "-classpath", hadoop, runJar, jar, "check", "--version")).isZero();
    assertThat(output).containsPattern("Dripfeed \\d+\\.\\d+");
  }

  private int run(String hadoopHome, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(DriverCommand.java());
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
