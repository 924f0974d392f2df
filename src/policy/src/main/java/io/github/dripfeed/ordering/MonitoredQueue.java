// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.ordering;

import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.observe.HeldDiagnostics;
import io.github.dripfeed.observe.HeldReasons;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.runtime.Monitor;
import io.github.dripfeed.takeback.TakeBackQueue;
import io.github.dripfeed.takeback.TakeBackRounds;
import io.github.dripfeed.view.ViewedQueue;
import io.github.dripfeed.wire.Wire.Wait;
import io.github.dripfeed.yarn.PendingActivation;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.WaitingTimes;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.Collections;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The monitor's work for the queue of one policy. It brings the order up to date, plans which
 * applications may start beside others, releases reserved nodes, and updates diagnostics and metrics. It
 * also detects that the policy was replaced, because YARN does not report it.
 */
final class MonitoredQueue<S extends SchedulableEntity>
    implements Monitor.Watched, HeadroomPlanner.Member<S>, TakeBackQueue<S> {

  private static final Logger LOG = LoggerFactory.getLogger(MonitoredQueue.class);

  /** The longest time between two headroom plans, in milliseconds. */
  private static final long PLAN_INTERVAL = 1000;

  /**
   * How long another policy must be in place before this one counts as replaced, in milliseconds: longer
   * than any refresh or move takes.
   */
  private static final long SURELY_REPLACED = 1000;

  private final PolicyConfiguration configuration;
  private final QueueOrder<S> order;
  private final DripfeedRuntime runtime;
  private final String policyName;
  private final HeldDiagnostics<S> diagnostics;
  private final WaitingTimes waitingTimes = new WaitingTimes();
  /** See {@link #waiting}. */
  private volatile Map<Wait, Integer> waiting = Collections.emptyMap();
  /** Whether the monitor watches this queue; see {@link #tick()}. */
  private volatile boolean watched;
  /** What plans for all queues of its scheduler; null until the first visit. */
  private volatile HeadroomPlanner<S> planner;
  /** Used by the monitor's thread only. */
  private boolean takeBackFailed;
  /**
   * The start of the time in which every visit has found another policy in place, or null. Used by the
   * monitor's thread only.
   */
  private Long replacedSince;

  MonitoredQueue(Object policy, PolicyConfiguration configuration, QueueOrder<S> order,
      DripfeedRuntime runtime) {
    this.configuration = configuration;
    this.order = order;
    this.runtime = runtime;
    this.policyName = policy.getClass().getSimpleName();
    this.diagnostics = new HeldDiagnostics<>(runtime::nextNumber);
  }

  /** Called when YARN uses the policy: it is in use, even if the monitor took it for replaced. */
  void stayWatched() {
    if (!watched) {
      watched = true;
      runtime.monitor().watch(this);
    }
  }

  @Override
  public boolean tick() {
    if (isReplacedForLong()) {
      clearDiagnostics();
      watched = false;
      // An application that arrived before the flag changed did not call watch(), so check once more. One
      // that arrives from now on sees the flag.
      return !isReplaced();
    }
    if (order.tick(now())) {
      takeBack();
      try {
        joinPlan();
      } catch (RuntimeException | LinkageError e) {
        failed();
        LOG.error("A queue cannot be planned; its applications start when a slot is free", e);
      }
      return true;
    }
    // An application may arrive at this moment: either its add() sees the flag, or the check below sees
    // the application.
    watched = false;
    return order.size() > 0 && order.tick(now());
  }

  @Override
  public void afterVisits() {
    releaseReservations();
    measure();
    report();
  }

  @Override
  public void failed() {
    runtime.metrics().countFailureAmong(order.inAnyOrder());
  }

  /** If it fails, nobody is taken back in this round. */
  private void takeBack() {
    if (!order.settings().isTakeBack() && !order.settings().takeBack().isAtTimeout()) {
      return;
    }
    try {
      CapacityScheduler scheduler = scheduler();
      if (scheduler != null && queue() != null) {
        TakeBackRounds.visit(scheduler, this, runtime, intervalMillis(), now());
      }
    } catch (RuntimeException | LinkageError e) {
      failed();
      if (!takeBackFailed) {
        takeBackFailed = true;
        LOG.error("The round that takes back starting applications failed. Logged once", e);
      }
    }
  }

  @Override
  public boolean isByPriority() {
    return configuration.isByPriority();
  }

  /** If planning fails, the next application starts when a slot is free. */
  private void joinPlan() {
    if (!order.settings().isParallelStart()) {
      return;
    }
    CapacityScheduler scheduler = scheduler();
    if (scheduler != null && queue() != null) {
      HeadroomPlanner<S> common = runtime.ofScheduler(
          scheduler, HeadroomPlanner.class, () -> new HeadroomPlanner<S>(runtime));
      common.add(this);
      planner = common;
      common.request();
    }
  }

  @Override
  public CSQueue queue() {
    for (S entity : order.inAnyOrder()) {
      if (isInCharge(entity)) {
        return (CSQueue) ((SchedulerApplicationAttempt) entity).getQueue();
      }
    }
    return null;
  }

  @Override
  public CapacityScheduler scheduler() {
    for (S entity : order.inAnyOrder()) {
      Object scheduler =
          ((SchedulerApplicationAttempt) entity).getAppSchedulingInfo().getRMContext().getScheduler();
      return scheduler instanceof CapacityScheduler ? (CapacityScheduler) scheduler : null;
    }
    return null;
  }

  @Override
  public QueueOrder<S> order() {
    return order;
  }

  /** Resources may have become free: if somebody waits for them, the next plan comes at once. */
  void released() {
    HeadroomPlanner<S> common = planner;
    if (common != null && order.account().ledger().isPlanNeeded()) {
      common.request();
    }
  }

  /** A driver may have been allocated: if the plan did not expect it, the next plan comes at once. */
  void allocated() {
    HeadroomPlanner<S> common = planner;
    if (common != null && order.account().ledger().isOutdated()) {
      common.request();
    }
  }

  /** An application has arrived: the next plan comes as soon as it has requested its driver. */
  void arrived() {
    HeadroomPlanner<S> common = planner;
    if (common != null) {
      common.requestSoon();
    }
  }

  /** An application requests its first executors: the next plan, which knows their size, comes at once. */
  void demandUpdated(S entity) {
    HeadroomPlanner<S> common = planner;
    if (common != null && order.state(entity) != State.RUNNING) {
      common.request();
    }
  }

  /**
   * An application that has lost the offer must not get its driver beside the application that is
   * offered, so it releases its reservations. YARN reserves more and more nodes for a driver that cannot
   * be placed; all but one are released.
   */
  private void releaseReservations() {
    long now = now();
    for (S entity : order.losers(now)) {
      releaseReservations(entity, 0);
    }
    for (S entity : order.withReservedDriver(now)) {
      releaseReservations(entity, 1);
    }
  }

  private void releaseReservations(S entity, int kept) {
    try {
      AttemptView<S> attempt = order.view(entity);
      if (attempt != null) {
        ((YarnAttempt) attempt.facts()).releaseReservations(kept);
      }
    } catch (RuntimeException | LinkageError e) {
      failed();
      LOG.error("The reservations of {} cannot be released", entity.getId(), e);
    }
  }

  /** Reads what metrics show and cannot read themselves, because they are read under a lock of Hadoop. */
  private void measure() {
    try {
      waiting = order.waiting(now());
      WaitingTimes.Round round = waitingTimes.round();
      Queue queue = null;
      for (S entity : order.inAnyOrder()) {
        SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
        if (order.state(entity) == State.ACCEPTED) {
          round.add(app);
        }
        queue = queue == null && isInCharge(entity) ? app.getQueue() : queue;
      }
      if (queue != null) {
        QueueCompat.pendingApplications(queue).forEach(round::add);
      }
      round.end();
    } catch (RuntimeException | LinkageError e) {
      failed();
      LOG.error("The applications of a queue that wait cannot be measured", e);
    }
  }

  /** The number of accepted applications in the last round by what the first of their line waited for. */
  Map<Wait, Integer> waiting() {
    return waiting;
  }

  /** When those began to wait that are accepted, or in YARN's list. */
  WaitingTimes waitingTimes() {
    return waitingTimes;
  }

  /** A failure to update diagnostics and metrics must not stop the maintenance of the order. */
  private void report() {
    try {
      long now = now();
      if (diagnostics.isDue(now)) {
        diagnostics.update(order.lines(now),
            new HeldReasons<>(policyName, pendingActivation(), runtime.starts(), now), now);
        runtime.schedulers().add(scheduler());
        for (S entity : order.inAnyOrder()) {
          runtime.metrics().show((SchedulerApplicationAttempt) entity);
          break;
        }
      }
    } catch (RuntimeException | LinkageError e) {
      failed();
      LOG.error("The diagnostics and metrics of a queue cannot be updated", e);
    }
  }

  /** A stock policy in the place of this one holds nobody, and leaves what diagnostics say. */
  private void clearDiagnostics() {
    for (S entity : order.inAnyOrder()) {
      try {
        SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
        if (order.state(entity) == State.ACCEPTED && !app.isStopped()
            && !(QueueCompat.orderingPolicy(app.getQueue()) instanceof ViewedQueue.Source)) {
          diagnostics.clear(entity);
        }
      } catch (RuntimeException | LinkageError e) {
        failed();
        LOG.error("The diagnostics of {} cannot be cleared", entity.getId(), e);
      }
    }
  }

  /**
   * The applications that YARN has not activated in this queue; none is known while the order is empty,
   * because the queue is found through an application.
   */
  PendingActivation pendingActivation() {
    for (S entity : order.inAnyOrder()) {
      if (isInCharge(entity)) {
        return PendingActivation.in(((SchedulerApplicationAttempt) entity).getQueue());
      }
    }
    return PendingActivation.in(null);
  }

  @Override
  public long intervalMillis() {
    long interval = configuration.monitorIntervalMillis();
    // Free resources change fast.
    boolean soon = order.settings().isParallelStart() || order.settings().takeBack().isAtTimeout();
    return soon ? Math.min(interval, PLAN_INTERVAL) : interval;
  }

  /**
   * Whether {@link #isReplaced} has held for a while. It also holds for a moment during a move, when an
   * application arrives before it reports this queue as its own
   * (docs/design.md#priority-changes-and-moves-re-add-the-attempt), and during a refresh, when
   * applications arrive before their queue has this policy.
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
   * Whether another policy of the queue or another scheduler now manages the applications of this one. A
   * state-aware policy takes them over; other policies give no notice
   * (docs/design.md#a-policy-is-never-closed).
   */
  private boolean isReplaced() {
    boolean replaced = false;
    for (S entity : order.inAnyOrder()) {
      if (isInCharge(entity)) {
        return false;
      }
      replaced = true;
    }
    return replaced;
  }

  private boolean isInCharge(S entity) {
    AttemptView<S> attempt = order.view(entity);
    return attempt != null && attempt.facts().isOrdered();
  }

  private long now() {
    return runtime.clock().monotonicMillis();
  }
}
