// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code check A B}: the files of both of a pair. */
class PairCheckTest extends CheckFixture {

  private static final String MAX_ATTEMPTS = "yarn.resourcemanager.am.max-attempts";

  private Path first;
  private Path second;

  @BeforeEach
  void twoFolders() throws Exception {
    first = Files.createDirectories(folder.resolve("rm1"));
    second = Files.createDirectories(folder.resolve("rm2"));
    site.put("yarn.resourcemanager.webapp.address", "rm1:8088");
    site.put("yarn.resourcemanager.ha.id", "rm1");
    writeTo(first);
    site.put("yarn.resourcemanager.webapp.address", "rm2:8088");
    site.put("yarn.resourcemanager.ha.id", "rm2");
    writeTo(second);
  }

  private void writeTo(Path path) throws Exception {
    write(folder.relativize(path.resolve("capacity-scheduler.xml")).toString(), conf);
    write(folder.relativize(path.resolve("yarn-site.xml")).toString(), site);
  }

  private int pair() {
    return run("check", first.toString(), second.toString());
  }

  @Test
  void filesThatSayTheSameHaveNoDifferences() {
    assertThat(pair()).as(out + err).isZero();
    assertThat(out).startsWith("Properties of schedulers and failovers that differ: 0, errors: 0")
        .contains("Each can become active with its files", "check --rm\n");
    assertThat(run("check", first.toString())).as("one folder is one ResourceManager: " + out).isZero();
    assertThat(out).contains("root.a: " + STATE_AWARE);
  }

  @Test
  void theDocumentHasASample() throws Exception {
    site.put(MAX_ATTEMPTS, "3");
    writeTo(second);
    assertThat(pair()).as(out).isEqualTo(1);
    assertThat(Path.of("docs", "high-availability.md")).content().contains("```\n"
        + out.replace(first.toString(), "/etc/hadoop/conf").replace(second.toString(), "/tmp/conf-of-rm2")
        + "```");
  }

  @Test
  void eachPropertyThatDiffersIsNamedWithBothValues() throws Exception {
    conf.put(OURS + "starting-timeout", "7m");
    site.put(MAX_ATTEMPTS, "3");
    writeTo(second);
    assertThat(pair()).as(out).isEqualTo(1);
    assertThat(out).startsWith(MAX_ATTEMPTS + "\n  " + first + ": 2\n  " + second + ": 3\n"
        + OURS + "starting-timeout\n  " + first + ": 5m\n  " + second + ": 7m\n"
        + "Properties of schedulers and failovers that differ: 2, errors: 0")
        .doesNotContain("webapp", "ha.id");
    conf.put(OURS + "starting-timeout", "5m");
    site.put(MAX_ATTEMPTS, "2");
    site.put("yarn.resourcemanager.monitor.capacity.preemption.of-ours", "x");
    writeTo(second);
    assertThat(pair()).isEqualTo(1);
    assertThat(out).as("to write the default is no difference")
        .contains("of-ours\n  " + first + ": (not set)\n  " + second + ": x\n", "differ: 1,");
  }

  @Test
  void filesThatOneOfThemWouldRefuseAreErrors() throws Exception {
    conf.put(OURS + "max-starting", "0");
    conf.put(ROOT + "b.ordering-policy", "org.example.Missing");
    site.put("yarn.resourcemanager.scheduler.monitor.enable", "true");
    site.put("yarn.resourcemanager.scheduler.monitor.policies", "org.example.Monitor");
    writeTo(second);
    assertThat(pair()).isEqualTo(2);
    assertThat(out).contains(
        "  ERROR   " + second + ": root.a: ordering-policy.state-aware.max-starting = '0'",
        "  ERROR   " + second + ": root.b: ordering-policy = 'org.example.Missing': no such class",
        "  ERROR   " + second + ": yarn.resourcemanager.scheduler.monitor.policies",
        "  ERROR   " + second + ": YARN refuses the configuration",
        "A ResourceManager with an ERROR does not start, stays on standby")
        .doesNotContain("ERROR   " + first, "Each can");
  }

  @Test
  void queueOfOneOfThemIsAnErrorOfTheOther() throws Exception {
    conf.put(ROOT + "queues", "a, b, c");
    conf.put(ROOT + "c.capacity", "0");
    writeTo(first);
    assertThat(pair()).isEqualTo(2);
    assertThat(out).contains("ERROR   " + second + ": no queue root.c, which " + first + " has",
        ROOT + "queues\n  " + first + ": a, b, c\n  " + second + ": a, b\n");
  }

  @Test
  void whatIsMissingIsNamedAndJsonSaysTheSame() throws Exception {
    site.put("yarn.scheduler.of-ours", "3");
    writeTo(second);
    assertThat(run("check", "--json", first.toString(), second.toString())).isEqualTo(1);
    JsonNode document = new ObjectMapper().readTree(out);
    assertThat(document.at("/exitCode").asInt()).isEqualTo(1);
    assertThat(document.at("/errors")).isEmpty();
    JsonNode values = document.path("differences").path("yarn.scheduler.of-ours");
    assertThat(values.path(second.toString()).asText()).isEqualTo("3");
    assertThat(values.path(first.toString()).isNull()).isTrue();
    Files.delete(second.resolve("capacity-scheduler.xml"));
    assertThat(pair()).isEqualTo(2);
    assertThat(err).contains("No such file: " + second.resolve("capacity-scheduler.xml"));
    assertThat(run("check", first.resolve("capacity-scheduler.xml").toString(), second.toString()))
        .isEqualTo(2);
    assertThat(err).contains("A directory, where a file is required: " + second);
  }
}
