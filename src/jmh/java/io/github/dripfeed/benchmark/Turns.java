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

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.stat.StatUtils;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;

/** Processes in each of which iterations of a stock policy and of ours take turns. */
final class Turns {

  /** What else runs on the machine makes iterations slower, and never faster. */
  private static final double UNDISTURBED = 10;

  private final List<Double> stock = new ArrayList<>();
  private final List<Double> ours = new ArrayList<>();

  /** @param process the stock policy had the first turn */
  void add(RunResult process) {
    List<Double> first = new ArrayList<>();
    List<Double> second = new ArrayList<>();
    for (BenchmarkResult fork : process.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        (first.size() > second.size() ? second : first).add(Figure.nanos(iteration));
      }
    }
    stock.add(percentile(first, UNDISTURBED));
    ours.add(percentile(second, UNDISTURBED));
  }

  /** The median of the processes, in nanoseconds. */
  double stockNanos() {
    return percentile(stock, 50);
  }

  /** The median of the processes, in nanoseconds. */
  double oursNanos() {
    return percentile(ours, 50);
  }

  /** @param percentile of the ratios of the processes, ours to stock; 50 is their median */
  double ratio(double percentile) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      ratios.add(ours.get(i) / stock.get(i));
    }
    return percentile(ratios, percentile);
  }

  /** @param percentile 0 is the least, and 100 the greatest */
  private static double percentile(List<Double> of, double percentile) {
    double[] values = of.stream().mapToDouble(Double::doubleValue).toArray();
    return percentile == 0 ? StatUtils.min(values) : StatUtils.percentile(values, percentile);
  }
}
