// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.LLI_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/** Pairs of concurrent calls on orders of one group, each with all correct outcomes. */
public final class GroupRaces {

  private GroupRaces() {
  }

  /** Two queues of a group. */
  abstract static class Fixture extends RaceFixture {

    final StartingGroup<Facts> group = new StartingGroup<>("group", false);
    final StartingGroup<Facts> another = new StartingGroup<>("another", false);
    final QueueOrder<Facts> beside = newOrder();

    Fixture() {
      order.join(group);
      beside.join(group);
    }

    String offeredBeside() {
      return offered(beside, 0);
    }
  }

  @JCStressTest
  @Outcome(id = {"B, , 1", ", , 1"}, expect = ACCEPTABLE, desc = "B is held once A has its driver")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class AllocateDriverAndIterateBeside extends Fixture {

    public AllocateDriverAndIterateBeside() {
      add(a);
      add(b, beside);
    }

    @Actor
    public void scheduler() {
      allocateDriver(a);
    }

    @Actor
    public void iterator(LLI_Result r) {
      r.r1 = offeredBeside();
    }

    @Arbiter
    public void afterwards(LLI_Result r) {
      r.r2 = offeredBeside();
      r.r3 = group.starting();
    }
  }

  @JCStressTest
  @Outcome(id = {", B, 0", "B, B, 0"}, expect = ACCEPTABLE, desc = "B is offered once A runs")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PromoteAndIterateBeside extends Fixture {

    public PromoteAndIterateBeside() {
      add(a);
      add(b, beside);
      allocateDriver(a);
    }

    @Actor
    public void scheduler() {
      allocateExecutor(a);
    }

    @Actor
    public void iterator(LLI_Result r) {
      r.r1 = offeredBeside();
    }

    @Arbiter
    public void afterwards(LLI_Result r) {
      r.r2 = offeredBeside();
      r.r3 = group.starting();
    }
  }

  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "A takes a slot of the group of the new order alone")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class AllocateDriverAndRefreshToAnotherGroup extends Fixture {

    private final QueueOrder<Facts> next = newOrder();

    public AllocateDriverAndRefreshToAnotherGroup() {
      next.join(another);
      add(a);
    }

    @Actor
    public void scheduler() {
      allocateDriver(a);
    }

    @Actor
    public void refresh() {
      add(a, next);
    }

    @Arbiter
    public void afterwards(II_Result r) {
      next.tick(0);
      r.r1 = group.starting();
      r.r2 = another.starting();
    }
  }

  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "A runs and takes no slot of either group")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PromoteAndRefreshToAnotherGroup extends Fixture {

    private final QueueOrder<Facts> next = newOrder();

    public PromoteAndRefreshToAnotherGroup() {
      next.join(another);
      add(a);
      allocateDriver(a);
    }

    @Actor
    public void scheduler() {
      allocateExecutor(a);
    }

    @Actor
    public void refresh() {
      add(a, next);
    }

    @Arbiter
    public void afterwards(II_Result r) {
      next.tick(0);
      r.r1 = group.starting();
      r.r2 = another.starting();
    }
  }

  @JCStressTest
  @Outcome(id = {", 1"}, expect = ACCEPTABLE, desc = "A starts beside; B is held")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class AllocateDriverAndMoveWithinTheGroup extends Fixture {

    private final QueueOrder<Facts> third = newOrder();

    public AllocateDriverAndMoveWithinTheGroup() {
      third.join(group);
      add(a);
      add(b, beside);
    }

    @Actor
    public void scheduler() {
      allocateDriver(a);
    }

    @Actor
    public void move() {
      add(a, third);
      order.remove(a, 0);
    }

    @Arbiter
    public void afterwards(LI_Result r) {
      third.tick(0);
      r.r1 = offeredBeside();
      r.r2 = group.starting();
    }
  }

  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing is left of A")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class VerifyAndRemove extends Fixture {

    public VerifyAndRemove() {
      add(a);
      add(b, beside);
      a.reserved = true;
      order.containerAllocated(a, () -> null, 0);
    }

    @Actor
    public void scheduler() {
      a.driver = true;
      a.asks = false;
      a.reserved = false;
      order.remove(a, 0);
    }

    @Actor
    public void monitor() {
      beside.tick(0);
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = group.starting();
      r.r2 = group.reserved();
    }
  }

  @JCStressTest
  @Outcome(id = "B", expect = ACCEPTABLE, desc = "B does not wait for A, which has its executor")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class AllocateExecutorAndReleaseBeside extends Fixture {

    public AllocateExecutorAndReleaseBeside() {
      add(a);
      add(b, beside);
      allocateDriver(a);
      a.asks = true;
      order.tick(TIMEOUT);
    }

    @Actor
    public void scheduler() {
      allocateExecutor(a);
    }

    @Actor
    public void release() {
      beside.executorReleased(b, () -> "", TIMEOUT);
    }

    @Arbiter
    public void afterwards(L_Result r) {
      long later = TIMEOUT + StartingGroup.DEFAULT_HEARTBEAT;
      beside.executorReleased(b, () -> "", later);
      r.r1 = offered(beside, later);
    }
  }
}
