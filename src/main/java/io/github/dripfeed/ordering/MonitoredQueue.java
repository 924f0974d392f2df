/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.ordering;

import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.headroom.HeadroomRound;
import io.github.dripfeed.observe.HeldDiagnostics;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.runtime.Monitor;
import io.github.dripfeed.yarn.PendingActivation;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the monitor does for the queue of one policy: it brings the order up to date, plans who may start
 * beside others, gives reserved nodes back, and updates what people are shown. It notices that the policy
 * was
 * replaced, which nobody tells.
 */
final class MonitoredQueue<S extends SchedulableEntity> implements Monitor.Watched {

  private static final Logger LOG = LoggerFactory.getLogger(MonitoredQueue.class);

  /** How often at least to look for headroom, in milliseconds. */
  private static final long PLAN_INTERVAL = 1000;

  /** For how long another policy has to be in place, in milliseconds: no refresh or move takes so long. */
  private static final long SURELY_REPLACED = 1000;

  private final Object policy;
  private final PolicyConfiguration configuration;
  private final QueueOrder<S> order;
  private final DripfeedRuntime runtime;
  private final HeldDiagnostics<S> diagnostics;
  private final LongSupplier wallMillis;
  /** Whether the monitor knows of it; see {@link #tick()}. */
  private volatile boolean watched;
  /** The monitor's thread only. */
  private boolean planFailed;
  /** Since when every look has found another policy in place, or null; the monitor's thread only. */
  private Long replacedSince;

  MonitoredQueue(Object policy, PolicyConfiguration configuration, QueueOrder<S> order,
      DripfeedRuntime runtime) {
    this.policy = policy;
    this.configuration = configuration;
    this.order = order;
    this.runtime = runtime;
    this.diagnostics = new HeldDiagnostics<>(policy.getClass().getSimpleName(), runtime.nextNumber());
    this.wallMillis = runtime.clock()::wallMillis;
  }

  /** Whoever is asked by YARN is in use, whatever the monitor has taken it for. */
  void stayWatched() {
    if (!watched) {
      watched = true;
      runtime.monitor().watch(this);
    }
  }

  @Override
  public boolean tick() {
    if (isReplacedForLong()) {
      watched = false;
      // What arrived before this was said did so unwatched; what arrives from now on sees it.
      return !isReplaced();
    }
    if (order.tick(now())) {
      planStarts();
      giveBack();
      report();
      return true;
    }
    // An application may arrive right now: either its add() sees that nobody watches, or it is seen
    // here.
    watched = false;
    return order.size() > 0 && order.tick(now());
  }

  /** Whatever goes wrong, the next one starts when a slot is free. */
  private void planStarts() {
    if (!order.settings().isParallelStart()) {
      return;
    }
    try {
      for (S entity : order.items()) {
        SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
        Object scheduler = app.getAppSchedulingInfo().getRMContext().getScheduler();
        if (isInCharge(entity) && scheduler instanceof CapacityScheduler) {
          CSQueue queue = (CSQueue) app.getQueue();
          new HeadroomRound<>((CapacityScheduler) scheduler, queue, order, runtime.seenSizes(queue))
              .run(now());
          return;
        }
      }
      order.close();
    } catch (RuntimeException | LinkageError e) {
      order.close();
      if (!planFailed) {
        planFailed = true;
        runtime.metrics().countFailure();
        LOG.error("Whether there is room for more to start cannot be told; one after the other does."
            + " Logged once", e);
      }
    }
  }

  /**
   * Whoever has lost the offer must not get a driver beside the one who has it. YARN reserves more and more
   * nodes for a driver that cannot be placed: one is kept.
   */
  private void giveBack() {
    long now = now();
    for (S entity : order.losers(now)) {
      giveBack(entity, 0);
    }
    for (S entity : order.withReservedDriver(now)) {
      giveBack(entity, 1);
    }
  }

  private void giveBack(S entity, int kept) {
    try {
      AttemptView<S> attempt = order.view(entity);
      if (attempt != null) {
        ((YarnAttempt) attempt.facts()).giveBackReservations(kept);
      }
    } catch (RuntimeException | LinkageError e) {
      runtime.metrics().countFailure();
      LOG.error("What is reserved for {} cannot be given back", entity.getId(), e);
    }
  }

  /** For people: what is shown must not keep the order from being looked after. */
  private void report() {
    try {
      long now = now();
      if (diagnostics.isDue(now)) {
        diagnostics.update(order.lines(now), pendingActivation(), now);
        for (S entity : order.items()) {
          runtime.metrics().show((SchedulerApplicationAttempt) entity);
          break;
        }
      }
    } catch (RuntimeException | LinkageError e) {
      runtime.metrics().countFailure();
      LOG.error("What is shown of a queue cannot be refreshed", e);
    }
  }

  /** What YARN keeps from it. As much as is known: without an application, it knows no queue. */
  PendingActivation pendingActivation() {
    for (S entity : order.items()) {
      if (isInCharge(entity)) {
        return PendingActivation.in(((SchedulerApplicationAttempt) entity).getQueue(), wallMillis);
      }
    }
    return PendingActivation.in(null, wallMillis);
  }

  @Override
  public long intervalMillis() {
    long interval = configuration.monitorIntervalMillis();
    // What is free changes fast.
    return order.settings().isParallelStart() ? Math.min(interval, PLAN_INTERVAL) : interval;
  }

  /**
   * For a moment it may be a move, in which the application arrives here before it names this queue as its
   * own (docs/design.md#priority-changes-and-moves-re-add-the-attempt), or a refresh, in which applications
   * arrive before their queue has this policy.
   */
  private boolean isReplacedForLong() {
    long now = now();
    if (!isReplaced()) {
      replacedSince = null;
    } else if (replacedSince == null) {
      replacedSince = now;
    }
    return replacedSince != null && now - replacedSince >= SURELY_REPLACED;
  }

  /**
   * Whether others answer for its applications by now: another policy of the queue, or another
   * scheduler. One of our policies takes them over; nobody else tells
   * (docs/design.md#a-policy-is-never-closed).
   */
  private boolean isReplaced() {
    boolean replaced = false;
    for (S entity : order.items()) {
      if (isInCharge(entity)) {
        return false;
      }
      replaced = true;
    }
    return replaced;
  }

  private boolean isInCharge(S entity) {
    AttemptView<S> attempt = order.view(entity);
    if (attempt == null || !((YarnAttempt) attempt.facts()).isScheduled()) {
      return false;
    }
    Object current = QueueCompat.orderingPolicy(((SchedulerApplicationAttempt) entity).getQueue());
    return current == null || current == policy;
  }

  private long now() {
    return runtime.clock().monotonicMillis();
  }
}
