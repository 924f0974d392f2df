// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.AfterFailureMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Random clusters with several queues, users at their limits, partitions, GPUs, two kinds of nodes, lost
 * nodes, wrong estimates, sessions, drivers alone, and take-back on or off: every application that ends
 * finishes, and nothing stands still for longer than documented. Opportunistic executors hold no room, so
 * an application with no others is a driver alone.
 */
class WholeClusterTest {

  /** The same clusters in every build. Another seed gives others. */
  private static final String SEED = "1";
  private static final int TRIES = 50;
  private static final int TRIES_IF_TIGHT = 12;
  private static int played;
  private static int playedIfTight;
  private static int beyondSlots;
  private static int beyondSlotsIfTight;
  private static int takenBack;

  /** A property that was not run, or ended with a failure, has its own message or none. */
  @AfterContainer
  static void someWereTakenBack() {
    if (played == TRIES) {
      assertThat(beyondSlots).isGreaterThan(1000);
      assertThat(takenBack).isGreaterThan(75);
    }
    if (playedIfTight == TRIES_IF_TIGHT) {
      assertThat(beyondSlotsIfTight).isGreaterThan(200);
    }
  }

  @Property(seed = SEED, tries = TRIES, shrinking = ShrinkingMode.OFF,
      afterFailure = AfterFailureMode.RANDOM_SEED)
  void everyApplicationThatEndsFinishes(@ForAll long seed) {
    ModelCluster cluster = new RandomCluster(seed, false).play();
    beyondSlots += cluster.beyondSlots();
    takenBack += cluster.takenBack;
    played++;
  }

  /** All request the largest container when their drivers have started, and nothing is taken back. */
  @Property(seed = SEED, tries = TRIES_IF_TIGHT, shrinking = ShrinkingMode.OFF,
      afterFailure = AfterFailureMode.RANDOM_SEED)
  void everyApplicationFinishesWhereDriversCouldFillAllNodes(@ForAll long seed) {
    ModelCluster cluster = new RandomCluster(seed, true).play();
    beyondSlotsIfTight += cluster.beyondSlots();
    playedIfTight++;
  }
}
