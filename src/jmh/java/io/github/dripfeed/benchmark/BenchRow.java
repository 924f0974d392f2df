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

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** The cost of one call under a stock policy and under ours. */
final class BenchRow {

  static final String[] COLUMNS = {"benchmark", "mix", "n", "threads", "stock", "stock_ns", "ours_ns",
      "ratio", "stock_bytes", "ours_bytes"};
  static final String HEADER = String.format("%-14s %-12s %6s %2s %-5s %10s %10s %6s %7s %7s",
      "ns per call", "mix", "n", "t", "vs.", "stock", "ours", "ratio", "bytes", "ours");

  private final String benchmark;
  private final int threads;
  private final String policy;
  private final Figure stock;
  private final Figure ours;
  private final List<String> parameters;

  /** The time and the allocation of one call, in nanoseconds and bytes. */
  static final class Figure {
    final double nanos;
    final double bytes;

    private Figure(double nanos, double bytes) {
      this.nanos = nanos;
      this.bytes = bytes;
    }

    /** The fastest iteration. */
    static Figure of(RunResult result) {
      Result<?> primary = result.getPrimaryResult();
      double unit = primary.getScoreUnit().startsWith("us") ? 1000 : 1;
      double bytes = Double.NaN;
      // By name: JMH's map has values of a raw type, which no lambda accepts without a warning.
      for (String name : result.getSecondaryResults().keySet()) {
        if (name.endsWith("gc.alloc.rate.norm")) {
          bytes = result.getSecondaryResults().get(name).getScore();
        }
      }
      return new Figure(primary.getStatistics().getMin() * unit, bytes);
    }

    static Figure faster(Figure one, Figure other) {
      return one == null || other.nanos < one.nanos ? other : one;
    }
  }

  /** @param stock null if the stock policy has no counterpart */
  BenchRow(String benchmark, int threads, String policy, Figure stock, Figure ours,
      String... parameters) {
    this.benchmark = benchmark.substring(benchmark.indexOf('.') + 1);
    this.threads = threads;
    this.policy = policy;
    this.stock = stock;
    this.ours = ours;
    this.parameters = Arrays.asList(parameters);
  }

  private String parameter(String name) {
    int at = parameters.indexOf(name);
    return at < 0 ? "" : parameters.get(at + 1);
  }

  /** What the benchmark has of these: how YARN schedules, its mode, or the mix of states. */
  private String mix() {
    return Stream.of("scheduling", "mode", "mix")
        .map(this::parameter).filter(value -> !value.isEmpty()).findFirst().orElse("");
  }

  /** The number of applications, or of queues. */
  private String size() {
    return parameter("queues").isEmpty() ? parameter("n") : parameter("queues");
  }

  private String ratio() {
    return stock == null ? "" : String.format(Locale.ROOT, "%.2f", ours.nanos / stock.nanos);
  }

  List<Object> values() {
    return Arrays.asList(benchmark, mix(), size(), threads,
        stock == null ? "" : policy, stock == null ? "" : number(stock.nanos), number(ours.nanos),
        ratio(), stock == null ? "" : number(stock.bytes), number(ours.bytes));
  }

  @Override
  public String toString() {
    return String.format("%-14s %-12s %6s %2d %-5s %10s %10s %6s %7s %7s", benchmark,
        mix(), size(), threads, stock == null ? "" : policy,
        stock == null ? "" : number(stock.nanos), number(ours.nanos), ratio(),
        stock == null ? "" : number(stock.bytes), number(ours.bytes));
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "" : String.valueOf(Math.round(value));
  }
}
