// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.dripfeed.fixture.Eventually;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code off} prints, done on a real ResourceManager; and a dry run there, which holds nobody. */
@Tag("slow")
class OffProcessIT {

  private static final Path FOLDER = Path.of(System.getProperty("processes.folder"));
  private static final String QUEUE = "dripfed";
  private static final String ENFORCE = ProcessCluster.POLICY + ".state-aware.enforce";

  @Test
  void queueGoesBackByTheLinesThatArePrintedAndADryRunHoldsNobody() throws Exception {
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("off"), Map.of())) {
      cluster.startResourceManager();
      cluster.startNodes(2, 2048);
      String first = submit(cluster, "first");
      Eventually.is("it has its driver", () -> hasDriver(cluster, first));
      String second = submit(cluster, "second");
      Eventually.is("it is held", () -> off(cluster).path("warning").asText()
          .startsWith("with step 3 now, the AMs of 1 application start at once"));

      JsonNode lines = off(cluster);
      set(cluster, lines.at("/first/0").asText());
      assertThat(hasDriver(cluster, second)).as("the limit alone starts nobody").isFalse();
      String third = submit(cluster, "third");
      set(cluster, lines.path("then").asText());
      Eventually.is("what was in line starts, whatever the limit", () -> hasDriver(cluster, second));
      assertThat(hasDriver(cluster, third)).as("it is in YARN's own list").isFalse();
      assertThat(cluster.run(Installation.COMMANDS, "off", "--queue", QUEUE).getValue())
          .contains("No queue");

      cluster.editScheduler(ProcessCluster.POLICY, "io.github.dripfeed.StateAwareOrderingPolicy");
      cluster.editScheduler(ENFORCE, "false");
      set(cluster, lines.at("/first/0").asText().replaceFirst("=.*", "=100"));
      String fourth = submit(cluster, "fourth");
      Eventually.is("none is held", () -> hasDriver(cluster, third) && hasDriver(cluster, fourth));
      assertThat(off(cluster).path("warning").asText()).isEmpty();
      assertThat(off(cluster).path("remove").toString()).contains(ENFORCE);
    }
  }

  /** Sets this, and refreshes. */
  private static void set(ProcessCluster cluster, String line) throws Exception {
    String[] property = line.split("=");
    cluster.editScheduler(property[0], property[1]);
    Map.Entry<Integer, String> refresh = cluster.refreshQueues();
    assertThat(refresh.getKey()).as(refresh.getValue()).isZero();
  }

  private static JsonNode off(ProcessCluster cluster) throws Exception {
    String output =
        cluster.run(Installation.COMMANDS, "off", "--queue", QUEUE, "--json").getValue();
    return new ObjectMapper().readTree(output.substring(output.indexOf('{'))).at("/queues/0");
  }

  private static String submit(ProcessCluster cluster, String name) throws Exception {
    return cluster.rest().submit(name, QUEUE, ProcessCluster.DRIVER_MEMORY, "exec sleep 3600");
  }

  private static boolean hasDriver(ProcessCluster cluster, String application) throws Exception {
    return cluster.rest().application(application).at("/runningContainers").asInt() == 1;
  }
}
