// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.junit.jupiter.api.Test;

class MonitorTest {

  private final ManualClock clock = new ManualClock();
  private final List<Thread> threads = new ArrayList<>();

  /** Counts its turns and answers as the test says. */
  private static class Counted implements Monitor.Watched {

    private final long interval;
    private volatile int looks;
    private volatile int failures;
    private volatile boolean inCharge = true;
    private volatile Throwable failure;

    Counted(long interval) {
      this.interval = interval;
    }

    @Override
    public boolean tick() {
      looks++;
      if (failure instanceof Error) {
        throw (Error) failure;
      } else if (failure != null) {
        throw (RuntimeException) failure;
      }
      return inCharge;
    }

    @Override
    public void failed() {
      failures++;
    }

    @Override
    public long intervalMillis() {
      return interval;
    }
  }

  private Monitor byHand() {
    return new Monitor(clock, run -> null);
  }

  private Monitor withThread() {
    return new Monitor(Clock.SYSTEM, run -> {
      Thread thread = new Thread(run, "monitor under test");
      thread.setDaemon(true);
      threads.add(thread);
      return thread;
    });
  }

  @Test
  void runsEachAtItsOwnInterval() {
    Monitor monitor = byHand();
    Counted often = new Counted(10);
    Counted seldom = new Counted(100);
    monitor.watch(often);
    monitor.watch(seldom);
    for (int i = 0; i < 20; i++) {
      monitor.runDue();
      clock.advance(Duration.ofMillis(10));
    }
    assertThat(often.looks).isEqualTo(20);
    assertThat(seldom.looks).isEqualTo(2);
  }

  /** The order of hashes, which differs from process to process, would be another one. */
  @Test
  void visitsInTheOrderInWhichTheyCame() {
    Monitor monitor = byHand();
    List<Integer> visited = new ArrayList<>();
    List<Counted> watched = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      int number = i;
      watched.add(new Counted(10) {
        @Override
        public boolean tick() {
          visited.add(number);
          return super.tick();
        }
      });
      monitor.watch(watched.get(i));
    }
    monitor.runDue();
    assertThat(visited).hasSize(watched.size()).isSorted();
  }

  @Test
  void workIsDoneInTheOrderInWhichItWasRequested() {
    Monitor monitor = byHand();
    List<Integer> done = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      int number = i;
      monitor.request(() -> done.add(number), 0);
    }
    monitor.runDue();
    assertThat(done).hasSize(50).isSorted();
  }

  @Test
  void returnsTheTimeUntilTheNextTurn() {
    Monitor monitor = byHand();
    assertThat(monitor.runDue()).isEqualTo(-1);
    Counted seldom = new Counted(100);
    monitor.watch(seldom);
    assertThat(monitor.runDue()).isEqualTo(100);
    clock.advance(Duration.ofMillis(30));
    assertThat(monitor.runDue()).isEqualTo(70);
  }

  @Test
  void whatIsRequestedForAtOnceIsNotPutOffForEver() {
    Monitor monitor = byHand();
    monitor.watch(new Counted(100));
    monitor.request(() -> monitor.request(() -> { }, Long.MIN_VALUE), 0);
    clock.advance(Duration.ofMillis(5));
    assertThat(monitor.runDue()).isZero();
  }

  @Test
  void hugeIntervalDoesNotOverflow() {
    Monitor monitor = byHand();
    Counted once = new Counted(Long.MAX_VALUE);
    clock.advance(Duration.ofMillis(5));
    monitor.watch(once);
    monitor.runDue();
    assertThat(monitor.runDue()).isGreaterThan(Duration.ofDays(10_000).toMillis());
    assertThat(once.looks).isEqualTo(1);
  }

  @Test
  void failureIsRetriedAndAffectsNoOther() {
    Monitor monitor = byHand();
    Counted broken = new Counted(10);
    Counted sound = new Counted(10);
    monitor.watch(broken);
    monitor.watch(sound);
    for (Throwable failure : List.of(new IllegalStateException("x"), new AssertionError("y"))) {
      broken.failure = failure;
      monitor.runDue();
      clock.advance(Duration.ofMillis(10));
    }
    assertThat(broken.looks).isEqualTo(2);
    assertThat(broken.failures).as("it is told").isEqualTo(2);
    assertThat(sound.looks).isEqualTo(2);
    assertThat(sound.failures).isZero();
  }

  @Test
  void failureOfNoOneIsToldToo() {
    Monitor monitor = byHand();
    int[] failures = {0};
    monitor.onFailure(() -> failures[0]++);
    monitor.request(() -> {
      throw new IllegalStateException("broken");
    }, clock.monotonicMillis());
    monitor.runDue();
    assertThat(failures[0]).isEqualTo(1);
  }

  @Test
  void forgetsAReplacedPolicy() {
    Monitor monitor = byHand();
    Counted replaced = new Counted(10);
    monitor.watch(replaced);
    replaced.inCharge = false;
    monitor.runDue();
    assertThat(monitor.size()).isZero();
  }

  @Test
  void keepsAPolicyThatRegistersDuringItsTurn() {
    Monitor monitor = byHand();
    Counted watched = new Counted(10) {
      @Override
      public boolean tick() {
        monitor.watch(this);
        return false;
      }
    };
    monitor.watch(watched);
    monitor.runDue();
    assertThat(monitor.size()).isEqualTo(1);
  }

  @Test
  void keepsNothingAlive() throws Exception {
    Monitor monitor = byHand();
    monitor.watch(new Counted(10));
    Eventually.is("the watched policy is collected", () -> {
      System.gc();
      monitor.runDue();
      return monitor.size() == 0;
    });
  }

  /** The collector clears a reference first, and puts it into the queue of the map later. */
  @Test
  void collectedPolicyIsNotCountedBeforeItsEntryIsRemoved() throws Exception {
    Monitor monitor = byHand();
    Counted collected = new Counted(10);
    monitor.watch(collected);
    Map<?, ?> turns = (Map<?, ?>) FieldUtils.readField(monitor, "turns", true);
    ((Reference<?>) turns.entrySet().iterator().next()).clear();
    assertThat(turns).as("its entry").hasSize(1);
    assertThat(monitor.size()).isZero();
    assertThat(monitor.runDue()).as("nothing is left").isEqualTo(-1);
    assertThat(collected.looks).isZero();
  }

  @Test
  void singleThreadEndsWithTheLastPolicyAndRestarts() throws Exception {
    Monitor monitor = withThread();
    Counted first = new Counted(1);
    Counted second = new Counted(1);
    monitor.watch(first);
    monitor.watch(second);
    Eventually.is("both get a turn", () -> first.looks > 1 && second.looks > 1);
    assertThat(threads).hasSize(1);
    first.inCharge = false;
    second.inCharge = false;
    threads.get(0).join(30_000);
    assertThat(threads.get(0).isAlive()).isFalse();

    first.inCharge = true;
    int before = first.looks;
    monitor.watch(first);
    Eventually.is("the first gets another turn", () -> first.looks > before);
    assertThat(threads).hasSize(2);
  }

  @Test
  void equalIntervalsShareOneRound() {
    Monitor monitor = byHand();
    List<Counted> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(new Counted(1000));
      monitor.watch(all.get(i));
      monitor.runDue();
      clock.advance(Duration.ofMillis(70));
    }
    clock.advance(Duration.ofMillis(300));
    assertThat(monitor.runDue()).as("until the next round of them all").isEqualTo(1000);
    assertThat(all).extracting(counted -> counted.looks).containsOnly(2);
    clock.advance(Duration.ofMillis(999));
    monitor.runDue();
    assertThat(all).extracting(counted -> counted.looks).containsOnly(2);
  }

  @Test
  void afterRoundActionRunsOnce() {
    Monitor monitor = byHand();
    int[] rounds = {0};
    monitor.afterEachRound(() -> ++rounds[0] < 0);
    List<Counted> all = List.of(new Counted(10), new Counted(10), new Counted(10));
    all.forEach(monitor::watch);
    monitor.runDue();
    monitor.runDue();
    assertThat(rounds[0]).as("nothing was due the second time").isEqualTo(1);
    clock.advance(Duration.ofMillis(10));
    monitor.runDue();
    assertThat(rounds[0]).isEqualTo(2);
  }

  @Test
  void interruptDoesNotEndTheMonitor() throws Exception {
    Monitor monitor = withThread();
    Counted watched = new Counted(1);
    monitor.watch(watched);
    for (int i = 0; i < 3; i++) {
      threads.get(0).interrupt();
      int before = watched.looks;
      Eventually.is("it goes on", () -> watched.looks > before + 1);
    }
    assertThat(threads).hasSize(1);
    assertThat(threads.get(0).isAlive()).isTrue();
  }

  @Test
  void deadThreadIsReplacedOnDemand() throws Exception {
    Monitor monitor = new Monitor(Clock.SYSTEM, run -> {
      // The first thread fails to start.
      threads.add(new Thread(threads.isEmpty() ? () -> { } : run, "monitor under test"));
      threads.get(threads.size() - 1).setDaemon(true);
      return threads.get(threads.size() - 1);
    });
    Counted watched = new Counted(1);
    monitor.watch(watched);
    threads.get(0).join(30_000);
    assertThat(watched.looks).isZero();
    monitor.keepGoing();
    Eventually.is("the watched policy gets a turn", () -> watched.looks > 1);
    monitor.keepGoing();
    assertThat(threads).hasSize(2);
    watched.inCharge = false;
    threads.get(1).join(30_000);
    monitor.keepGoing();
    assertThat(threads).as("there is nothing to watch").hasSize(2);
  }

  @Test
  void threadThatCannotStartIsRetried() throws Exception {
    int[] tries = {0};
    Monitor monitor = new Monitor(Clock.SYSTEM, run -> {
      if (++tries[0] < 3) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      Thread thread = new Thread(run, "monitor under test");
      thread.setDaemon(true);
      return thread;
    });
    Counted watched = new Counted(1);
    monitor.watch(watched);
    monitor.keepGoing();
    assertThat(monitor.size()).isEqualTo(1);
    assertThat(watched.looks).isZero();
    monitor.keepGoing();
    Eventually.is("it gets a turn", () -> watched.looks > 1);
    watched.inCharge = false;
  }
}
