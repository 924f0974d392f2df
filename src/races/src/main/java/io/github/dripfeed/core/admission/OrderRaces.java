// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/** Pairs of concurrent calls on one order, each with all correct outcomes. */
public final class OrderRaces {

  private OrderRaces() {
  }

  @JCStressTest
  @Outcome(id = "A, A", expect = ACCEPTABLE, desc = "A is offered, or starting; B is held")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class AllocateDriverAndIterate extends RaceFixture {

    public AllocateDriverAndIterate() {
      add(a);
      add(b);
    }

    @Actor
    public void scheduler() {
      allocateDriver(a);
    }

    @Actor
    public void iterator(LL_Result r) {
      r.r1 = offered(0);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = offered(0);
    }
  }

  @JCStressTest
  @Outcome(id = "A, A", expect = ACCEPTABLE, desc = "A is offered, or starting; B is held")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class ConvertReservedDriverAndIterate extends RaceFixture {

    public ConvertReservedDriverAndIterate() {
      add(a);
      add(b);
      a.reserved = true;
      order.containerAllocated(a, () -> null, 0);
    }

    @Actor
    public void scheduler() {
      // As YARN does it, without a callback.
      a.driver = true;
      a.reserved = false;
      a.asks = false;
    }

    @Actor
    public void iterator(LL_Result r) {
      r.r1 = offered(0);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = offered(0);
    }
  }

  @JCStressTest
  @Outcome(id = {"A, AB", "AB, AB"}, expect = ACCEPTABLE, desc = "A runs sooner or later")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PromoteAndIterate extends RaceFixture {

    public PromoteAndIterate() {
      add(a);
      add(b);
      allocateDriver(a);
    }

    @Actor
    public void scheduler() {
      allocateExecutor(a);
    }

    @Actor
    public void iterator(LL_Result r) {
      r.r1 = offered(0);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = offered(0);
    }
  }

  @JCStressTest
  @Outcome(id = "AB, 2", expect = ACCEPTABLE, desc = "A runs, and the listener is called once")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class MonitorAndIterateAtTheTimeout extends RaceFixture {

    public MonitorAndIterateAtTheTimeout() {
      add(a);
      add(b);
      allocateDriver(a);
    }

    @Actor
    public void monitor() {
      order.tick(TIMEOUT);
    }

    @Actor
    public void iterator(LL_Result r) {
      r.r1 = offered(TIMEOUT);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = told.size();
    }
  }

  @JCStressTest
  @Outcome(id = "B", expect = ACCEPTABLE, desc = "A is gone from every lane")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class RemoveAndAllocateDriver extends RaceFixture {

    public RemoveAndAllocateDriver() {
      add(a);
      add(b);
    }

    @Actor
    public void scheduler() {
      allocateDriver(a);
    }

    @Actor
    public void client() {
      order.remove(a, 0);
    }

    @Arbiter
    public void afterwards(L_Result r) {
      r.r1 = offered(0);
    }
  }

  @JCStressTest
  @Outcome(id = "B, B", expect = ACCEPTABLE, desc = "A is gone from every lane")
  @Outcome(id = "A, B", expect = ACCEPTABLE, desc = "A was still there")
  @Outcome(id = "AB, B", expect = ACCEPTABLE, desc = "A was running until then")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class RemoveAndIterateAtTheTimeout extends RaceFixture {

    public RemoveAndIterateAtTheTimeout() {
      add(a);
      add(b);
      allocateDriver(a);
    }

    @Actor
    public void client() {
      order.remove(a, TIMEOUT);
    }

    @Actor
    public void iterator(LL_Result r) {
      r.r1 = offered(TIMEOUT);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = offered(TIMEOUT);
    }
  }

  @JCStressTest
  @Outcome(id = {"A, A", "B, A"}, expect = ACCEPTABLE, desc = "A comes before B once it is there")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class AddAndIterate extends RaceFixture {

    public AddAndIterate() {
      add(b);
    }

    @Actor
    public void client() {
      add(a);
    }

    @Actor
    public void iterator(LL_Result r) {
      r.r1 = offered(0);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = offered(0);
    }
  }

  @JCStressTest
  @Outcome(id = "A, STARTING", expect = ACCEPTABLE, desc = "the new order knows that A is starting")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class ReplaceAndAllocateDriver extends RaceFixture {

    public ReplaceAndAllocateDriver() {
      add(a);
      add(b);
    }

    @Actor
    public void scheduler() {
      allocateDriver(a);
    }

    @Actor
    public void refresh() {
      QueueOrder<Facts> next = newOrder();
      add(a, next);
      add(b, next);
      order = next;
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r1 = offered(0);
      r.r2 = a.history.state();
    }
  }

  @JCStressTest
  @Outcome(id = "AB", expect = ACCEPTABLE, desc = "the new order knows that A runs")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class ReplaceAndPromote extends RaceFixture {

    private final QueueOrder<Facts> old = order;

    public ReplaceAndPromote() {
      add(a);
      add(b);
      allocateDriver(a);
    }

    @Actor
    public void monitor() {
      old.tick(TIMEOUT);
    }

    @Actor
    public void refresh() {
      QueueOrder<Facts> next = newOrder();
      add(a, next);
      add(b, next);
      order = next;
    }

    @Arbiter
    public void afterwards(L_Result r) {
      r.r1 = offered(TIMEOUT);
    }
  }

  @JCStressTest
  @Outcome(id = "500", expect = ACCEPTABLE, desc = "the time in vain counts once")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class IterateTwice extends RaceFixture {

    public IterateTwice() {
      add(a);
      add(b);
    }

    @Actor
    public void one() {
      offered(0);
    }

    @Actor
    public void other() {
      offered(0);
    }

    @Arbiter
    public void afterwards(L_Result r) {
      offered(500);
      r.r1 = a.history.vain.millis();
    }
  }

  @JCStressTest
  @Outcome(id = "A, A", expect = ACCEPTABLE, desc = "starting just in time")
  @Outcome(id = "AB, A", expect = ACCEPTABLE, desc = "the line opened, and A is starting a moment later")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class StallAndAllocateDriver extends RaceFixture {

    public StallAndAllocateDriver() {
      add(a);
      add(b);
      offered(0);
    }

    @Actor
    public void scheduler() {
      a.driver = true;
      a.asks = false;
      order.containerAllocated(a, () -> null, TIMEOUT);
    }

    @Actor
    public void iterator(LL_Result r) {
      r.r1 = offered(TIMEOUT);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = offered(TIMEOUT);
    }
  }

  @JCStressTest
  @Outcome(id = "BC", expect = ACCEPTABLE, desc = "A takes no slot of either partition")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class RelabelAndRemove extends RaceFixture {

    public RelabelAndRemove() {
      c.partition = "gpu";
      add(a);
      add(b);
      add(c);
      allocateDriver(a);
      a.partition = "gpu";
    }

    @Actor
    public void iterator() {
      offered(0);
    }

    @Actor
    public void client() {
      order.remove(a, 0);
    }

    @Arbiter
    public void afterwards(L_Result r) {
      r.r1 = offered(0);
    }
  }

  @JCStressTest
  @Outcome(id = "A, A", expect = ACCEPTABLE, desc = "its node was given back, and it started on another")
  @Outcome(id = ", A", expect = ACCEPTABLE, desc = "it lost the offer, and starts all the same")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class GiveBackAndAllocateDriver extends RaceFixture {

    public GiveBackAndAllocateDriver() {
      add(a);
      add(b);
      a.reserved = true;
      order.containerAllocated(a, () -> null, 0);
      offered(0);
    }

    @Actor
    public void scheduler() {
      a.driver = true;
      a.asks = false;
      a.reserved = false;
      order.containerAllocated(a, () -> null, TIMEOUT);
    }

    @Actor
    public void monitor(LL_Result r) {
      order.tick(TIMEOUT);
      order.losers(TIMEOUT);
      r.r1 = offered(TIMEOUT);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = offered(TIMEOUT);
    }
  }
}
