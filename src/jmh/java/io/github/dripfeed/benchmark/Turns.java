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

/** Pairs of iterations, one of a stock policy and one of ours right after it in the same process. */
final class Turns {

  private final List<Double> stock = new ArrayList<>();
  private final List<Double> ours = new ArrayList<>();

  /** @param process one whose iterations took turns, and the stock policy the first */
  void add(RunResult process) {
    for (BenchmarkResult fork : process.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        (stock.size() > ours.size() ? ours : stock).add(Figure.nanos(iteration));
      }
    }
  }

  /** The median of the times, in nanoseconds. */
  double stockNanos() {
    return StatUtils.percentile(values(stock), 50);
  }

  /** The median of the times, in nanoseconds. */
  double oursNanos() {
    return StatUtils.percentile(values(ours), 50);
  }

  /** @param percentile of the ratios of all pairs, ours to stock; 50 is their median */
  double ratio(double percentile) {
    double[] ratios = values(ours);
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] /= stock.get(i);
    }
    return StatUtils.percentile(ratios, percentile);
  }

  private static double[] values(List<Double> of) {
    return of.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
