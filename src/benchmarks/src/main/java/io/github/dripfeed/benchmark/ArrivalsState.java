// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.wire.Wire;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Applications that the policy has never seen. All are made before the first iteration, since a profiler
 * takes what is allocated between iterations for a part of them.
 */
@State(Scope.Benchmark)
public class ArrivalsState {

  /** So many in each iteration; JMH itself allocates a few hundred kB in each, 50 to 120 bytes a call. */
  static final int EACH = 4000;
  static final int WARMUPS = 8;
  static final int MEASURED = 4;

  /** An iteration takes a few milliseconds; the compiler needs longer for what it has found out. */
  private static final int COMPILER_MILLIS = 500;

  /** Those of this iteration. */
  List<Attempts.Arrival> next;
  private final Queue<List<Attempts.Arrival>> later = new ArrayDeque<>();

  @Setup(Level.Trial)
  public void setUp(PolicyState state) {
    for (int i = 0; i < WARMUPS + MEASURED; i++) {
      List<Attempts.Arrival> some = new ArrayList<>();
      for (int each = 0; each < EACH; each++) {
        some.add(state.attempts.arrival());
      }
      later.add(some);
    }
    checkThatEndIsSeen(state);
    System.gc();
  }

  /** Checks that the benchmark measures what its name says. */
  private static void checkThatEndIsSeen(PolicyState state) {
    Attempts.Arrival app = state.attempts.arrival();
    state.ordering.addSchedulableEntity(app);
    app.end();
    state.ordering.removeSchedulableEntity(app);
    DripfeedRuntime.current().events().explainEnded();
    boolean seen = DripfeedRuntime.current().events().all.events().stream()
        .anyMatch(event -> event.to.equals(Wire.ENDED));
    if (seen != state.policy.startsWith("state-aware")) {
      throw new IllegalStateException("The end of an application is seen: " + seen);
    }
  }

  @Setup(Level.Iteration)
  public void takeNext() throws InterruptedException {
    Thread.sleep(COMPILER_MILLIS);
    // The monitor would do so every second.
    DripfeedRuntime.current().events().explainEnded();
    next = later.poll();
    if (next == null) {
      throw new IllegalStateException("At most " + (WARMUPS + MEASURED) + " iterations");
    }
  }
}
