// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.forecast.StartForecast;
import io.github.dripfeed.core.forecast.StartHistory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * When the last drivers of every queue were allocated, in each partition. Safe for use by any thread; the
 * lock that it takes at a start is held for the time of a look-up.
 */
public final class StartHistories {

  private final LongSupplier monotonicMillis;
  private final QueueMemories<Map<String, StartHistory>> byQueue =
      new QueueMemories<>(ConcurrentHashMap::new);

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
    if (queue instanceof CSQueue && partition != null) {
      byQueue.of((CSQueue) queue).computeIfAbsent(partition, p -> new StartHistory())
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
    StartHistory line = queue instanceof CSQueue ? byQueue.of((CSQueue) queue).get(partition) : null;
    return line == null ? StartForecast.NONE : line.forecast(waiting, monotonicMillis.getAsLong());
  }
}
