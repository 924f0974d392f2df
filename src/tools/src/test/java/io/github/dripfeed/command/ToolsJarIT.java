// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.dripfeed.fixture.FinishedProcess;
import io.github.dripfeed.fixture.InstalledProgram;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What only the packaged jar shows: its version beside that of a ResourceManager, and where it writes. */
class ToolsJarIT extends CommandFixture {

  private static final String JAR = System.getProperty("tools.jar");

  private String own;

  @BeforeEach
  void ofOneVersion() throws Exception {
    try (JarFile jar = new JarFile(JAR)) {
      own = jar.getManifest().getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
    }
    rm.bean.put("Version", own);
  }

  private FinishedProcess shell(String script) throws Exception {
    ProcessBuilder bash = new ProcessBuilder("bash", "-c", script);
    bash.environment().put("STATUS", String.join(" ", InstalledProgram.java()) + " -classpath "
        + String.join(File.pathSeparator, InstalledProgram.hadoop())
        + " org.apache.hadoop.util.RunJar " + JAR + " status --rm " + rm.url());
    return FinishedProcess.of(bash, Duration.ofMinutes(1));
  }

  @Test
  void anotherVersionInTheResourceManagerIsNamed() throws Exception {
    rm.busy();
    FinishedProcess same = shell("$STATUS");
    assertThat(same.exitCode()).as(same.output()).isZero();
    assertThat(same.output()).contains("Dripfeed " + own).doesNotContain("These commands are of");
    rm.bean.put("Version", "0.0.9");
    FinishedProcess other = shell("$STATUS");
    assertThat(other.exitCode()).as(other.output()).isZero();
    assertThat(other.output()).containsOnlyOnce(
        "These commands are of Dripfeed " + own + ", and " + rm.url() + " has Dripfeed 0.0.9\n");
    rm.classpath += ":/opt/dripfeed-yarn-0.0.9.jar";
    FinishedProcess jars = shell("${STATUS/ status / check }");
    assertThat(jars.exitCode()).as(jars.output()).isZero();
    assertThat(jars.output()).containsOnlyOnce("This check is of Dripfeed " + own
        + ", and a ResourceManager has dripfeed-yarn-0.0.9.jar\n");
  }

  @Test
  void outputThatIsLostIsAnError() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/full")));
    rm.busy();
    FinishedProcess full = shell("$STATUS > /dev/full");
    assertThat(full.exitCode()).isEqualTo(2);
    assertThat(full.output()).contains("could not be written to /dev/full: is there room left?");
    assertThat(shell("$STATUS --json > /dev/full").exitCode()).isEqualTo(2);
    FinishedProcess closed = shell("$STATUS >&-");
    assertThat(closed.exitCode()).isEqualTo(2);
    assertThat(closed.output()).contains("could not be written: standard output is closed")
        .doesNotContain("is there room left");
    assertThat(shell("${STATUS/ status / view } > /dev/full").exitCode()).as("serves nobody").isEqualTo(2);
  }

  /** As with {@code | head -1}. */
  @Test
  void whoHasReadEnoughOfAPipeLosesNothing() throws Exception {
    for (int i = 0; i < 2000; i++) {
      rm.queue("root.q" + i, 1, 0, 0);
      rm.waiting("root.q" + i, i, "bob", 100);
    }
    FinishedProcess closed = shell("$STATUS | head -1; echo code ${PIPESTATUS[0]}");
    assertThat(closed.output().trim()).hasLineCount(2).endsWith("code 0");
  }
}
