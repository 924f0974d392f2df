// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.dripfeed.fixture.HadoopVersion;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.SchedulingRounds;
import io.github.dripfeed.fixture.TenantQueues;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock.ReadLock;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.LeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Asynchronous scheduling threads, and multi-node placement
 * (docs/design.md#a-policy-cannot-veto-a-commit).
 */
class AsynchronousSchedulingTest {

  /** Notes which locks of the queue are held when YARN asks for applications. */
  public static final class LockWatchingPolicy<S extends SchedulableEntity>
      extends StateAwareOrderingPolicy<S> {

    private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    @Override
    public Iterator<S> getAssignmentIterator(IteratorSelector selector) {
      getSchedulableEntities().forEach(entity -> {
        ReadLock lock = ((LeafQueue) ((FiCaSchedulerApp) entity).getQueue()).getReadLock();
        String read = lock.toString().replaceAll(".*\\[|]", "");
        SEEN.add(CompletableFuture.supplyAsync(() -> canRead(lock)).join() ? read : "Write lock");
      });
      return super.getAssignmentIterator(selector);
    }

    private static boolean canRead(ReadLock lock) {
      boolean locked = lock.tryLock();
      if (locked) {
        lock.unlock();
      }
      return locked;
    }
  }

  /** So a refresh, which has its write lock, may take over the queue meanwhile. */
  @Test
  void schedulingHoldsNoLockOfTheQueue() throws Exception {
    try (MockCluster cluster = MockCluster.of(LockWatchingPolicy.class)) {
      cluster.addNode(16 * GB);
      MockApp app = cluster.submit();
      LockWatchingPolicy.SEEN.clear();
      cluster.heartbeat();
      assertThat(app.state()).isEqualTo(STARTING);
      assertThat(LockWatchingPolicy.SEEN).containsExactly("Read locks = 0");
      ReadLock lock = ((LeafQueue) app.attempt().getQueue()).getReadLock();
      lock.lock();
      cluster.policy().getAssignmentIterator(new IteratorSelector());
      lock.unlock();
      assertThat(LockWatchingPolicy.SEEN).as("the watch sees a lock").contains("Read locks = 1");
    }
  }

  @ParameterizedTest(name = "{0} scheduling threads, multi-node placement {1}")
  @CsvSource({"1, false", "4, false", "4, true", "0, true"})
  void concurrentThreadsRespectMaxStarting(int threads, boolean multiNode) throws Exception {
    assumeTrue(!multiNode || HadoopVersion.isAtLeast("3.3"),
        "with multi-node placement of 3.2 applications of stock queues too wait for over a minute");
    try (MockCluster cluster = cluster(threads, multiNode)) {
      for (int i = 0; i < 4; i++) {
        cluster.addNode(16 * GB);
      }
      MockApp marker = SchedulingRounds.startMarker(cluster);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        apps.add(cluster.submit());
      }
      for (int next = 0; next < apps.size(); next++) {
        MockApp app = apps.get(next);
        SchedulingRounds.await(cluster, app.name() + " has its driver", () -> app.containers() > 0);
        SchedulingRounds.goOn(cluster, marker);
        assertThat(apps).filteredOn(any -> any.state() == STARTING).containsExactly(app);
        assertThat(apps).filteredOn(any -> any.containers() > 0).hasSize(next + 1);
        app.register().ask(1, GB);
        // The container is live shortly before the policy gets its callback.
        SchedulingRounds.await(
            cluster, app.name() + " has its executor and runs", () -> app.state() == RUNNING);
        assertThat(app.containers()).isGreaterThan(1);
      }
    }
  }

  @ParameterizedTest(name = "{0} scheduling threads, multi-node placement {1}")
  @CsvSource({"1, false", "4, false", "4, true"})
  void concurrentThreadsRespectMaxStartingOfAGroup(int threads, boolean multiNode) throws Exception {
    assumeTrue(!multiNode || HadoopVersion.isAtLeast("3.3"), "as above");
    try (MockCluster cluster = TenantQueues.CONFIGURED.cluster(
        10, properties(threads, multiNode), "starting-group", "etl")) {
      // Operators set it in capacity-scheduler.xml, which is not part of that configuration.
      cluster.scheduler().getConf().unset(CapacitySchedulerConfiguration.SCHEDULE_ASYNCHRONOUSLY_ENABLE);
      for (int i = 0; i < 4; i++) {
        cluster.addNode(16 * GB);
      }
      MockApp marker = SchedulingRounds.startMarker(cluster);
      List<MockApp> waiting = new ArrayList<>();
      for (int number = 1; number <= 10; number++) {
        waiting.add(TenantQueues.CONFIGURED.submit(number, GB, cluster));
      }
      while (!waiting.isEmpty()) {
        SchedulingRounds.await(cluster, "one has its driver",
            () -> waiting.stream().anyMatch(app -> app.containers() > 0));
        SchedulingRounds.goOn(cluster, marker);
        assertThat(waiting).filteredOn(app -> app.containers() > 0).hasSize(1);
        MockApp app = waiting.stream().filter(any -> any.containers() > 0).findFirst().get();
        waiting.remove(app);
        app.register().ask(1, GB);
        SchedulingRounds.await(
            cluster, app.name() + " has its executor and runs", () -> app.state() == RUNNING);
      }
    }
  }

  private static MockCluster cluster(int threads, boolean multiNode) {
    return cluster(properties(threads, multiNode));
  }

  private static Map<String, String> properties(int threads, boolean multiNode) {
    Map<String, String> properties = threads > 0 ? asynchronous(threads) : new LinkedHashMap<>();
    if (multiNode) {
      properties.put(CapacitySchedulerConfiguration.MULTI_NODE_PLACEMENT_ENABLED, "true");
      properties.put(CapacitySchedulerConfiguration.MULTI_NODE_SORTING_POLICIES, "by-usage");
      properties.put(CapacitySchedulerConfiguration.MULTI_NODE_SORTING_POLICY_NAME, "by-usage");
      properties.put(CapacitySchedulerConfiguration.MULTI_NODE_SORTING_POLICY_NAME
          + ".by-usage.class", ResourceUsageMultiNodeLookupPolicy.class.getName());
    }
    return properties;
  }

  private static Map<String, String> asynchronous(int threads) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(CapacitySchedulerConfiguration.SCHEDULE_ASYNCHRONOUSLY_ENABLE, "true");
    properties.put(
        CapacitySchedulerConfiguration.SCHEDULE_ASYNCHRONOUSLY_MAXIMUM_THREAD, "" + threads);
    properties.put(CapacitySchedulerConfiguration.SCHEDULE_ASYNCHRONOUSLY_PREFIX
        + ".scheduling-interval-ms", "1");
    return properties;
  }

  private static MockCluster cluster(Map<String, String> properties) {
    return MockCluster.configured(StateAwareOrderingPolicy.class,
        properties.entrySet().stream().flatMap(set -> Stream.of(
            set.getKey(), set.getValue())).toArray(String[]::new));
  }
}
