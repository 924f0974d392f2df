// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.tool.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

/** The packaged jar in a separate ResourceManager process, operated from outside. */
class ResourceManagerProcessIT {

  private static final Path FOLDER = Path.of(System.getProperty("processes.folder"));
  private static final String QUEUE = "dripfed";
  private static final String STATE_AWARE =
      "yarn.scheduler.capacity.root.dripfed.ordering-policy.state-aware.";

  @Test
  void holdingSurvivesRefreshesAndAHardKill() throws Exception {
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("drip"), Map.of())) {
      cluster.useStateLog();
      cluster.startResourceManager();
      assertThat(Files.readString(cluster.resourceManagerLog()))
          .as("with -Dprocesses.java.home").contains("java = " + Installation.javaVersion());
      cluster.startNodes(2, 2048);
      String running = cluster.submit("running", QUEUE, 0, 1, 3600);
      Eventually.is("it has its executor", () -> containers(cluster, running) == 2);
      String starting = cluster.submit("starting", QUEUE, 3600, 1, 1);
      String next = cluster.submit("next", QUEUE, 3600, 1, 1);
      String last = cluster.submit("last", QUEUE, 0, 1, 1);

      Eventually.is("it has its driver", () -> containers(cluster, starting) == 1);
      awaitStates(cluster, "Settings: all defaults", "2 accepted, 1 starting, 1 running");
      Eventually.is("its diagnostics name the application it waits for", () ->
          cluster.rest().application(next)
          .at("/diagnostics").asText()
          .contains("Held by StateAwareOrderingPolicy: Number 1 in line, waits for a"
              + " starting slot; " + starting));
      assertThat(containers(cluster, next)).isZero();

      // Refreshed from the command line.
      cluster.editScheduler(STATE_AWARE + "max-starting", "2");
      Map.Entry<Integer, String> refresh = cluster.refreshQueues();
      assertThat(refresh.getKey()).as(refresh.getValue()).isZero();
      Eventually.is("it has its driver", () -> containers(cluster, next) == 1);
      awaitStates(cluster, "max-starting=2", "1 accepted, 2 starting, 1 running");

      // An invalid refresh is refused with a message, and the running configuration stays.
      cluster.editScheduler(STATE_AWARE + "max-starting", "0");
      refresh = cluster.refreshQueues();
      assertThat(refresh.getKey()).isNotZero();
      assertThat(Files.readString(cluster.resourceManagerLog())).contains(
          "ordering-policy.state-aware.max-starting = '0'");
      awaitStates(cluster, "max-starting=2", "1 accepted, 2 starting, 1 running");
      cluster.editScheduler(STATE_AWARE + "max-starting", "2");

      // A NodeManager refuses to start what the ResourceManager before allocated.
      Eventually.is("all containers have their processes", () -> cluster.rest().runningProcesses() == 4);

      // Killed without warning, and restarted on its state store.
      cluster.killResourceManager();
      cluster.startResourceManager();
      cluster.awaitNodes();
      awaitStates(cluster, "max-starting=2", "1 accepted, 2 starting, 1 running");
      for (int i = 0; i < 10; i++) {
        assertThat(containers(cluster, last)).as("held as before").isZero();
        TimeUnit.MILLISECONDS.sleep(200);
      }
      for (String survivor : new String[] {running, starting, next}) {
        assertThat(cluster.rest().attempts(survivor)).as(survivor).hasSize(1);
      }
      assertThat(containers(cluster, running)).isEqualTo(2);

      // A slot becomes free, and the last application runs to its end.
      cluster.rest().kill(starting);
      Eventually.is("it succeeds", () -> cluster.rest().application(last)
          .at("/finalStatus").asText().equals("SUCCEEDED"));
      awaitStates(cluster, "max-starting=2", "0 accepted, 1 starting, 1 running");
      assertStateLog(cluster, running, last);
    }
  }

  /** The lines of both processes, in the file that the example names and nowhere else. */
  private static void assertStateLog(ProcessCluster cluster, String first, String last) throws Exception {
    String loaded = Version.line() + " is loaded, in Hadoop " + VersionInfo.getVersion();
    List<String> lines = Files.readAllLines(cluster.folder().resolve("dripfeed-state.log"));
    assertThat(lines).as("one line for each process").filteredOn(line -> line.contains(" is loaded, "))
        .hasSize(2).allMatch(line -> line.endsWith(" " + loaded));
    assertThat(lines.get(0)).endsWith(loaded);
    for (String application : List.of(first, last)) {
      assertThat(lines).as(application).anyMatch(
          line -> line.contains(" " + application + " attempt=1 queue=root.dripfed user=")
              && line.contains(": STARTING -> RUNNING after "));
    }
    assertThat(Files.readString(cluster.resourceManagerLog())).contains("StateAwareOrderingPolicy")
        .doesNotContain(" is loaded, in Hadoop", " -> RUNNING", "StateLog");
  }

  @Test
  void badConfigurationStopsTheResourceManager() throws Exception {
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("refused"), Map.of())) {
      cluster.editScheduler(STATE_AWARE + "starting-timeout", "soon");
      cluster.editScheduler(STATE_AWARE + "max-startin", "2");
      Process resourceManager = cluster.launchResourceManager();
      assertThat(resourceManager.waitFor(2, TimeUnit.MINUTES)).as("it ends by itself").isTrue();
      assertThat(resourceManager.exitValue()).isNotZero();
      assertThat(Files.readString(cluster.resourceManagerLog())).contains(
          "ordering-policy.state-aware.starting-timeout = 'soon'",
          "ordering-policy.state-aware.max-startin = '2'", "no such property",
          "'yarn jar dripfeed-tools-*.jar check capacity-scheduler.xml yarn-site.xml' names it");
    }
  }

  private static int containers(ProcessCluster cluster, String application) throws Exception {
    return Math.max(0, cluster.rest().application(application).at("/runningContainers").asInt());
  }

  private static void awaitStates(ProcessCluster cluster, String configured, String states)
      throws Exception {
    Eventually.is(configured + ", " + states, () -> {
      String page = cluster.rest().page();
      return page.contains(configured) && page.contains(states);
    });
  }
}
