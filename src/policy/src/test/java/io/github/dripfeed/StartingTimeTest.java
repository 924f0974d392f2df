// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.List;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.apache.hadoop.yarn.server.utils.BuilderUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which time counts as starting time, and which does not. */
class StartingTimeTest {

  @Test
  void attemptsShareTheStartingTimeout() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_AM_MAX_ATTEMPTS, "20")) {
      cluster.addNode(16 * GB);
      MockApp looping = cluster.submit(cluster.submission(GB).withMaxAttempts(20));
      MockApp other = cluster.submit();
      Duration held = Duration.ZERO;
      for (int attempt = 1; attempt <= 5 && other.containers() == 0; attempt++) {
        cluster.heartbeat();
        assertThat(looping.containers()).isEqualTo(1);
        looping.register();
        for (int minute = 0; minute < 4 && other.containers() == 0; minute++) {
          cluster.advance(Duration.ofMinutes(1));
          held = held.plusMinutes(1);
          cluster.heartbeat();
        }
        if (other.containers() == 0) {
          looping.failDriver();
        }
      }
      assertThat(other.containers()).isEqualTo(1);
      assertThat(held).isEqualTo(Duration.ofMinutes(5));
    }
  }

  @Test
  void exhaustedApplicationTakesNoUsefulSlot() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_AM_MAX_ATTEMPTS, "20")) {
      cluster.addNode(32 * GB);
      MockApp looping = exhaustStartingTime(cluster.submit(
          cluster.submission(GB).withMaxAttempts(20)), cluster);
      cluster.heartbeat();
      assertThat(looping.containers()).as("no other application wants the slot").isEqualTo(1);
      MockApp other = cluster.submit();
      cluster.heartbeat();
      assertThat(other.containers()).as("in parallel with the exhausted one").isEqualTo(1);
      looping.register().failDriver();
      MockApp third = cluster.submit();
      cluster.heartbeat();
      assertThat(looping.containers()).as("the slot is taken").isZero();
      other.register().ask(1, GB);
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(third.containers()).as("it goes first").isEqualTo(1);
      assertThat(looping.containers()).isZero();
    }
  }

  @Test
  void exhaustedApplicationsStartOneAtATime() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_AM_MAX_ATTEMPTS, "20")) {
      cluster.addNode(32 * GB);
      List<MockApp> looping = List.of(
          exhaustStartingTime(cluster.submit(cluster.submission(GB).withMaxAttempts(20)), cluster),
          exhaustStartingTime(cluster.submit(cluster.submission(GB).withMaxAttempts(20)), cluster));
      for (int i = 0; i < 10; i++) {
        cluster.heartbeat();
        cluster.tick();
        assertThat(looping).filteredOn(app -> app.containers() == 1)
            .hasSizeLessThanOrEqualTo(1);
      }
    }
  }

  /** How an attempt ends whose end says nothing against its application. */
  enum Blameless {
    NODE_LOST {
      @Override
      void end(MockApp app, MockCluster cluster) throws Exception {
        cluster.loseNode(cluster.node(0));
      }
    },
    PREEMPTED {
      @Override
      void end(MockApp app, MockCluster cluster) throws Exception {
        cluster.rm().getRMContext().getDispatcher().getEventHandler().handle(new ContainerPreemptEvent(
            app.attemptId(), app.attempt().getLiveContainers().iterator().next(),
            SchedulerEventType.MARK_CONTAINER_FOR_KILLABLE));
      }
    },
    FAILED_AFTER_EXECUTORS {
      @Override
      void end(MockApp app, MockCluster cluster) throws Exception {
        app.ask(1, GB);
        cluster.heartbeat();
        app.failDriver();
      }
    },
    FORGOTTEN {
      @Override
      void end(MockApp app, MockCluster cluster) throws Exception {
        RMAppAttempt attempt = app.rmApp().getCurrentAppAttempt();
        app.failDriver();
        FieldUtils.writeField(attempt, "finishTime", 1, true);
        cluster.heartbeat();
        app.register().failDriver();
      }
    };

    abstract void end(MockApp app, MockCluster cluster) throws Exception;
  }

  /** Its starting time is over before it ends: a lost node is noticed after ten minutes only. */
  @ParameterizedTest
  @EnumSource
  void blamelessEndCostsNoStartingTime(Blameless way) throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.RM_AM_MAX_ATTEMPTS, "20")) {
      cluster.addNode(16 * GB);
      MockApp app = cluster.submit(cluster.submission(GB).withMaxAttempts(20)
          .withFailuresForgottenAfter(Duration.ofHours(1)));
      cluster.heartbeat();
      app.register();
      cluster.advance(Duration.ofMinutes(11));
      cluster.runMonitor();
      int before = app.attemptId().getAttemptId();
      way.end(app, cluster);
      cluster.rm().drainEvents();
      MockRM.waitForAttemptScheduled(app.rmApp(), cluster.rm());
      assertThat(app.attemptId().getAttemptId()).isGreaterThan(before);
      cluster.submitMany(3, GB, "user");
      cluster.addNode(16 * GB);
      assertThat(cluster.offered()).containsExactly(app.name());
      assertThat(cluster.isStartingTimeExhausted(app.attempt())).isFalse();
    }
  }

  static MockApp exhaustStartingTime(MockApp app, MockCluster cluster) throws Exception {
    for (int attempt = 0; attempt < 2; attempt++) {
      for (int i = 0; i < 400 && app.containers() == 0; i++) {
        cluster.heartbeat();
        cluster.tick();
      }
      app.register();
      cluster.advance(Duration.ofMinutes(4));
      cluster.runMonitor();
      app.failDriver();
    }
    return app;
  }

  @Test
  void failoverDoesNotCountTheWaitForTheDriver() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp waited = cluster.submit();
      MockApp next = cluster.submit();
      long hour = Duration.ofHours(1).toMillis();
      for (Object of : new Object[] {waited.rmApp(), waited.rmApp().getCurrentAppAttempt()}) {
        FieldUtils.writeField(of, "startTime", System.currentTimeMillis() - hour, true);
      }
      cluster.heartbeat();
      // YARN stores this at the first launch; its test helper does not set the time.
      cluster.rm().getRMContext().getDispatcher().getEventHandler().handle(new RMAppEvent(
          waited.id(), RMAppEventType.ATTEMPT_LAUNCHED, System.currentTimeMillis()));
      waited.register();
      cluster.advance(Duration.ofSeconds(10));
      cluster.restart();
      // YARN activates no application in a cluster without nodes.
      cluster.addNode(16 * GB);
      assertThat(cluster.offered()).as("its node is not back").containsExactly("App1");
      assertThat(waited.state()).isEqualTo(State.STARTING);
      cluster.advance(Duration.ofMinutes(5).minusSeconds(60));
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.advance(Duration.ofSeconds(60));
      assertThat(cluster.offered()).as("its five minutes are over")
          .containsExactly(waited.name(), next.name());
    }
  }

  @Test
  void driverOfAnotherPolicyKeepsItsAge() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      String policy = StateAwareOrderingPolicy.class.getName();
      cluster.refresh(MockCluster.queueKey("ordering-policy"), "fifo");
      cluster.heartbeat();
      assertThat(app1.containers()).isEqualTo(1);
      cluster.advance(Duration.ofHours(1));
      cluster.refresh(MockCluster.queueKey("ordering-policy"), policy);
      cluster.submit();
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      assertThat(app1.state()).isEqualTo(State.RUNNING);
    }
  }

  @ParameterizedTest
  @CsvSource({"INCREASE_RESOURCE, 2048", "DECREASE_RESOURCE, 1024"})
  void resizedDriverIsNoExecutor(ContainerUpdateType type, int memory) throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit(3 * GB / 2, 0);
      MockApp app2 = cluster.submit();
      cluster.heartbeat();
      app1.register();
      Container driver = app1.rmApp().getCurrentAppAttempt().getMasterContainer();
      cluster.node(0).nodeHeartbeat(
          app1.attemptId(), driver.getId().getContainerId(), ContainerState.RUNNING);
      cluster.rm().waitForState(cluster.node(0), driver.getId(), RMContainerState.RUNNING);
      app1.update(UpdateContainerRequest.newInstance(driver.getVersion(), driver.getId(), type,
          Resource.newInstance(memory, 1), ExecutionType.GUARANTEED));
      for (int i = 0; i < 5; i++) {
        assertThat(app1.state()).isEqualTo(State.STARTING);
        assertThat(app2.containers()).isZero();
        cluster.heartbeat();
        app1.heartbeat();
        cluster.tick();
      }
      assertThat(app1.attempt().getLiveContainersMap().get(driver.getId()).getAllocatedResource()
          .getMemorySize()).as("the update is done").isEqualTo(memory);
      assertThat(cluster.offeredIn(DRIP)).containsExactly("App1");
    }
  }

  /** YARN's allocator of opportunistic containers makes them so, beside the policy. */
  @Test
  void opportunisticContainerIsNoExecutor() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      MockApp app2 = cluster.submit();
      cluster.heartbeat();
      app1.register();
      Container container = BuilderUtils.newContainer(
          ContainerId.newContainerId(app1.attemptId(), app1.attempt().getNewContainerId()),
          cluster.node(0).getNodeId(), "", Resource.newInstance(GB, 1), Priority.newInstance(1), null,
          ExecutionType.OPPORTUNISTIC, 0);
      SchedulerUtils.createOpportunisticRmContainer(cluster.rm().getRMContext(), container, true);
      cluster.runFor(10);
      assertThat(app1.containers()).isEqualTo(2);
      assertThat(app1.state()).isEqualTo(State.STARTING);
      assertThat(app2.containers()).isZero();
      app1.ask(1, GB);
      cluster.heartbeat();
      assertThat(app1.state()).as("with a guaranteed one").isEqualTo(State.RUNNING);
    }
  }
}
