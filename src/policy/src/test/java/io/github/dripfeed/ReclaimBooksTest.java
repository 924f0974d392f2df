// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.cluster.UserLimits;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.ReclaimCluster;
import io.github.dripfeed.ordering.FairShareComparator;
import io.github.dripfeed.reclaim.ReclaimRounds;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.QueueHeadroom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What reclaim reads in the scheduler's data, and how many of YARN's locks it takes. */
class ReclaimBooksTest {

  @ParameterizedTest
  @CsvSource({"100, 100, 1, Default", "50, 100, 1, Default", "25, 100, 2, Default", "34, 0.4, 1, Default",
      "34, 0.4, 2, Default", "50, 100, 1, Dominant", "25, 100, 2, Dominant", "34, 0.4, 1, Dominant"})
  void userLimitEqualsYarns(String percent, String factor, String weight, String calculator)
      throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
        "org.apache.hadoop.yarn.util.resource." + calculator + "ResourceCalculator",
        queueKey("minimum-user-limit-percent"), percent, queueKey("user-limit-factor"), factor,
        queueKey("user-settings.a.weight"), weight)) {
      cluster.addNode(23 * GB, 29);
      for (int executors = 1; executors < 12; executors += 5) {
        for (String user : List.of("a", "b", "c")) {
          MockApp app = cluster.submit(cluster.submission(GB).withUser(user));
          cluster.heartbeat();
          if (app.containers() > 0) {
            int cores = user.charAt(0) - 'a' + 1;
            app.register().ask(List.of(Requests.anywhere(executors, GB, cores)));
            cluster.heartbeat();
            app.heartbeat();
            app.ask(List.of(Requests.anywhere(30, GB, cores)));
          }
          assertLimits(cluster);
        }
      }
    }
  }

  private static void assertLimits(MockCluster cluster) {
    CountedResources types = new CountedResources(cluster.scheduler().getResourceCalculator());
    QueueHeadroom headroom = new QueueHeadroom(cluster.queue(DRIP), types);
    Resource all = cluster.scheduler().getClusterResource();
    UserLimits limits = headroom.userLimits(cluster.scheduler(), "");
    List<String> active = new ArrayList<>();
    List<UserLimits.User> users = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      Resource used = Resource.newInstance(0, 0);
      boolean pending = false;
      boolean isInQueue = false;
      for (var app : cluster.policy().getSchedulableEntities()) {
        if (app.getUser().equals(name)) {
          isInQueue = true;
          pending |= !app.getAppSchedulingInfo().getSchedulerKeys().isEmpty();
          Resources.addTo(
              used, app.getAppAttemptResourceUsage().getUsed(""));
        }
      }
      if (isInQueue) {
        UserLimits.User user = new UserLimits.User(limits, headroom.userWeight(name), pending);
        user.change(types.amounts(used), 1);
        if (pending) {
          active.add(name);
          users.add(user);
        }
      }
    }
    for (int i = 0; i < users.size(); i++) {
      assertThat(users.get(i).limit(ResourceVector.zero(types.count())).toString())
          .as("limit of %s of %s", active.get(i), active)
          .isEqualTo(types.amounts(headroom.userLimit(active.get(i), all, "")).toString());
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
      assertThat(nodeReadsOfARound(queue)).as("all applications have the same priority").isZero();
      queue.submit(5);
      locked.set(0);
      assertThat(nodeReadsOfARound(queue)).isEqualTo(1);
      assertThat(locked.get()).as("locks of containers").isZero();
    }
  }

  /** How often a round reads the nodes of the cluster. */
  @SuppressWarnings("unchecked")
  private static int nodeReadsOfARound(ReclaimCluster queue) throws Exception {
    CapacityScheduler scheduler = queue.cluster.scheduler();
    Object tracker = FieldUtils.readField(scheduler, "nodeTracker", true);
    AtomicInteger reads = new AtomicInteger();
    FieldUtils.writeField(scheduler, "nodeTracker", new ClusterNodeTracker<FiCaSchedulerNode>() {
      @Override
      public List<FiCaSchedulerNode> getAllNodes() {
        reads.incrementAndGet();
        return ((ClusterNodeTracker<FiCaSchedulerNode>) tracker).getAllNodes();
      }
    }, true);
    try {
      new ReclaimRounds(scheduler).run();
    } finally {
      FieldUtils.writeField(scheduler, "nodeTracker", tracker, true);
    }
    return reads.get();
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

  @Property
  void amountsCompareAsYarnCompares(@ForAll int seed) {
    Random random = new Random(seed);
    Resource cluster = Resource.newInstance(4 + 4 * random.nextInt(4), 4 * random.nextInt(4));
    Resource one = Resource.newInstance(random.nextInt(4), random.nextInt(4));
    Resource other = Resource.newInstance(random.nextInt(4), random.nextInt(4));
    DominantResourceCalculator yarns = new DominantResourceCalculator();
    CountedResources types = new CountedResources(yarns);
    assertThat(types.measure(cluster).compare(types.amounts(one), types.amounts(other)))
        .as("%s and %s of %s", one, other, cluster).isEqualTo(yarns.compare(cluster, one, other));
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
