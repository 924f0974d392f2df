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

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Virtual time at the real scheduler: applications of all kinds come and go while nodes are lost,
 * queues refreshed, drivers killed and the ResourceManager restarted. The build runs a few minutes of
 * it; {@code ./mvnw -Psoak verify} three hours.
 */
class SoakTest {

  private static final int MINUTES = Integer.getInteger("soak.minutes", 10);
  private static final long SEED = Long.getLong("soak.seed", 1L);

  @Test
  void nobodyIsLostNothingLeaksAndAllGetTheirTurn() throws Exception {
    try (MockCluster cluster = MockCluster.withMonitorThread(StateAwareOrderingPolicy.class)) {
      Soak soak = new Soak(SEED, false);
      soak(soak, cluster, "soak.txt");
      assertThat(soak.mostStarting()).isLessThanOrEqualTo(4);
    }
  }

  @Test
  void norIsAnybodyWhereMoreStartAtOnceWhileThereIsRoom() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      Soak soak = new Soak(SEED, true);
      soak(soak, cluster, "soak-headroom.txt");
      assertThat(soak.mostStarting()).isGreaterThan(4);
    }
  }

  private static void soak(Soak soak, MockCluster cluster, String report) throws Exception {
    soak.run(cluster, MINUTES * 60);
    Files.createDirectories(Path.of("target"));
    Files.write(Path.of("target", report), soak.report());
    soak.assertAllEnded();
    assertThat(cluster.policy().getNumSchedulableEntities()).isZero();
    assertThat(Shared.current().failures()).isZero();
    Eventually.is("every attempt is collected", () -> {
      System.gc();
      return soak.uncollected() == 0;
    });
    Eventually.is("nothing is watched any more", () -> {
      cluster.pass(Duration.ofSeconds(1));
      cluster.look();
      return cluster.watched() == 0;
    });
  }
}
