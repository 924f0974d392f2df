// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import io.github.dripfeed.ordering.StateAwarePolicy;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/** The cost of the monitor's turn, each second in its own thread; YARN has no counterpart. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MonitorBenchmark {

  /** One queue of many applications. */
  @Benchmark
  public void tick(PolicyState state) {
    ((StateAwarePolicy<?>) state.ordering).ordering().order().tick(System.nanoTime() / 1_000_000);
  }

  /** Many queues of one application, including what they show, which happens every fifth round. */
  @Benchmark
  public long round(QueuesState state) {
    return state.round();
  }
}
