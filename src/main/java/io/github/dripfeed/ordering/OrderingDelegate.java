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

import io.github.dripfeed.config.ApplicationOverrides;
import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.config.PolicyKind;
import io.github.dripfeed.core.admission.AdmissionLineView;
import io.github.dripfeed.core.admission.AttemptHistory;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.admission.WaitReason;
import io.github.dripfeed.observe.QueueFigures;
import io.github.dripfeed.observe.StateChangeRecorder;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.yarn.StockPreemption;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the two policy classes have in common: YARN's callbacks on one side, the rule on the other.
 *
 * <p>Making and configuring one starts nothing and registers nothing, since YARN makes many that it
 * never uses (docs/design.md#a-refresh-replaces-the-policy); the monitor learns of it with its first
 * application.
 */
public final class OrderingDelegate<S extends SchedulableEntity> implements QueueFigures {

  private static final Logger LOG = LoggerFactory.getLogger(OrderingDelegate.class);

  /** How many of those that are starting are named on the scheduler's page. */
  private static final int STARTING_TOLD = 10;

  private final DripfeedRuntime runtime = DripfeedRuntime.current();
  private final Object policy;
  private final PolicyKind kind;
  private PolicyConfiguration configuration;
  private QueueOrder<S> order;
  private MonitoredQueue<S> monitored;

  /**
   * @param policy the policy it works for
   * @param kind its class, which decides what its properties are
   */
  public OrderingDelegate(Object policy, PolicyKind kind) {
    this.policy = policy;
    this.kind = kind;
    configure(Collections.<String, String>emptyMap());
  }

  /**
   * Comes before the first application, as YARN does it.
   *
   * @throws IllegalArgumentException if the configuration is invalid
   */
  public void configure(Map<String, String> conf) {
    configuration = PolicyConfiguration.of(conf, kind);
    order = new QueueOrder<>(configuration.settings(), new StateChangeRecorder<S>(runtime.metrics()));
    monitored = new MonitoredQueue<>(policy, configuration, order, runtime);
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
    AttemptHistory history = runtime.histories().of(app, now);
    if (rmApp != null) {
      runtime.histories().ofApplication(rmApp).add(history);
    }
    ApplicationOverrides steering = steeringOf(entity, app, rmApp, history);
    order.add(entity, new YarnAttempt(app, runtime.clock()::wallMillis, steering.isExempt()),
        steering.appliedTo(order.settings().attempts()),
        YarnAttempt.placeOf(app, configuration.isByPriority()), history, sameQueue, now);
    monitored.stayWatched();
    runtime.monitor().keepGoing();
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
      String problems = steering.problems().isEmpty() ? null : String.join("; ", steering.problems());
      if (history.notes().setWarning(problems)) {
        LOG.warn("{} in queue {}: {}", app.getId(), app.getQueueName(), problems);
      }
      return steering;
    } catch (RuntimeException | LinkageError e) {
      runtime.metrics().countFailure();
      LOG.error("What {} says of itself cannot be read; it is treated as any other", app, e);
      return ApplicationOverrides.none();
    }
  }

  public boolean remove(S entity) {
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
    monitored.stayWatched();
    return order.assignmentIterator(now());
  }

  public Iterator<S> preemptionIterator() {
    return order.preemptionIterator();
  }

  /**
   * Fires for reservations too (docs/design.md#reservations-are-not-allocations); the order looks at what
   * is live.
   */
  public void containerAllocated(S entity) {
    order.containerAllocated(entity, now());
  }

  public void containerReleased(S entity, RMContainer container) {
    AttemptView<S> attempt = order.view(entity);
    // A new one was never there: YARN made it for an update of another one.
    if (attempt != null && container.getState() != RMContainerState.RESERVED
        && container.getState() != RMContainerState.NEW) {
      if (isExecutor((YarnAttempt) attempt.facts(), container)) {
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

  public void reposition(S entity, double share) {
    order.reposition(entity, share);
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
      for (AttemptView<S> next : line.waiting()) {
        if (line.waitsFor() == WaitReason.OFFERED && line.isPassedOver(next)) {
          continue;
        }
        info.append("; next in line is ").append(next.item().getId()).append(", which waits for ")
            .append(line.waitsFor().what());
        break;
      }
    }
    info.append(monitored.pendingActivation().text());
    if (runtime.metrics().failures() > 0) {
      info.append("; failures of all queues: ").append(runtime.metrics().failures());
    }
    return info.toString();
  }

  @Override
  public Map<State, Integer> counts() {
    return order.counts();
  }

  @Override
  public int waitingForHeadroom() {
    return order.waitingForRoom(now());
  }

  @Override
  public long longestAcceptedMillis() {
    return order.longestAccepted(now());
  }

  private long now() {
    return runtime.clock().monotonicMillis();
  }
}
