// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * A histogram of durations as Prometheus expects it: each bucket counts all values up to its bound. Safe
 * for use by any thread.
 */
final class PrometheusHistogram {

  /** The tag of a bucket: its upper bound in seconds. */
  static final String BOUND = "le";

  private final long[] bounds = {1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 14400};
  private final LongAdder[] buckets = new LongAdder[bounds.length];
  private final LongAdder count = new LongAdder();
  private final LongAdder sumMillis = new LongAdder();
  private final String record;
  private final String help;

  PrometheusHistogram(String record, String help) {
    this.record = record;
    this.help = help;
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  void add(long millis) {
    for (int i = 0; i < bounds.length; i++) {
      if (millis <= TimeUnit.SECONDS.toMillis(bounds[i])) {
        buckets[i].increment();
      }
    }
    count.increment();
    sumMillis.add(millis);
  }

  /** @param tagged adds the queue's tag to a record */
  void show(MetricsCollector collector, UnaryOperator<MetricsRecordBuilder> tagged) {
    MetricsRecordBuilder total = tagged.apply(collector.addRecord(record));
    total.addCounter(Interns.info("Count", help), count.sum());
    total.addCounter(Interns.info("Sum", help), TimeUnit.MILLISECONDS.toSeconds(sumMillis.sum()));
    for (int i = 0; i < bounds.length; i++) {
      showBucket(collector, tagged, String.valueOf(bounds[i]), buckets[i].sum());
    }
    showBucket(collector, tagged, "+Inf", count.sum());
  }

  private void showBucket(MetricsCollector collector, UnaryOperator<MetricsRecordBuilder> tagged,
      String bound, long value) {
    tagged.apply(collector.addRecord(record)).tag(Interns.info(BOUND, "Upper bound in seconds"), bound)
        .addCounter(Interns.info("Bucket", help), value);
  }
}
