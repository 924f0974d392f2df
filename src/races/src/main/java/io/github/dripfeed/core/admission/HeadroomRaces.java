// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.dripfeed.core.headroom.ClaimTotal;
import io.github.dripfeed.core.headroom.Headroom;
import io.github.dripfeed.core.headroom.HeadroomClaim;
import io.github.dripfeed.core.headroom.PlannedStarts;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * Decisions on the headroom that several attempts claim, against new plans, allocations and releases: never
 * is more claimed than is free, and no claim stays for longer than a plan. A plan gives a driver 1 and a
 * first stage 10; C waits in every test and shows what is claimed.
 */
public final class HeadroomRaces {

  private static final String UNKNOWN = "unknown";

  private HeadroomRaces() {
  }

  /** The order of one queue, in which A is starting, and the headroom of the level above it. */
  abstract static class Fixture extends RaceFixture implements Headroom {

    private static final ResourceVector DRIVER = ResourceVector.of(1);
    private static final ResourceVector STAGE = ResourceVector.of(10);
    private static final long VALID = 5_000;

    private volatile long free;
    private volatile long claimed;

    Fixture(long free) {
      super(SETTINGS.withAuto(true));
      this.free = free;
      add(a);
      add(b);
      add(c);
      allocateDriver(a);
    }

    @Override
    public boolean has(String partition, ResourceVector amounts) {
      claimed = amounts.get(0);
      return claimed <= free;
    }

    /** The monitor's plan: what is starting claims its first stage, and whoever waits may start. */
    void plan() {
      order.account().ledger().begin();
      List<ClaimTotal> levels = Collections.singletonList(new ClaimTotal(this));
      Map<String, ResourceVector> stage = Collections.singletonMap("", STAGE);
      Map<Facts, HeadroomClaim> claims = new HashMap<>();
      for (Facts each : Arrays.asList(a, b, c)) {
        AttemptView<Facts> attempt = order.view(each);
        if (attempt != null) {
          switch (attempt.state()) {
            case ACCEPTED:
              claims.put(each, HeadroomClaim.toStart(each, levels, "", DRIVER, stage));
              break;
            case STARTING:
              claims.put(each, HeadroomClaim.ofStarting(each, levels, stage));
              break;
            default:
              // It holds what it needs.
          }
        }
      }
      order.setPlan(claims, Collections.emptyMap());
      order.account().ledger().activate(claims.values(), PlannedStarts.NONE, VALID);
    }

    boolean isSafe(Facts waiting) {
      QueuedAttempt<Facts> attempt = (QueuedAttempt<Facts>) order.view(waiting);
      return order.account().ledger().isSafe(attempt.claim, 0);
    }

    /** What is claimed by the plan in effect; unknown if nobody may start until the next plan. */
    String claimed() {
      claimed = -1;
      isSafe(c);
      return claimed < 0 ? UNKNOWN : Long.toString(claimed);
    }

    /** What is claimed by the plan that the actors leave behind, and by the next one. */
    void readAroundPlan(LL_Result r) {
      r.r1 = claimed();
      plan();
      r.r2 = claimed();
    }

    /** In YARN's order: the usage of the queue, and then the callback. */
    void placeDriver(Facts facts) {
      free -= 1;
      allocateDriver(facts);
    }

    void placeExecutor(Facts facts) {
      free -= 10;
      allocateExecutor(facts);
    }

    void end(Facts facts) {
      free += 1;
      order.remove(facts, 0);
    }
  }

  @JCStressTest
  @Outcome(id = {"A, AB", "AB, AB"}, expect = ACCEPTABLE, desc = "C is never let in")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class AllocateDriverAndDecide extends Fixture {

    public AllocateDriverAndDecide() {
      // One less than is claimed.
      super(31);
      plan();
    }

    @Actor
    public void scheduler() {
      placeDriver(b);
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
  @Outcome(id = "false, 22", expect = ACCEPTABLE, desc = "what A holds is never free for B")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class AllocateExecutorAndDecide extends Fixture {

    public AllocateExecutorAndDecide() {
      super(31);
      plan();
    }

    @Actor
    public void scheduler() {
      placeExecutor(a);
    }

    @Actor
    public void decision(LL_Result r) {
      r.r1 = isSafe(b);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = claimed();
    }
  }

  @JCStressTest
  @Outcome(id = {"false, true", "true, true"}, expect = ACCEPTABLE, desc = "B has the room of A in the end")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class ReleaseAndDecide extends Fixture {

    public ReleaseAndDecide() {
      super(21);
      plan();
    }

    @Actor
    public void scheduler() {
      end(a);
    }

    @Actor
    public void decision(LL_Result r) {
      r.r1 = isSafe(b);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = isSafe(b);
    }
  }

  @JCStressTest
  @Outcome(id = "false, 32", expect = ACCEPTABLE, desc = "a plan claims before it lets in")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PlanAndDecide extends Fixture {

    public PlanAndDecide() {
      super(31);
    }

    @Actor
    public void monitor() {
      plan();
    }

    @Actor
    public void decision(LL_Result r) {
      r.r1 = isSafe(c);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = claimed();
    }
  }

  @JCStressTest
  @Outcome(id = "31, 31", expect = ACCEPTABLE, desc = "the plan has expected the start")
  @Outcome(id = UNKNOWN + ", 31", expect = ACCEPTABLE, desc = "nobody else starts until the next plan")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PlanAndAllocateDriver extends Fixture {

    public PlanAndAllocateDriver() {
      super(100);
      plan();
    }

    @Actor
    public void monitor() {
      plan();
    }

    @Actor
    public void scheduler() {
      placeDriver(b);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      readAroundPlan(r);
    }
  }

  @JCStressTest
  @Outcome(id = {"22, 22", "32, 22"}, expect = ACCEPTABLE, desc = "A claims nothing after the next plan")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PlanAndAllocateExecutor extends Fixture {

    public PlanAndAllocateExecutor() {
      super(100);
      plan();
    }

    @Actor
    public void monitor() {
      plan();
    }

    @Actor
    public void scheduler() {
      placeExecutor(a);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      readAroundPlan(r);
    }
  }

  @JCStressTest
  @Outcome(id = {"21, 21", "32, 21"}, expect = ACCEPTABLE, desc = "B claims nothing after the next plan")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PlanAndRemove extends Fixture {

    public PlanAndRemove() {
      super(100);
      plan();
    }

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
      readAroundPlan(r);
    }
  }

  @JCStressTest
  @Outcome(id = "21, 21", expect = ACCEPTABLE, desc = "the executor and the driver both count")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class AllocateExecutorAndAllocateDriver extends Fixture {

    public AllocateExecutorAndAllocateDriver() {
      super(100);
      plan();
    }

    @Actor
    public void one() {
      allocateExecutor(a);
    }

    @Actor
    public void another() {
      allocateDriver(b);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      readAroundPlan(r);
    }
  }
}
