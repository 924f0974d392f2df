// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.LogOfFailure;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Reclaim on a real NodeManager with real processes. The ResourceManager runs the monitor itself; the
 * files of {@code conf-examples} configure it, with shorter times.
 */
@ExtendWith(LogOfFailure.class)
@Tag("slow")
class ReclaimOnMiniClusterIT {

  private static final String PREFIX =
      "yarn.scheduler.capacity.root.batch.ordering-policy.state-aware.reclaim.";
  private static final Map<String, String> QUICK = Map.of(PREFIX + "grace-period", "2s",
      CapacitySchedulerConfiguration.PREEMPTION_MONITORING_INTERVAL, "500",
      CapacitySchedulerConfiguration.TOTAL_PREEMPTION_PER_ROUND, "0.5");
  private static final int MB = 256;
  /**
   * A machine that is slow to end containers makes reclaim pause for a minute: what it preempted did not
   * reach the application in time.
   */
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final Duration STABLE = Duration.ofSeconds(3);

  @Test
  void lateHighPriorityApplicationGetsItsResources() throws Exception {
    try (DemoCluster cluster = DemoCluster.start(DemoCluster.examples(), "priority", 12 * MB,
            Path.of("target", "e2e-priority").toAbsolutePath(), QUICK);
        SteppedRun course = course(cluster)) {
      Duration work = Duration.ofSeconds(600);
      course.submit("low", 0, new Burst.Shape(1, MB, 0, 11, MB, (int) work.toSeconds()));
      assertThat(course.runUntilHeld(List.of(12), Duration.ZERO, LIMIT)).isTrue();
      course.submit("urgent", 5, new Burst.Shape(1, MB, 0, 4, MB, 12));
      assertThat(course.runUntilHeld(List.of(7, 5), Duration.ZERO, LIMIT))
          .as("%s", course.held()).isTrue();
      assertThat(course.runUntilHeld(List.of(12, 0), Duration.ZERO, LIMIT)).as("back again")
          .isTrue();
      assertThat(course.runUntilSucceeded(1, LIMIT)).isTrue();
      assertThat(course.drivers()).containsExactly(1L, 1L);
      assertThat(course.endedBefore(0, work.minusSeconds(2))).as("taken from the low priority")
          .isEqualTo(5);
    }
  }

  @Test
  void sharesFollowPriorityWeights() throws Exception {
    try (DemoCluster cluster = DemoCluster.start(DemoCluster.examples(), "fair", 21 * MB,
            Path.of("target", "e2e-fair").toAbsolutePath(), QUICK);
        SteppedRun course = course(cluster)) {
      Burst.Shape greedy = new Burst.Shape(1, MB, 0, 40, MB, 3600);
      course.submit("one", 0, greedy);
      assertThat(course.runUntilHeld(List.of(21), Duration.ZERO, LIMIT)).isTrue();
      course.submit("two", 1, greedy);
      course.submit("four", 3, greedy);
      assertThat(course.runUntilHeld(List.of(3, 6, 12), STABLE, LIMIT)).as("%s", course.held())
          .isTrue();
      assertThat(course.drivers()).containsExactly(1L, 1L, 1L);
    }
  }

  private static SteppedRun course(DemoCluster cluster) {
    return new SteppedRun("e2e", "batch", cluster,
        new PlainScreen(new PrintStream(PrintStream.nullOutputStream())));
  }
}
