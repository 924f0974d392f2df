// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.List;

/** The fixture of the concurrency tests: an order with one starting slot, and attempts A, B and C. */
class RaceFixture implements AdmissionListener<RaceFixture.Facts> {

  static final long TIMEOUT = 1_000;
  static final QueueSettings SETTINGS = new QueueSettings(1, TIMEOUT, new AttemptSettings(TIMEOUT, 1));

  /** Facts that threads change. */
  static final class Facts implements Attempt {

    final String name;
    final int number;
    final AttemptHistory history = new AttemptHistory(0);
    volatile String partition = "";
    volatile boolean asks = true;
    volatile boolean reserved;
    volatile boolean driver;
    volatile int executors;

    Facts(String name) {
      this.name = name;
      this.number = name.charAt(0);
    }

    @Override
    public String partition() {
      return partition;
    }

    @Override
    public boolean isExempt() {
      return false;
    }

    @Override
    public boolean hasOutstandingRequest() {
      return asks;
    }

    @Override
    public boolean hasReservation() {
      return reserved;
    }

    @Override
    public boolean isDriverAllocated() {
      return driver;
    }

    @Override
    public boolean isDriverLive() {
      return driver;
    }

    @Override
    public int liveExecutors() {
      return executors;
    }

    @Override
    public boolean requestsOnlyUpdates() {
      return false;
    }

    @Override
    public int containers() {
      return (driver ? 1 : 0) + executors + (reserved ? 1 : 0);
    }

    @Override
    public long millisSinceDriverAllocated() {
      return 0;
    }

    @Override
    public boolean isSkipped() {
      return false;
    }

    @Override
    public String user() {
      return "user";
    }
  }

  final Facts a = new Facts("A");
  final Facts b = new Facts("B");
  final Facts c = new Facts("C");
  final List<Transition> told = new ArrayList<>();
  private final QueueSettings settings;
  QueueOrder<Facts> order;

  RaceFixture() {
    this(SETTINGS);
  }

  RaceFixture(QueueSettings settings) {
    this.settings = settings;
    this.order = newOrder();
  }

  final QueueOrder<Facts> newOrder() {
    return new QueueOrder<>(settings, this);
  }

  void add(Facts facts) {
    add(facts, order);
  }

  void add(Facts facts, QueueOrder<Facts> to) {
    to.add(facts, facts, new Arrival(new OrderKey(0, 0, 0, facts.number, 1), to.settings().attempts(),
        facts.history, true), 0);
  }

  /** In YARN's order: the live container, the request, and then the callback. */
  void allocateDriver(Facts facts) {
    facts.driver = true;
    facts.asks = false;
    order.containerAllocated(facts, () -> null, 0);
  }

  void allocateExecutor(Facts facts) {
    facts.executors++;
    order.containerAllocated(facts, () -> null, 0);
  }

  /** The offered attempts, in order, without blanks. */
  String offered(long now) {
    return offered(order, now);
  }

  static String offered(QueueOrder<Facts> from, long now) {
    StringBuilder names = new StringBuilder();
    from.assignmentIterator("", () -> now).forEachRemaining(facts -> names.append(facts.name));
    return names.toString();
  }

  @Override
  public void stateChanged(Facts item, Transition transition, long millis) {
    synchronized (told) {
      told.add(transition);
    }
  }

  @Override
  public void stalled(Facts item, long millis) {
    // The offer shows which of them is stalled.
  }

  @Override
  public void failed(Facts item, Throwable failure) {
    throw new IllegalStateException(failure);
  }
}
