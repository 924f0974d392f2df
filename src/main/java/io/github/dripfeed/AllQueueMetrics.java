/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics of all state-aware queues of this process: a source for each from the first look of the
 * monitor on, until the queue is gone or is not state-aware any more. Safe for use by any thread.
 */
final class AllQueueMetrics {

  private static final Logger LOG = LoggerFactory.getLogger(AllQueueMetrics.class);
  /** Of attempts whose queue cannot be told; never registered. */
  private static final QueueMetrics UNKNOWN = new QueueMetrics("unknown");

  private final ConcurrentMap<String, QueueMetrics> byQueue = new ConcurrentHashMap<>();
  private volatile boolean failed;

  QueueMetrics of(String path) {
    QueueMetrics known = byQueue.get(path);
    return known != null ? known : byQueue.computeIfAbsent(path, QueueMetrics::new);
  }

  /** Those of the queue that the attempt is in by now. */
  QueueMetrics of(SchedulerApplicationAttempt app) {
    try {
      Queue queue = app.getQueue();
      return queue instanceof CSQueue ? of(((CSQueue) queue).getQueuePath()) : UNKNOWN;
    } catch (RuntimeException | LinkageError e) {
      return UNKNOWN;
    }
  }

  /**
   * Shows the metrics of the attempt's queue if they are not shown already, and none any more of
   * queues that are gone. Called by the monitor.
   */
  void show(SchedulerApplicationAttempt app) {
    QueueMetrics metrics = of(app);
    Object scheduler = app.getAppSchedulingInfo().getRMContext().getScheduler();
    if (metrics != UNKNOWN && scheduler instanceof CapacityScheduler) {
      metrics.setScheduler((CapacityScheduler) scheduler);
      MetricsSystem system = DefaultMetricsSystem.instance();
      if (metrics.isCurrent() && system.getSource(metrics.name()) != metrics) {
        register(system, metrics);
      }
    }
  }

  private void register(MetricsSystem system, QueueMetrics metrics) {
    try {
      system.unregisterSource(metrics.name());
      system.register(metrics.name(), "A state-aware queue", metrics);
    } catch (MetricsException e) {
      if (!failed) {
        failed = true;
        LOG.error("{} cannot be shown. Logged once", metrics.name(), e);
      }
    }
  }

  /** Forgets the queues that are gone, or are not state-aware any more. Called by the monitor. */
  void sweep() {
    byQueue.forEach((path, metrics) -> {
      if (metrics.wasShown() && !metrics.isCurrent() && byQueue.remove(path, metrics)) {
        DefaultMetricsSystem.instance().unregisterSource(metrics.name());
      }
    });
  }

  int size() {
    return byQueue.size();
  }
}
