// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.HadoopVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pair of ResourceManager processes, and failovers there and back. */
class HaPairIT {

  private static final Path FOLDER = Path.of(System.getProperty("processes.folder"));
  private static final String QUEUE = FailoverLine.QUEUE;
  private static final String METRICS =
      "Hadoop:service=ResourceManager,name=DripfeedQueue,q0=root,q1=" + QUEUE;
  private static final Pattern TWO_ACCEPTED = Pattern.compile(
      "(?m)^dripfeed_queue_accepted_applications\\{[^}]*queue=\"root." + QUEUE + "\"[^}]*} 2(\\.0)?$");
  private static final Pattern PUBLISHED =
      Pattern.compile("(?m)^metrics_system_publish_num_ops(?:\\{[^}]*})? (\\d+)");

  @BeforeAll
  static void theirZooKeeperClientRuns() throws Exception {
    ZooKeeper.assumeClientRuns();
  }

  @Test
  void applicationsKeepTheirStatesThereAndBack() throws Exception {
    try (HaPair pair = new HaPair(FOLDER.resolve("pair"),
        Map.of("hadoop.prometheus.endpoint.enabled", "true"))) {
      // Not every ten seconds: some periods are over when they are asked for.
      Files.writeString(
          pair.cluster().configuration().resolve("hadoop-metrics2.properties"), "*.period=1\n");
      start(pair, pair.cluster().installation());
      FailoverLine line = new FailoverLine(pair);
      awaitMetrics(pair, "rm1");

      pair.failOver("rm1", "rm2");
      String ended = prometheus(pair, "rm1");
      // Before 3.3, a standby sends those who ask for this page to the active one.
      if (HadoopVersion.isAtLeast("3.3")) {
        assertThat(pair.rest("rm1").jmx(METRICS)).as("a standby has no queue").isEmpty();
      }
      line.assertKept("rm2");
      assertCommandsAnswer(pair, "rm1", "rm2", line.running());
      pair.failOver("rm2", "rm1");
      line.assertKept("rm1");
      long begin = periods(pair);
      assertCommandsAnswer(pair, "rm2", "rm1", line.running());

      line.assertMovesOn("rm1");
      Eventually.is("/jmx is right", () -> pair.rest("rm1").jmx(METRICS)
          .at("/0/AcceptedApplications").asInt(-1) == 0);
      assertPrometheusStandsStill(pair, "rm1", ended, begin);
    }
  }

  /** Both pages show that two are held, and the counter by which alerts tell a page that lives goes on. */
  private static void awaitMetrics(HaPair pair, String active) throws Exception {
    Eventually.is("/jmx shows them", () -> pair.rest(active).jmx(METRICS)
        .at("/0/AcceptedApplications").asInt(-1) == 2);
    if (HadoopVersion.isAtLeast("3.3")) {
      Eventually.is("/prom shows them", () -> TWO_ACCEPTED.matcher(prometheus(pair, active)).find());
      long before = published(prometheus(pair, active));
      Eventually.is("it publishes", () -> published(prometheus(pair, active)) > before);
    }
  }

  /** The page {@code /prom} of this one; empty before Hadoop 3.3. */
  private static String prometheus(HaPair pair, String id) throws Exception {
    return HadoopVersion.isAtLeast("3.3") ? pair.rest(id).prometheus() : "";
  }

  /** How often its ResourceManager has published, as the page says. */
  private static long published(String page) {
    Matcher count = PUBLISHED.matcher(page);
    assertThat(count.find()).as(page).isTrue();
    return Long.parseLong(count.group(1));
  }

  private static List<String> ours(String page) {
    return page.lines().filter(line -> line.startsWith("dripfeed_")).sorted().toList();
  }

  /** How many periods are over, as a NodeManager counts them. To ask it for /jmx publishes nothing. */
  private static long periods(HaPair pair) throws Exception {
    String node = pair.rest("rm1").get("nodes").at("/nodes/node/0/nodeHTTPAddress").asText();
    return new Rest(node).jmx("Hadoop:service=NodeManager,name=MetricsSystem,sub=Stats")
        .at("/0/PublishNumOps").asLong(-1);
  }

  /**
   * Hadoop never attaches the page again, so it has what it had when this one became a standby. That lacks
   * the queues if a period ended between the end of the scheduler and that of the metrics.
   *
   * @param ended the page of that time
   * @param begin the periods before it became active again; two more have to be over in between
   */
  private static void assertPrometheusStandsStill(HaPair pair, String active, String ended, long begin)
      throws Exception {
    if (HadoopVersion.isAtLeast("3.3")) {
      Eventually.is("two whole periods are over", () -> periods(pair) >= begin + 3);
      String page = prometheus(pair, active);
      assertThat(published(page)).as("DripfeedMetricsStandStill and DripfeedMetricsVanished")
          .isEqualTo(published(ended));
      assertThat(ours(page)).as("docs/metrics.md#prom-after-a-failover").isEqualTo(ours(ended));
    }
  }

  /** They find the active one, which says since when it knows; what the other one has seen is shown too. */
  private static void assertCommandsAnswer(HaPair pair, String standby, String active, String running)
      throws Exception {
    assertThat(ask(pair, "status")).contains("1 starting (at most 1), 2 in line");
    String events = ask(pair, "events", "--application", running, "--since", "12h");
    // A standby may lead to it by another name than yarn-site.xml has.
    assertThat(events).contains("in the log of the ResourceManager")
        .containsPattern("http://[^/:]+" + port(pair, active) + " has been active since \\d");
    if (HadoopVersion.isAtLeast("3.3")) {
      // After the first failover, only the standby has seen that it waited.
      assertThat(events).contains("shown as far as http://" + pair.rest(standby).address()
          + " on standby still has it").containsPattern(running + " .* ACCEPTED -> STARTING ");
    } else {
      assertThat(events).contains(port(pair, standby) + " has seen are not shown");
    }
  }

  private static String port(HaPair pair, String id) {
    return pair.rest(id).address().replaceFirst(".*:", ":");
  }

  private static String ask(HaPair pair, String... command) throws Exception {
    Map.Entry<Integer, String> answer =
        pair.cluster().run(Installation.COMMANDS, command);
    assertThat(answer.getKey()).as(answer.getValue()).isZero();
    return answer.getValue();
  }

  /**
   * What an operator sees who copied the jar to one host only. A refresh reaches the active one alone, so
   * it succeeds; the failover does not, and nobody is active until the one with the jar is again.
   */
  @Tag("slow")
  @Test
  void oneWithoutTheJarCannotTakeOver() throws Exception {
    String ours = "io.github.dripfeed.StateAwareOrderingPolicy";
    try (HaPair pair = new HaPair(FOLDER.resolve("one-without-the-jar"),
        // The monitor of the example is a class of the jar.
        Map.of("yarn.resourcemanager.scheduler.monitor.enable", "false"))) {
      Installation installation = pair.cluster().installation();
      pair.cluster().editScheduler(ProcessCluster.POLICY, "fifo");
      start(pair, installation.withoutJar());
      String waiting = FailoverLine.submit(pair, "waiting", 0, 1);

      assertThat(classPath(pair, "rm1")).contains("dripfeed-yarn");
      assertThat(classPath(pair, "rm2")).as("what to look at before the first refresh")
          .doesNotContain("dripfeed-yarn");
      assertJarsAreChecked(pair, 2, "no dripfeed-yarn*.jar",
          pair.rest("rm2").address() + ": not started with one dripfeed-yarn*.jar");
      pair.cluster().editScheduler(ProcessCluster.POLICY, ours);
      Map.Entry<Integer, String> refresh = pair.cluster().refreshQueues();
      assertThat(refresh.getKey()).as(refresh.getValue()).isZero();

      assertThat(pair.admin("-transitionToStandby", "rm1").getKey()).isZero();
      Map.Entry<Integer, String> refused = pair.admin("-transitionToActive", "rm2");
      assertThat(refused.getKey()).isNotZero();
      assertThat(refused.getValue()).contains("RefreshAll operation failed",
          "Unable to construct ordering policy for: " + ours, "ClassNotFoundException: " + ours);
      assertThat(pair.state("rm1")).isEqualTo("STANDBY");
      assertThat(pair.state("rm2")).isEqualTo("STANDBY");

      // The way back, which costs nobody anything; then the jar, and a restart.
      assertThat(pair.admin("-transitionToActive", "rm1").getKey()).isZero();
      assertThat(pair.rest("rm1").application(waiting).at("/state").asText()).isEqualTo("ACCEPTED");
      Installation.stop(pair.process("rm2"));
      pair.launch("rm2", installation);
      pair.awaitStandby("rm2");
      assertThat(classPath(pair, "rm2")).contains("dripfeed-yarn");
      assertJarsAreChecked(pair, 0, "ACTIVE, Hadoop", "STANDBY, Hadoop");
      pair.failOver("rm1", "rm2");
      assertThat(pair.rest("rm2").application(waiting).at("/state").asText()).isEqualTo("ACCEPTED");
    }
  }

  /** Two ResourceManagers, of which rm1 has the jar and is active. */
  private static void start(HaPair pair, Installation second) throws Exception {
    pair.startZooKeeper();
    pair.launch("rm1", pair.cluster().installation());
    pair.launch("rm2", second);
    pair.awaitStandby("rm1");
    pair.awaitStandby("rm2");
    assertThat(pair.admin("-transitionToActive", "rm1").getKey()).isZero();
  }

  /** What {@code check --rm} says of both; before 3.3, a standby does not tell with what it was started. */
  private static void assertJarsAreChecked(HaPair pair, int exitCode, String... said) throws Exception {
    Map.Entry<Integer, String> check = pair.cluster().run(Installation.COMMANDS, "check", "--rm",
        pair.rest("rm1").address() + "," + pair.rest("rm2").address());
    if (HadoopVersion.isAtLeast("3.3")) {
      assertThat(check.getKey()).as(check.getValue()).isEqualTo(exitCode);
      assertThat(check.getValue()).contains(said);
    }
  }

  /** The class path of the process, as its log says, and {@code /jmx} too. */
  private static String classPath(HaPair pair, String id) throws Exception {
    String inLog = Files.readString(pair.log(id))
        .replaceFirst("(?s).*STARTUP_MSG:   classpath = ([^\n]*)\n.*", "$1");
    // Before 3.3, a standby sends those who ask for this page to the active one.
    if (!VersionInfo.getVersion().startsWith("3.2.")) {
      assertThat(pair.rest(id).jmx("java.lang:type=Runtime").at("/0/ClassPath").asText())
          .isEqualTo(inLog);
    }
    return inLog;
  }
}
