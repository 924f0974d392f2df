// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The starting time adds up over the attempts of an application. */
class ApplicationHistoryTest {

  private static final QueueSettings SETTINGS = new QueueSettings(1, 0, new AttemptSettings(1000, 1));

  private final OrderFixture queue = new OrderFixture(SETTINGS);
  private final ApplicationHistory application = new ApplicationHistory();
  private final Set<Integer> failures = new HashSet<>();
  private int attempts;

  private FakeAttempt nextAttempt() {
    FakeAttempt attempt = new FakeAttempt("A" + ++attempts);
    observe(attempt, attempts);
    return queue.add(attempt, 0);
  }

  private void observe(FakeAttempt attempt, int number) {
    application.add(number, queue.history(attempt), failures::contains);
  }

  private void failAfter(FakeAttempt attempt, long millis) {
    queue.allocateDriver(attempt);
    queue.now += millis;
    queue.remove(attempt);
    failures.add(attempts);
  }

  @Test
  void nextAttemptInheritsTheRemainingTime() {
    failAfter(nextAttempt(), 300);
    failAfter(nextAttempt(), 300);
    FakeAttempt third = nextAttempt();
    queue.now += 5000;
    queue.allocateDriver(third);
    queue.now += 399;
    queue.offered();
    assertThat(queue.state(third)).isEqualTo(State.STARTING);
    queue.now += 1;
    queue.offered();
    assertThat(queue.state(third)).isEqualTo(State.RUNNING);
  }

  @Test
  void observingAnAttemptTwiceCountsOnce() {
    FakeAttempt first = nextAttempt();
    failAfter(first, 300);
    observe(first, 1);
    FakeAttempt second = nextAttempt();
    observe(second, 2);
    observe(second, 2);
    assertThat(queue.history(second).startedBefore).isEqualTo(300);
  }

  @Test
  void attemptThatNeverStartedUsesNoTime() {
    FakeAttempt first = nextAttempt();
    queue.now += 500;
    queue.remove(first);
    assertThat(queue.history(nextAttempt()).startedBefore).isZero();
  }

  @Test
  void attemptThatHadAnExecutorBeginsAnew() {
    failAfter(nextAttempt(), 300);
    FakeAttempt second = nextAttempt();
    queue.allocateDriver(second);
    queue.allocateExecutors(second, 1);
    failAfter(second, 200);
    FakeAttempt third = nextAttempt();
    assertThat(queue.history(third).startedBefore).isZero();
    failAfter(third, 100);
    assertThat(queue.history(nextAttempt()).startedBefore).isEqualTo(100);
  }

  @Test
  void onlyFailuresCount() {
    failAfter(nextAttempt(), 300);
    failAfter(nextAttempt(), 200);
    failures.remove(2);
    FakeAttempt third = nextAttempt();
    assertThat(queue.history(third).startedBefore).isEqualTo(300);
    failAfter(third, 100);
    failures.remove(1);
    assertThat(queue.history(nextAttempt()).startedBefore).as("the first is forgotten").isEqualTo(100);
  }

  @Test
  void exhaustedApplicationComesLastAndTakesNoSlot() {
    failAfter(nextAttempt(), 1000);
    FakeAttempt second = nextAttempt();
    queue.submit("B");
    queue.submit("C");
    assertThat(queue.offered()).isEqualTo("B A2");
    queue.allocateDriver(second);
    assertThat(queue.offered()).as("the slot is free").isEqualTo("A2 B");
    queue.now += 999;
    queue.offered();
    assertThat(queue.state(second)).isEqualTo(State.STARTING);
    queue.now += 1;
    queue.offered();
    assertThat(queue.state(second)).isEqualTo(State.RUNNING);
  }

  @Test
  void exhaustedApplicationsStartOneAtATime() {
    failAfter(nextAttempt(), 1000);
    FakeAttempt second = nextAttempt();
    ApplicationHistory other = new ApplicationHistory();
    FakeAttempt failed = new FakeAttempt("X1");
    other.add(1, queue.history(failed), one -> true);
    failAfter(queue.add(failed, 0), 1000);
    FakeAttempt next = new FakeAttempt("X2");
    other.add(2, queue.history(next), one -> true);
    queue.add(next, 0);
    assertThat(queue.offered()).isEqualTo("A2 X2");
    queue.allocateDriver(second);
    assertThat(queue.offered()).isEqualTo("A2");
  }

  /** The driver's node is not back, so the policy has to read the starting time, which fails. */
  @Test
  void unreadableFactsAfterARestartEndItsStartingTime() {
    FakeAttempt found = new FakeAttempt("F");
    found.driver = true;
    found.driverLive = false;
    found.hasRequest = false;
    queue.add(found, 0);
    queue.now += 70;
    found.failure = new IllegalStateException("broken");
    queue.offered();
    assertThat(queue.state(found)).isEqualTo(State.RUNNING);
    assertThat(queue.history(found).startedFor()).as("it may have been running for long").isZero();
  }
}
