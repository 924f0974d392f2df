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

import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.dripfeed.core.reclaim.PlanUser;
import io.github.dripfeed.core.reclaim.UserLimits;
import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.ReclaimCluster;
import io.github.dripfeed.ordering.FairShareComparator;
import io.github.dripfeed.ordering.OrderingDelegate;
import io.github.dripfeed.ordering.StateAwarePolicy;
import io.github.dripfeed.reclaim.QueueReclaimer;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.QueueHeadroom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What reclaim reads in the scheduler's data, and how many of YARN's locks it takes. */
class ReclaimBooksTest {

  @ParameterizedTest
  @CsvSource({"100, 100, 1", "50, 100, 1", "25, 100, 2", "34, 0.4, 1", "34, 0.4, 2"})
  void userLimitEqualsYarns(String percent, String factor, String weight) throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        queueKey("minimum-user-limit-percent"), percent, queueKey("user-limit-factor"), factor,
        queueKey("user-settings.a.weight"), weight)) {
      cluster.addNode(23 * GB);
      for (int executors = 1; executors < 12; executors += 5) {
        for (String user : List.of("a", "b", "c")) {
          MockApp app = cluster.submit(cluster.submission(GB).withUser(user));
          cluster.heartbeat();
          if (app.containers() > 0) {
            app.register().ask(executors, GB);
            cluster.heartbeat();
            app.heartbeat();
            app.ask(30, GB);
          }
          assertLimits(cluster);
        }
      }
    }
  }

  private static void assertLimits(MockCluster cluster) {
    CountedResources types = new CountedResources(new DefaultResourceCalculator());
    QueueHeadroom room = new QueueHeadroom(cluster.queue(DRIP), types);
    Resource all = cluster.scheduler().getClusterResource();
    DominantShare measure = types.measure(all);
    UserLimits limits = room.userLimits("", measure, types.amounts(all),
        types.amounts(cluster.scheduler().getMinimumResourceCapability()));
    List<String> asking = new ArrayList<>();
    List<PlanUser> users = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      Resource used = Resource.newInstance(0, 0);
      boolean asks = false;
      boolean here = false;
      for (var app : cluster.policy().getSchedulableEntities()) {
        if (app.getUser().equals(name)) {
          here = true;
          asks |= !app.getAppSchedulingInfo().getSchedulerKeys().isEmpty();
          Resources.addTo(
              used, app.getAppAttemptResourceUsage().getUsed(""));
        }
      }
      if (here) {
        PlanUser user = limits.user(room.userWeight(name), asks);
        limits.add(user, types.amounts(used));
        if (asks) {
          asking.add(name);
          users.add(user);
        }
      }
    }
    for (int i = 0; i < users.size(); i++) {
      double yarns = measure.of(types.amounts(room.userLimit(asking.get(i), all, "")));
      assertThat(limits.limit(users.get(i))).as("limit of %s of %s", asking.get(i), asking)
          .isCloseTo(yarns, within(1e-9));
    }
  }

  @Test
  void roundTakesNoYarnLockPerContainer() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      queue.cluster.addNode(20 * GB);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        apps.add(queue.start(0, 1));
      }
      for (MockApp app : apps) {
        app.ask(10, GB);
      }
      queue.heartbeats();
      AtomicInteger locked = new AtomicInteger();
      for (MockApp app : apps) {
        for (RMContainer container : app.attempt().getLiveContainersMap().values()) {
          FieldUtils.writeField(container, "readLock", counting(locked), true);
        }
      }
      QueueReclaimer<?> round = roundOf(queue);
      assertThat(round.looked()).as("all are of one priority").isZero();
      queue.submit(5);
      locked.set(0);
      round = roundOf(queue);
      assertThat(round.looked()).isPositive();
      assertThat(locked.get()).as("locks of containers").isZero();
    }
  }

  @SuppressWarnings("unchecked")
  private static QueueReclaimer<?> roundOf(ReclaimCluster queue) {
    QueueReclaimer<FiCaSchedulerApp> reclaim = new QueueReclaimer<>(queue.cluster.scheduler());
    reclaim.round(queue.cluster.queue(DRIP), (OrderingDelegate<FiCaSchedulerApp>)
        StateAwarePolicy.orderingOf(queue.cluster.policy()), null, Set.of(), 0);
    return reclaim;
  }

  private static ReentrantReadWriteLock.ReadLock counting(AtomicInteger count) {
    return new ReentrantReadWriteLock.ReadLock(new ReentrantReadWriteLock()) {
      @Override
      public void lock() {
        count.incrementAndGet();
        super.lock();
      }
    };
  }

  @Test
  void opportunisticContainersAreIgnored() throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority()) {
      queue.cluster.addNode(10 * GB);
      MockApp low = queue.start(0, 9);
      List<RMContainer> newest = new ArrayList<>();
      for (var id : low.executors().subList(5, 9)) {
        RMContainer container = low.attempt().getRMContainer(id);
        container.getContainer().setExecutionType(ExecutionType.OPPORTUNISTIC);
        newest.add(container);
      }
      MockApp urgent = queue.submit(1);
      queue.rounds(ReclaimCluster.ROUNDS);
      assertThat(urgent.containers()).isEqualTo(1);
      assertThat(newest).allSatisfy(container -> assertThat(
          low.attempt().getLiveContainersMap()).containsKey(container.getContainerId()));
    }
  }

  @Test
  void absentResourceTypeDoesNotCount() {
    Resource used = Resource.newInstance(2 * GB, 0);
    Resource cluster = Resource.newInstance(8 * GB, 0);
    assertThat(FairShareComparator.dominant(used, cluster)).isEqualTo(0.25);
    assertThat(FairShareComparator.dominant(used, Resource.newInstance(0, 0))).isZero();
    assertThat(new CountedResources(new DominantResourceCalculator()).measure(cluster)
        .of(ResourceVector.of(2 * GB, 0))).isEqualTo(0.25);
  }
}
