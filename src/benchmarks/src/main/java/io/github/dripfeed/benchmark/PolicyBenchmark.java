// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import io.github.dripfeed.runtime.Clock;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** The calls of the Capacity Scheduler, as often as a busy queue has them. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PolicyBenchmark {

  /** A heartbeat whose container goes to the first offered application. */
  @Benchmark
  public FiCaSchedulerApp first(PolicyState state) {
    return state.ordering.getAssignmentIterator(IteratorSelector.EMPTY_ITERATOR_SELECTOR).next();
  }

  /** A heartbeat that no application can use. */
  @Benchmark
  public void walk(PolicyState state, Blackhole seen) {
    Iterator<FiCaSchedulerApp> offered =
        state.ordering.getAssignmentIterator(IteratorSelector.EMPTY_ITERATOR_SELECTOR);
    while (offered.hasNext()) {
      seen.consume(offered.next());
    }
  }

  /** An application that was there before comes again, as after a change of its priority or a move. */
  @Benchmark
  public boolean addRemove(PolicyState state) {
    state.ordering.addSchedulableEntity(state.another);
    return state.ordering.removeSchedulableEntity(state.another);
  }

  /** An application comes for the first time, and ends. */
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  @OperationsPerInvocation(ArrivalsState.EACH)
  @Warmup(iterations = ArrivalsState.WARMUPS)
  @Measurement(iterations = ArrivalsState.MEASURED)
  public boolean arriveAndEnd(PolicyState state, ArrivalsState arrivals) {
    boolean all = true;
    for (Attempts.Arrival app : arrivals.next) {
      state.ordering.addSchedulableEntity(app);
      app.end();
      all &= state.ordering.removeSchedulableEntity(app);
    }
    return all;
  }

  /** A container is allocated, and the next heartbeat comes. */
  @Benchmark
  public FiCaSchedulerApp allocateFirst(PolicyState state) {
    state.allocate();
    return state.ordering.getAssignmentIterator(IteratorSelector.EMPTY_ITERATOR_SELECTOR).next();
  }

  /** The cost of reading the clock, which timeouts need. */
  @Benchmark
  public long clock() {
    return Clock.SYSTEM.monotonicMillis();
  }
}
