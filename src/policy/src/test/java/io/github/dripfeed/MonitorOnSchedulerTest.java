// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.junit.jupiter.api.Test;

/**
 * What the monitor watches during the life of a queue on the real Capacity Scheduler
 * (docs/design.md#a-policy-is-never-closed).
 */
class MonitorOnSchedulerTest {

  private static Runnable meanwhile = () -> { };

  /** Takes over its applications in a refresh that is so slow that something else happens meanwhile. */
  public static final class SlowToBePut<S extends SchedulableEntity>
      extends StateAwareOrderingPolicy<S> {
    @Override
    public void addAllSchedulableEntities(Collection<S> entities) {
      super.addAllSchedulableEntities(entities);
      meanwhile.run();
    }
  }

  @Test
  void watchesNothingBeforeTheFirstApplication() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      assertThat(cluster.isMonitored()).isFalse();
      cluster.submit();
      assertThat(cluster.isMonitored()).isTrue();
    }
  }

  @Test
  void monitorTurnsDuringARefreshLoseNothing() throws Exception {
    try (MockCluster cluster = MockCluster.of(SlowToBePut.class, "monitor-interval", "1ms")) {
      MockApp starting = startAndHold(cluster);
      refreshWithLooksMeanwhile(cluster, Duration.ofMillis(1));
      cluster.runMonitor();
      assertThat(cluster.isMonitored()).isTrue();
      cluster.advance(Duration.ofMinutes(5));
      cluster.runMonitor();
      assertThat(starting.state()).isEqualTo(State.RUNNING);
    }
  }

  @Test
  void policyIsVisitedOnceItsQueueHasItHoweverLongTheRefresh() throws Exception {
    try (MockCluster cluster = MockCluster.of(SlowToBePut.class)) {
      MockApp starting = startAndHold(cluster);
      refreshWithLooksMeanwhile(cluster, Duration.ofSeconds(10));
      // The refresh was slower than the monitor.
      cluster.tick();
      cluster.tick();
      assertThat(cluster.isMonitored()).isTrue();
      cluster.advance(Duration.ofMinutes(5));
      cluster.runMonitor();
      assertThat(starting.state()).isEqualTo(State.RUNNING);
    }
  }

  @Test
  void nextApplicationStartsTheMissingThread() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    try (MockCluster cluster = MockCluster.withMonitorThread(StateAwareOrderingPolicy.class, run -> {
      if (tries.incrementAndGet() == 1) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      Thread thread = new Thread(run, "monitor under test");
      thread.setDaemon(true);
      return thread;
    })) {
      cluster.addNode(16 * GB);
      MockApp starting = cluster.submit();
      cluster.heartbeat();
      assertThat(starting.state()).isEqualTo(State.STARTING);
      cluster.advance(Duration.ofMinutes(5));
      cluster.submit(cluster.submission(GB));
      Eventually.is("the monitor's thread has run",
          () -> starting.state() == State.RUNNING);
      assertThat(tries).hasValue(2);
    }
  }

  @Test
  void removedApplicationIsForgotten() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      for (int i = 0; i < 5; i++) {
        MockApp app = cluster.submit();
        cluster.heartbeat();
        app.kill();
      }
      assertThat(cluster.policy().getNumSchedulableEntities()).isZero();
    }
  }

  /** One application is starting, and another waits. */
  private static MockApp startAndHold(MockCluster cluster) throws Exception {
    cluster.addNode(16 * GB);
    MockApp starting = cluster.submit();
    cluster.submit();
    cluster.heartbeat();
    cluster.runMonitor();
    return starting;
  }

  private static void refreshWithLooksMeanwhile(MockCluster cluster, Duration between)
      throws Exception {
    meanwhile = () -> {
      for (int i = 0; i < 5; i++) {
        cluster.runMonitor();
        cluster.advance(between);
      }
    };
    try {
      cluster.refresh();
    } finally {
      meanwhile = () -> { };
    }
  }
}
