// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/** Consecutive decisions of the real Capacity Scheduler. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SchedulerBenchmark {

  /** A heartbeat on a full queue: no application may get anything. */
  @Benchmark
  public void fullQueue(SchedulerState state) {
    state.heartbeat();
  }

  /** A container ends, and another takes its place. */
  @Benchmark
  public boolean replace(SchedulerState state) {
    return state.replaceOne();
  }

  /** A node comes or goes after a change of the queue: YARN computes the limits of each application. */
  @Benchmark
  public void resize(SchedulerState state) {
    state.resize();
  }
}
