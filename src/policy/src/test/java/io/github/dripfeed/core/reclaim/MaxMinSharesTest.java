// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Fair shares worked out by hand, and compared with a simpler algorithm. */
class MaxMinSharesTest {

  private static final long NO_LIMIT = Long.MAX_VALUE;

  @Test
  void unlimitedDemandsGetEqualShares() {
    assertShares(pool(12), List.of(requesting(1, 1, 20), requesting(1, 1, 20), requesting(1, 1, 20)),
        4 / 12.0, 4 / 12.0, 4 / 12.0);
  }

  @Test
  void weightsDivideInProportion() {
    assertShares(pool(21), List.of(requesting(1, 1, 50), requesting(2, 1, 50), requesting(4, 1, 50)),
        3 / 21.0, 6 / 21.0, 12 / 21.0);
  }

  @Test
  void unusedShareGoesToTheOthers() {
    assertShares(pool(10), List.of(requesting(1, 1, 1), requesting(1, 1, 50), requesting(1, 1, 50)),
        0.1, 0.45, 0.45);
  }

  @Test
  void sufficientPoolSatisfiesEveryDemand() {
    assertShares(pool(10), List.of(requesting(1, 1, 2), requesting(5, 1, 3), requesting(1, 2, 2)),
        0.2, 0.3, 0.4);
  }

  @Test
  void protectedContainersBelongToTheShare() {
    PlanApplication rich = new PlanApplication(1, 0, FixedUserLimit.unlimited(1), NO_LIMIT);
    rich.addProtected(pool(6));
    assertShares(pool(10), List.of(rich, requesting(1, 1, 50)),
        0.6, 0.4);
  }

  @Test
  void preemptibleContainersCountAsDemand() {
    PlanApplication holder = new PlanApplication(1, 0, FixedUserLimit.unlimited(1), NO_LIMIT);
    PlanNode node = new PlanNode(pool(0), null, null);
    for (int i = 0; i < 9; i++) {
      holder.addPreemptible(node, pool(1), false, null);
    }
    assertShares(pool(10), List.of(holder, requesting(1, 1, 50)),
        0.5, 0.5);
    assertShares(pool(10), List.of(holder, requesting(1, 1, 3)),
        0.7, 0.3);
  }

  @Test
  void userLimitStopsOnlyItsOwnShare() {
    PlanUser limited = FixedUserLimit.user(pool(4));
    PlanApplication one = new PlanApplication(1, 0, limited, NO_LIMIT);
    PlanApplication two = new PlanApplication(1, 0, limited, NO_LIMIT);
    one.addRequest(pool(1), 50, Placement.ANYWHERE);
    two.addRequest(pool(1), 50, Placement.ANYWHERE);
    assertShares(pool(10), List.of(one, two, requesting(1, 1, 50)),
        0.2, 0.2, 0.6);
  }

  @Test
  void maxContainersBoundsTheShare() {
    PlanApplication capped = new PlanApplication(1, 0, FixedUserLimit.unlimited(1), 2);
    capped.addRequest(pool(1), 1, Placement.ANYWHERE);
    capped.addRequest(pool(1), 50, Placement.ANYWHERE);
    assertShares(pool(10), List.of(capped, requesting(1, 1, 50)),
        0.2, 0.8);
  }

  /**
   * One needs four units of memory per core, the other a third of that: each gets two thirds of its
   * demand.
   */
  @Test
  void dominantResourceDividesSeveralTypes() {
    assertShares(ResourceVector.of(9, 18),
        List.of(requesting(1, ResourceVector.of(1, 4), 50), requesting(1, ResourceVector.of(3, 1), 50)),
        2 / 3.0, 2 / 3.0);
  }

  @Test
  void exhaustedTypeStopsOnlyApplicationsThatNeedIt() {
    assertShares(ResourceVector.of(10, 100),
        List.of(requesting(1, ResourceVector.of(1, 0), 50), requesting(1, ResourceVector.of(1, 0), 50),
            requesting(1, ResourceVector.of(0, 1), 80)),
        0.5, 0.5, 0.8);
  }

  @Property(tries = 500)
  void singleTypeIsDividedMaxMin(@ForAll int seed, @ForAll @IntRange(min = 1, max = 6) int count) {
    Random random = new Random(seed);
    long total = 1 + random.nextInt(100);
    int[] weights = random.ints(count, 1, 6).toArray();
    int[] wants = random.ints(count, 1, 60).toArray();
    PlanApplication[] applications = new PlanApplication[count];
    for (int i = 0; i < count; i++) {
      applications[i] = requesting(weights[i], 1, wants[i]);
    }
    double[] shares = shares(pool(total), applications);
    double[] filled = fill(total, weights, wants);
    for (int i = 0; i < count; i++) {
      assertThat(shares[i] * total).isCloseTo(filled[i], within(1e-6));
    }
  }

  /** Serves the smallest demand per weight first and leaves the remainder to the others. */
  private static double[] fill(double total, int[] weights, int[] wants) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < wants.length; i++) {
      order.add(i);
    }
    order.sort((one, other) -> Double.compare(
        (double) wants[one] / weights[one], (double) wants[other] / weights[other]));
    double[] filled = new double[wants.length];
    double left = total;
    double weightLeft = Arrays.stream(weights).sum();
    for (int i : order) {
      filled[i] = Math.min(wants[i], left * weights[i] / weightLeft);
      left -= filled[i];
      weightLeft -= weights[i];
    }
    return filled;
  }

  private static void assertShares(ResourceVector pool, List<PlanApplication> applications,
      double... expected) {
    double[] shares = shares(pool, applications.toArray(new PlanApplication[0]));
    assertThat(shares).containsExactly(expected, within(1e-8));
  }

  private static double[] shares(ResourceVector pool, PlanApplication... applications) {
    MaxMinShares.compute(List.of(applications), new DominantShare(pool), pool);
    return Arrays.stream(applications).mapToDouble(application -> application.share).toArray();
  }

  private static PlanApplication requesting(double weight, long size, long count) {
    return requesting(weight, pool(size), count);
  }

  private static PlanApplication requesting(double weight, ResourceVector size, long count) {
    PlanApplication application =
        new PlanApplication(weight, 0, FixedUserLimit.unlimited(size.types()), NO_LIMIT);
    application.addRequest(size, count, Placement.ANYWHERE);
    return application;
  }

  private static ResourceVector pool(long amount) {
    return ResourceVector.of(amount);
  }
}
