// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.observe.StateAwareQueueMetrics.Count;
import io.github.dripfeed.yarn.QueueCompat;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.Collections;
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
