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
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceUsage;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.junit.jupiter.api.Test;

/** What it costs to reorder one application. */
class FairOrderCostTest {

  private static final int MANY = 200_000;
  private static final int TIMES = 2000;

  private final AtomicInteger number = new AtomicInteger();
  private final FiCaSchedulerApp app = app();

  /** As after a recovery, or when the size of the cluster has changed. */
  @Test
  void reorderingOneCostsNothingOfHavingReorderedMany() {
    StateAwareFairOrderingPolicy<FiCaSchedulerApp> policy = new StateAwareFairOrderingPolicy<>();
    reorderOnes(policy);
    long before = reorderOnes(policy);
    for (int i = 0; i < MANY; i++) {
      number.set(i);
      policy.entityRequiresReordering(app);
    }
    policy.getAssignmentIterator(IteratorSelector.EMPTY_ITERATOR_SELECTOR);
    reorderOnes(policy);
    long after = reorderOnes(policy);
    assertThat(after).as("ns, after %d ns", before).isLessThan(5 * before);
  }

  /** The processor time of this thread. */
  private long reorderOnes(StateAwareFairOrderingPolicy<FiCaSchedulerApp> policy) {
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int i = 0; i < TIMES; i++) {
      policy.entityRequiresReordering(app);
      policy.getAssignmentIterator(IteratorSelector.EMPTY_ITERATOR_SELECTOR);
    }
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
  }

  /** One application that passes for as many as have a number. */
  private FiCaSchedulerApp app() {
    FiCaSchedulerApp made = mock(FiCaSchedulerApp.class,
        withSettings().stubOnly().defaultAnswer(RETURNS_DEEP_STUBS));
    when(made.getId()).thenAnswer(call -> "application_" + number);
    when(made.getSchedulingResourceUsage()).thenReturn(new ResourceUsage());
    return made;
  }
}
