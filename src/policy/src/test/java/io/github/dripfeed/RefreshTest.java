// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfigValidator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;

/** Refreshes of the queues while applications arrive, run and end. */
class RefreshTest {

  @Test
  void switchingToTheStockPolicyAndBackResumesHolding() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(32 * GB)) {
      MockApp ran = cluster.submit();
      cluster.heartbeat();
      ran.register().ask(1, GB);
      cluster.heartbeat();
      ran.heartbeat();
      ran.release(ran.executors());
      MockApp starting = cluster.submit();
      MockApp held = cluster.submit();
      cluster.heartbeat();
      cluster.advance(Duration.ofMinutes(4));
      cluster.refresh(queueKey("ordering-policy"), "fifo");
      assertThat(cluster.offered()).containsExactly("App1", "App2", "App3");
      cluster.heartbeat();
      assertThat(held.containers()).as("fifo holds none").isEqualTo(1);
      MockApp late = cluster.submit();

      cluster.refresh(queueKey("ordering-policy"), StateAwareOrderingPolicy.class.getName());
      assertThat(cluster.offered()).as("both are starting").containsExactly("App1", "App2", "App3");
      assertThat(ran.state()).as("its state is remembered").isEqualTo(RUNNING);
      cluster.heartbeat();
      assertThat(late.containers()).isZero();
      assertThat(held.state()).isEqualTo(STARTING);
      cluster.advance(Duration.ofMinutes(1));
      cluster.offered();
      assertThat(starting.state()).as("its clock went on under fifo").isEqualTo(RUNNING);
    }
  }

  @Test
  void switchingStateAwarePoliciesKeepsStatesAndClocks() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(32 * GB)) {
      cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      cluster.advance(Duration.ofMinutes(4));
      cluster.refresh(
          queueKey("ordering-policy"), StateAwareFairOrderingPolicy.class.getName());
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.advance(Duration.ofMinutes(1));
      assertThat(cluster.offered()).containsExactlyInAnyOrder("App1", "App2");
    }
  }

  @Test
  void changedPropertiesApplyToPresentApplications() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(32 * GB)) {
      cluster.submit();
      cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      cluster.refresh(stateAwareKey("max-starting"), "2");
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      cluster.heartbeat();
      cluster.refresh(stateAwareKey("max-starting"), "1");
      assertThat(cluster.offered()).as("none is evicted, none is added")
          .containsExactly("App1", "App2");
      cluster.advance(Duration.ofMinutes(1));
      cluster.refresh(stateAwareKey("starting-timeout"), "1m");
      assertThat(cluster.offered()).as("the shorter limit applies at once")
          .containsExactly("App1", "App2", "App3");
    }
  }

  /**
   * See docs/design.md#a-refresh-replaces-the-policy: to validate a configuration, the REST API builds
   * another scheduler with it.
   */
  @Test
  void configurationValidationLeavesNoTrace() throws Exception {
    try (MockCluster cluster = MockCluster.withMonitorThread(StateAwareOrderingPolicy.class)) {
      cluster.addNode(16 * GB);
      long threads = monitorThreads();
      for (int i = 0; i < 10; i++) {
        assertThat(CapacitySchedulerConfigValidator.validateCSConfiguration(
            cluster.scheduler().getConf(), cluster.scheduler().getConf(),
            cluster.rm().getRMContext())).isTrue();
      }
      assertThat(monitorThreads()).isEqualTo(threads);
      assertThat(cluster.isMonitored()).isFalse();
      assertThat(cluster.historyCount()).isZero();
    }
  }

  /** docs/design.md#a-refresh-replaces-the-policy, as a ResourceManager experiences it over months. */
  @Test
  void refreshesUnderLoadLoseAndLeakNothing() throws Exception {
    try (MockCluster cluster = MockCluster.withMonitorThread(StateAwareOrderingPolicy.class)) {
      for (int i = 0; i < 4; i++) {
        cluster.addNode(32 * GB);
      }
      AtomicBoolean over = new AtomicBoolean();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread heartbeats = new Thread(() -> {
        try {
          while (!over.get()) {
            cluster.heartbeat();
          }
        } catch (Exception | Error e) {
          failure.set(e);
        }
      });
      heartbeats.start();
      List<WeakReference<Object>> policies = new ArrayList<>();
      List<WeakReference<Object>> attempts = new ArrayList<>();
      try {
        refreshUnderLoad(cluster, policies, attempts);
      } finally {
        over.set(true);
        heartbeats.join();
      }
      assertThat(failure.get()).isNull();
      assertThat(cluster.policy().getNumSchedulableEntities()).as("all have ended").isZero();
      policies.add(new WeakReference<>(cluster.policy()));
      cluster.refresh(queueKey("ordering-policy"), "fifo");
      Eventually.is("no metrics are shown", () -> {
        cluster.advance(Duration.ofSeconds(1));
        return DripfeedRuntime.current().metrics().size() == 0;
      });
      collected("replaced policies", policies);
      collected("attempts that ended", attempts);
      // Shortly after an attempt is collected, its key is in the reference queue.
      Eventually.is("the histories are empty", () -> cluster.historyCount() == 0);
      assertThat(DripfeedRuntime.current().metrics().failures()).isZero();
    }
  }

  private static void refreshUnderLoad(MockCluster cluster, List<WeakReference<Object>> policies,
      List<WeakReference<Object>> attempts) throws Exception {
    String[] orders = {StateAwareOrderingPolicy.class.getName(), "fifo",
        StateAwareOrderingPolicy.class.getName(), StateAwareFairOrderingPolicy.class.getName()};
    Deque<MockApp> live = new ArrayDeque<>();
    for (int round = 0; round < 300; round++) {
      policies.add(new WeakReference<>(cluster.policy()));
      cluster.refresh(queueKey("ordering-policy"), orders[round % orders.length]);
      if (round % 3 == 0) {
        MockApp app = cluster.submit();
        attempts.add(new WeakReference<>(app.attempt()));
        live.add(app);
      }
      if (round % 7 == 0) {
        cluster.refresh(stateAwareKey("max-starting"), "" + (1 + round % 2));
      }
      if (round % 50 == 0) {
        cluster.refresh(CapacitySchedulerConfiguration.PREFIX + DRIP + ".state",
            QueueState.STOPPED.name());
        cluster.refresh(CapacitySchedulerConfiguration.PREFIX + DRIP + ".state",
            QueueState.RUNNING.name());
      }
      if (live.size() > 5) {
        live.remove().kill();
      }
      // One that has nothing left to watch may still be about to end.
      Eventually.is("there is one at most", () -> monitorThreads() <= 1);
    }
    for (MockApp app : live) {
      app.kill();
    }
    // The queue still refers to the current policy.
    policies.add(new WeakReference<>(cluster.policy()));
    cluster.refresh(queueKey("ordering-policy"), StateAwareOrderingPolicy.class.getName());
  }

  private static long monitorThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("dripfeed-monitor")).count();
  }

  private static void collected(String what, List<WeakReference<Object>> references)
      throws Exception {
    Eventually.is(what + " are collected", () -> {
      System.gc();
      return references.stream().allMatch(reference -> reference.get() == null);
    });
  }
}
