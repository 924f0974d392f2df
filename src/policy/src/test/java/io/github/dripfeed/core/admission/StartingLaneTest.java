// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A thousand attempts are starting, and the scheduler decides a thousand times a second. */
class StartingLaneTest {

  private static final int MANY = 1000;
  private static final int LOOKS = 4;
  /** The maximum number of reads for each checked attempt. */
  private static final int QUESTIONS = 5;
  private static final long LIMIT = 60_000;

  private final OrderFixture queue =
      new OrderFixture(new QueueSettings(MANY + 1, 0, new AttemptSettings(LIMIT, 1)));
  private final List<FakeAttempt> starting = new ArrayList<>();

  private void start(int number) {
    for (int i = 0; i < number; i++) {
      FakeAttempt attempt = queue.submit("S");
      queue.allocateDriver(attempt);
      starting.add(attempt);
    }
    queue.offered();
    starting.forEach(attempt -> attempt.questions = 0);
  }

  private int questions() {
    int sum = starting.stream().mapToInt(attempt -> attempt.questions).sum();
    starting.forEach(attempt -> attempt.questions = 0);
    return sum;
  }

  private long still() {
    return starting.stream().filter(attempt -> queue.state(attempt) == State.STARTING).count();
  }

  @Test
  void decisionChecksAFewAttempts() {
    start(MANY);
    for (int i = 0; i < 20; i++) {
      queue.now++;
      queue.offered();
      queue.offered();
      assertThat(questions()).isBetween(1, LOOKS * QUESTIONS);
    }
  }

  @Test
  void attemptsAreCheckedInTurn() {
    start(MANY);
    for (int i = 0; i < MANY / LOOKS; i++) {
      assertThat(starting).anyMatch(attempt -> attempt.questions == 0);
      queue.now++;
      queue.offered();
    }
    assertThat(starting).noneMatch(attempt -> attempt.questions == 0);
  }

  @Test
  void laneIsCheckedCompletelyEverySecond() {
    start(MANY);
    queue.now += 999;
    queue.offered();
    assertThat(starting).filteredOn(attempt -> attempt.questions > 0).hasSize(LOOKS);
    // YARN allocated them from reservations, without a callback.
    starting.forEach(attempt -> attempt.executors = 1);
    queue.now += 1;
    queue.offered();
    assertThat(still()).isZero();
  }

  @Test
  void expiredAttemptTriggersACompleteCheck() {
    start(MANY / 2);
    queue.now += 500;
    start(MANY / 2);
    queue.now = LIMIT - 400;
    queue.offered();
    assertThat(still()).isEqualTo(MANY);
    queue.now = LIMIT - 1;
    queue.offered();
    assertThat(still()).isEqualTo(MANY);
    queue.now = LIMIT;
    queue.offered();
    assertThat(still()).as("half of them").isEqualTo(MANY / 2);
  }

  @Test
  void shortLaneIsCheckedCompletely() {
    start(LOOKS);
    starting.forEach(attempt -> attempt.executors = 1);
    queue.offered();
    assertThat(still()).isZero();
  }

  @Test
  void changedLaneIsCheckedCompletely() {
    start(MANY);
    starting.forEach(attempt -> attempt.executors = 1);
    queue.remove(starting.get(0));
    queue.offered();
    assertThat(still()).as("all but the removed one").isEqualTo(1);
  }
}
