// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What it costs to find the one application that needs reordering. */
class FairOrderCostTest {

  private static final int MANY = 200_000;
  private static final int TIMES = 2000;

  /** One application that passes for as many as have a number. */
  private final SchedulableEntity app = mock(SchedulableEntity.class, withSettings().stubOnly());
  private final AtomicInteger number = new AtomicInteger();

  /** Counts instead of computing the share. */
  private static final class Counting extends StateAwareFairOrderingPolicy<SchedulableEntity> {
    private int reordered;

    @Override
    protected void reorderSchedulableEntity(SchedulableEntity entity) {
      reordered++;
    }
  }

  @BeforeEach
  void number() {
    when(app.getId()).thenAnswer(call -> "application_" + number);
  }

  /** As after a recovery, or when the size of the cluster has changed. */
  @Test
  void reorderingOneCostsNothingOfHavingReorderedMany() {
    Counting policy = new Counting();
    reorderOnes(policy);
    long before = reorderOnes(policy);
    for (int i = 0; i < MANY; i++) {
      number.set(i);
      policy.entityRequiresReordering(app);
    }
    reorder(policy);
    reorderOnes(policy);
    long after = reorderOnes(policy);
    assertThat(policy.reordered).isEqualTo(4 * TIMES + MANY);
    assertThat(after).as("ns, after %d ns", before).isLessThan(5 * before);
  }

  /** The processor time of this thread. */
  private long reorderOnes(Counting policy) {
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int i = 0; i < TIMES; i++) {
      policy.entityRequiresReordering(app);
      reorder(policy);
    }
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
  }

  private static void reorder(Counting policy) {
    policy.getAssignmentIterator(IteratorSelector.EMPTY_ITERATOR_SELECTOR);
  }
}
