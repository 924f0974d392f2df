// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * A histogram of durations as Prometheus expects it: each bucket counts all values up to its bound. Safe
 * for use by any thread.
 */
final class PrometheusHistogram {

  /** The upper bounds of the buckets, in seconds; behind them is one without a bound. */
  private static final long[] BOUNDS = {1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 14400};
  static final int BUCKETS = BOUNDS.length + 1;

  private final LongAdder[] buckets = new LongAdder[BUCKETS];
  private final LongAdder sumMillis = new LongAdder();
  private final String name;
  private final String help;

  PrometheusHistogram(String name, String help) {
    this.name = name;
    this.help = help;
    for (int i = 0; i < BUCKETS; i++) {
      buckets[i] = new LongAdder();
    }
  }

  void add(long millis) {
    for (int i = 0; i < BUCKETS; i++) {
      if (i == BOUNDS.length || millis <= TimeUnit.SECONDS.toMillis(BOUNDS[i])) {
        buckets[i].increment();
      }
    }
    sumMillis.add(millis);
  }

  /** Adds the number and the sum of the values. */
  void showTotal(MetricsRecordBuilder record) {
    record.addCounter(Interns.info(name + "Count", help), buckets[BOUNDS.length].sum());
    record.addCounter(Interns.info(name + "Sum", help), TimeUnit.MILLISECONDS.toSeconds(sumMillis.sum()));
  }

  /** Adds a bucket to the record of its bound. */
  void showBucket(int bucket, MetricsRecordBuilder record) {
    record.addCounter(Interns.info(name + "Bucket", help), buckets[bucket].sum());
  }

  /** The bound of a bucket as Prometheus writes it, in the tag {@code le}. */
  static String bound(int bucket) {
    return bucket == BOUNDS.length ? "+Inf" : String.valueOf(BOUNDS[bucket]);
  }
}
