// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.observe.StateAwareQueueMetrics.Count;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the metrics of all state-aware queues of this process, one source for each queue. The first
 * application of any of them leads to its scheduler, and so to all the others: their counters are there
 * before there is anything to count. A source is removed when a round does not find the queue any more: it
 * was deleted, is no longer state-aware, or its ResourceManager has stopped or become standby. Safe for use
 * by any thread.
 */
public final class MetricsRegistrar {

  private static final Logger LOG = LoggerFactory.getLogger(MetricsRegistrar.class);

  private final ConcurrentMap<String, StateAwareQueueMetrics> byQueue = new ConcurrentHashMap<>();
  private final LongAdder failures = new LongAdder();
  /** The kinds of errors that the log has. */
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  /**
   * Counts an internal error that did not interrupt scheduling, in its queue.
   *
   * @param queue null if it is unknown, or the error concerns no one queue: then in each
   */
  public void countFailure(CSQueue queue) {
    failures.increment();
    Collection<StateAwareQueueMetrics> all = queue == null ? byQueue.values()
        : Collections.singleton(of(queue.getQueuePath()));
    all.forEach(metrics -> metrics.count(Count.ERRORS));
  }

  /** The same in the attempt's queue. */
  public void countFailureOf(SchedulableEntity attempt) {
    countFailure(queueOf(attempt));
  }

  /**
   * The border of work for a queue: what fails is counted and logged, and leaves all else.
   *
   * @param queue as in {@link #countFailure}
   * @param failure what cannot be done then; the same text each time
   */
  public void contain(CSQueue queue, String failure, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | LinkageError e) {
      countFailure(queue);
      logOnce(queue == null ? "All queues" : "Queue " + queue.getQueuePath(), failure, e);
    }
  }

  private void logOnce(String queue, String failure, Throwable e) {
    StackTraceElement[] trace = e.getStackTrace();
    if (logged.add(failure + e.getClass() + (trace.length == 0 ? "" : trace[0]))) {
      LOG.error("{}: {}. Logged once for all queues", queue, failure, e);
    }
  }

  /** The number of these errors; the log has the first of each kind. */
  public long failures() {
    return failures.sum();
  }

  public StateAwareQueueMetrics of(String path) {
    StateAwareQueueMetrics known = byQueue.get(path);
    return known != null ? known : byQueue.computeIfAbsent(path, StateAwareQueueMetrics::new);
  }

  /** The metrics of the queue that the attempt is in now; some that are never shown if it is unknown. */
  StateAwareQueueMetrics of(SchedulableEntity attempt) {
    CSQueue queue = queueOf(attempt);
    return of(queue == null ? "unknown" : queue.getQueuePath());
  }

  private static CSQueue queueOf(SchedulableEntity attempt) {
    try {
      Queue queue = ((SchedulerApplicationAttempt) attempt).getQueue();
      return queue instanceof CSQueue ? (CSQueue) queue : null;
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }

  /**
   * Shows the report of a round, in metrics that are registered if they are not yet.
   *
   * @param queue the queue that the round has found
   */
  public void show(CSQueue queue, QueueReport<?> report) {
    StateAwareQueueMetrics metrics = of(queue.getQueuePath());
    metrics.show(queue, report);
    MetricsSystem system = DefaultMetricsSystem.instance();
    if (system.getSource(metrics.name()) != metrics) {
      register(system, metrics);
    }
  }

  private void register(MetricsSystem system, StateAwareQueueMetrics metrics) {
    try {
      system.unregisterSource(metrics.name());
      system.register(metrics.name(), "A state-aware queue", metrics);
    } catch (MetricsException e) {
      logOnce(metrics.name(), "the metrics cannot be registered", e);
    }
  }

  /** Removes the metrics of all queues but those that a round has found. */
  public void retain(Collection<CSQueue> found) {
    byQueue.forEach((path, metrics) -> {
      CSQueue queue = metrics.queue();
      if (metrics.isShown() && !found.contains(queue) && byQueue.remove(path, metrics)) {
        DefaultMetricsSystem.instance().unregisterSource(metrics.name());
        // It may be deleted: it gets no metrics any more.
        contain(null, "cannot clear diagnostics", () -> HeldDiagnostics.clear(queue));
      }
    });
  }

  /** Whether the metrics of any queue are registered. */
  public boolean isAnyShown() {
    return byQueue.values().stream().anyMatch(StateAwareQueueMetrics::isShown);
  }

  public int size() {
    return byQueue.size();
  }
}
