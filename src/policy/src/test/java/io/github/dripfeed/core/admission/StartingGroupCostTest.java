// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a decision in one queue of a large group reads, and what a round of the monitor reads. */
class StartingGroupCostTest {

  private static final int QUEUES = 2_000;
  /** The accepted-timeout, in milliseconds. */
  private static final int TIMEOUT = 60_000;

  private final StartingGroup<FakeAttempt> group = new StartingGroup<>("large", false);
  private final List<OrderFixture> queues = new ArrayList<>();
  private final List<FakeAttempt> attempts = new ArrayList<>();
  private int submitted;

  /** Each queue has an accepted attempt. */
  private void fill(int count) {
    for (int i = 0; i < count; i++) {
      OrderFixture queue = new OrderFixture(new QueueSettings(1, TIMEOUT, AttemptSettings.DEFAULTS));
      queue.order.join(group);
      queues.add(queue);
      attempts.add(queue.submit("A" + ++submitted));
    }
  }

  /** The number of facts that are read while every queue decides once. */
  private long readByDecisions() {
    forget();
    queues.forEach(OrderFixture::offered);
    return read();
  }

  private long readByARoundOfTheMonitor() {
    forget();
    queues.forEach(queue -> queue.now += 1_000);
    queues.forEach(queue -> {
      queue.order.tick(queue.now);
      queue.order.losers(queue.now);
    });
    return read();
  }

  private void forget() {
    attempts.forEach(attempt -> attempt.questions = 0);
  }

  private long read() {
    return attempts.stream().mapToLong(attempt -> attempt.questions).sum();
  }

  @Test
  void decisionReadsNoMoreInALargeGroup() {
    fill(2);
    long free = readByDecisions() / 2;
    queues.get(0).allocateDriver(attempts.get(0));
    long taken = readByDecisions() / 2;
    queues.get(0).allocateExecutors(attempts.get(0), 1);
    fill(QUEUES - 2);
    assertThat(readByDecisions() / QUEUES).as("a slot is free").isLessThanOrEqualTo(free);
    queues.get(1).allocateDriver(attempts.get(1));
    assertThat(readByDecisions() / QUEUES).as("the slot is taken").isLessThanOrEqualTo(taken);
  }

  @Test
  void decisionReadsNoMoreWhileOneIsReservedOrStalled() {
    fill(QUEUES);
    FakeAttempt reserved = attempts.get(0);
    reserved.reserved = true;
    queues.get(0).order.containerAllocated(reserved, () -> null, 0);
    assertThat(readByDecisions() / QUEUES).as("reserved").isLessThanOrEqualTo(8);
    for (int i = 0; i <= TIMEOUT / 1000; i++) {
      readByARoundOfTheMonitor();
    }
    assertThat(queues.get(0).events).as("it stalled").contains("A1 stalled " + TIMEOUT);
    reserved.reserved = false;
    assertThat(readByDecisions() / QUEUES).as("stalled").isLessThanOrEqualTo(12);
  }

  /** Their users are at their limits, so there is no trial, though one is due. */
  @Test
  void decisionReadsNoMoreWhileAllThatStalledAreSkipped() {
    fill(500);
    for (int second = 0; second <= TIMEOUT / 1000; second++) {
      queues.forEach(queue -> queue.now += 1_000);
      queues.forEach(OrderFixture::offered);
    }
    assertThat(queues).allMatch(queue -> !queue.events.isEmpty());
    attempts.forEach(attempt -> attempt.skipped = true);
    queues.forEach(queue -> queue.now += 60_000);
    assertThat(readByDecisions() / 500).isLessThanOrEqualTo(24);
  }

  @Test
  void roundOfTheMonitorIsLinearInTheQueues() {
    fill(200);
    FakeAttempt reserved = attempts.get(0);
    reserved.reserved = true;
    queues.get(0).order.containerAllocated(reserved, () -> null, 0);
    long few = readByARoundOfTheMonitor();
    fill(QUEUES - 200);
    assertThat(readByARoundOfTheMonitor()).isLessThanOrEqualTo(few * 11);
  }
}
