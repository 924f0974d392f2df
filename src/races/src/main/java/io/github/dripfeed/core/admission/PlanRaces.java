// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.dripfeed.core.plan.ActivePlan;
import java.util.Collections;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * New plans against allocations, ends, and decisions: nobody is offered twice, or after its end, and what a
 * plan says counts from then on. A is starting in every test.
 */
public final class PlanRaces {

  private PlanRaces() {
  }

  abstract static class Fixture extends RaceFixture {

    Fixture() {
      super(SETTINGS.withAuto(true));
      add(a);
      add(b);
      add(c);
      allocateDriver(a);
    }

    /** B may start, and A comes first. */
    void plan() {
      order.setPlan(new ActivePlan(5_000, () -> true), Collections.singleton(b),
          Collections.singleton(a), Collections.emptyMap(), Collections.emptySet());
    }
  }

  @JCStressTest
  @Outcome(id = {"A, AB", "AB, AB"}, expect = ACCEPTABLE, desc = "C is never let in")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PlanAndDecide extends Fixture {

    @Actor
    public void monitor() {
      plan();
    }

    @Actor
    public void decision(LL_Result r) {
      r.r1 = offered(0);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = offered(0);
    }
  }

  @JCStressTest
  @Outcome(id = "AB, AB", expect = ACCEPTABLE, desc = "once, and nobody beside it")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PlanAndAllocateDriver extends Fixture {

    public PlanAndAllocateDriver() {
      plan();
    }

    @Actor
    public void monitor() {
      plan();
    }

    @Actor
    public void scheduler() {
      allocateDriver(b);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r1 = offered(0);
      plan();
      r.r2 = offered(0);
    }
  }

  @JCStressTest
  @Outcome(id = "A, A", expect = ACCEPTABLE, desc = "B is gone")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PlanAndRemoveOneThatWaits extends Fixture {

    @Actor
    public void monitor() {
      plan();
    }

    @Actor
    public void client() {
      order.remove(b, 0);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r1 = offered(0);
      plan();
      r.r2 = offered(0);
    }
  }

  @JCStressTest
  @Outcome(id = "B, B", expect = ACCEPTABLE, desc = "A is gone, and B is next")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PlanAndRemoveOneThatStarts extends Fixture {

    @Actor
    public void monitor() {
      plan();
    }

    @Actor
    public void client() {
      order.remove(a, 0);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r1 = offered(0);
      plan();
      r.r2 = offered(0);
    }
  }

  @JCStressTest
  @Outcome(id = "AB, AB", expect = ACCEPTABLE, desc = "B takes the slot")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class SilentAndAllocateDriver extends Fixture {

    @Actor
    public void monitor() {
      order.setSilent(a, true);
    }

    @Actor
    public void scheduler(LL_Result r) {
      allocateDriver(b);
      r.r1 = offered(0);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = offered(0);
    }
  }
}
