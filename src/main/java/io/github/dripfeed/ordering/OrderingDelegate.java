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

import io.github.dripfeed.StateAwareFairOrderingPolicy;
import io.github.dripfeed.StateAwareOrderingPolicy;
import io.github.dripfeed.config.ApplicationOverrides;
import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.config.PolicyProperty;
import io.github.dripfeed.core.admission.AdmissionLineView;
import io.github.dripfeed.core.admission.Attempt;
import io.github.dripfeed.core.admission.AttemptHistory;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.admission.WaitReason;
import io.github.dripfeed.headroom.HeadroomRound;
import io.github.dripfeed.observe.HeldDiagnostics;
import io.github.dripfeed.observe.StateChangeRecorder;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.runtime.Monitor;
import io.github.dripfeed.yarn.PendingActivation;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.StockPreemption;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the two policy classes have in common: YARN's callbacks on one side, the rule on the other.
 *
 * <p>Making and configuring one starts nothing and registers nothing, since YARN makes many that it
 * never uses (contract, fact 3); the monitor learns of it with its first application.
 */
public final class OrderingDelegate<S extends SchedulableEntity> implements Monitor.Watched {

  private static final Logger LOG = LoggerFactory.getLogger(OrderingDelegate.class);

  /** How often at least to look for room, in milliseconds. */
  private static final long PLAN_INTERVAL = 1000;

  /** For how long another policy has to be in place, in milliseconds: no refresh or move takes so long. */
  private static final long SURELY_REPLACED = 1000;

  /** How many of those that are starting are named on the scheduler's page. */
  private static final int STARTING_TOLD = 10;

  private final DripfeedRuntime shared = DripfeedRuntime.current();
  private final Object policy;
  private final Set<PolicyProperty> foreign;
  private PolicyConfiguration configuration;
  private QueueOrder<S> order;
  private final HeldDiagnostics<S> diagnostics;
  /** Whether the monitor knows of it; see {@link #look()}. */
  private volatile boolean watched;
  /** The monitor's thread only. */
  private boolean planFailed;
  /** Since when every look has found another policy in place, or null; the monitor's thread only. */
  private Long replacedSince;

  /**
   * @param policy the policy it works for
   * @param foreign the property that belongs to the other policy class only
   */
  public OrderingDelegate(Object policy, PolicyProperty foreign) {
    this.policy = policy;
    this.foreign = EnumSet.of(foreign);
    this.diagnostics = new HeldDiagnostics<>(policy.getClass().getSimpleName());
    configure(Collections.<String, String>emptyMap());
  }

  /**
   * Comes before the first application, as YARN does it.
   *
   * @throws IllegalArgumentException if the configuration is invalid
   */
  public void configure(Map<String, String> conf) {
    configuration = PolicyConfiguration.of(conf, foreign);
    order = new QueueOrder<>(configuration.settings(), new StateChangeRecorder<S>(shared));
  }

  /** What makes this policy state-aware, or null if it is not. */
  public static OrderingDelegate<?> of(Object policy) {
    if (policy instanceof StateAwareOrderingPolicy) {
      return ((StateAwareOrderingPolicy<?>) policy).ordering();
    }
    return policy instanceof StateAwareFairOrderingPolicy
        ? ((StateAwareFairOrderingPolicy<?>) policy).ordering() : null;
  }

  public PolicyConfiguration configuration() {
    return configuration;
  }

  public QueueOrder<S> order() {
    return order;
  }

  public boolean isByPriority() {
    return configuration.isByPriority();
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
    RMApp rmApp = rmAppOf(app);
    AttemptHistory history = shared.histories().of(app, now);
    if (rmApp != null) {
      shared.histories().ofApplication(rmApp).add(history);
    }
    ApplicationOverrides steering = steeringOf(entity, app, rmApp, history);
    order.add(entity, new YarnAttempt(app, shared.clock(), steering.isExempt()),
        steering.appliedTo(order.settings()),
        YarnAttempt.placeOf(app, configuration.isByPriority()), history, sameQueue, now);
    stayWatched();
    shared.monitor().keepGoing();
  }

  /** Whoever is asked by YARN is in use, whatever the monitor has taken it for. */
  private void stayWatched() {
    if (!watched) {
      watched = true;
      shared.monitor().watch(this);
    }
  }

  /** The application, or null where YARN does not have it. */
  private static RMApp rmAppOf(SchedulerApplicationAttempt app) {
    try {
      return app.getAppSchedulingInfo().getRMContext().getRMApps().get(app.getApplicationId());
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }

  private ApplicationOverrides steeringOf(
      S entity, SchedulerApplicationAttempt app, RMApp rmApp, AttemptHistory history) {
    try {
      ApplicationOverrides steering = rmApp == null ? ApplicationOverrides.none() : ApplicationOverrides.of(
          configuration, rmApp.getApplicationType(), rmApp.getApplicationTags());
      if (!steering.problems().isEmpty() && history.isFirstWarning()) {
        String problems = String.join("; ", steering.problems());
        LOG.warn("{} in queue {}: {}", app.getId(), app.getQueueName(), problems);
        diagnostics.warn(entity, problems);
      }
      return steering;
    } catch (RuntimeException | LinkageError e) {
      shared.countFailure();
      LOG.error("What {} says of itself cannot be read; it is treated as any other", app, e);
      return ApplicationOverrides.none();
    }
  }

  public boolean remove(S entity) {
    diagnostics.forget(entity);
    return order.remove(entity, now());
  }

  /** Every application, those held included; but YARN's preemption sees only those offered now. */
  public Collection<S> entities() {
    if (!StockPreemption.isAsking()) {
      return all();
    }
    List<S> offered = new ArrayList<>();
    assignmentIterator().forEachRemaining(offered::add);
    return offered;
  }

  /** Every application, whoever asks. */
  public Collection<S> all() {
    return order.items();
  }

  public int size() {
    return order.size();
  }

  public Iterator<S> assignmentIterator() {
    Iterator<S> timeless = order.timelessIterator();
    if (timeless != null) {
      return timeless;
    }
    stayWatched();
    return order.assignmentIterator(now());
  }

  public Iterator<S> preemptionIterator() {
    return order.preemptionIterator();
  }

  /** Fires for reservations too (fact 1); the order looks at what is live. */
  public void containerAllocated(S entity) {
    order.containerAllocated(entity, now());
  }

  public void containerReleased(S entity, RMContainer container) {
    Attempt attempt = order.attempt(entity);
    // A new one was never there: YARN made it for an update of another one.
    if (attempt != null && container.getState() != RMContainerState.RESERVED
        && container.getState() != RMContainerState.NEW) {
      if (isExecutor((YarnAttempt) attempt, container)) {
        order.executorReleased(entity, now());
      } else {
        order.driverReleased(entity);
      }
    }
  }

  private static boolean isExecutor(YarnAttempt attempt, RMContainer container) {
    try {
      return attempt.isExecutor(container);
    } catch (RuntimeException | LinkageError e) {
      // The order will run into the same, and knows what that means for the attempt.
      return true;
    }
  }

  public boolean isStalled(S entity) {
    return order.isStalled(entity);
  }

  public void moveTo(S entity, double share) {
    order.moveTo(entity, share);
  }

  /** For the scheduler's page: nothing in it comes from users. */
  public String info(String name) {
    Map<State, Integer> counts = order.counts();
    StringBuilder info = new StringBuilder(name).append(" (").append(configuration).append("): ")
        .append(counts.get(State.ACCEPTED)).append(" accepted, ")
        .append(counts.get(State.STARTING)).append(" starting, ")
        .append(counts.get(State.RUNNING)).append(" running");
    for (AdmissionLineView<S> line : order.lines(now())) {
      int told = 0;
      for (AdmissionLineView.Starting<S> starting : line.starting()) {
        if (++told > STARTING_TOLD) {
          info.append("; and ").append(line.starting().size() - STARTING_TOLD).append(" more");
          break;
        }
        info.append("; ").append(starting.item.getId()).append(" has been starting for ")
            .append(TimeUnit.MILLISECONDS.toSeconds(starting.millis)).append(" s");
      }
      for (S next : line.waiting()) {
        if (line.waitsFor() == WaitReason.OFFERED && line.isPassedOver(next)) {
          continue;
        }
        info.append("; next in line is ").append(next.getId()).append(", which waits for ")
            .append(line.waitsFor().what());
        break;
      }
    }
    info.append(pendingActivation().text());
    if (shared.failures() > 0) {
      info.append("; failures of all queues: ").append(shared.failures());
    }
    return info.toString();
  }

  @Override
  public boolean look() {
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
          new HeadroomRound<>((CapacityScheduler) scheduler, queue, order, shared.seenSizes(queue))
              .run(now());
          return;
        }
      }
      order.close();
    } catch (RuntimeException | LinkageError e) {
      order.close();
      if (!planFailed) {
        planFailed = true;
        shared.countFailure();
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
      YarnAttempt attempt = (YarnAttempt) order.attempt(entity);
      if (attempt != null) {
        attempt.giveBackReservations(kept);
      }
    } catch (RuntimeException | LinkageError e) {
      shared.countFailure();
      LOG.error("What is reserved for {} cannot be given back", entity.getId(), e);
    }
  }

  /** For people: what is shown must not keep the order from being looked after. */
  private void report() {
    try {
      long now = now();
      if (diagnostics.isDue(now)) {
        diagnostics.tell(order.lines(now), pendingActivation(), now);
        for (S entity : order.items()) {
          shared.metrics().show((SchedulerApplicationAttempt) entity);
          break;
        }
      }
    } catch (RuntimeException | LinkageError e) {
      shared.countFailure();
      LOG.error("What is shown of a queue cannot be refreshed", e);
    }
  }

  /** How many accepted applications wait for room rather than for a slot. */
  public int waitingForRoom() {
    return order.waitingForRoom(now());
  }

  public long longestAcceptedMillis() {
    return order.longestAccepted(now());
  }

  /** What YARN keeps from it. As much as is known: without an application, it knows no queue. */
  private PendingActivation pendingActivation() {
    for (S entity : order.items()) {
      if (isInCharge(entity)) {
        return PendingActivation.in(((SchedulerApplicationAttempt) entity).getQueue(), shared.clock());
      }
    }
    return PendingActivation.in(null, shared.clock());
  }

  @Override
  public long intervalMillis() {
    long interval = configuration.monitorIntervalMillis();
    // What is free changes fast.
    return order.settings().isParallelStart() ? Math.min(interval, PLAN_INTERVAL) : interval;
  }

  /**
   * For a moment it may be a move, in which the application arrives here before it names this queue as its
   * own (fact 5), or a refresh, in which applications arrive before their queue has this policy.
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
   * scheduler. One of our policies takes them over; nobody else tells (fact 4).
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
    YarnAttempt attempt = (YarnAttempt) order.attempt(entity);
    if (attempt == null || !attempt.isScheduled()) {
      return false;
    }
    Object current = QueueCompat.orderingPolicy(((SchedulerApplicationAttempt) entity).getQueue());
    return current == null || current == policy;
  }

  private long now() {
    return shared.clock().monotonicMillis();
  }
}
