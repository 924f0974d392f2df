// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import io.github.dripfeed.fixture.MockCluster;
import org.junit.jupiter.api.Test;

/**
 * Virtual time on the real scheduler: applications of all kinds come and go while nodes are lost, queues
 * are refreshed, drivers are killed and the ResourceManager restarts. The build runs a few minutes of it;
 * {@code ./mvnw -Psoak verify} runs three hours.
 */
class SoakTest {

  @Test
  void everyApplicationFinishesAndNothingLeaks() throws Exception {
    try (MockCluster cluster = MockCluster.withMonitorThread(StateAwareOrderingPolicy.class)) {
      Soak.run(cluster, false, "soak.txt");
    }
  }
}
