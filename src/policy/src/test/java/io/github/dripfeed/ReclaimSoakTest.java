// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.ReclaimCluster;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;

/**
 * One hour of virtual time with reclaim in two queues, one by priority and one by share, beside a third
 * queue. The build runs a few minutes of it; {@code ./mvnw -Psoak verify} runs the whole hour.
 */
class ReclaimSoakTest {

  private static final String FAIR = "root.fair";
  private static final int MINUTES = Math.min(60, Integer.getInteger("soak.minutes", 6));
  private static final long SEED = Long.getLong("soak.seed", 1L);
  /** Half a minute: enough for the notices and the preemptions of one change. */
  private static final int ROUNDS_BETWEEN = 10;
  private static final int MAX_APPLICATIONS = 16;

  @Test
  void preemptedContainersHadToMove() throws Exception {
    Random random = new Random(SEED);
    String fair = CapacitySchedulerConfiguration.PREFIX + FAIR + ".";
    try (ReclaimCluster queue = ReclaimCluster.byPriority(
        CapacitySchedulerConfiguration.PREFIX + "root.queues", "drip,fair,other",
        queueKey("capacity"), "45", queueKey("maximum-capacity"), "50",
        queueKey("minimum-user-limit-percent"), "34",
        stateAwareKey("max-starting"), "5",
        CapacitySchedulerConfiguration.PREFIX + OTHER + ".capacity", "10",
        fair + "capacity", "45", fair + "maximum-capacity", "50", fair + "user-limit-factor", "100",
        fair + "minimum-user-limit-percent", "50", fair + "maximum-am-resource-percent", "1",
        fair + "ordering-policy", StateAwareFairOrderingPolicy.class.getName(),
        fair + "ordering-policy.state-aware.max-starting", "5",
        fair + "ordering-policy.state-aware.reclaim.enabled", "true")) {
      for (int node = 0; node < 5; node++) {
        queue.cluster.addNode((8 + random.nextInt(8)) * GB);
      }
      ReclaimLife life = new ReclaimLife(queue, random, ReclaimLife.Adversity.HOSTS, false);
      int rounds = 0;
      while (rounds < MINUTES * 20) {
        String path = List.of(DRIP, FAIR, DRIP, FAIR, DRIP, FAIR, OTHER).get(random.nextInt(7));
        if (life.members().size() < MAX_APPLICATIONS && random.nextInt(3) > 0
            || life.members().size() == 0) {
          life.arrive(path);
          rounds += ReclaimCluster.ROUNDS + 2;
        } else {
          life.leave();
        }
        life.change();
        life.epoch(ROUNDS_BETWEEN);
        rounds += ROUNDS_BETWEEN;
      }
      Files.createDirectories(Path.of("target"));
      Files.writeString(Path.of("target", "reclaim-soak.txt"), String.format(
          "seed %s, %s virtual minutes: %s containers preempted; %s had to move%n", SEED, rounds / 20,
          queue.lost(), life.moved()));
      assertThat(queue.lost()).as("preempted, where %s had to move", life.moved())
          .isLessThanOrEqualTo(life.moved() + life.allowance());
      assertThat(queue.returned()).as("returned").isLessThanOrEqualTo(1);
      assertThat(DripfeedRuntime.current().metrics().failures()).isZero();
    }
  }
}
