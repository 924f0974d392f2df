// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockCluster;
import org.junit.jupiter.api.Test;

/** The workload of {@link SoakTest} with {@code max-starting=auto}. */
class AutoSoakTest {

  @Test
  void everyApplicationFinishesAndNothingLeaks() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      Soak soak = Soak.run(cluster, true, "soak-auto.txt");
      assertThat(soak.mostStarting()).isGreaterThan(4);
    }
  }
}
