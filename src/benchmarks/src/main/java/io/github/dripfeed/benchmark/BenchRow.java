// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The cost of one call under a stock policy and under ours. */
final class BenchRow {

  static final String[] COLUMNS = {"benchmark", "mix", "n", "threads", "stock", "stock_ns", "ours_ns",
      "ratio", "ratio_least", "ratio_most", "stock_bytes", "ours_bytes"};
  private static final String LINE = "%-13s %-12s %5s %1s %-4s %8s %8s %5s %9s %7s %7s";
  static final String HEADER = String.format(LINE, "ns per call", "mix", "n", "t", "vs.", "stock", "ours",
      "ratio", "from-to", "bytes", "ours");

  private final String benchmark;
  private final int threads;
  private final String policy;
  private final Figure stock;
  private final Figure ours;
  private final double[] ratios;
  private final List<String> parameters;

  /** @param ratios the median, and of several processes the least and the greatest as well */
  private BenchRow(String benchmark, int threads, String policy, Figure stock, Figure ours,
      double[] ratios, String... parameters) {
    this.benchmark = benchmark.substring(benchmark.indexOf('.') + 1);
    this.threads = threads;
    // Of a class, its simple name.
    this.policy = policy.substring(policy.lastIndexOf('.') + 1);
    this.stock = stock;
    this.ours = ours;
    this.ratios = ratios;
    this.parameters = Arrays.asList(parameters);
  }

  static BenchRow ofOursAlone(String benchmark, Figure ours, String... parameters) {
    return new BenchRow(benchmark, 1, "", Figure.NONE, ours, new double[0], parameters);
  }

  static BenchRow ofPair(String benchmark, int threads, String policy, Figure stock, Figure ours,
      String... parameters) {
    return new BenchRow(
        benchmark, threads, policy, stock, ours, new double[] {ours.nanos / stock.nanos}, parameters);
  }

  static BenchRow ofTurns(String benchmark, String policy, Figure stock, Figure ours, Turns turns,
      String... parameters) {
    return new BenchRow(benchmark, 1, policy, stock, ours,
        new double[] {turns.ratios.getPercentile(50), turns.ratios.getMin(), turns.ratios.getMax()},
        parameters);
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

  private String ratio(int which) {
    return which < ratios.length ? String.format(Locale.ROOT, "%.2f", ratios[which]) : "";
  }

  List<Object> values() {
    return Arrays.asList(benchmark, mix(), size(), threads, policy, number(stock.nanos),
        number(ours.nanos), ratio(0), ratio(1), ratio(2), number(stock.bytes), number(ours.bytes));
  }

  @Override
  public String toString() {
    String range = ratio(1).isEmpty() ? "" : ratio(1) + "-" + ratio(2);
    return String.format(LINE, benchmark, mix(), size(), threads, policy, number(stock.nanos),
        number(ours.nanos), ratio(0), range, number(stock.bytes), number(ours.bytes));
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "" : String.valueOf(Math.round(value));
  }
}
