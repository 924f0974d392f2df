// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.AutoSteps.LABEL;
import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.AutoSteps.labelledCluster;
import static io.github.dripfeed.fixture.AutoSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.AutoSteps.request;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.AutoSteps.startedDrivers;
import static io.github.dripfeed.fixture.AutoSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.TenantQueues;
import io.github.dripfeed.fixture.YarnPreemption;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code max-starting=auto} beside labels, other queues, preemption and opportunistic containers. */
class AutoNeighboursTest {

  private static final Resource EXECUTOR = Resource.newInstance(GB, 1);

  private static MockApp submitToOther(MockCluster cluster) throws Exception {
    return cluster.submit(cluster.submission(GB).withQueue(OTHER));
  }

  /** The other queue has {@code auto} as well. */
  private static Map<String, String> twoQueues() {
    Map<String, String> properties = new HashMap<>();
    properties.put(key(DRIP, "capacity"), "50");
    properties.put(key(OTHER, "capacity"), "50");
    properties.put(key(OTHER, "maximum-am-resource-percent"), "100");
    properties.put(key(OTHER, "ordering-policy"), StateAwareOrderingPolicy.class.getName());
    properties.put(key(OTHER, "ordering-policy.state-aware.max-starting"), "auto");
    return properties;
  }

  // Labels.

  /** EMR: drivers ask for a label that is shared, executors for none. All nodes have the label. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void driversOnASharedLabel(boolean group) throws Exception {
    Map<String, String> properties = group ? twoQueues() : new HashMap<>();
    if (group) {
      properties.put(key(DRIP, "accessible-node-labels." + LABEL + ".capacity"), "50");
      properties.put(key(OTHER, "accessible-node-labels"), LABEL);
      properties.put(key(OTHER, "accessible-node-labels." + LABEL + ".capacity"), "50");
    }
    try (MockCluster cluster = labelledCluster(false, properties)) {
      for (int i = 0; i < 4; i++) {
        cluster.label(cluster.addNode(6 * GB), LABEL);
      }
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 25; i++) {
        apps.add(cluster.submit(cluster.submission(GB).withDriverLabel(LABEL)
            .withQueue(group && i % 2 == 1 ? OTHER : DRIP)));
      }
      int most = 0;
      Map<MockApp, Integer> up = new HashMap<>();
      int seconds = 0;
      for (; apps.stream().anyMatch(app -> !app.hasEnded()) && seconds < 200; seconds++) {
        cluster.runFor(1);
        int starting = 0;
        for (MockApp app : apps) {
          if (!app.hasEnded() && app.containers() > 0) {
            int since = up.merge(app, 1, Integer::sum);
            starting += app.state() == STARTING ? 1 : 0;
            if (since == 5) {
              app.register().ask(request(1, EXECUTOR, ""));
            } else if (since > 8 && app.state() == RUNNING) {
              app.heartbeat();
              app.finish();
            }
          }
        }
        most = Math.max(most, starting);
      }
      assertThat(apps).as("all end; %d at once", most).allMatch(MockApp::hasEnded);
      assertThat(most).as("several at once, and never all nodes full of drivers").isBetween(4, 16);
      assertThat(apps).extracting(app -> app.attemptId().getAttemptId()).as("nobody is taken back")
          .containsOnly(1);
    }
  }

  // Other queues.

  /** Sessions of another queue that ask for nothing; with and without a plan. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void firstApplicationOfAnIdleQueueWaitsForNoSilentSession(boolean planned) throws Exception {
    try (MockCluster cluster = autoCluster(twoQueues(), 32 * GB)) {
      List<MockApp> sessions = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        sessions.add(submitToOther(cluster));
      }
      cluster.runFor(5);
      for (MockApp session : sessions) {
        session.register();
      }
      cluster.runFor(31);
      MockApp first = cluster.submit();
      if (planned) {
        cluster.tick();
      } else {
        cluster.advance(Duration.ofSeconds(6));
      }
      cluster.heartbeat();
      assertThat(first.state()).isEqualTo(STARTING);
    }
  }

  @ParameterizedTest
  @EnumSource(TenantQueues.class)
  void twoHundredQueuesAreOneGroup(TenantQueues kind) throws Exception {
    assumeTrue(kind.isSupported());
    int queues = 200;
    try (MockCluster cluster = kind.cluster(queues, "max-starting", "auto")) {
      for (int i = 0; i < 4; i++) {
        cluster.addNode(32 * GB);
      }
      List<MockApp> apps = new ArrayList<>();
      for (int tenant = 1; tenant <= queues; tenant++) {
        apps.add(kind.submit(tenant, GB, cluster));
      }
      int most = 0;
      Map<MockApp, Integer> up = new HashMap<>();
      int seconds = 0;
      for (; apps.stream().anyMatch(app -> !app.hasEnded()) && seconds < 120; seconds++) {
        cluster.runFor(1);
        for (MockApp app : apps) {
          if (!app.hasEnded() && app.attempt() != null && app.containers() > 0) {
            int since = up.merge(app, 1, Integer::sum);
            if (since == 3) {
              app.register().ask(1, GB);
            } else if (since > 6 && app.state() == RUNNING) {
              app.heartbeat();
              app.finish();
            }
          }
        }
        most = Math.max(most, (int) apps.stream().filter(app -> !app.hasEnded() && app.attempt() != null
            && app.state() == STARTING).count());
      }
      assertThat(apps).as("after %d s", seconds).allMatch(MockApp::hasEnded);
      assertThat(most).as("128 GB").isBetween(20, 64);
      assertThat(DripfeedRuntime.current().metrics().failures()).isZero();
    }
  }

  // YARN's preemption.

  /** Its applications get their drivers and executors from a queue that holds everything. */
  @Test
  void queueBelowItsGuaranteeGetsItThroughPreemption() throws Exception {
    Map<String, String> properties = new HashMap<>();
    String[] preemption = YarnPreemption.withoutDelay(
        key(DRIP, "capacity"), "50", key(OTHER, "capacity"), "50");
    for (int i = 0; i < preemption.length; i += 2) {
      properties.put(preemption[i], preemption[i + 1]);
    }
    try (MockCluster cluster = autoCluster(properties, 20 * GB)) {
      runOneApplication(cluster, GB);
      MockApp greedy = cluster.submitFiller(50);
      List<MockApp> burst = submitMany(cluster, 8);
      Set<ContainerId> lost = new HashSet<>();
      Set<ContainerId> before = new HashSet<>(greedy.executors());
      int seconds = 0;
      for (; seconds < 60 && burst.stream().filter(app -> app.state() == RUNNING).count() < 5; seconds++) {
        YarnPreemption.round(cluster);
        cluster.runFor(1);
        for (MockApp app : burst) {
          if (app.state() == STARTING && !app.isRegistered()) {
            app.register().ask(1, GB);
          }
        }
        before.stream().filter(id -> !greedy.executors().contains(id)).forEach(lost::add);
      }
      assertThat(burst.stream().filter(app -> app.state() == RUNNING).count()).as("after %d s", seconds)
          .isEqualTo(5);
      assertThat(lost.size()).as("two for each of five").isBetween(10, 11);
    }
  }

  // Opportunistic containers.

  @Test
  void opportunisticContainersAreNoExecutors() throws Exception {
    try (MockCluster cluster = autoCluster(16 * GB)) {
      runOneApplication(cluster, 2 * GB);
      MockApp app = cluster.submit();
      monitorAndHeartbeat(cluster);
      app.register();
      Container container = Container.newInstance(ContainerId.newContainerId(app.attemptId(), 77),
          cluster.node(0).getNodeId(), "", Resource.newInstance(2 * GB, 1), Priority.newInstance(1), null);
      container.setExecutionType(ExecutionType.OPPORTUNISTIC);
      SchedulerUtils.createOpportunisticRmContainer(cluster.rm().getRMContext(), container, false);
      cluster.runFor(2);
      assertThat(app.containers()).isEqualTo(2);
      assertThat(app.state()).isEqualTo(STARTING);
      List<MockApp> more = submitMany(cluster, 10);
      cluster.runFor(3);
      assertThat(startedDrivers(more)).as("5 drivers with an executor of 2 GB each").isEqualTo(4);
    }
  }

  // Failover.

  @Test
  void passesAndWhatIsLearnedAreThereAfterAFailover() throws Exception {
    try (MockCluster cluster = autoCluster(twoQueues(), 32 * GB)) {
      List<MockApp> running = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        MockApp app = cluster.submit();
        monitorAndHeartbeat(cluster);
        app.register().ask(2, 2 * GB);
        cluster.runFor(2);
        app.heartbeat();
        app.launchExecutors();
        running.add(app);
      }
      List<MockApp> apps = submitMany(cluster, 4);
      apps.add(submitToOther(cluster));
      cluster.restart().reconnectNodes();
      for (MockApp app : running) {
        app.registerAgain();
      }
      assertThat(running).extracting(MockApp::containers).containsOnly(3);
      cluster.runFor(2);
      assertThat(apps.get(4).state()).as("its queue has nothing yet").isEqualTo(STARTING);
      assertThat(startedDrivers(apps.subList(0, 4))).as("15 GB are left, 5 GB each").isEqualTo(3);
    }
  }
}
