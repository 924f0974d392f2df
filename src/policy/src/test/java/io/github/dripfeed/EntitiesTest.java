// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.resourcemanager.RMAppManagerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.RMAppManagerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All applications of a queue, held ones included, as YARN iterates over them on the real Capacity
 * Scheduler: a live view in the order of the queue, as the stock policies provide it.
 */
class EntitiesTest {

  /** Enough that no hash map has them in order by chance. */
  private static final int MANY = 20;

  @Test
  void entitiesAreOrderedByPriorityAndSubmission() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(32 * GB)) {
      List<String> high = new ArrayList<>();
      List<String> low = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        (i % 2 == 0 ? low : high).add(cluster.submit(GB, i % 2).name());
      }
      high.addAll(low);
      assertThat(all(cluster)).isEqualTo(high);
      cluster.heartbeat();
      assertThat(all(cluster)).as("independent of their states").isEqualTo(high);
    }
  }

  @Test
  void priorityChangeReordersEntities() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(32 * GB)) {
      List<MockApp> apps = submit(cluster, 3);
      apps.get(2).setPriority(5);
      assertThat(all(cluster)).containsExactly("App3", "App1", "App2");
      apps.get(2).setPriority(1);
      apps.get(1).setPriority(2);
      assertThat(all(cluster)).containsExactly("App2", "App3", "App1");
    }
  }

  @Test
  void fifoOrdersEntitiesBySubmission() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(32 * GB, "order", "fifo")) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        names.add(cluster.submit(GB, i % 3).name());
      }
      assertThat(all(cluster)).isEqualTo(names);
      cluster.refresh();
      assertThat(all(cluster)).as("after a refresh").isEqualTo(names);
    }
  }

  @Test
  void fairOrderUsesTheSharesOfTheLastReordering() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.addNode(64 * GB);
      start(cluster, 3);
      MockApp app2 = start(cluster, 1);
      start(cluster, 2);
      cluster.offered();
      assertThat(all(cluster)).containsExactly("App2", "App3", "App1");
      cluster.submit();
      cluster.submit();
      cluster.offered();
      assertThat(all(cluster)).as("waiting applications use nothing yet")
          .containsExactly("App4", "App5", "App2", "App3", "App1");
      app2.ask(5, GB);
      cluster.heartbeat();
      cluster.offered();
      assertThat(all(cluster)).containsExactly("App5", "App4", "App3", "App1", "App2");
      assertThat(cluster.policy().getSchedulableEntities()).hasSize(5);
      cluster.refresh();
      assertThat(all(cluster)).as("shares survive a refresh")
          .containsExactly("App5", "App4", "App3", "App1", "App2");
    }
  }

  /** A refresh walks the queue beside threads that schedule, and hands over what it meets. */
  @Test
  void walkMissesNoApplicationThatMovesToAPlaceBehindIt() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.addNode(64 * GB);
      MockApp app1 = start(cluster, 3);
      start(cluster, 1);
      start(cluster, 2);
      cluster.offered();
      Iterator<FiCaSchedulerApp> walk = cluster.policy().getSchedulableEntities().iterator();
      List<String> met = new ArrayList<>(List.of(name(cluster, walk.next())));
      app1.release(app1.executors());
      cluster.offered();
      assertThat(all(cluster)).as("it has moved").containsExactly("App1", "App2", "App3");
      walk.forEachRemaining(app -> met.add(name(cluster, app)));
      assertThat(met).containsExactly("App2", "App3", "App1");
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {StateAwareOrderingPolicy.class, StateAwareFairOrderingPolicy.class})
  void viewIsLiveAndReadOnly(Class<?> policy) throws Exception {
    try (MockCluster cluster = MockCluster.of(policy)) {
      cluster.addNode(32 * GB);
      List<MockApp> apps = submit(cluster, 4);
      Collection<FiCaSchedulerApp> view = cluster.policy().getSchedulableEntities();
      FiCaSchedulerApp second = apps.get(1).attempt();
      Iterator<FiCaSchedulerApp> walk = view.iterator();
      assertThat(walk.next()).isSameAs(apps.get(0).attempt());
      apps.get(2).kill();
      MockApp app5 = cluster.submit();
      List<String> rest = new ArrayList<>();
      walk.forEachRemaining(app -> rest.add(name(cluster, app)));
      assertThat(rest).as("what was there when the walk began").containsExactly("App2", "App3", "App4");
      assertThat(names(cluster, view)).containsExactly("App1", "App2", "App4", "App5");
      assertThat(view).hasSize(4).contains(second, app5.attempt());
      apps.get(1).kill();
      assertThat(view).hasSize(3).doesNotContain(second);
      assertThatThrownBy(view::clear).isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> view.remove(app5.attempt()))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void removedApplicationsLeaveNothingBehind() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.addNode(32 * GB);
      MockApp app1 = start(cluster, 2);
      MockApp app2 = start(cluster, 1);
      cluster.offered();
      app1.kill();
      app2.kill();
      assertThat(cluster.policy().getSchedulableEntities()).isEmpty();
      assertThat(cluster.policy().getSchedulableEntities().iterator()).isExhausted();
    }
  }

  @Test
  void yarnMovesTheWholeQueueInOrder() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(32 * GB)) {
      List<ApplicationId> ids = idsOf(submit(cluster, MANY));
      List<ApplicationId> moved = new CopyOnWriteArrayList<>();
      cluster.rm().getRMContext().getDispatcher().register(RMAppManagerEventType.class,
          (EventHandler<RMAppManagerEvent>) event -> moved.add(event.getApplicationId()));
      cluster.scheduler().moveAllApps(cluster.queue(MockCluster.DRIP).getQueueName(),
          cluster.queue(MockCluster.OTHER).getQueueName());
      cluster.rm().drainEvents();
      assertThat(moved).isEqualTo(ids);
    }
  }

  @Test
  void yarnKillsTheWholeQueueInOrder() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(32 * GB)) {
      List<ApplicationId> ids = idsOf(submit(cluster, MANY));
      List<ApplicationId> killed = new CopyOnWriteArrayList<>();
      cluster.rm().getRMContext().getDispatcher().register(RMAppEventType.class,
          (EventHandler<RMAppEvent>) event -> {
            if (event.getType() == RMAppEventType.KILL) {
              killed.add(event.getApplicationId());
            }
          });
      cluster.scheduler().killAllAppsInQueue(cluster.queue(MockCluster.DRIP).getQueueName());
      cluster.rm().drainEvents();
      assertThat(killed).isEqualTo(ids);
    }
  }

  @Test
  void replacedPolicyHandsOverInOrder() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(32 * GB)) {
      List<MockApp> apps = submit(cluster, MANY);
      cluster.refresh(queueKey("ordering-policy"), "fair");
      cluster.refresh(queueKey("ordering-policy"), StateAwareOrderingPolicy.class.getName());
      assertThat(all(cluster)).isEqualTo(apps.stream().map(MockApp::name).toList());
    }
  }

  private static List<ApplicationId> idsOf(List<MockApp> apps) {
    return apps.stream().map(MockApp::id).toList();
  }

  private static List<MockApp> submit(MockCluster cluster, int count) throws Exception {
    List<MockApp> apps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      apps.add(cluster.submit());
    }
    return apps;
  }

  /** A running application with this number of executors of 1 GB. */
  private static MockApp start(MockCluster cluster, int executors) throws Exception {
    MockApp app = cluster.submit();
    cluster.heartbeat();
    app.register().ask(executors, GB);
    cluster.heartbeat();
    return app;
  }

  private static List<String> all(MockCluster cluster) {
    return names(cluster, cluster.policy().getSchedulableEntities());
  }

  private static List<String> names(MockCluster cluster, Collection<FiCaSchedulerApp> apps) {
    return apps.stream().map(app -> name(cluster, app)).toList();
  }

  private static String name(MockCluster cluster, FiCaSchedulerApp app) {
    return cluster.rm().getRMContext().getRMApps().get(app.getApplicationId()).getName();
  }
}
