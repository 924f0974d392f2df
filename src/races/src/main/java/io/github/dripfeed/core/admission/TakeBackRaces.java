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
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** The mark of an attempt that is taken back, against what other threads do to it at the same time. */
public final class TakeBackRaces {

  private TakeBackRaces() {
  }

  /** A is starting, and B waits. */
  abstract static class Fixture extends RaceFixture {

    private static final long STARTED_FOR = 500;

    final ApplicationHistory application = new ApplicationHistory();
    /** The next attempt of the application of A. */
    final Facts next = new Facts("N");

    Fixture() {
      super(SETTINGS.withTakeBack(TIMEOUT));
      application.add(1, a.history, one -> false);
      add(a);
      add(b);
      allocateDriver(a);
    }

    boolean takeBack() {
      return order.takenBack(a, "", 0, 0);
    }

    /** As YARN does it when the driver of A has ended. */
    void makeNextAttempt() {
      order.remove(a, STARTED_FOR);
      // YARN counts no attempt that was preempted.
      application.add(2, next.history, one -> !a.history.takenBack);
      order.add(next, next, new Arrival(new OrderKey(0, 0, 0, a.number, 2), order.settings().attempts(),
          next.history, true), STARTED_FOR);
    }
  }

  @JCStressTest
  @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "the new order knows that A is taken back")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class TakeBackAndReplace extends Fixture {

    private final QueueOrder<Facts> old = order;

    @Actor
    public void monitor() {
      old.takenBack(a, "", 0, 0);
    }

    @Actor
    public void refresh() {
      QueueOrder<Facts> replacement = newOrder();
      add(a, replacement);
      add(b, replacement);
      order = replacement;
    }

    @Arbiter
    public void afterwards(ZI_Result r) {
      r.r1 = order.view(a).isTakenBack();
      r.r2 = order.view(a).takeBacks().times();
    }
  }

  @JCStressTest
  @Outcome(id = "true, true, 1", expect = ACCEPTABLE, desc = "A is taken back")
  @Outcome(id = "false, false, 0", expect = ACCEPTABLE, desc = "A is not there, and its driver stays")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class TakeBackAndChangePriority extends Fixture {

    @Actor
    public void monitor(ZZI_Result r) {
      r.r1 = takeBack();
    }

    @Actor
    public void client() {
      order.remove(a, 0);
      add(a);
    }

    @Arbiter
    public void afterwards(ZZI_Result r) {
      r.r2 = order.view(a).isTakenBack();
      r.r3 = order.view(a).takeBacks().times();
    }
  }

  @JCStressTest
  @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "taken back: the next attempt waits")
  @Outcome(id = "true, 500", expect = ACCEPTABLE, desc = "the driver had ended, and its time counts")
  @Outcome(id = "false, 500", expect = ACCEPTABLE, desc = "A was gone, and is not taken back")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class TakeBackAndEnd extends Fixture {

    @Actor
    public void monitor() {
      takeBack();
    }

    @Actor
    public void driverEnds() {
      makeNextAttempt();
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r1 = order.view(next).isBackingOff(500);
      r.r2 = next.history.startedBefore;
    }
  }

  @JCStressTest
  @Outcome(id = {"A, B", "AB, B", "B, B"}, expect = ACCEPTABLE, desc = "the next attempt waits behind B")
  @Outcome(id = ", B", expect = ACCEPTABLE, desc = "A is gone, and its slot is free a moment later")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class NextAttemptAndIterate extends Fixture {

    @Actor
    public void scheduler() {
      takeBack();
      makeNextAttempt();
    }

    @Actor
    public void iterator(LL_Result r) {
      r.r1 = offered(500);
    }

    @Arbiter
    public void afterwards(LL_Result r) {
      r.r2 = offered(500);
    }
  }
}
