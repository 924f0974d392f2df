// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Many threads use one order: one schedules, one finishes applications, one submits, one refreshes, one
 * monitors, and two only read. The test separates them only as YARN does: add, remove, refresh and
 * callbacks about containers exclude each other; readers and the monitor exclude no other thread.
 */
class OrderStressTest {

  private static final int APPLICATIONS = 100;
  private static final int AT_ONCE = 30;
  private static final QueueSettings SETTINGS =
      new QueueSettings(1, 1_000_000, new AttemptSettings(1_000_000, 1));

  private final Object writeLock = new Object();
  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger ended = new AtomicInteger();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final Map<FakeAttempt, AttemptHistory> histories = new ConcurrentHashMap<>();
  private final Queue<FakeAttempt> started = new ConcurrentLinkedQueue<>();
  private volatile QueueOrder<FakeAttempt> order = newOrder();
  private volatile FakeAttempt starting;

  private QueueOrder<FakeAttempt> newOrder() {
    return new QueueOrder<>(SETTINGS, new AdmissionListener<FakeAttempt>() {
      @Override
      public void stateChanged(FakeAttempt item, Transition transition, long millis) {
      }

      @Override
      public void stalled(FakeAttempt item, long millis) {
        failures.add(item + " stalled");
      }

      @Override
      public void failed(FakeAttempt item, Throwable failure) {
        failures.add(item + " failed: " + failure);
      }
    });
  }

  @Test
  void concurrentCallbacksStartOneAtATimeAndLoseNothing() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> all = new ArrayList<>();
      for (Callable<?> role : List.<Callable<?>>of(forever(this::schedule), this::submit,
          forever(this::giveExecutors), forever(this::refresh), forever(this::monitor),
          forever(this::read), forever(this::read))) {
        all.add(threads.submit(role));
      }
      for (Future<?> role : all) {
        role.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(failures).isEmpty();
    assertThat(ended).hasValue(APPLICATIONS);
    assertThat(order.items()).isEmpty();
    assertThat(order.assignmentIterator("", now::get).hasNext()).isFalse();
    assertThat(order.preemptionIterator().hasNext()).isFalse();
  }

  private Callable<Void> forever(Runnable role) {
    return () -> {
      while (ended.get() < APPLICATIONS && failures.isEmpty()) {
        role.run();
      }
      return null;
    };
  }

  /** Allocates everything that is offered, as a scheduler does on an empty cluster. */
  private void schedule() {
    Iterator<FakeAttempt> offer = order.assignmentIterator("", now::incrementAndGet);
    while (offer.hasNext()) {
      FakeAttempt attempt = offer.next();
      if (attempt.hasRequest) {
        if (starting != null) {
          failures.add(attempt + " is offered while " + starting + " is starting");
        }
        starting = attempt;
        synchronized (writeLock) {
          // In YARN's order.
          attempt.driver = true;
          attempt.hasRequest = false;
          order.containerAllocated(attempt, () -> null, now.get());
        }
        started.add(attempt);
      }
    }
  }

  private Void submit() {
    for (int i = 0; i < APPLICATIONS && failures.isEmpty(); i++) {
      while (i - ended.get() > AT_ONCE && failures.isEmpty()) {
        Thread.onSpinWait();
      }
      FakeAttempt attempt = new FakeAttempt("" + i);
      histories.put(attempt, new AttemptHistory(now.get()));
      synchronized (writeLock) {
        add(order, attempt, false);
      }
    }
    return null;
  }

  private void giveExecutors() {
    FakeAttempt attempt = started.poll();
    if (attempt != null) {
      starting = null;
      synchronized (writeLock) {
        attempt.executors = 1;
        order.containerAllocated(attempt, () -> null, now.get());
      }
      synchronized (writeLock) {
        order.remove(attempt, now.get());
        histories.remove(attempt);
      }
      ended.incrementAndGet();
    }
  }

  private void refresh() {
    synchronized (writeLock) {
      QueueOrder<FakeAttempt> next = newOrder();
      for (FakeAttempt attempt : order.items()) {
        add(next, attempt, true);
      }
      order = next;
    }
    for (int i = 0; i < 100; i++) {
      Thread.onSpinWait();
    }
  }

  private void add(QueueOrder<FakeAttempt> to, FakeAttempt attempt, boolean sameQueue) {
    OrderKey place = new OrderKey(0, 0, 1, Integer.parseInt(attempt.name), 1);
    to.add(attempt, attempt,
        new Arrival(place, to.settings().attempts(), histories.get(attempt), sameQueue),
        now.get());
  }

  private void monitor() {
    order.tick(now.get());
  }

  private void read() {
    Set<FakeAttempt> seen = new HashSet<>();
    order.assignmentIterator("", now::get).forEachRemaining(attempt -> {
      if (!seen.add(attempt)) {
        failures.add(attempt + " is offered twice");
      }
    });
  }
}
