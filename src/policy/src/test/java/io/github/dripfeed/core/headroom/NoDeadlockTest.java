// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.headroom.ModelledCluster.App;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.List;
import java.util.Random;
import net.jqwik.api.AfterFailureMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Parallel starts cause no deadlock, whatever the sizes of drivers and executors, however wrong the
 * estimates, while nodes come and go and old applications request everything. The time limit is out of
 * reach.
 */
class NoDeadlockTest {

  /** Longer than any application takes to start and than any executor works. */
  private static final int QUIET = 30;
  /** Longer than all applications take one after the other. */
  private static final int LONGEST = 100_000;
  /** The same clusters in every build. Another seed gives others. */
  private static final String SEED = "1";
  private static int beyondSlots;

  @AfterContainer
  static void moreThanOneDidStartAtATime() {
    assertThat(beyondSlots).isGreaterThan(1000);
  }

  @Property(seed = SEED, tries = 120, shrinking = ShrinkingMode.OFF,
      afterFailure = AfterFailureMode.RANDOM_SEED)
  void everyApplicationEnds(@ForAll long seed) {
    Random random = new Random(seed);
    int largest = 4 + random.nextInt(29);
    ModelledCluster cluster = new ModelledCluster(random, largest);
    int nodes = 1 + random.nextInt(8);
    int memory = largest + 4 + random.nextInt(random.nextBoolean() ? 4 : 3 * largest);
    for (int i = 0; i < nodes; i++) {
      cluster.addNode(memory);
    }
    // Without plans, each queue has a slot: the drivers of all slots have to fit beside an executor.
    int queues = 1 + random.nextInt(4);
    // Each maximum is at least as much as one node has, so this holds below each of them, too.
    int atLeast = (99 + nodes) / nodes;
    int parents = 1 + random.nextInt(2);
    boolean limited = random.nextInt(3) > 0;
    for (int parent = 0; parent < parents; parent++) {
      cluster.addParent(limited ? atLeast + random.nextInt(101 - atLeast) : 100);
    }
    for (int queue = 0; queue < queues; queue++) {
      cluster.addQueue(random.nextInt(parents), limited ? atLeast + random.nextInt(101 - atLeast) : 100);
      if (random.nextInt(4) > 0) {
        cluster.seen.get(queue).add(-1, "", "", 0);
        cluster.seen.get(queue).update(-1, "", List.of(new Demand("",
            ResourceVector.of(1 + random.nextInt(random.nextBoolean() ? 2 : largest)), 1)), 1, 0);
      }
    }
    int applications = 5 + random.nextInt(60);
    int mostForDrivers = Math.max(1, Math.min(largest, memory - largest)
        / queues / (1 + random.nextInt(4)));
    boolean alike = random.nextBoolean();
    int executor = random.nextBoolean() ? largest : 1 + random.nextInt(largest);
    int startUp = random.nextBoolean() ? 20 : 1 + random.nextInt(20);
    boolean burst = random.nextBoolean();
    // A lost node could resolve a deadlock of drivers.
    boolean resizing = random.nextInt(3) == 0;
    int lost = 0;
    for (int submitted = 0; submitted < applications || cluster.now < (resizing ? 300 : 0);) {
      while (submitted < applications && (burst || random.nextInt(4) > 0)) {
        boolean greedy = random.nextInt(6) == 0;
        cluster.submit(new App(submitted++, random.nextInt(queues), 1 + random.nextInt(mostForDrivers),
            alike ? executor : 1 + random.nextInt(largest), greedy ? 60 : 1 + random.nextInt(5),
            startUp, 1 + random.nextInt(20)));
      }
      // The monitor may be late.
      if (random.nextInt(3) > 0) {
        cluster.plan();
      }
      cluster.step();
      if (resizing && random.nextInt(40) == 0 && lost < nodes) {
        cluster.loseNode();
        lost++;
      } else if (random.nextInt(30) == 0 && lost > 0) {
        cluster.bringBack(memory);
        lost--;
      }
    }
    while (lost > 0) {
      cluster.bringBack(memory);
      lost--;
    }
    cluster.lastPlacedAt = cluster.now;
    while (!cluster.isOver()) {
      cluster.plan();
      cluster.step();
      assertThat(cluster.now - cluster.lastPlacedAt).as("%s", cluster.apps).isLessThan(QUIET);
      assertThat(cluster.now).as("%s", cluster.apps).isLessThan(LONGEST);
    }
    beyondSlots += cluster.beyondSlots();
  }
}
