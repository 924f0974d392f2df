// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.LogOfFailure;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A burst on a real NodeManager whose queue has room for all, so that they start in parallel. */
@ExtendWith(LogOfFailure.class)
class AutoOnMiniClusterIT {

  private static final int MB = 256;
  private static final int APPLICATIONS = 6;
  /** A sixth of it holds all drivers, since nothing is known of executors. */
  private static final int NODE_MB = APPLICATIONS * 6 * MB;

  @Test
  void applicationsStartInParallel() throws Exception {
    try (DemoCluster cluster = DemoCluster.start(DemoCluster.examples(), "fifo", NODE_MB,
        Path.of("target", "e2e-auto").toAbsolutePath(), Map.of(
            "yarn.scheduler.capacity.root.batch.ordering-policy.state-aware.max-starting", "auto"))) {
      BurstRun half = new BurstRun("auto", "batch");
      half.run(cluster, new Burst.Shape(APPLICATIONS, MB, 10, 1, MB, 1),
          new PlainScreen(new PrintStream(PrintStream.nullOutputStream())));
      assertThat(half.outcome().succeeded()).isEqualTo(APPLICATIONS);
      assertThat(half.outcome().mostStarting()).isGreaterThan(APPLICATIONS / 2);
    }
  }
}
