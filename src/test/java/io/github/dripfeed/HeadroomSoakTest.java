/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockCluster;
import org.junit.jupiter.api.Test;

/** The workload of {@link SoakTest} with {@code parallel-start=headroom}. */
class HeadroomSoakTest {

  @Test
  void everyApplicationFinishesAndNothingLeaks() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      Soak soak = Soak.run(cluster, true, "soak-headroom.txt");
      assertThat(soak.mostStarting()).isGreaterThan(4);
    }
  }
}
