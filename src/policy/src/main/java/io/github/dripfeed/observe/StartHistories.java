// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.forecast.StartForecast;
import io.github.dripfeed.core.forecast.StartHistory;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/**
 * When the last drivers of every queue were allocated, in each partition. Kept as long as YARN holds the
 * queue, and so through refreshes. Safe for use by any thread; the lock that it takes at a start is held
 * for the time of a look-up.
 */
public final class StartHistories {

  private final LongSupplier monotonicMillis;
  private final Map<Queue, Map<String, StartHistory>> byQueue =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** @param monotonicMillis the clock that never goes backwards, in milliseconds */
  public StartHistories(LongSupplier monotonicMillis) {
    this.monotonicMillis = monotonicMillis;
  }

  /**
   * The driver of the attempt was allocated.
   *
   * @param waited how long it was accepted, in milliseconds
   */
  void started(SchedulerApplicationAttempt app, long waited) {
    Queue queue = app.getQueue();
    String partition = app.getAppAMNodePartitionName();
    if (queue != null && partition != null) {
      byQueue.computeIfAbsent(queue, q -> new ConcurrentHashMap<>())
          .computeIfAbsent(partition, p -> new StartHistory())
          .started(waited, monotonicMillis.getAsLong());
    }
  }

  /**
   * What the last starts say about the next ones.
   *
   * @param queue may be null
   * @param waiting how long the first application of the line has waited, in milliseconds
   */
  public StartForecast forecast(Queue queue, String partition, long waiting) {
    Map<String, StartHistory> lines = queue == null ? null : byQueue.get(queue);
    StartHistory line = lines == null ? null : lines.get(partition);
    return line == null ? StartForecast.NONE : line.forecast(waiting, monotonicMillis.getAsLong());
  }
}
