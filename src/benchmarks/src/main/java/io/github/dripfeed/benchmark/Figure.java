// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import java.util.Map;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** The time and the allocation of one call, in nanoseconds and bytes. */
final class Figure {

  /** Of a policy that has no counterpart. */
  static final Figure NONE = new Figure(Double.NaN, Double.NaN);

  final double nanos;
  final double bytes;

  Figure(double nanos, double bytes) {
    this.nanos = nanos;
    this.bytes = bytes;
  }

  /** The fastest iteration. */
  static Figure fastest(RunResult result) {
    Result<?> primary = result.getPrimaryResult();
    return new Figure(primary.getStatistics().getMin() * nanosPerUnit(primary),
        bytes(result.getSecondaryResults()));
  }

  static double nanos(IterationResult result) {
    return result.getPrimaryResult().getScore() * nanosPerUnit(result.getPrimaryResult());
  }

  static Figure faster(Figure one, Figure other) {
    return one == null || other.nanos < one.nanos ? other : one;
  }

  private static double nanosPerUnit(Result<?> result) {
    return result.getScoreUnit().startsWith("us") ? 1000 : 1;
  }

  /** @param results by name; JMH's maps have values of a raw type */
  private static double bytes(Map<String, ?> results) {
    return results.entrySet().stream().filter(each -> each.getKey().endsWith("gc.alloc.rate.norm"))
        .mapToDouble(each -> ((Result<?>) each.getValue()).getScore()).findFirst().orElse(Double.NaN);
  }
}
