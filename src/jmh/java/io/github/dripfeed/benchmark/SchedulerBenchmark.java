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
