// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.QueueSettings;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.FakeApp;
import io.github.dripfeed.runtime.Clock;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.runtime.Monitor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;

/**
 * Two queues with the real policy and, in lockstep, the {@link RuleModel} of each. Every step happens in
 * both and is logged in words. Afterwards both must offer the same.
 */
final class ModelledQueues implements AutoCloseable {

  /** The wall clock at the start; only ages matter. */
  private static final long EPOCH = 1_000_000_000_000L;
  private static final long MONITOR_INTERVAL = 1_000;
  /** With more starting applications, a decision does not check all of them. */
  private static final int LOOKED_AT = 4;

  /** One queue: the rule, and the policy that has to follow it. */
  private static final class Modelled {
    final RuleModel rule;
    /** The applications offered in the last iteration. */
    List<RuleModel.App> offer = List.of();
    StateAwareOrderingPolicy<FakeApp> policy;
    Map<String, String> properties = new HashMap<>();

    Modelled(Consumer<RuleModel.Situation> reached) {
      rule = new RuleModel(reached);
    }
  }

  private final DripfeedRuntime before = DripfeedRuntime.current();
  private final Modelled[] queues = {null, null};
  private final List<RuleModel.App> apps = new ArrayList<>();
  private final Map<RuleModel.App, FakeApp> fakes = new IdentityHashMap<>();
  private final Map<RuleModel.App, RMContainer> drivers = new IdentityHashMap<>();
  private final Map<RuleModel.App, Modelled> homes = new IdentityHashMap<>();
  private final Map<RuleModel.App, List<RMContainer>> unreported = new IdentityHashMap<>();
  private final List<String> story = new ArrayList<>();
  private final List<RuleModel.App> givenBack = new ArrayList<>();
  private int submitted;
  private long now;

  ModelledQueues(Consumer<RuleModel.Situation> reached) {
    queues[0] = new Modelled(reached);
    queues[1] = new Modelled(reached);
    startResourceManager();
  }

  private void startResourceManager() {
    Clock clock = new Clock() {
      @Override
      public long monotonicMillis() {
        return now;
      }

      @Override
      public long wallMillis() {
        return EPOCH + now;
      }
    };
    DripfeedRuntime.replace(DripfeedRuntime.of(clock, new Monitor(clock, run -> null)));
    for (Modelled queue : queues) {
      queue.policy = new StateAwareOrderingPolicy<>();
      queue.policy.configure(queue.properties);
      queue.rule.restart();
    }
  }

  int size() {
    return apps.size();
  }

  RuleModel.App app(int index) {
    return apps.get(Math.floorMod(index, apps.size()));
  }

  /**
   * One of the accepted applications that are offered in the application's queue, or the application
   * itself.
   */
  RuleModel.App offeredBeside(RuleModel.App app, int index) {
    List<RuleModel.App> waiting = homes.get(app).offer.stream()
        .filter(other -> other.state == State.ACCEPTED && other.asks).toList();
    return waiting.isEmpty() ? app : waiting.get(index % waiting.size());
  }

  /** The first starting application in the application's line, or the application itself. */
  RuleModel.App startingBeside(RuleModel.App app) {
    return homes.get(app).rule.starting(app.partition).findFirst().orElse(app);
  }

  void submit(int queue, int priority, String partition) {
    RuleModel.App app = new RuleModel.App(++submitted);
    app.priority = priority;
    app.partition = partition;
    app.attemptSince = now;
    apps.add(app);
    homes.put(app, queues[queue]);
    tell("submit " + app + " to queue " + queue + ", priority " + priority + ", partition '"
        + partition + "'");
    enter(app, newFake(app));
  }

  boolean ask(RuleModel.App app, boolean asks) {
    if (app.driver || app.asks == asks) {
      return false;
    }
    tell(app + (asks ? " asks for its driver" : " withdraws its request"));
    app.asks = asks;
    fake(app).setAsking(asks);
    return true;
  }

  boolean allocateDriver(RuleModel.App app) {
    if (app.driver || !app.asks || app.reservations > 0) {
      return false;
    }
    tell("driver of " + app + " allocated");
    app.driver = true;
    app.asks = false;
    RMContainer driver = fake(app).allocateDriver(EPOCH + now);
    drivers.put(app, driver);
    policy(app).containerAllocated(fake(app), driver);
    homes.get(app).rule.allocated(app);
    return true;
  }

  /** The ResourceManager stores the attempt. Only then does the driver survive a restart. */
  boolean acquireDriver(RuleModel.App app) {
    if (!app.driver || !fake(app).isWaitingForAMContainer()) {
      return false;
    }
    tell(app + " acquires its driver");
    fake(app).acquire(drivers.get(app).getContainerId());
    return true;
  }

  boolean allocateExecutor(RuleModel.App app) {
    acquireDriver(app);
    if (!app.driver || !app.driverReported) {
      return false;
    }
    tell("executor of " + app + " allocated");
    app.executors++;
    policy(app).containerAllocated(fake(app), fake(app).allocateExecutor(EPOCH + now));
    homes.get(app).rule.allocated(app);
    return true;
  }

  boolean reserve(RuleModel.App app) {
    if (!app.driver && (!app.asks || app.reservations > 0)) {
      return false;
    }
    acquireDriver(app);
    tell((app.driver ? "executor of " : "driver of ") + app + " reserved");
    app.reservations++;
    policy(app).containerAllocated(fake(app), fake(app).reserve());
    homes.get(app).rule.allocated(app);
    return true;
  }

  /**
   * YARN allocates a reserved container without a callback
   * (docs/design.md#reservations-are-not-allocations).
   */
  boolean convert(RuleModel.App app) {
    if (app.reservations == 0) {
      return false;
    }
    tell("what was reserved for " + app + " is allocated");
    app.reservations--;
    fake(app).unreserve();
    if (app.driver) {
      app.executors++;
      fake(app).allocateExecutor(EPOCH + now);
      if (homes.get(app).rule.starting(app.partition).count() > LOOKED_AT) {
        runMonitor();
      }
    } else {
      app.driver = true;
      app.asks = false;
      drivers.put(app, fake(app).allocateDriver(EPOCH + now));
    }
    return true;
  }

  boolean unreserve(RuleModel.App app) {
    if (app.reservations == 0) {
      return false;
    }
    tell("a reservation of " + app + " is given up");
    app.reservations--;
    policy(app).containerReleased(fake(app), fake(app).unreserve());
    return true;
  }

  boolean release(RuleModel.App app) {
    if (app.executors == 0) {
      return false;
    }
    tell("executor of " + app + " released");
    app.executors--;
    app.hadExecutor = true;
    policy(app).containerReleased(fake(app), fake(app).releaseExecutor());
    homes.get(app).rule.released(app);
    return true;
  }

  boolean finish(RuleModel.App app) {
    tell(app + " ends");
    leave(app);
    apps.remove(app);
    return true;
  }

  boolean fail(RuleModel.App app, boolean keepExecutors) {
    if (!app.driver || !app.driverReported) {
      return false;
    }
    tell("the driver of " + app + " fails" + (keepExecutors ? ", its executors are kept" : ""));
    List<RMContainer> kept = new ArrayList<>();
    if (keepExecutors) {
      kept.addAll(fake(app).executors());
    }
    FakeApp failed = fake(app);
    leave(app);
    app.nextAttempt(kept.size(), now);
    FakeApp next = failed.nextAttempt(
        app.attempt, app.partition, app.priority, EPOCH + app.attemptSince);
    kept.forEach(next::addExecutor);
    enter(app, next);
    return true;
  }

  boolean refresh(int queue, QueueSettings settings, int minExecutors, boolean byPriority) {
    tell("queue " + queue + " refreshed: max-starting " + settings.maxStarting()
        + ", min-executors " + minExecutors + ", starting-timeout "
        + settings.attempts().startingTimeout() + ", accepted-timeout " + settings.acceptedTimeout()
        + ", max-containers " + settings.maxContainers()
        + ", order " + (byPriority ? "priority" : "fifo"));
    Modelled modelled = queues[queue];
    modelled.rule.refresh();
    modelled.rule.settings = settings;
    modelled.rule.byPriority = byPriority;
    modelled.properties = Map.of(
        "state-aware.max-starting", "" + settings.maxStarting(),
        "state-aware.min-executors", "" + minExecutors,
        "state-aware.starting-timeout", "" + settings.attempts().startingTimeout(),
        "state-aware.accepted-timeout", "" + settings.acceptedTimeout(),
        "state-aware.max-containers", "" + settings.maxContainers(),
        "state-aware.order", byPriority ? "priority" : "fifo");
    StateAwareOrderingPolicy<FakeApp> next = new StateAwareOrderingPolicy<>();
    next.configure(modelled.properties);
    next.addAllSchedulableEntities(modelled.policy.getSchedulableEntities());
    modelled.policy = next;
    return true;
  }

  boolean move(RuleModel.App app) {
    Modelled to = homes.get(app) == queues[0] ? queues[1] : queues[0];
    tell(app + " moves to queue " + (to == queues[0] ? 0 : 1));
    FakeApp fake = fake(app);
    leave(app);
    homes.put(app, to);
    app.forgetQueue();
    enter(app, fake);
    return true;
  }

  boolean setPriority(RuleModel.App app, int priority) {
    tell(app + " gets priority " + priority);
    FakeApp fake = fake(app);
    leave(app);
    app.priority = priority;
    fake.setPriority(Priority.newInstance(priority));
    enter(app, fake);
    return true;
  }

  /** Another ResourceManager takes over. No node is back yet. */
  boolean recover() {
    tell("the ResourceManager restarts");
    startResourceManager();
    for (RuleModel.App app : apps) {
      FakeApp lost = fake(app);
      boolean acquired = !lost.isWaitingForAMContainer();
      List<RMContainer> live = unreported.computeIfAbsent(app, a -> new ArrayList<>());
      live.addAll(lost.executors());
      app.restarted();
      app.asks = !acquired;
      app.driver = acquired;
      app.driverReported = false;
      app.driverCameUnderOurEyes = !acquired;
      FakeApp recovered = newFake(app);
      recovered.countContainersFrom(lost);
      recovered.setAsking(app.asks);
      if (acquired) {
        recovered.acquire(drivers.get(app).getContainerId());
      } else {
        app.driverReported = true;
      }
      enter(app, recovered);
    }
    return true;
  }

  /** The nodes of an application register again, and the monitor detects it. */
  boolean report(RuleModel.App app) {
    List<RMContainer> live = unreported.remove(app);
    if (live == null) {
      return false;
    }
    tell("the containers of " + app + " are reported");
    app.driverReported = true;
    if (app.driver && !app.driverCameUnderOurEyes) {
      fake(app).goLive(drivers.get(app));
      app.startingSince = drivers.get(app).getCreationTime() - EPOCH;
    }
    app.executors += live.size();
    live.forEach(fake(app)::addExecutor);
    runMonitor();
    return true;
  }

  boolean breakFactsOf(RuleModel.App app) {
    tell("the facts of " + app + " cannot be read any more");
    app.unreadable = true;
    fake(app).breakWith(new IllegalStateException("broken"));
    runMonitor();
    return true;
  }

  boolean advance(long millis) {
    tell(millis + " ms pass");
    now += millis;
    return true;
  }

  /** Runs the monitor if its turn has come. The applications it selects lose their reservations. */
  boolean runMonitor() {
    tell("the monitor runs");
    now += MONITOR_INTERVAL;
    List<RuleModel.App> losers = new ArrayList<>();
    for (Modelled queue : queues) {
      losers.addAll(queue.rule.tick(now));
    }
    givenBack.clear();
    // As the round does that walks a scheduler's queues.
    for (Modelled queue : queues) {
      queue.policy.ordering().visit(null, null, now);
    }
    for (Modelled queue : queues) {
      queue.policy.ordering().endRound();
    }
    assertThat(givenBack).as(() -> "released reservations after " + told())
        .containsExactlyInAnyOrderElementsOf(losers);
    losers.forEach(app -> app.reservations--);
    return true;
  }

  /** The real policy offers the same as the model, and no application is lost. */
  void check() {
    for (Modelled queue : queues) {
      queue.rule.advance(now);
      walk(queue, "gpu");
      walk(queue, "");
      assertThat(names(queue.policy.getPreemptionIterator()))
          .as(() -> "all in the order of preemption after " + told())
          .containsExactlyInAnyOrderElementsOf(
              queue.rule.apps.stream().map(RuleModel.App::toString).toList());
      checkSlots(queue);
    }
  }

  private void walk(Modelled queue, String partition) {
    IteratorSelector selector = new IteratorSelector();
    selector.setPartition(partition);
    queue.offer = queue.rule.walk(partition, now);
    assertThat(names(queue.policy.getAssignmentIterator(selector)))
        .as(() -> "offer of queue " + (queue == queues[0] ? 0 : 1) + " for a node of '" + partition
            + "' after " + told())
        .isEqualTo(queue.offer.stream().map(RuleModel.App::toString).toList());
  }

  /** Any may get its driver or a reservation: a slot is free, or all holders are less urgent. */
  private void checkSlots(Modelled queue) {
    for (RuleModel.App offered : queue.offer) {
      if (offered.state == State.ACCEPTED && !offered.isHolder()) {
        List<RuleModel.App> taken = queue.rule.apps.stream()
            .filter(app -> app.partition.equals(offered.partition))
            .filter(app -> app.isHolder() || app.state == State.STARTING)
            .filter(app -> !queue.rule.isExhausted(app)).toList();
        boolean isFree = taken.size() < queue.rule.settings.maxStarting();
        assertThat(taken).as(() -> "slots taken when " + offered + " is offered after " + told())
            .allMatch(app -> isFree || queue.rule.byPriority && app.priority < offered.priority);
      }
    }
  }

  private static List<String> names(Iterator<FakeApp> apps) {
    List<String> names = new ArrayList<>();
    apps.forEachRemaining(app -> names.add("App" + app.getApplicationId().getId()));
    return names;
  }

  private FakeApp newFake(RuleModel.App app) {
    return FakeApp.of(app.number, app.attempt, app.partition, app.priority,
        EPOCH + app.attemptSince);
  }

  private void enter(RuleModel.App app, FakeApp fake) {
    fakes.put(app, fake);
    fake.whenReservationReleased(container -> {
      givenBack.add(app);
      policy(app).containerReleased(fake, container);
    });
    policy(app).addSchedulableEntity(fake);
    homes.get(app).rule.enter(app, now);
  }

  private void leave(RuleModel.App app) {
    homes.get(app).rule.leave(app, now);
    policy(app).removeSchedulableEntity(fake(app));
    unreported.remove(app);
  }

  private FakeApp fake(RuleModel.App app) {
    return fakes.get(app);
  }

  private StateAwareOrderingPolicy<FakeApp> policy(RuleModel.App app) {
    return homes.get(app).policy;
  }

  private String told() {
    return String.join(", ", story);
  }

  private void tell(String step) {
    story.add(step);
  }

  @Override
  public void close() {
    DripfeedRuntime.replace(before);
  }
}
