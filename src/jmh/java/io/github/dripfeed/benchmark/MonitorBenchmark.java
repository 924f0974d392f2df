/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
  public boolean tick(PolicyState state) {
    return StateAwarePolicy.orderingOf(state.ordering).order().tick(System.nanoTime() / 1_000_000);
  }

  /** Many queues of one application, including what they show, which happens every fifth round. */
  @Benchmark
  public long round(QueuesState state) {
    return state.round();
  }
}
