// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.DripMetrics.figures;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.dripfeed.fixture.AutoSteps;
import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** After any failure the scheduler goes on; an application whose state is in doubt runs. */
class SurvivalTest {

  /** Live containers that the scheduler can write but that fail when the policy counts them. */
  private static final class BrokenBooks extends ConcurrentHashMap<ContainerId, RMContainer> {

    private final transient Throwable failure;

    BrokenBooks(Throwable failure) {
      this.failure = failure;
    }

    private <V> V fail() {
      if (failure instanceof Error) {
        throw (Error) failure;
      }
      throw (RuntimeException) failure;
    }

    @Override
    public int size() {
      return fail();
    }

    @Override
    public Collection<RMContainer> values() {
      return fail();
    }

    @Override
    public boolean isEmpty() {
      return fail();
    }

    @Override
    public boolean containsKey(Object key) {
      return fail();
    }

    @Override
    public KeySetView<ContainerId, RMContainer> keySet() {
      return fail();
    }
  }

  static Stream<Throwable> failures() {
    return Stream.of(new IllegalStateException("broken"),
        new NoSuchMethodError("a member that another version of YARN lacks"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void failingApplicationRunsAndAffectsNoOther(Throwable failure) throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      FieldUtils.writeField(app1.attempt(), "liveContainers", new BrokenBooks(failure), true);
      MockApp app2 = cluster.submit();
      MockApp app3 = cluster.submit();
      for (int i = 0; i < 3; i++) {
        cluster.heartbeat();
        cluster.tick();
      }
      assertThat(app1.state()).isEqualTo(RUNNING);
      assertThat(app2.state()).as("others are still held").isEqualTo(STARTING);
      assertThat(app3.state()).isEqualTo(ACCEPTED);
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      assertThat(DripfeedRuntime.current().metrics().failures()).as("counted once").isEqualTo(1);
      assertThat(cluster.policy().getInfo()).contains("failures of all queues: 1");
      cluster.runMonitor();
      assertThat(figures()).containsEntry("ErrorsTotal", 1L);
      app2.register().ask(1, GB);
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(app3.containers()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @MethodSource("failures")
  void failedPlanFallsBackToSlots(Throwable failure) throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(64 * GB, "max-starting", "auto", "take-back", "off")) {
      MockApp app1 = cluster.submit();
      FieldUtils.writeField(app1.attempt(), "liveContainers", new BrokenBooks(failure), true);
      MockApp app2 = cluster.submit();
      MockApp app3 = cluster.submit();
      for (int i = 0; i < 3; i++) {
        AutoSteps.monitorAndHeartbeat(cluster);
      }
      assertThat(app2.state()).isEqualTo(STARTING);
      assertThat(app3.state()).isEqualTo(ACCEPTED);
      assertThat(figures()).as("the application once, the plan each time")
          .containsEntry("ErrorsTotal", 4L);
      assertThat(DripfeedRuntime.current().metrics().failures()).isEqualTo(4);
    }
  }

  /** The queue is known, so its counter and the alert on it see the error. */
  @Test
  void failureOfTheLiveViewCountsInItsQueue() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app = cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      FieldUtils.writeField(app.attempt(), "liveContainers",
          new BrokenBooks(new IllegalStateException("broken")), true);
      assertThat(LiveTables.rows("Starting")).isEmpty();
      assertThat(figures()).containsEntry("ErrorsTotal", 1L);
    }
  }

  @Test
  void failureOfOneJobOfTheMonitorLeavesTheOthers() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      StateAwareQueue<?> queue = StateAwareQueue.of(cluster.queue(MockCluster.DRIP));
      FieldUtils.writeField(queue.order(), "lifecycle", null, true);
      assertThatCode(queue::endRound).doesNotThrowAnyException();
      assertThat(DripfeedRuntime.current().metrics().failures())
          .as("reservations and report").isEqualTo(2);
    }
  }

  @Test
  void failureWhileStartingFreesTheSlot() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      MockApp app2 = cluster.submit();
      cluster.heartbeat();
      FieldUtils.writeField(app1.attempt(), "liveContainers",
          new BrokenBooks(new IllegalStateException("broken")), true);
      cluster.heartbeat();
      assertThat(app1.state()).isEqualTo(RUNNING);
      assertThat(app2.containers()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void wallClockJumpDoesNotAffectStartedApplications(int hours) throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      cluster.advance(Duration.ofMinutes(3));
      cluster.jumpWallClock(Duration.ofHours(hours));
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.refresh();
      cluster.advance(Duration.ofMinutes(2).minusMillis(1));
      assertThat(cluster.offered()).as("not yet").containsExactly("App1");
      cluster.advance(Duration.ofMillis(1));
      assertThat(cluster.offered()).as("five minutes on the monotonic clock")
          .containsExactly("App1", "App2");
      assertThat(app1.state()).isEqualTo(RUNNING);
    }
  }

  /** The wall clock counts only here: after a restart the age of a driver is all that is known. */
  @Test
  void wallClockSetBackCostsAtMostOneTimeout() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      app1.register();
      cluster.jumpWallClock(Duration.ofHours(-1));
      cluster.restart().reconnectNodes();
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.jumpWallClock(Duration.ofHours(-1));
      cluster.advance(Duration.ofMinutes(5));
      assertThat(cluster.offered()).as("the first turn fixed its clock")
          .containsExactly("App1", "App2");
    }
  }

  @Test
  void wallClockSetAheadStartsOneMore() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      MockApp app2 = cluster.submit();
      MockApp app3 = cluster.submit();
      cluster.heartbeat();
      app1.register();
      cluster.jumpWallClock(Duration.ofHours(1));
      cluster.restart().reconnectNodes();
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(app2.containers()).isEqualTo(1);
      assertThat(app3.containers()).as("no more than one").isZero();
    }
  }
}
