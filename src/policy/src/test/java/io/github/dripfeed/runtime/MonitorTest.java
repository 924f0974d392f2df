// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.dripfeed.fixture.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

class MonitorTest {

  private final ManualClock clock = new ManualClock();
  private final List<Thread> threads = new ArrayList<>();
  private final Looks looks = new Looks();

  /** Counts its turns and answers as the test says. */
  private static final class Looks {

    private long interval = 1;
    private volatile int visits;
    private volatile int rounds;
    private volatile int failures;
    private volatile boolean hasApplication = true;
    private volatile Throwable failure;

    private long visit(long now) {
      visits++;
      if (failure instanceof Error) {
        throw (Error) failure;
      } else if (failure != null) {
        throw (RuntimeException) failure;
      }
      return hasApplication ? Monitor.nextTurn(now, interval) : Monitor.NEVER;
    }

    private void endRound() {
      rounds++;
    }

    private boolean isOver() {
      return !hasApplication;
    }
  }

  private Monitor watched(Monitor monitor) {
    monitor.visit(looks::visit, looks::endRound, looks::isOver);
    monitor.onFailure(() -> looks.failures++);
    return monitor;
  }

  private Monitor byHand(long interval) {
    looks.interval = interval;
    return watched(new Monitor(clock, run -> null));
  }

  private Monitor withThread(ThreadFactory factory) {
    return watched(new Monitor(Clock.SYSTEM, factory));
  }

  private Thread newThread(Runnable run) {
    Thread thread = new Thread(run, "monitor under test");
    thread.setDaemon(true);
    threads.add(thread);
    return thread;
  }

  /** Out of memory, for example. */
  @Test
  void goesOnWhereNotEvenAFailureCanBeTold() {
    Monitor monitor = byHand(100);
    monitor.onFailure(() -> {
      throw new OutOfMemoryError("nor this");
    });
    looks.failure = new OutOfMemoryError("test");
    monitor.wake();
    assertThatThrownBy(monitor::runDue).hasMessage("nor this");
    looks.failure = null;
    clock.advance(Duration.ofSeconds(1));
    assertThat(monitor.runDue()).isPositive();
    assertThat(looks.visits).isEqualTo(2);
  }

  @Test
  void visitsAtTheTimesThatTheQueuesTell() {
    Monitor monitor = byHand(100);
    monitor.runDue();
    assertThat(looks.visits).as("nobody has woken it").isZero();
    monitor.wake();
    for (int i = 0; i < 200; i++) {
      monitor.runDue();
      clock.advance(Duration.ofMillis(10));
    }
    assertThat(looks.visits).isEqualTo(20);
    assertThat(looks.rounds).as("one for all visits").isEqualTo(20);
  }

  @Test
  void workIsDoneInTheOrderInWhichItWasRequested() {
    Monitor monitor = byHand(10);
    List<Integer> done = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      int number = i;
      monitor.request(() -> done.add(number), 0);
    }
    monitor.runDue();
    assertThat(done).hasSize(50).isSorted();
    assertThat(looks.rounds).as("no turn was due").isZero();
  }

  @Test
  void workComesBetweenTheVisitsAndTheEndOfTheRound() {
    Monitor monitor = byHand(10);
    int[] before = new int[2];
    monitor.request(() -> {
      before[0] = looks.visits;
      before[1] = looks.rounds;
    }, 0);
    monitor.wake();
    monitor.runDue();
    assertThat(before).containsExactly(1, 0);
    assertThat(looks.rounds).isEqualTo(1);
  }

  @Test
  void returnsTheTimeUntilTheNextTurn() {
    Monitor monitor = byHand(100);
    monitor.wake();
    assertThat(monitor.runDue()).isEqualTo(100);
    clock.advance(Duration.ofMillis(30));
    assertThat(monitor.runDue()).isEqualTo(70);
  }

  @Test
  void whatIsRequestedForAtOnceIsNotPutOffForEver() {
    Monitor monitor = byHand(100);
    monitor.wake();
    monitor.request(() -> monitor.request(() -> { }, Long.MIN_VALUE), 0);
    clock.advance(Duration.ofMillis(5));
    assertThat(monitor.runDue()).isZero();
  }

  /** A queue may be new, or has an application now. */
  @Test
  void looksAgainSoon() {
    Monitor monitor = byHand(Duration.ofHours(1).toMillis());
    monitor.wake();
    assertThat(monitor.runDue()).isBetween(1L, 1000L);
  }

  @Test
  void hugeIntervalDoesNotOverflow() {
    assertThat(Monitor.nextTurn(5, Long.MAX_VALUE)).isEqualTo(Monitor.NEVER);
  }

  @Test
  void failureIsToldAndRetried() {
    Monitor monitor = byHand(10);
    monitor.wake();
    for (Throwable failure : List.of(new IllegalStateException("x"), new AssertionError("y"))) {
      looks.failure = failure;
      monitor.runDue();
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(looks.visits).isEqualTo(2);
    assertThat(looks.failures).isEqualTo(2);
    assertThat(looks.rounds).as("rounds end all the same").isEqualTo(2);
  }

  @Test
  void failureOfWorkIsToldToo() {
    Monitor monitor = byHand(10);
    monitor.request(() -> {
      throw new IllegalStateException("broken");
    }, clock.monotonicMillis());
    monitor.runDue();
    assertThat(looks.failures).isEqualTo(1);
  }

  @Test
  void singleThreadEndsWithTheLastApplicationAndRestarts() throws Exception {
    Monitor monitor = withThread(this::newThread);
    monitor.wake();
    monitor.wake();
    Eventually.is("it visits", () -> looks.visits > 2);
    assertThat(threads).hasSize(1);
    looks.hasApplication = false;
    threads.get(0).join(30_000);
    assertThat(threads.get(0).isAlive()).isFalse();

    looks.hasApplication = true;
    int before = looks.visits;
    monitor.wake();
    Eventually.is("it visits again", () -> looks.visits > before);
    assertThat(threads).hasSize(2);
    looks.hasApplication = false;
  }

  @Test
  void interruptDoesNotEndTheMonitor() throws Exception {
    Monitor monitor = withThread(this::newThread);
    monitor.wake();
    for (int i = 0; i < 3; i++) {
      threads.get(0).interrupt();
      int before = looks.visits;
      Eventually.is("it goes on", () -> looks.visits > before + 1);
    }
    assertThat(threads).hasSize(1);
    assertThat(threads.get(0).isAlive()).isTrue();
    looks.hasApplication = false;
  }

  @Test
  void deadThreadIsReplacedOnDemand() throws Exception {
    // The first thread fails to start.
    Monitor monitor = withThread(run -> newThread(threads.isEmpty() ? () -> { } : run));
    monitor.wake();
    threads.get(0).join(30_000);
    assertThat(looks.visits).isZero();
    monitor.wake();
    Eventually.is("it visits", () -> looks.visits > 1);
    monitor.wake();
    assertThat(threads).hasSize(2);
    looks.hasApplication = false;
  }

  @Test
  void threadThatCannotStartIsRetried() throws Exception {
    int[] tries = {0};
    Monitor monitor = withThread(run -> {
      if (++tries[0] < 3) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      return newThread(run);
    });
    monitor.wake();
    monitor.wake();
    assertThat(looks.visits).isZero();
    monitor.wake();
    Eventually.is("it visits", () -> looks.visits > 1);
    looks.hasApplication = false;
  }
}
