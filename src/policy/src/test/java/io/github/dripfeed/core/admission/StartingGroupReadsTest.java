// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks on what a decision in one queue of a large group reads. */
class StartingGroupReadsTest {

  private static final int QUEUES = 2_000;

  private final StartingGroup<FakeAttempt> group = new StartingGroup<>("large", false);
  private final List<OrderFixture> queues = new ArrayList<>();
  private final List<FakeAttempt> attempts = new ArrayList<>();
  private int submitted;

  private OrderFixture addQueue(int maxStarting, boolean grouped) {
    OrderFixture queue =
        new OrderFixture(new QueueSettings(maxStarting, 300_000, AttemptSettings.DEFAULTS));
    if (grouped) {
      queue.order.join(group);
    }
    queues.add(queue);
    return queue;
  }

  private FakeAttempt submitTo(OrderFixture queue) {
    FakeAttempt attempt = queue.submit("A" + ++submitted);
    attempts.add(attempt);
    return attempt;
  }

  private long readBy(OrderFixture queue) {
    queue.offered();
    attempts.forEach(attempt -> attempt.questions = 0);
    queue.offered();
    return attempts.stream().mapToLong(attempt -> attempt.questions).sum();
  }

  /** None of those that are starting requests anything: their drivers come up. */
  @Test
  void decisionReadsNoMoreHoweverManyAreStarting() {
    OrderFixture alone = addQueue(1_000, false);
    for (int i = 0; i < 999; i++) {
      alone.allocateDriver(submitTo(alone));
    }
    submitTo(alone);
    long readAlone = readBy(alone);
    attempts.clear();
    List<OrderFixture> members = new ArrayList<>();
    for (int i = 0; i < QUEUES; i++) {
      OrderFixture queue = addQueue(1_000, true);
      members.add(queue);
      FakeAttempt attempt = submitTo(queue);
      if (i < 999) {
        queue.allocateDriver(attempt);
      }
    }
    long readInGroup = readBy(members.get(QUEUES - 1));
    assertThat(readInGroup).as("alone: " + readAlone).isLessThanOrEqualTo(4 * readAlone);
  }

  /** All but one request something that they need not, or nothing; the group is told of all. */
  @Test
  void decisionReadsNoMoreHoweverManyMayLackExecutors() {
    List<OrderFixture> members = new ArrayList<>();
    for (int i = 0; i < QUEUES; i++) {
      OrderFixture queue = addQueue(1_000, true);
      members.add(queue);
      FakeAttempt attempt = submitTo(queue);
      if (i < 999) {
        queue.allocateDriver(attempt);
      }
    }
    attempts.get(0).hasRequest = true;
    members.get(0).order.demandUpdated(attempts.get(0));
    OrderFixture last = members.get(QUEUES - 1);
    last.offered();
    for (int i = 1; i < 999; i++) {
      members.get(i).order.demandUpdated(attempts.get(i));
    }
    attempts.forEach(attempt -> attempt.questions = 0);
    last.offered();
    assertThat(attempts.stream().mapToLong(attempt -> attempt.questions).sum()).isLessThanOrEqualTo(40);
  }

  /** They stalled, and YARN skips them now: their users are at their limits. A trial is due. */
  @Test
  void decisionReadsNoMoreHoweverManyStalledOnesCannotHaveATrial() {
    for (int i = 0; i < QUEUES; i++) {
      OrderFixture queue = addQueue(1, true);
      FakeAttempt attempt = submitTo(queue);
      for (queue.now = 0; queue.now <= 400_000; queue.now += 100_000) {
        queue.offered();
      }
      assertThat(queue.events).contains(attempt + " stalled 300000");
      attempt.skipped = true;
    }
    OrderFixture last = addQueue(1, true);
    submitTo(last);
    last.now = 2_000_000;
    long read = readBy(last);
    assertThat(read).isLessThanOrEqualTo(30);
  }

  /** The same in one queue. */
  @ParameterizedTest(name = "each has a user of its own: {0}")
  @ValueSource(booleans = {false, true})
  void decisionReadsNoMoreHoweverManyOfAQueueCannotHaveATrial(boolean ownUsers) {
    long few = readWithStalledAtTheirLimits(200, ownUsers);
    long many = readWithStalledAtTheirLimits(1_000, ownUsers);
    assertThat(many).isLessThanOrEqualTo(few);
  }

  private long readWithStalledAtTheirLimits(int count, boolean ownUsers) {
    OrderFixture queue = new OrderFixture(new QueueSettings(1, 300_000, AttemptSettings.DEFAULTS));
    queue.order.join(new StartingGroup<>("own", false));
    attempts.clear();
    for (int i = 0; i < count; i++) {
      attempts.add(queue.submitOf(ownUsers ? "user" + i : "user", "A" + ++submitted, 0));
    }
    queue.offered();
    queue.now = 300_000;
    for (int i = 0; i < count; i++) {
      queue.offered();
    }
    assertThat(queue.events).as("in the open line").hasSize(count);
    attempts.forEach(attempt -> attempt.skipped = true);
    queue.now = 600_000;
    return readBy(queue);
  }

  /** Half of the queues have a reserved driver; those that wait are skipped for their users' limits. */
  @Test
  void roundOfTheMonitorStaysLinearInThoseWhoWait() {
    long few = readByARoundWith(100);
    long many = readByARoundWith(1_000);
    assertThat(many).isLessThanOrEqualTo(12 * few);
  }

  private long readByARoundWith(int count) {
    StartingGroup<FakeAttempt> own = new StartingGroup<>("own", false);
    List<OrderFixture> members = new ArrayList<>();
    List<FakeAttempt> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      OrderFixture queue = new OrderFixture(new QueueSettings(1_000, 300_000, AttemptSettings.DEFAULTS));
      queue.order.join(own);
      FakeAttempt attempt = queue.submit("B" + i);
      if (i % 2 == 0) {
        queue.reserve(attempt);
      } else {
        attempt.skipped = true;
      }
      members.add(queue);
      all.add(attempt);
    }
    return readByARound(members, all);
  }

  /** Each queue has one that waits; half of them have one that is starting and requests nothing yet. */
  @Test
  void roundOfTheMonitorStaysLinearInThoseThatAreStarting() {
    long few = readByARoundOfStarting(100);
    long many = readByARoundOfStarting(1_000);
    assertThat(many).isLessThanOrEqualTo(12 * few);
  }

  private long readByARoundOfStarting(int count) {
    StartingGroup<FakeAttempt> own = new StartingGroup<>("own", false);
    List<OrderFixture> members = new ArrayList<>();
    List<FakeAttempt> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      OrderFixture queue = new OrderFixture(new QueueSettings(2_000, 300_000, AttemptSettings.DEFAULTS));
      queue.order.join(own);
      if (i % 2 == 0) {
        FakeAttempt attempt = queue.submit("B" + i);
        queue.allocateDriver(attempt);
        all.add(attempt);
      }
      members.add(queue);
      all.add(queue.submit("C" + i));
    }
    return readByARound(members, all);
  }

  private static long readByARound(List<OrderFixture> queues, List<FakeAttempt> attempts) {
    attempts.forEach(attempt -> attempt.questions = 0);
    queues.forEach(queue -> {
      queue.order.tick(1_000);
      queue.order.losers(1_000);
    });
    return attempts.stream().mapToLong(attempt -> attempt.questions).sum();
  }
}
