// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.observe.StateAwareQueueMetrics.Count;
import io.github.dripfeed.yarn.QueueCompat;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.service.ServiceStateChangeListener;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the metrics of all state-aware queues of this process, one source for each queue. The first
 * application of any of them leads to its scheduler, and so to all the others: their counters are there
 * before there is anything to count. A source is removed when the queue is deleted or is no longer
 * state-aware, or when its ResourceManager stops or becomes standby, which stops the scheduler. Safe for
 * use by any thread.
 */
public final class MetricsRegistrar implements ServiceStateChangeListener {

  private static final Logger LOG = LoggerFactory.getLogger(MetricsRegistrar.class);

  private final ConcurrentMap<String, StateAwareQueueMetrics> byQueue = new ConcurrentHashMap<>();
  /** For attempts whose queue cannot be determined; never registered. */
  private final StateAwareQueueMetrics unknown = new StateAwareQueueMetrics("unknown");
  private final LongAdder failures = new LongAdder();
  private volatile boolean failed;

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

  /** The same in the queue of these attempts; it is unknown if there are none. */
  public void countFailureAmong(Iterable<? extends SchedulableEntity> queued) {
    Iterator<? extends SchedulableEntity> attempts = queued.iterator();
    countFailure(attempts.hasNext() ? queueOf(attempts.next()) : null);
  }

  /** The number of these errors; the log has the first of each kind. */
  public long failures() {
    return failures.sum();
  }

  public StateAwareQueueMetrics of(String path) {
    StateAwareQueueMetrics known = byQueue.get(path);
    return known != null ? known : byQueue.computeIfAbsent(path, StateAwareQueueMetrics::new);
  }

  /** The metrics of the queue that the attempt is in now. */
  StateAwareQueueMetrics of(SchedulableEntity attempt) {
    CSQueue queue = queueOf(attempt);
    return queue == null ? unknown : of(queue.getQueuePath());
  }

  private static CSQueue queueOf(SchedulableEntity attempt) {
    try {
      Queue queue = ((SchedulerApplicationAttempt) attempt).getQueue();
      return queue instanceof CSQueue ? (CSQueue) queue : null;
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }

  private void show(StateAwareQueueMetrics metrics, CapacityScheduler scheduler) {
    if (metrics.setScheduler(scheduler)) {
      // The scheduler registers each listener only once.
      scheduler.registerServiceListener(this);
    }
    MetricsSystem system = DefaultMetricsSystem.instance();
    if (system.getSource(metrics.name()) != metrics && metrics.isCurrent()) {
      register(system, metrics);
    }
    // The scheduler may have stopped before the listener was registered.
    stateChanged(scheduler);
  }

  /**
   * Removes the metrics of a scheduler that has stopped, also because its ResourceManager became standby.
   * There is no other notice.
   */
  @Override
  public void stateChanged(Service scheduler) {
    if (StateAwareQueueMetrics.isStopped(scheduler)) {
      byQueue.forEach((path, metrics) -> {
        if (metrics.isOf(scheduler)) {
          forget(path, metrics);
        }
      });
    }
  }

  private void register(MetricsSystem system, StateAwareQueueMetrics metrics) {
    try {
      system.unregisterSource(metrics.name());
      system.register(metrics.name(), "A state-aware queue", metrics);
    } catch (MetricsException e) {
      if (!failed) {
        failed = true;
        LOG.error("The metrics {} cannot be registered. Logged once", metrics.name(), e);
      }
    }
  }

  /**
   * Ends a round of the monitor in every state-aware queue, and registers the metrics of those that are not
   * registered yet. Removes the metrics of queues that were deleted or are no longer state-aware.
   *
   * @param running the schedulers that have an application of such a queue
   * @return whether any are left
   */
  public boolean update(Collection<CapacityScheduler> running) {
    byQueue.forEach((path, metrics) -> {
      if (metrics.wasShown() && !metrics.isCurrent()) {
        forget(path, metrics);
        CSQueue left = metrics.queue();
        contain(left, () -> HeldDiagnostics.clear(left));
      }
    });
    running.forEach(scheduler -> QueueCompat.visitLeaves(
        scheduler.getRootQueue(), queue -> contain(queue, () -> {
          StateAwareQueue<?> current = StateAwareQueue.of(queue);
          if (current != null) {
            current.endRound();
            show(of(queue.getQueuePath()), scheduler);
          }
        })));
    return byQueue.values().stream().anyMatch(StateAwareQueueMetrics::wasShown);
  }

  /** What fails in one queue leaves the others. */
  public void contain(CSQueue queue, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("The monitor's work failed in queue {}; it is tried again in a later round",
          queue == null ? "unknown" : queue.getQueuePath(), e);
      countFailure(null);
    }
  }

  private void forget(String path, StateAwareQueueMetrics metrics) {
    if (byQueue.remove(path, metrics)) {
      DefaultMetricsSystem.instance().unregisterSource(metrics.name());
    }
  }

  public int size() {
    return byQueue.size();
  }
}
