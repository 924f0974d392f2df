// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import io.github.dripfeed.core.admission.ApplicationHistory;
import io.github.dripfeed.core.admission.AttemptHistory;
import io.github.dripfeed.core.admission.StartingGroup;
import io.github.dripfeed.core.plan.QueueMemory;
import io.github.dripfeed.observe.EventLog;
import io.github.dripfeed.observe.MetricsRegistrar;
import io.github.dripfeed.observe.QueueMemories;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.yarn.QueueCompat;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * State that all policies of this process share and that outlives each of them. YARN creates a new policy
 * at every refresh and drops the old one without closing it
 * (docs/design.md#a-refresh-replaces-the-policy, #a-policy-is-never-closed).
 */
public final class DripfeedRuntime {

  private static volatile DripfeedRuntime current =
      of(Clock.SYSTEM, new Monitor(Clock.SYSTEM));

  private final Clock clock;
  private final Monitor monitor;
  private final WeakIdentityMap<AttemptHistory> attempts = new WeakIdentityMap<>();
  private final WeakIdentityMap<ApplicationHistory> applications = new WeakIdentityMap<>();
  private final MetricsRegistrar metrics = new MetricsRegistrar();
  private final EventLog events;
  /** Objects that the queues of a scheduler share, by their type. */
  private final WeakIdentityMap<Map<Class<?>, Object>> byScheduler = new WeakIdentityMap<>();
  private final QueueMemories queueMemories = new QueueMemories();
  /** The state-aware queues that the last round has found. */
  private volatile Map<CSQueue, StateAwareQueue<?>> found = Collections.emptyMap();

  private DripfeedRuntime(Clock clock, Monitor monitor) {
    this.clock = clock;
    this.monitor = monitor;
    this.events = new EventLog(clock::wallMillis);
    monitor.onFailure(() -> metrics.countFailure(null));
    monitor.visit(this::visit, this::endRound,
        () -> runningSchedulers().isEmpty() && !metrics.isAnyShown());
  }

  private long visit(long now) {
    long[] next = {Monitor.NEVER};
    Map<CSQueue, StateAwareQueue<?>> all = new LinkedHashMap<>();
    for (CapacityScheduler scheduler : runningSchedulers()) {
      QueueCompat.visitLeaves(scheduler.getRootQueue(), leaf -> metrics.contain(leaf, "not visited", () -> {
        StateAwareQueue<?> queue = StateAwareQueue.of(leaf);
        if (queue != null) {
          all.put(leaf, queue);
          next[0] = Math.min(next[0], queue.visit(leaf, scheduler, now));
        }
      }));
    }
    found = all;
    return next[0];
  }

  private void endRound() {
    events.explainEnded();
    Map<CSQueue, StateAwareQueue<?>> all = found;
    all.forEach((leaf, queue) -> metrics.contain(leaf, "cannot end the round", () -> {
      queue.endRound();
      metrics.show(leaf, queue.report());
    }));
    metrics.retain(all.keySet());
  }

  /** For tests and simulations that control the time; see {@link #replace}. */
  public static DripfeedRuntime of(Clock clock, Monitor monitor) {
    return new DripfeedRuntime(clock, monitor);
  }

  public static DripfeedRuntime current() {
    return current;
  }

  /**
   * Replaces the runtime of all policies created from now on. For tests and simulations that control the
   * time.
   */
  public static void replace(DripfeedRuntime shared) {
    current = shared;
  }

  public Clock clock() {
    return clock;
  }

  public Monitor monitor() {
    return monitor;
  }

  /** The history of the attempt, as long as YARN holds it; one that starts now if there is none. */
  public AttemptHistory historyOf(SchedulerApplicationAttempt attempt, long now) {
    return attempts.of(attempt, () -> new AttemptHistory(now));
  }

  /** The history of the application, which adds up the time that its attempts spent starting. */
  public ApplicationHistory historyOf(RMApp application) {
    return applications.of(application, ApplicationHistory::new);
  }

  /**
   * The group of that name among the queues of the scheduler.
   *
   * @param made makes it if there is none
   */
  public <T> StartingGroup<T> startingGroup(
      Object scheduler, String name, Supplier<StartingGroup<T>> made) {
    StartingGroups groups = ofScheduler(scheduler, StartingGroups.class, StartingGroups::new);
    return groups.of(name, made);
  }

  /**
   * The object of this type that all queues of the scheduler share; created by the first queue that asks.
   * The monitor visits the queues of the scheduler from then on.
   *
   * @param created creates it; it must not reference the scheduler
   */
  @SuppressWarnings("unchecked")
  public <P> P ofScheduler(Object scheduler, Class<? super P> type, Supplier<P> created) {
    Map<Class<?>, Object> shared = byScheduler.of(scheduler, ConcurrentHashMap::new);
    return (P) shared.computeIfAbsent(type, t -> created.get());
  }

  public MetricsRegistrar metrics() {
    return metrics;
  }

  /** The last changes of state of all queues. */
  public EventLog events() {
    return events;
  }

  /**
   * The schedulers of state-aware queues that have had an application, without those that a ResourceManager
   * has stopped, also to become standby. There is one, except in tests.
   */
  public List<CapacityScheduler> runningSchedulers() {
    return byScheduler.keys().filter(CapacityScheduler.class::isInstance)
        .map(CapacityScheduler.class::cast)
        .filter(one -> !one.isInState(Service.STATE.STOPPED)).collect(Collectors.toList());
  }

  /** What is remembered of the queue. */
  public QueueMemory queueMemory(CSQueue queue) {
    return queueMemories.of(queue);
  }
}
