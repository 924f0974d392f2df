// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Pairs of concurrent calls on what a group remembers beside its slots: turns, waiting and overdue. */
public final class GroupStateRaces {

  private GroupStateRaces() {
  }

  @JCStressTest
  @Outcome(id = {"true, false", "false, true"}, expect = ACCEPTABLE, desc = "one queue has its turn")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class TakeTurns {

    private final GroupTurn<String> turn = new GroupTurn<>();

    @Actor
    public void one(ZZ_Result r) {
      r.r1 = turn.take("one", null, 0);
    }

    @Actor
    public void another(ZZ_Result r) {
      r.r2 = turn.take("another", null, 0);
    }
  }

  @JCStressTest
  @Outcome(id = {"true, false", "false, true"}, expect = ACCEPTABLE, desc = "the turn is free unless taken")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class ComeBackAndTakeTurn {

    private final GroupTurn<String> turn = new GroupTurn<>();

    @Actor
    public void one() {
      turn.take("one", null, 0);
      turn.cameBack();
    }

    @Actor
    public void another(ZZ_Result r) {
      r.r1 = turn.take("another", null, 0);
    }

    @Arbiter
    public void afterwards(ZZ_Result r) {
      // In another round, because this thread may be that of an actor.
      turn.visited("third");
      turn.visited("third");
      r.r2 = turn.take("third", null, 0);
    }
  }

  /** The name of an attempt that waits in any queue of the group. */
  private static String waiting(StartingGroup<RaceFixture.Facts> group) {
    QueuedAttempt<RaceFixture.Facts> found = group.lane("").waiting().find(attempt -> true);
    return found == null ? "none" : found.item.name;
  }

  @JCStressTest
  @Outcome(id = "B", expect = ACCEPTABLE, desc = "the group knows the line of B")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class AddAndRemoveInOneLine extends GroupRaces.Fixture {

    public AddAndRemoveInOneLine() {
      add(a);
    }

    @Actor
    public void remove() {
      order.remove(a, 0);
    }

    @Actor
    public void add() {
      add(b);
    }

    @Arbiter
    public void afterwards(L_Result r) {
      r.r1 = waiting(group);
    }
  }

  @JCStressTest
  @Outcome(id = "B", expect = ACCEPTABLE, desc = "the group knows the line of B")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class AddAndFindALineThatLooksReplaced extends GroupRaces.Fixture {

    public AddAndFindALineThatLooksReplaced() {
      add(a);
      // A moves to an order outside the group; the order that it leaves is not told yet.
      add(a, newOrder());
    }

    @Actor
    public void find() {
      waiting(group);
    }

    @Actor
    public void add() {
      add(b);
    }

    @Arbiter
    public void afterwards(L_Result r) {
      r.r1 = waiting(group);
    }
  }

  @JCStressTest
  @Outcome(id = "B", expect = ACCEPTABLE, desc = "B does not wait for A, which has its executor")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class AllocateExecutorAndReleaseBeside extends GroupRaces.Fixture {

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
