// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.AdmissionListener;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.Transition;
import io.github.dripfeed.core.plan.QueueMemory;
import io.github.dripfeed.observe.StateAwareQueueMetrics.Count;
import io.github.dripfeed.wire.Wire;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the changes that the ordering makes: in the state log, in the events of the live view, and in the
 * metrics. One line for each change, none for a heartbeat.
 */
public final class StateChangeRecorder<S extends SchedulableEntity> implements AdmissionListener<S> {

  /** The name of the state log. */
  public static final String LOGGER = "io.github.dripfeed.StateLog";

  private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

  private final MetricsRegistrar metrics;
  private final EventLog events;
  private final Function<CSQueue, QueueMemory> memories;
  private final LongSupplier monotonicMillis;
  private final Supplier<CSQueue> queue;
  private volatile boolean failed;

  /**
   * @param memories what is remembered of a queue
   * @param monotonicMillis the clock that never goes backwards, in milliseconds
   * @param queue YARN's queue; null if it is not known yet
   */
  public StateChangeRecorder(MetricsRegistrar metrics, EventLog events,
      Function<CSQueue, QueueMemory> memories, LongSupplier monotonicMillis, Supplier<CSQueue> queue) {
    this.metrics = metrics;
    this.events = events;
    this.memories = memories;
    this.monotonicMillis = monotonicMillis;
    this.queue = queue;
  }

  @Override
  public void stateChanged(S entity, Transition transition, long millis) {
    events.add(labelOf(entity), transition.from().name(), transition, millis);
    metrics.of(entity).stateChanged(transition, millis);
    if (transition == Transition.DRIVER_ALLOCATED) {
      started((SchedulerApplicationAttempt) entity, millis);
    }
  }

  /** @param waited how long it was accepted, in milliseconds */
  private void started(SchedulerApplicationAttempt app, long waited) {
    Queue queue = app.getQueue();
    String partition = app.getAppAMNodePartitionName();
    if (queue instanceof CSQueue && partition != null) {
      memories.apply((CSQueue) queue).starts(partition).started(waited, monotonicMillis.getAsLong());
    }
  }

  @Override
  public void discovered(S entity, Transition transition) {
    events.add(labelOf(entity), Wire.NEW, transition, -1);
  }

  /** An attempt has ended; its reason is logged and recorded by another thread. */
  public void ended(AttemptView<S> attempt, long now) {
    try {
      events.add(new EndedAttempt(
          attempt, (SchedulerApplicationAttempt) attempt.item(), now, events.wallMillis()));
      // YARN's lazy preemption only marks a driver.
      if (attempt.isTakenBack() && !attempt.hadExecutor()) {
        metrics.of(attempt.item()).count(Count.TAKEN_BACK);
      }
    } catch (RuntimeException | LinkageError e) {
      metrics.countFailureOf(attempt.item());
      LOG.error("The end of {} cannot be recorded", attempt.item().getId(), e);
    }
  }

  @Override
  public void offered(S entity, String partition) {
    if (LOG.isDebugEnabled()) {
      LOG.debug("Offered in partition '{}': {}", partition, entity == null
          ? "none; no starting slot is free, or no application has a pending request" : labelOf(entity));
    }
  }

  @Override
  public void startedBeyondSlots(S entity) {
    metrics.of(entity).count(Count.STARTS_BEYOND_SLOTS);
  }

  @Override
  public void stalled(S entity, long millis) {
    LOG.info("{}: no node could take its AM for {} ms; later applications may start first now",
        labelOf(entity), millis);
    metrics.of(entity).count(Count.STALLED);
  }

  @Override
  public void failed(S entity, Throwable failure) {
    if (entity != null) {
      metrics.countFailureOf(entity);
      LOG.error("{}: its state cannot be determined; it counts as running", labelOf(entity), failure);
      return;
    }
    metrics.countFailure(queue.get());
    if (!failed) {
      failed = true;
      LOG.error("Internal error: cannot decide which application starts next; scheduling goes on. Logged"
          + " once", failure);
    }
  }

  private static AttemptLabel labelOf(SchedulableEntity entity) {
    return AttemptLabel.of((SchedulerApplicationAttempt) entity);
  }
}
