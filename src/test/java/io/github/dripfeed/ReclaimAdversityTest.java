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

import static io.github.dripfeed.MockCluster.DRIP;
import static io.github.dripfeed.MockCluster.GB;
import static io.github.dripfeed.MockCluster.OTHER;
import static io.github.dripfeed.MockCluster.queueKey;
import static io.github.dripfeed.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/**
 * Random clusters on the real Capacity Scheduler: several users with limits, applications that ask for
 * hosts and for containers of two sizes, so that some reserve nodes, a sibling queue that asks for what
 * it cannot have, and demand that changes. It comes to rest, and nothing is taken in vain.
 */
class ReclaimAdversityTest {

  /** Enough for several waves, each a time of grace and what follows from it. */
  private static final int ROUNDS_TO_REST = 8 * Reclaiming.ROUNDS;

  @Property(tries = 12, shrinking = ShrinkingMode.OFF)
  void byPriorityItComesToRestAndNothingIsTakenInVain(@ForAll int seed) throws Exception {
    Random random = new Random(seed);
    try (Reclaiming queue = Reclaiming.byPriority(properties(random))) {
      live(queue, random, seed, true, 1);
    }
  }

  @Property(tries = 12, shrinking = ShrinkingMode.OFF)
  void byShareItComesToRestAndNothingIsTakenInVain(@ForAll int seed) throws Exception {
    Random random = new Random(seed);
    try (Reclaiming queue = Reclaiming.byShare(properties(random))) {
      live(queue, random, seed, false, 1);
    }
  }

  /** Who may use some hosts only may have to take from one who takes from a third elsewhere. */
  @Property(tries = 8, shrinking = ShrinkingMode.OFF)
  void byShareWithHostsItComesToRestAndWhatIsTakenGoesThroughOneOtherAtMost(@ForAll int seed)
      throws Exception {
    Random random = new Random(seed);
    try (Reclaiming queue = Reclaiming.byShare(properties(random))) {
      live(queue, random, seed, true, 2);
    }
  }

  private static String[] properties(Random random) {
    return new String[] {
        queueKey("minimum-user-limit-percent"), List.of("100", "50", "34", "25").get(random.nextInt(4)),
        queueKey("user-limit-factor"), List.of("100", "0.6").get(random.nextInt(2)),
        stateAwareKey("max-starting"), "5",
        stateAwareKey("reclaim.dead-zone"), List.of("0%", "10%").get(random.nextInt(2)),
        CapacitySchedulerConfiguration.PREFIX + DRIP + ".capacity", "80",
        CapacitySchedulerConfiguration.PREFIX + OTHER + ".capacity", "20",
        CapacitySchedulerConfiguration.PREFIX + OTHER + ".user-limit-factor", "0.1",
        CapacitySchedulerConfiguration.PREFIX + OTHER + ".maximum-am-resource-percent", "0.01"};
  }

  private static void live(Reclaiming queue, Random random, int seed, boolean local, int hands)
      throws Exception {
    int nodes = 2 + random.nextInt(3);
    for (int node = 0; node < nodes; node++) {
      queue.cluster.addNode((6 + random.nextInt(8)) * GB);
    }
    // At its user's limit, with another behind the limit on drivers: it asks for ever, and in vain.
    MockApp sibling = queue.start(queue.cluster.submission(GB).withQueue(OTHER), 5);
    queue.submit(queue.cluster.submission(GB).withQueue(OTHER));
    ReclaimLife life = new ReclaimLife(queue, random);
    int applications = 3 + random.nextInt(3);
    for (int i = 0; i < applications; i++) {
      life.arrive(DRIP, local);
    }
    for (int phase = 0; phase < 3; phase++) {
      int lost = queue.lost();
      int moved = life.moved();
      int receivers = life.receivers();
      life.change();
      life.epoch(ROUNDS_TO_REST);
      int taken = queue.lost() - lost;
      assertThat(taken).as("taken in phase %s of seed %s, where %s had to move", phase, seed,
          life.moved() - moved)
          .isLessThanOrEqualTo(hands * (life.moved() - moved) + life.receivers() - receivers);
      List<Integer> before = life.containers();
      life.epoch(2 * Reclaiming.ROUNDS);
      assertThat(queue.lost() - lost).as("at rest after phase %s of seed %s", phase, seed)
          .isEqualTo(taken);
      assertThat(life.containers()).as("at rest, seed %s", seed).isEqualTo(before);
    }
    assertThat(sibling.containers()).isLessThan(4);
    assertThat(Shared.current().failures()).isZero();
  }
}
