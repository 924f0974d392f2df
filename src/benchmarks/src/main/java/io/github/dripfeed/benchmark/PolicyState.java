// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import io.github.dripfeed.StateAwareFairOrderingPolicy;
import io.github.dripfeed.StateAwareOrderingPolicy;
import io.github.dripfeed.runtime.Clock;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.runtime.Monitor;
import io.github.dripfeed.simulator.VirtualResourceManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FairOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A policy with n applications in a mix of states. */
@State(Scope.Benchmark)
public class PolicyState {

  @Param({"10", "100", "1000", "10000"})
  public int n;

  /**
   * held: all accepted behind a starting one; mixed: one in ten is running; running: all are; starting: all
   * are, at once.
   */
  @Param({"held", "mixed", "running", "starting"})
  public String mix;

  @Param({"fifo", "state-aware", "fair", "state-aware-fair"})
  public String policy;

  /** Or asynchronous: a proposal is committed some time after the offer, as by default since Hadoop 3.5. */
  @Param("synchronous")
  public String scheduling;

  OrderingPolicy<FiCaSchedulerApp> ordering;
  /** One more application, to add and remove again and again. */
  FiCaSchedulerApp another;
  /** Makes further ones. */
  Attempts attempts;
  private final List<FiCaSchedulerApp> admitted = new ArrayList<>();
  private final List<RMContainer> containers = new ArrayList<>();
  private VirtualResourceManager rm;
  private int turn;

  @Setup(Level.Trial)
  public void setUp() {
    // Another benchmark measures the monitor.
    DripfeedRuntime runtime = DripfeedRuntime.of(Clock.SYSTEM, new Monitor(Clock.SYSTEM, run -> null));
    DripfeedRuntime.replace(runtime);
    YarnConfiguration conf = new YarnConfiguration();
    conf.set("yarn.scheduler.capacity.root.queues", "batch");
    conf.set("yarn.scheduler.capacity.root.batch.capacity", "100");
    rm = new VirtualResourceManager(conf, attempt -> { }, event -> { });
    // The policies would ask the scheduler, whose threads must not disturb the measurement.
    runtime.ofScheduler(rm.scheduler(), Boolean.class, () -> scheduling.equals("asynchronous"));
    ordering = make(policy);
    ordering.configure(mix.equals("starting")
        ? Map.of("state-aware.max-starting", String.valueOf(n)) : Collections.emptyMap());
    attempts = new Attempts(rm);
    for (int i = 0; i < n; i++) {
      FiCaSchedulerApp app = isRunning(i) ? attempts.running()
          : isStarting(i) ? attempts.starting() : attempts.accepted();
      ordering.addSchedulableEntity(app);
      if (!app.getLiveContainersMap().isEmpty()) {
        admitted.add(app);
        containers.add(attempts.container(app, 100));
      }
    }
    another = attempts.accepted();
    checkThatMixIs();
    // Keeps objects created here out of the collections during the measurement.
    System.gc();
  }

  /** Checks that the benchmark measures what its name says. */
  private void checkThatMixIs() {
    int offered = 0;
    for (Iterator<?> all = ordering.getAssignmentIterator(
        IteratorSelector.EMPTY_ITERATOR_SELECTOR); all.hasNext(); all.next()) {
      offered++;
    }
    int expected = policy.startsWith("state-aware") && !mix.equals("starting")
        ? Math.min(n, runningCount() + 1) : n;
    if (offered != expected) {
      throw new IllegalStateException("Offered are " + offered + " instead of " + expected);
    }
  }

  private int runningCount() {
    return mix.equals("mixed") ? n / 10 : mix.equals("running") ? n : 0;
  }

  private boolean isStarting(int i) {
    return mix.equals("starting") || i == runningCount();
  }

  private boolean isRunning(int i) {
    return i < runningCount();
  }

  static OrderingPolicy<FiCaSchedulerApp> make(String policy) {
    switch (policy) {
      case "fifo":
        return new FifoOrderingPolicy<>();
      case "fair":
        return new FairOrderingPolicy<>();
      case "state-aware":
        return new StateAwareOrderingPolicy<>();
      case "state-aware-fair":
        return new StateAwareFairOrderingPolicy<>();
      default:
        throw new IllegalArgumentException(policy);
    }
  }

  /** Each application gets a container, one after the other. */
  void allocate() {
    turn = turn + 1 < admitted.size() ? turn + 1 : 0;
    ordering.containerAllocated(admitted.get(turn), containers.get(turn));
  }

  @TearDown(Level.Trial)
  public void tearDown() {
    rm.stop();
  }
}
