// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

/** The life of an order: replacement, turns of the monitor, failures. */
class OrderLifeTest {

  private final OrderFixture queue =
      new OrderFixture(new QueueSettings(1, 0, new AttemptSettings(1000, 1)));

  @Test
  void runningSurvivesARefreshWithoutExecutors() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    queue.allocateDriver(a);
    queue.allocateExecutors(a, 1);
    a.executors = 0;
    queue.refresh(QueueSettings.DEFAULTS);
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void startingClockSurvivesARefresh() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    queue.allocateDriver(a);
    queue.now = 600;
    queue.refresh(queue.order.settings());
    queue.now = 999;
    assertThat(queue.offered()).isEqualTo("A");
    queue.now = 1000;
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void observedDriverNeedsNoWallClock() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    a.age = 3_600_000;
    queue.allocateDriver(a);
    assertThat(queue.offered()).isEqualTo("A");
    queue.now = 1000;
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void earlierDriverUsesItsAge() {
    FakeAttempt a = new FakeAttempt("A");
    a.driver = true;
    a.age = 900;
    queue.add(a, 0);
    queue.submit("B");
    queue.now = 99;
    assertThat(queue.offered()).isEqualTo("A");
    queue.now = 100;
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void tickDetectsChangesWithoutCallbacks() {
    FakeAttempt a = queue.submit("A");
    FakeAttempt b = queue.submit("B");
    queue.allocateDriver(a);
    b.executors = 1;
    queue.now = 1000;
    queue.order.tick(queue.now);
    assertThat(queue.state(a)).isEqualTo(State.RUNNING);
    assertThat(queue.state(b)).isEqualTo(State.RUNNING);
    assertThat(queue.events).containsExactlyInAnyOrder("A DRIVER_ALLOCATED 0",
        "A STARTING_TIMED_OUT 1000", "B EXECUTORS_INHERITED 1000");
  }

  @Test
  void unreadableAttemptRunsAndAffectsNoOther() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    a.failure = new IllegalStateException("broken");
    assertThat(queue.offered()).isEqualTo("A B");
    queue.offered();
    queue.order.tick(0);
    assertThat(queue.events).containsExactly("A ACCEPTED_UNDETERMINED 0", "A failed: broken");
  }

  @Test
  void failureWhileStartingFreesTheSlot() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    queue.allocateDriver(a);
    a.failure = new IllegalStateException("broken");
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void removedAttemptIsNotKeptInMemory() throws Exception {
    WeakReference<FakeAttempt> gone = submitAndRemove();
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (gone.get() != null && System.nanoTime() < deadline) {
      System.gc();
      Thread.onSpinWait();
    }
    assertThat(gone.get()).isNull();
  }

  private WeakReference<FakeAttempt> submitAndRemove() {
    FakeAttempt a = queue.submit("A");
    queue.reserve(a);
    queue.offered();
    queue.remove(a);
    queue.histories.clear();
    return new WeakReference<>(a);
  }
}
