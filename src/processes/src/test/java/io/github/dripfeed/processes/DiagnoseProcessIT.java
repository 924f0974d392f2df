// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.dripfeed.fixture.Eventually;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A stock queue that stands still on a real ResourceManager: what says so, and what makes it move. */
@Tag("slow")
class DiagnoseProcessIT {

  private static final Path FOLDER = Path.of(System.getProperty("processes.folder"));
  private static final String STOCK = "yarn.scheduler.capacity.root.stock.ordering-policy";

  @Test
  void queueThatStandsStillIsFoundAndAutoMakesItMove() throws Exception {
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("diagnose"), Map.of())) {
      cluster.startResourceManager();
      cluster.startNodes(2, 1024);
      assertThat(diagnosed(cluster, 1).path("code").asText()).as("its limit on drivers is 1.0")
          .isEqualTo("AM_LIMIT_HIGH");

      List<String> burst = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        burst.add(cluster.submit("etl " + i, "stock", 1, 2, 5));
      }
      Eventually.is("four drivers request executors, and none has one",
          () -> ask(cluster).at("/queues/0/requestExecutors").asInt() == 4);
      JsonNode stuck = diagnosed(cluster, 6);
      assertThat(stuck.path("code").asText()).isEqualTo("STANDS_STILL");
      assertThat(stuck.path("amOnlyMb").asInt()).isEqualTo(4 * ProcessCluster.DRIVER_MEMORY);
      TimeUnit.SECONDS.sleep(10);
      assertThat(diagnosed(cluster, 6).path("atLeastSeconds").asInt()).isGreaterThanOrEqualTo(10);

      cluster.editScheduler(STOCK, "io.github.dripfeed.StateAwareOrderingPolicy");
      cluster.editScheduler(STOCK + ".state-aware.max-starting", "auto");
      Map.Entry<Integer, String> refresh = cluster.refreshQueues();
      assertThat(refresh.getKey()).as(refresh.getValue()).isZero();
      long start = System.nanoTime();
      Eventually.is("one has an executor",
          () -> ask(cluster).at("/queues/0/withExecutors").asInt() > 0);
      assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)).isLessThan(60);
      for (String each : burst) {
        Eventually.patiently(each + " succeeds", () ->
            cluster.rest().application(each).at("/finalStatus").asText().equals("SUCCEEDED"));
      }
      assertThat(diagnosed(cluster, 0).path("code").asText()).isEqualTo("FINE");
    }
  }

  private static JsonNode diagnosed(ProcessCluster cluster, int exitCode) throws Exception {
    JsonNode answer = ask(cluster);
    assertThat(answer.path("exitCode").asInt()).as(answer.toString()).isEqualTo(exitCode);
    return answer.at("/queues/0");
  }

  private static JsonNode ask(ProcessCluster cluster) throws Exception {
    String output =
        cluster.run(Installation.COMMANDS, "diagnose", "--queue", "stock", "--json").getValue();
    return new ObjectMapper().readTree(output.substring(output.indexOf('{')));
  }
}
