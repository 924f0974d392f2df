// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.ordering;

import io.github.dripfeed.config.ApplicationOverrides;
import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.config.PolicyKind;
import io.github.dripfeed.core.admission.Arrival;
import io.github.dripfeed.core.admission.AttemptHistory;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.OrderKey;
import io.github.dripfeed.core.admission.StartingGroup;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.observe.QueueReport;
import io.github.dripfeed.view.LiveView;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.yarn.NodeHeartbeats;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.RmApps;
import io.github.dripfeed.yarn.StockPreemption;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The implementation that both policy classes share; it connects YARN's callbacks to the rule.
 *
 * <p>The constructor starts and registers nothing, because YARN creates many policies that it never uses
 * (docs/design.md#a-refresh-replaces-the-policy). The monitor visits the queue from its first application
 * on.
 */
public final class OrderingDelegate<S extends SchedulableEntity> extends MonitoredQueue<S> {

  private static final Logger LOG = LoggerFactory.getLogger(OrderingDelegate.class);

  static {
    LiveView.loaded();
  }

  private final Object policy;
  private boolean schedulerMet;

  /**
   * @param policy the policy that delegates to this object
   * @param kind the kind of the policy, which determines its properties
   * @param conf the properties of the queue
   * @throws IllegalArgumentException if the configuration is invalid
   */
  public OrderingDelegate(Object policy, PolicyKind kind, Map<String, String> conf) {
    super(policy.getClass().getSimpleName(), PolicyConfiguration.of(conf, kind));
    this.policy = policy;
  }

  public void add(S entity) {
    add(entity, false);
  }

  /** Takes over the applications of the policy that this one replaces in its queue. */
  public void takeOver(Collection<S> entities) {
    for (S entity : entities) {
      add(entity, true);
    }
  }

  private void add(S entity, boolean sameQueue) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) entity;
    long now = now();
    AttemptHistory history = runtime.historyOf(app, now);
    ApplicationOverrides overrides = readApplication(app, history);
    meetScheduler(app);
    OrderKey place = YarnAttempt.orderKeyOf(app, configuration.isByPriority());
    Arrival arrival = new Arrival(configuration.isFair() ? place.withShare(0) : place,
        overrides.settings(), history, sameQueue);
    order.add(entity, new YarnAttempt(app, policy, runtime.clock()::wallMillis, overrides.isExempt()),
        arrival, now);
    arrived();
  }

  /** A policy learns its scheduler from the first application. Later ones change nothing. */
  private void meetScheduler(SchedulerApplicationAttempt app) {
    if (schedulerMet) {
      return;
    }
    schedulerMet = true;
    try {
      ResourceScheduler scheduler = app.getAppSchedulingInfo().getRMContext().getScheduler();
      if (scheduler == null) {
        return;
      }
      // The first answer counts for all queues; each asks before, since the runtime holds a lock meanwhile.
      boolean asked = QueueCompat.isAsynchronous(scheduler);
      boolean asynchronous = runtime.ofScheduler(scheduler, Boolean.class, () -> asked);
      String group = configuration.isAuto() ? Wire.AUTO_GROUP : configuration.startingGroup();
      long heartbeat = NodeHeartbeats.longestInterval(
          app.getAppSchedulingInfo().getRMContext().getYarnConfiguration());
      order.join(group.isEmpty() ? new StartingGroup<>(null, asynchronous, heartbeat)
          : runtime.startingGroup(
              scheduler, group, () -> new StartingGroup<>(group, asynchronous, heartbeat)));
    } catch (RuntimeException | LinkageError e) {
      runtime.metrics().countFailureOf(app);
      LOG.error("Queue {}: cannot read the scheduler's settings; assuming synchronous scheduling, no"
          + " starting-group", app.getQueueName(), e);
    }
  }

  /** What its application says of the attempt; nothing if YARN does not know the application. */
  private ApplicationOverrides readApplication(SchedulerApplicationAttempt app, AttemptHistory history) {
    ApplicationOverrides overrides = new ApplicationOverrides(configuration);
    try {
      RMApp rmApp = RmApps.of(app);
      if (rmApp != null) {
        runtime.historyOf(rmApp).add(app.getApplicationAttemptId().getAttemptId(), history,
            number -> RmApps.isFailure(rmApp, number));
        overrides = new ApplicationOverrides(
            configuration, rmApp.getApplicationType(), rmApp.getApplicationTags());
      }
      String problems = overrides.problems().isEmpty() ? null : String.join("; ", overrides.problems());
      if (history.notes().setWarning(problems)) {
        LOG.warn("{} in queue {}: {}", app.getId(), app.getQueueName(), problems);
      }
    } catch (RuntimeException | LinkageError e) {
      runtime.metrics().countFailureOf(app);
      LOG.error("Type and tags of {} cannot be read. The settings of the queue apply", app, e);
    }
    return overrides;
  }

  public boolean remove(S entity) {
    long now = now();
    AttemptView<S> attempt = order.remove(entity, now);
    // YARN stops an attempt that has ended before it removes it; others change their priority or move.
    if (attempt != null && ((SchedulerApplicationAttempt) entity).isStopped()) {
      recorder.ended(attempt, now);
    }
    released();
    return attempt != null;
  }

  /**
   * Every application, held ones included. YARN's preemption, recognized by its thread, gets only the
   * applications that are offered now; see {@link StockPreemption}.
   */
  public Collection<S> entities() {
    if (!StockPreemption.isPreemptionThread()) {
      return order.items();
    }
    List<S> offered = new ArrayList<>();
    offered().forEachRemaining(offered::add);
    return offered;
  }

  /** The applications that would be offered now, for a reader: nothing is tried. */
  public Iterator<S> offered() {
    return assignmentIterator(null);
  }

  /** @param partition the partition of the node that YARN is about to use; null if none is */
  public Iterator<S> assignmentIterator(String partition) {
    return order.assignmentIterator(partition, Thread.currentThread(), runtime.clock()::monotonicMillis);
  }

  /**
   * YARN also calls this for reservations (docs/design.md#reservations-are-not-allocations); the order
   * reads the live containers.
   */
  public void containerAllocated(S entity, RMContainer container) {
    order.containerAllocated(entity, () -> partitionOf(entity, container), now());
  }

  public void containerReleased(S entity, RMContainer container) {
    AttemptView<S> attempt = order.view(entity);
    // A container in state NEW never ran: YARN created it to make another one smaller.
    if (attempt != null && container.getState() != RMContainerState.RESERVED
        && container.getState() != RMContainerState.NEW && !YarnAttempt.isTemporary(container)) {
      boolean executor = isExecutor((YarnAttempt) attempt.facts(), container);
      gaveBack((SchedulerApplicationAttempt) entity, container,
          !executor && attempt.isTakenBack());
      if (executor) {
        order.executorReleased(entity, () -> partitionOf(entity, container), now());
      } else {
        order.driverReleased(entity, () -> partitionOf(entity, container));
      }
      released();
    }
  }

  /** The partition of the container's node; null if the node is gone or cannot be read. */
  private static String partitionOf(SchedulableEntity entity, RMContainer container) {
    try {
      return RmApps.partitionOf((SchedulerApplicationAttempt) entity, container);
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }

  private static boolean isExecutor(YarnAttempt attempt, RMContainer container) {
    try {
      return attempt.isExecutor(container);
    } catch (RuntimeException | LinkageError e) {
      // The order will meet the same failure, and handles it for the attempt.
      return true;
    }
  }

  /** An application has changed its requests. */
  public void demandUpdated(S entity) {
    if (entity != null) {
      order.demandUpdated(entity);
      // It requests its first executors: the next plan, which knows their size, comes at once.
      planIf(() -> order.state(entity) != State.RUNNING);
    }
  }

  /** The text for the scheduler's page; it contains nothing that users supply. */
  public String info(String name) {
    try {
      QueueReport<S> report = report();
      return report.isKnown() || order.size() == 0
          ? new QueueInformation<>(name, report, runtime.metrics().failures()).toString()
          : name + ": the first report comes in a moment";
    } catch (RuntimeException | LinkageError e) {
      runtime.metrics().countFailure(null);
      LOG.error("{} cannot describe its queue on the scheduler's page", name, e);
      return name;
    }
  }
}
