// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.yarn.QueueCompat;
import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
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

  /** The time between two searches for new queues, in milliseconds. */
  private static final long WALK_INTERVAL = 30_000;

  private final ConcurrentMap<String, StateAwareQueueMetrics> byQueue = new ConcurrentHashMap<>();
  /** For attempts whose queue cannot be determined; never registered. */
  private final StateAwareQueueMetrics unknown;
  private final LongSupplier wallMillis;
  private final LongAdder failures = new LongAdder();
  /** The scheduler whose queues were all registered last, and when. Used by the monitor's thread only. */
  private WeakReference<CapacityScheduler> walked = new WeakReference<>(null);
  private long walkedMillis;
  private volatile boolean failed;

  /** @param wallMillis the wall clock, in milliseconds since 1970 */
  public MetricsRegistrar(LongSupplier wallMillis) {
    this.wallMillis = wallMillis;
    this.unknown = new StateAwareQueueMetrics("unknown");
  }

  /** Counts an internal error that did not interrupt scheduling and concerns no one queue: in each. */
  public void countFailure() {
    failures.increment();
    byQueue.forEach((path, metrics) -> metrics.failed());
  }

  /** Counts an internal error that did not interrupt scheduling, in its queue. */
  public void countFailureIn(CSQueue queue) {
    failures.increment();
    of(queue.getQueuePath()).failed();
  }

  /** Counts an internal error that did not interrupt scheduling, in the attempt's queue. */
  public void countFailureOf(SchedulerApplicationAttempt app) {
    StateAwareQueueMetrics metrics = of(app);
    if (metrics == unknown) {
      countFailure();
    } else {
      failures.increment();
      metrics.failed();
    }
  }

  /** The same in the queue of these attempts; in each if there are none, which leaves it unknown. */
  public void countFailureAmong(Iterable<? extends SchedulableEntity> queued) {
    Iterator<? extends SchedulableEntity> attempts = queued.iterator();
    if (attempts.hasNext()) {
      countFailureOf((SchedulerApplicationAttempt) attempts.next());
    } else {
      countFailure();
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

  /** The metrics of the queue that the attempt is in now. */
  public StateAwareQueueMetrics of(SchedulerApplicationAttempt app) {
    try {
      Queue queue = app.getQueue();
      return queue instanceof CSQueue ? of(((CSQueue) queue).getQueuePath()) : unknown;
    } catch (RuntimeException | LinkageError e) {
      return unknown;
    }
  }

  /**
   * Registers the metrics of the queue, and at times of all other queues of its scheduler, if they are not
   * registered yet, and unless the scheduler was stopped: a stopped scheduler keeps its applications.
   * Called by the monitor.
   */
  public void show(CSQueue queue, CapacityScheduler scheduler) {
    if (!StateAwareQueueMetrics.isStopped(scheduler)) {
      show(of(queue.getQueuePath()), scheduler);
      showAll(scheduler);
    }
  }

  /** A queue that has no application yet is known to its scheduler only. */
  private void showAll(CapacityScheduler scheduler) {
    long now = wallMillis.getAsLong();
    // The wall clock may be set back.
    if (walked.get() != scheduler || Math.abs(now - walkedMillis) >= WALK_INTERVAL) {
      walked = new WeakReference<>(scheduler);
      walkedMillis = now;
      QueueCompat.visitLeaves(scheduler.getRootQueue(), queue -> {
        if (StateAwareQueue.of(queue) != null) {
          show(of(queue.getQueuePath()), scheduler);
        }
      });
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
    // The scheduler may have stopped after the check above and before the listener was registered.
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
   * Removes the metrics of queues that were deleted or are no longer state-aware. Checks every queue;
   * called by the monitor once per round.
   *
   * @return whether any are left
   */
  public boolean sweep() {
    byQueue.forEach((path, metrics) -> {
      if (metrics.wasShown() && !metrics.isCurrent()) {
        forget(path, metrics);
      }
    });
    return byQueue.values().stream().anyMatch(StateAwareQueueMetrics::wasShown);
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
