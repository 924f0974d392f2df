/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.junit.jupiter.api.Test;

/**
 * What the monitor watches through the life of a queue on the real Capacity Scheduler
 * (docs/design.md#a-policy-is-never-closed).
 */
class MonitorOnSchedulerTest {

  private static Runnable meanwhile = () -> { };

  /** Takes over its applications in a refresh that takes so long that something happens meanwhile. */
  public static final class SlowToBePut<S extends SchedulableEntity>
      extends StateAwareOrderingPolicy<S> {
    @Override
    public void addAllSchedulableEntities(Collection<S> entities) {
      super.addAllSchedulableEntities(entities);
      meanwhile.run();
    }
  }

  @Test
  void watchesNothingBeforeTheFirstApplicationAndAfterTheLast() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      assertThat(cluster.watched()).isZero();
      MockApp app1 = cluster.submit();
      assertThat(cluster.watched()).isEqualTo(1);
      app1.kill();
      cluster.lookAgain();
      assertThat(cluster.watched()).isZero();
      cluster.submit();
      assertThat(cluster.watched()).isEqualTo(1);
    }
  }

  @Test
  void watchesOnlyTheNewestPolicyOfAQueueAfterRefreshes() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      for (int i = 0; i < 20; i++) {
        cluster.refresh();
      }
      cluster.lookAgain();
      assertThat(cluster.watched()).isEqualTo(1);
    }
  }

  @Test
  void stopsActingForAPolicyThatAStockOneReplaced() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      Object replaced = cluster.policy();
      cluster.refresh(queueKey("ordering-policy"), "fifo");
      cluster.lookAgain();
      cluster.lookAgain();
      assertThat(cluster.watched()).isZero();
      assertThat(replaced).as("though it is still there").isNotNull();
    }
  }

  @Test
  void stopsActingForAResourceManagerThatAnotherReplaced() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app = cluster.submit();
      cluster.heartbeat();
      app.register();
      Object gone = app.attempt();
      Map<MockNM, List<NMContainerStatus>> reports = cluster.restart();
      cluster.comeBack(cluster.node(0), reports.get(cluster.node(0)));
      cluster.lookAgain();
      cluster.lookAgain();
      assertThat(cluster.watched()).as("the policy of the new one only").isEqualTo(1);
      assertThat(gone).as("though the other's application is still there").isNotNull();
    }
  }

  @Test
  void looksThatFallIntoARefreshLoseNothing() throws Exception {
    try (MockCluster cluster = MockCluster.of(SlowToBePut.class, "monitor-interval", "1ms")) {
      MockApp starting = startAndHold(cluster);
      refreshWithLooksMeanwhile(cluster, Duration.ofMillis(1));
      assertThat(cluster.watched()).isEqualTo(1);
      cluster.pass(Duration.ofMinutes(5));
      cluster.look();
      assertThat(starting.state()).isEqualTo(State.RUNNING);
    }
  }

  @Test
  void oneThatWasGivenUpIsWatchedAgainWhenYarnAsksIt() throws Exception {
    try (MockCluster cluster = MockCluster.of(SlowToBePut.class)) {
      MockApp starting = startAndHold(cluster);
      refreshWithLooksMeanwhile(cluster, Duration.ofSeconds(10));
      assertThat(cluster.watched()).as("a refresh never takes so long, but if it did").isZero();
      cluster.heartbeat();
      assertThat(cluster.watched()).isEqualTo(1);
      cluster.pass(Duration.ofMinutes(5));
      cluster.look();
      assertThat(starting.state()).isEqualTo(State.RUNNING);
    }
  }

  @Test
  void theNextApplicationBringsAThreadWhereTheFirstCouldNotStart() throws Exception {
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
      cluster.pass(Duration.ofMinutes(5));
      cluster.submit(cluster.submission(GB));
      Eventually.is("the monitor's thread has looked",
          () -> starting.state() == State.RUNNING);
      assertThat(tries).hasValue(2);
    }
  }

  @Test
  void anApplicationThatLeavesIsForgotten() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      for (int i = 0; i < 5; i++) {
        MockApp app = cluster.submit();
        cluster.heartbeat();
        app.kill();
      }
      assertThat(cluster.policy().getNumSchedulableEntities()).isZero();
    }
  }

  /** One is starting, and another waits. */
  private static MockApp startAndHold(MockCluster cluster) throws Exception {
    cluster.addNode(16 * GB);
    MockApp starting = cluster.submit();
    cluster.submit();
    cluster.heartbeat();
    cluster.look();
    return starting;
  }

  private static void refreshWithLooksMeanwhile(MockCluster cluster, Duration between)
      throws Exception {
    meanwhile = () -> {
      for (int i = 0; i < 5; i++) {
        cluster.look();
        cluster.pass(between);
      }
    };
    try {
      cluster.refresh();
    } finally {
      meanwhile = () -> { };
    }
  }
}
