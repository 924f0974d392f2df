// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.headroom.ClaimTotal;
import io.github.dripfeed.core.headroom.HeadroomClaim;
import io.github.dripfeed.core.headroom.HeadroomLedger;
import io.github.dripfeed.core.headroom.PlannedStarts;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;

/**
 * Scheduling threads offer and allocate while the monitor plans. Together they never exceed the headroom.
 * Each driver needs 1, each first stage needs 2, and no application ever becomes running.
 */
class AutoRaceTest {

  private static final int APPLICATIONS = 40;
  private static final int ROOM = 46;
  private static final int FIT = ROOM / 3;

  private final List<OrderFixture> queues = List.of(newQueue(), newQueue());
  private final HeadroomLedger ledger = new HeadroomLedger();
  /** Like YARN's lock: commits exclude each other, and nothing else is excluded. */
  private final Object writeLock = new Object();
  private final List<FakeAttempt> attempts = new ArrayList<>();
  private final Map<FakeAttempt, OrderFixture> queueOf = new HashMap<>();
  private volatile int free = ROOM;
  private volatile boolean over;

  private static OrderFixture newQueue() {
    return new OrderFixture(
        new QueueSettings(1, 0, new AttemptSettings(100_000, 1)).withAuto(true));
  }

  @RepeatedTest(20)
  void concurrentStartsStayWithinHeadroom() throws Exception {
    queues.forEach(queue -> queue.order.account().join(ledger));
    for (int i = 0; i < APPLICATIONS; i++) {
      OrderFixture queue = queues.get(i % queues.size());
      FakeAttempt attempt = queue.submit("A" + i);
      attempts.add(attempt);
      queueOf.put(attempt, queue);
    }
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> schedulers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        OrderFixture queue = queues.get(i % queues.size());
        schedulers.add(threads.submit((Callable<?>) () -> schedule(queue)));
      }
      for (int round = 0; round < 400 || free > ROOM - FIT && round < 1_000_000; round++) {
        plan();
      }
      over = true;
      for (Future<?> each : schedulers) {
        each.get();
      }
    } finally {
      over = true;
      threads.shutdownNow();
    }
    assertThat(ROOM - free).isEqualTo(FIT);
  }

  private Void schedule(OrderFixture queue) {
    while (!over) {
      Iterator<FakeAttempt> offered = queue.order.assignmentIterator("", () -> 0);
      while (offered.hasNext()) {
        FakeAttempt attempt = offered.next();
        synchronized (writeLock) {
          if (!attempt.driver) {
            free--;
            attempt.driver = true;
            queue.order.containerAllocated(attempt, () -> null, 0);
          }
        }
      }
    }
    return null;
  }

  private void plan() {
    ledger.begin();
    ClaimTotal root = new ClaimTotal((partition, amounts) -> amounts.get(0) <= free);
    Map<OrderFixture, Map<FakeAttempt, HeadroomClaim>> claims = new HashMap<>();
    queues.forEach(queue -> claims.put(queue, new HashMap<>()));
    List<HeadroomClaim> all = new ArrayList<>();
    Map<FakeAttempt, State> states = new HashMap<>();
    attempts.forEach(attempt -> states.put(attempt, queueOf.get(attempt).order.state(attempt)));
    int left = free;
    for (FakeAttempt attempt : attempts) {
      if (states.get(attempt) == State.STARTING) {
        claims.get(queueOf.get(attempt)).put(attempt,
            HeadroomClaim.ofStarting(attempt, List.of(root), Map.of("", ResourceVector.of(2))));
        left -= 2;
      }
    }
    for (FakeAttempt attempt : attempts) {
      if (states.get(attempt) == State.ACCEPTED && left >= 3) {
        claims.get(queueOf.get(attempt)).put(attempt, HeadroomClaim.toStart(attempt, List.of(root), "",
            ResourceVector.of(1), Map.of("", ResourceVector.of(2))));
        left -= 3;
      }
    }
    claims.forEach((queue, ofQueue) -> {
      queue.order.setPlan(ofQueue, Map.of());
      all.addAll(ofQueue.values());
    });
    ledger.activate(all, PlannedStarts.NONE, 1);
  }
}
