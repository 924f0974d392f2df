// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** A {@link QueueOrder} of {@link FakeAttempt}s with a clock that the test sets; also its listener. */
final class OrderFixture implements AdmissionListener<FakeAttempt> {

  final Map<FakeAttempt, AttemptHistory> histories;
  final List<String> events = new ArrayList<>();
  QueueOrder<FakeAttempt> order;
  long now;
  /** What another thread does when an attempt has changed its state. */
  Runnable afterChange = () -> { };
  /** Thrown whenever the listener is called. */
  RuntimeException failure;
  /** The offer of this partition cannot be decided when its first attempt changes; null for none. */
  String broken;
  private int submitted;

  OrderFixture(QueueSettings settings) {
    this(settings, new HashMap<>());
  }

  private OrderFixture(QueueSettings settings, Map<FakeAttempt, AttemptHistory> histories) {
    this.order = new QueueOrder<>(settings, this);
    this.histories = histories;
  }

  private void assertNoLock() {
    if (Thread.holdsLock(order.group().lock)) {
      throw new AssertionError("called with the lock of the group");
    }
  }

  FakeAttempt submit(String name) {
    return submit(name, 0);
  }

  FakeAttempt submit(String name, int priority) {
    return add(new FakeAttempt(name), priority);
  }

  /** An application of that user. */
  FakeAttempt submitOf(String user, String name, int priority) {
    FakeAttempt attempt = new FakeAttempt(name);
    attempt.user = user;
    return add(attempt, priority);
  }

  FakeAttempt submitIn(String partition, String name) {
    FakeAttempt attempt = new FakeAttempt(name);
    attempt.partition = partition;
    return add(attempt, 0);
  }

  FakeAttempt add(FakeAttempt attempt, int priority) {
    attempt.whenRead = this::assertNoLock;
    order.add(attempt, attempt, new Arrival(OrderKey.of(priority, 1, ++submitted, 1),
        order.settings().attempts(), history(attempt), false), now);
    return attempt;
  }

  AttemptHistory history(FakeAttempt attempt) {
    return histories.computeIfAbsent(attempt, a -> new AttemptHistory(now));
  }

  State state(FakeAttempt attempt) {
    return history(attempt).state();
  }

  void remove(FakeAttempt attempt) {
    order.remove(attempt, now);
  }

  /** YARN allocates the driver and calls back. */
  void allocateDriver(FakeAttempt attempt) {
    attempt.driver = true;
    attempt.hasRequest = false;
    order.containerAllocated(attempt, () -> null, now);
  }

  /** YARN reserves a node for each driver and calls back. */
  void reserve(FakeAttempt... attempts) {
    for (FakeAttempt attempt : attempts) {
      attempt.reserved = true;
      order.containerAllocated(attempt, () -> null, now);
    }
  }

  void allocateExecutors(FakeAttempt attempt, int executors) {
    attempt.executors += executors;
    order.containerAllocated(attempt, () -> null, now);
  }

  /** A refresh: another order with these settings takes over. */
  QueueOrder<FakeAttempt> refresh(QueueSettings settings) {
    QueueOrder<FakeAttempt> replaced = order;
    QueueOrder<FakeAttempt> next = new QueueOrder<>(settings, this);
    int place = 0;
    for (FakeAttempt attempt : new java.util.TreeMap<>(byName(replaced)).values()) {
      next.add(attempt, attempt, new Arrival(new OrderKey(0, 0, 1, ++place, 1),
          next.settings().attempts(), history(attempt), true), now);
    }
    order = next;
    return replaced;
  }

  private static Map<String, FakeAttempt> byName(QueueOrder<FakeAttempt> order) {
    Map<String, FakeAttempt> attempts = new HashMap<>();
    order.items().forEach(attempt -> attempts.put(attempt.name, attempt));
    return attempts;
  }

  /** The names of the attempts offered now, in order, separated by blanks. */
  String offered() {
    return names(order.assignmentIterator("", () -> now));
  }

  String inPreemptionOrder() {
    return names(order.preemptionIterator());
  }

  private static String names(Iterator<FakeAttempt> attempts) {
    List<String> names = new ArrayList<>();
    attempts.forEachRemaining(attempt -> names.add(attempt.name));
    return String.join(" ", names);
  }

  @Override
  public void stateChanged(FakeAttempt item, Transition transition, long millis) {
    events.add(item + " " + transition + " " + millis);
    fail();
    afterChange.run();
  }

  /** Listeners, as the scheduler, are called without the lock. */
  private void fail() {
    assertNoLock();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void discovered(FakeAttempt item, Transition transition) {
    fail();
  }

  @Override
  public void offered(FakeAttempt item, String partition) {
    fail();
    if (partition.equals(broken)) {
      throw new IllegalStateException("of one line");
    }
  }

  @Override
  public void startedBeyondSlots(FakeAttempt item) {
    events.add(item + " beyond the slots");
    fail();
  }

  @Override
  public void stalled(FakeAttempt item, long millis) {
    events.add(item + " stalled " + millis);
    fail();
  }

  @Override
  public void failed(FakeAttempt item, Throwable failure) {
    events.add(item + " failed: " + failure.getMessage());
    fail();
  }
}
