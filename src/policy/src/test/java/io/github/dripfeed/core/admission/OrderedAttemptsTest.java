// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Walks of every attempt of a queue, such as the one that hands them over to another policy. */
class OrderedAttemptsTest {

  private static final int ATTEMPTS = 50;
  private static final int QUEUES = 300;
  private static final QueueSettings SETTINGS =
      new QueueSettings(ATTEMPTS, 1_000_000, new AttemptSettings(1_000_000, 1));

  private final OrderFixture queue = new OrderFixture(SETTINGS);

  @Test
  void walkShowsWhatWasThereWhenItBegan() {
    FakeAttempt a = queue.submit("a");
    FakeAttempt b = queue.submit("b");
    Iterator<FakeAttempt> walk = queue.order.items().iterator();
    queue.remove(b);
    FakeAttempt c = queue.submit("c");
    assertThat(walk).toIterable().containsExactly(a, b);
    assertThat(queue.order.items()).as("the next one").containsExactly(a, c);
    assertThat(queue.order.inAnyOrder()).containsExactlyInAnyOrder(a, c);
  }

  @Test
  void attemptsOfAllStatesAndPartitionsAreInOneOrder() {
    FakeAttempt a = queue.submit("a");
    FakeAttempt b = queue.submitIn("gpu", "b");
    FakeAttempt c = queue.submit("c");
    FakeAttempt d = queue.submitIn("gpu", "d");
    FakeAttempt e = queue.submit("e");
    queue.allocateDriver(c);
    queue.allocateDriver(d);
    queue.allocateExecutors(d, 1);
    assertThat(queue.order.items()).containsExactly(a, b, c, d, e);
    queue.order.reposition(c, 2);
    queue.order.reposition(d, 1);
    assertThat(queue.order.items()).containsExactly(a, b, e, d, c);
  }

  /** The driver's age is read while it is removed; another thread, such as the monitor's, may walk then. */
  @Test
  void walkDuringARemovalLeavesNoRemovedAttemptBehind() {
    FakeAttempt a = queue.submit("a");
    List<FakeAttempt> during = new ArrayList<>();
    FakeAttempt removed = new FakeAttempt("removed");
    removed.driver = true;
    removed.driverLive = false;
    queue.add(removed, 0);
    assertThat(queue.order.items()).containsExactly(a, removed);
    removed.whenAsked = () -> queue.order.items().forEach(during::add);
    queue.remove(removed);
    assertThat(during).as("walked meanwhile").isNotEmpty().containsOnly(a);
    assertThat(queue.order.items()).containsExactly(a);
  }

  /** A change of priority removes an attempt and adds it again, at another place. */
  @Test
  void walkMeetsAnAttemptThatIsAddedAgainAtMostOnce() throws Exception {
    List<FakeAttempt> stay = new ArrayList<>();
    for (int i = 0; i < ATTEMPTS; i++) {
      stay.add(queue.submit("attempt" + i, 5));
    }
    FakeAttempt changed = queue.submit("changed", 9);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Future<?> changes = threads.submit(() -> {
        for (int i = 0; i < 100 * QUEUES; i++) {
          queue.remove(changed);
          queue.add(changed, i % 2 == 0 ? 1 : 9);
        }
      });
      do {
        List<FakeAttempt> met = new ArrayList<>();
        queue.order.items().forEach(met::add);
        met.remove(changed);
        assertThat(met).as("the others, in order").isEqualTo(stay);
      } while (!changes.isDone());
      changes.get();
    } finally {
      threads.shutdownNow();
    }
    assertThat(queue.order.items()).hasSize(ATTEMPTS + 1).contains(changed);
  }

  /** Start, change the partition, and change the share, while another thread walks. */
  @Test
  void walkMeetsEachAttemptOnceWhileAttemptsMove() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (int i = 0; i < QUEUES; i++) {
        walkWhileAttemptsMove(new OrderFixture(SETTINGS), threads, new Random(i));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void walkWhileAttemptsMove(OrderFixture queue, ExecutorService threads, Random random)
      throws Exception {
    List<FakeAttempt> attempts = new ArrayList<>();
    for (int i = 0; i < ATTEMPTS; i++) {
      attempts.add(queue.submitIn(i % 3 == 0 ? "gpu" : "", "attempt" + i));
    }
    Future<?> moves = threads.submit(() -> {
      for (int i = 0; i < 10 * ATTEMPTS; i++) {
        FakeAttempt attempt = attempts.get(random.nextInt(ATTEMPTS));
        move(queue, attempt, random);
      }
    });
    do {
      Set<FakeAttempt> met = new HashSet<>();
      queue.order.items().forEach(attempt ->
          assertThat(met.add(attempt)).as("%s is met once", attempt).isTrue());
      assertThat(met).hasSize(ATTEMPTS);
    } while (!moves.isDone());
    moves.get();
  }

  private static void move(OrderFixture queue, FakeAttempt attempt, Random random) {
    if (!attempt.driver && random.nextBoolean()) {
      attempt.partition = attempt.partition.isEmpty() ? "gpu" : "";
      queue.order.tick(0);
    } else if (!attempt.driver) {
      queue.allocateDriver(attempt);
    } else {
      queue.order.reposition(attempt, random.nextInt(ATTEMPTS));
    }
  }
}
