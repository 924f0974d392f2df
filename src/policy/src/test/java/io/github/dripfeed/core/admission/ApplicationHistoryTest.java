// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The starting time adds up over the attempts of an application. */
class ApplicationHistoryTest {

  private static final QueueSettings SETTINGS = new QueueSettings(1, 0, new AttemptSettings(1000, 1));

  private final OrderFixture queue = new OrderFixture(SETTINGS);
  private final ApplicationHistory application = new ApplicationHistory();
  private int attempts;

  private FakeAttempt nextAttempt() {
    FakeAttempt attempt = new FakeAttempt("A" + ++attempts);
    application.add(queue.history(attempt));
    return queue.add(attempt, 0);
  }

  private void failAfter(FakeAttempt attempt, long millis) {
    queue.allocateDriver(attempt);
    queue.now += millis;
    queue.remove(attempt);
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
    application.add(queue.history(first));
    FakeAttempt second = nextAttempt();
    application.add(queue.history(second));
    application.add(queue.history(second));
    assertThat(queue.history(second).startedBefore()).isEqualTo(300);
  }

  @Test
  void attemptThatNeverStartedUsesNoTime() {
    FakeAttempt first = nextAttempt();
    queue.now += 500;
    queue.remove(first);
    assertThat(queue.history(nextAttempt()).startedBefore()).isZero();
  }

  @Test
  void runningAttemptCountsItsStartingTime() {
    FakeAttempt first = nextAttempt();
    queue.allocateDriver(first);
    queue.now += 200;
    queue.allocateExecutors(first, 1);
    queue.now += 5000;
    queue.remove(first);
    assertThat(queue.history(nextAttempt()).startedBefore()).isEqualTo(200);
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
    other.add(queue.history(failed));
    failAfter(queue.add(failed, 0), 1000);
    FakeAttempt next = new FakeAttempt("X2");
    other.add(queue.history(next));
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
