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

import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;

/** Processes in each of which iterations of a stock policy and of ours take turns. */
final class Turns {

  /** What else runs on the machine makes iterations slower, and never faster. */
  private static final double UNDISTURBED_PERCENTILE = 10;

  /** Of each process, in nanoseconds. */
  final DescriptiveStatistics stock = new DescriptiveStatistics();
  /** Of each process, in nanoseconds. */
  final DescriptiveStatistics ours = new DescriptiveStatistics();
  /** Of each process, ours to stock. */
  final DescriptiveStatistics ratios = new DescriptiveStatistics();

  /** @param process the stock policy had the first turn */
  void add(RunResult process) {
    DescriptiveStatistics first = new DescriptiveStatistics();
    DescriptiveStatistics second = new DescriptiveStatistics();
    for (BenchmarkResult fork : process.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        (first.getN() > second.getN() ? second : first).addValue(Figure.nanos(iteration));
      }
    }
    double stockNanos = first.getPercentile(UNDISTURBED_PERCENTILE);
    double oursNanos = second.getPercentile(UNDISTURBED_PERCENTILE);
    stock.addValue(stockNanos);
    ours.addValue(oursNanos);
    ratios.addValue(oursNanos / stockNanos);
  }
}
