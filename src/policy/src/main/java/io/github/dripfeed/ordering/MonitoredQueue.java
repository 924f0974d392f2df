// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.ordering;

import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.observe.HeldDiagnostics;
import io.github.dripfeed.observe.QueueReport;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.observe.StateChangeRecorder;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.runtime.Monitor;
import io.github.dripfeed.view.LiveView;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.RmApps;
import io.github.dripfeed.yarn.YarnAttempt;
import java.lang.ref.WeakReference;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * The queue of one policy, and the monitor's work for it. It brings the order up to date, plans which
 * applications may start in parallel, releases reserved nodes, and reports.
 */
abstract class MonitoredQueue<S extends SchedulableEntity> implements StateAwareQueue<S> {

  /** The longest time between two reports, or two plans of {@code auto}, in milliseconds. */
  private static final long INTERVAL = 1000;

  final DripfeedRuntime runtime = DripfeedRuntime.current();
  final PolicyConfiguration configuration;
  final StateChangeRecorder<S> recorder = new StateChangeRecorder<>(runtime.metrics(), runtime.events(),
      runtime::queueMemory, runtime.clock()::monotonicMillis, () -> this.leaf);
  final QueueOrder<S> order;
  private final String policyName;
  private final HeldDiagnostics<S> diagnostics = new HeldDiagnostics<>();
  /** YARN's queue, which has the policy; null until the first visit. */
  private volatile CSQueue leaf;
  private volatile QueueReport<S> report;
  /** The next visit, and whether this round has made one. Used by the monitor's thread only. */
  private long next = Long.MIN_VALUE;
  private volatile boolean visited;
  /** What plans for all queues of its scheduler; null until the first visit. */
  private volatile StartPlanner<S> planner;

  MonitoredQueue(String policyName, PolicyConfiguration configuration) {
    this.policyName = policyName;
    this.configuration = configuration;
    this.order = new QueueOrder<>(configuration.settings(), recorder);
    this.report = newReport();
  }

  @Override
  public PolicyConfiguration configuration() {
    return configuration;
  }

  @Override
  public QueueOrder<S> order() {
    return order;
  }

  @Override
  public QueueReport<S> report() {
    return report;
  }

  @Override
  public long visit(CSQueue here, CapacityScheduler scheduler, long now) {
    if (leaf == null) {
      LiveView.show();
    }
    leaf = here;
    planner = !order.settings().isPlanned() ? null : runtime.ofScheduler(scheduler, StartPlanner.class,
        () -> new StartPlanner<S>(new WeakReference<>(scheduler)::get, runtime));
    if (order.size() == 0) {
      return Monitor.NEVER;
    }
    visited = now >= next;
    if (visited) {
      contain(() -> order.tick(now), "cannot update applications");
      contain(this::regroup, "cannot order applications by their executors");
      if (planner != null) {
        planner.request();
      }
      next = Monitor.nextTurn(now, intervalMillis());
    }
    return next;
  }

  @Override
  public void endRound() {
    // Other queues may have rounds more often.
    if (!visited && report.isKnown() && now() - report.now < INTERVAL) {
      return;
    }
    visited = false;
    contain(this::releaseReservations, "cannot release reservations");
    contain(() -> report = newReport(), "cannot report");
    contain(() -> diagnostics.update(report), "cannot update diagnostics");
  }

  private QueueReport<S> newReport() {
    return new QueueReport<>(policyName, configuration, order, leaf,
        leaf == null ? null : runtime.queueMemory(leaf), now(), runtime.clock().wallMillis());
  }

  /** A failure of one job must stop neither the others nor the maintenance of the order. */
  private void contain(Runnable job, String failure) {
    runtime.metrics().contain(leaf, failure, job);
  }

  /**
   * With {@code order} = {@code narrow}, applications that hold or want few executors come first. Those
   * that have requested none yet stand where plans expect them.
   */
  private void regroup() {
    if (!configuration.isNarrow()) {
      return;
    }
    for (S entity : order.inAnyOrder()) {
      AttemptView<S> attempt = order.view(entity);
      if (attempt != null && attempt.state() != State.ACCEPTED) {
        long pending = 0;
        for (PendingRequest request : PendingRequest.all((SchedulerApplicationAttempt) entity)) {
          pending += request.count();
        }
        long executors = pending + ((YarnAttempt) attempt.facts()).liveExecutors();
        if (executors > 0 || attempt.state() == State.RUNNING) {
          order.regroup(entity, executors, attempt.notes().millisPending(pending > 0, now()));
        }
      }
    }
  }

  /**
   * A container of the application has ended: as much usually comes free. What was lost with a node does
   * not come free, and a driver that was taken back made room for somebody.
   */
  void gaveBack(SchedulerApplicationAttempt app, RMContainer container, boolean lostDriver) {
    if (order.settings().isAuto() && !lostDriver) {
      contain(() -> {
        RMContext context = app.getAppSchedulingInfo().getRMContext();
        String partition = RmApps.partitionOf(app, container);
        if (container.getExecutionType() != ExecutionType.OPPORTUNISTIC && partition != null
            && context.getRMNodes().containsKey(container.getAllocatedNode())
            && app.getQueue() instanceof CSQueue) {
          runtime.queueMemory((CSQueue) app.getQueue()).releases().add(partition,
              new CountedResources(context.getScheduler().getResourceCalculator())
                  .amounts(container.getAllocatedResource()), now());
        }
      }, "cannot count released containers");
    }
  }

  /** Resources may have become free: if somebody waits for them, the next plan comes at once. */
  void released() {
    planIf(order::isAnyWaiting);
  }

  final void planIf(BooleanSupplier needed) {
    StartPlanner<S> common = planner;
    if (common != null && order.settings().isAuto() && needed.getAsBoolean()) {
      common.request();
    }
  }

  /** An application has arrived: the next plan comes as soon as it has requested its driver. */
  void arrived() {
    runtime.monitor().wake();
    StartPlanner<S> common = planner;
    if (common != null && order.settings().isAuto()) {
      common.requestSoon();
    }
  }

  /**
   * An application that has lost the offer must not get its driver while another one is
   * offered, so it releases its reservations. YARN reserves more and more nodes for a driver that cannot
   * be placed; all but one are released.
   */
  private void releaseReservations() {
    if (!order.settings().isEnforced()) {
      return;
    }
    long now = now();
    for (S entity : order.losers(now)) {
      releaseReservations(entity, 0);
    }
    for (S entity : order.withReservedDriver(now)) {
      releaseReservations(entity, 1);
    }
  }

  private void releaseReservations(S entity, int kept) {
    contain(() -> {
      AttemptView<S> attempt = order.view(entity);
      if (attempt != null) {
        ((YarnAttempt) attempt.facts()).releaseReservations(kept);
      }
    }, "cannot release the reservations of an application");
  }

  private long intervalMillis() {
    long interval = configuration.monitorIntervalMillis();
    // Free resources change fast.
    return order.settings().isPlanned() ? Math.min(interval, INTERVAL) : interval;
  }

  final long now() {
    return runtime.clock().monotonicMillis();
  }
}
