// SPDX-License-Identifier: Apache-2.0
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
