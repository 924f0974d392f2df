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

import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.HadoopVersion;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.TenantQueues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock.ReadLock;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.LeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
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

  /** Longer than the policy waits for a proposal. */
  private static final Duration A_WHILE = Duration.ofSeconds(1);

  /** Delays proposals until the test commits them. By then the offer that they rely on is outdated. */
  public static final class HesitantScheduler extends CapacityScheduler {

    private final List<Runnable> putOff = Collections.synchronizedList(new ArrayList<>());
    private final Set<ApplicationAttemptId> proposed = ConcurrentHashMap.newKeySet();
    private volatile boolean hesitates;

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as YARN declares it
    public boolean tryCommit(
        Resource cluster, ResourceCommitRequest proposal, boolean updatePending) {
      if (hesitates) {
        proposed.add(((ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode>) proposal)
            .getFirstAllocatedOrReservedContainer().getAllocatedOrReservedContainer()
            .getSchedulerApplicationAttempt().getApplicationAttemptId());
        putOff.add(() -> super.tryCommit(cluster, proposal, updatePending));
        return false;
      }
      return super.tryCommit(cluster, proposal, updatePending);
    }

    /**
     * Commits the delayed proposals. What is proposed meanwhile is dropped: committed first, it would be
     * further excess.
     *
     * @return how many proposals were delayed
     */
    int commit() {
      List<Runnable> all = List.copyOf(putOff);
      all.forEach(Runnable::run);
      hesitates = false;
      return all.size();
    }
  }

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
      MockApp marker = startMarker(cluster);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        apps.add(cluster.submit());
      }
      for (int next = 0; next < apps.size(); next++) {
        MockApp app = apps.get(next);
        wait(cluster, app.name() + " has its driver", () -> app.containers() > 0);
        letSchedulingGoOn(cluster, marker);
        assertThat(apps).filteredOn(any -> any.state() == STARTING).containsExactly(app);
        assertThat(apps).filteredOn(any -> any.containers() > 0).hasSize(next + 1);
        app.register().ask(1, GB);
        // The container is live shortly before the policy gets its callback.
        wait(cluster, app.name() + " has its executor and runs", () -> app.state() == RUNNING);
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
      MockApp marker = startMarker(cluster);
      List<MockApp> waiting = new ArrayList<>();
      for (int number = 1; number <= 10; number++) {
        waiting.add(TenantQueues.CONFIGURED.submit(number, GB, cluster));
      }
      while (!waiting.isEmpty()) {
        wait(cluster, "one has its driver",
            () -> waiting.stream().anyMatch(app -> app.containers() > 0));
        letSchedulingGoOn(cluster, marker);
        assertThat(waiting).filteredOn(app -> app.containers() > 0).hasSize(1);
        MockApp app = waiting.stream().filter(any -> any.containers() > 0).findFirst().get();
        waiting.remove(app);
        app.register().ask(1, GB);
        wait(cluster, app.name() + " has its executor and runs", () -> app.state() == RUNNING);
      }
    }
  }

  /** On a busy machine a commit takes a moment, in which one of a burst arrives that comes before. */
  @Test
  void earlierApplicationWaitsForTheProposalThatIsUnderWay() throws Exception {
    try (MockCluster cluster = hesitantCluster()) {
      cluster.addNode(32 * GB);
      HesitantScheduler scheduler = (HesitantScheduler) cluster.scheduler();
      scheduler.hesitates = true;
      MockApp head = cluster.submit(GB, 0);
      wait(cluster, "its driver is proposed", () -> scheduler.proposed.contains(head.attemptId()));
      MockApp earlier = cluster.submit(GB, 1);
      MockApp marker = cluster.submit(cluster.submission(GB / 2).withQueue(OTHER));
      wait(cluster, "the scheduler has visited all queues",
          () -> scheduler.proposed.contains(marker.attemptId()));
      scheduler.commit();
      wait(cluster, "what was proposed is allocated", () -> head.containers() == 1);
      cluster.advance(A_WHILE);
      letSchedulingGoOn(cluster, marker.register());
      assertThat(earlier.containers()).isZero();
      head.register().ask(1, GB);
      wait(cluster, "the next one starts", () -> earlier.containers() == 1);
    }
  }

  /**
   * The possible excess: YARN allocates a driver that it proposed while its application was offered,
   * although another application is offered now. Each change of the offer adds at most one.
   */
  @Test
  void pendingProposalsMayStartOneMorePerOfferChange() throws Exception {
    try (MockCluster cluster = hesitantCluster()) {
      cluster.addNode(32 * GB);
      HesitantScheduler scheduler = (HesitantScheduler) cluster.scheduler();
      scheduler.hesitates = true;
      List<MockApp> apps = new ArrayList<>();
      for (int priority = 1; priority <= 3; priority++) {
        MockApp app = cluster.submit(GB, priority);
        apps.add(app);
        cluster.submit(GB, 0);
        wait(cluster, "its driver is proposed",
            () -> scheduler.proposed.contains(app.attemptId()));
        cluster.advance(A_WHILE);
      }
      scheduler.commit();
      wait(cluster, "all that were proposed are allocated",
          () -> apps.stream().allMatch(app -> app.containers() == 1));
      letSchedulingGoOn(cluster, startMarker(cluster));
      assertThat(cluster.offered()).as("only applications that were offered")
          .containsExactly("App5", "App3", "App1");
    }
  }

  @Test
  void pendingProposalsMayExceedMaxContainers() throws Exception {
    try (MockCluster cluster = hesitantCluster()) {
      cluster.refresh(stateAwareKey("max-containers"), "2");
      cluster.addNode(32 * GB);
      MockApp app = cluster.submit();
      wait(cluster, "its driver", () -> app.containers() == 1);
      app.register();
      HesitantScheduler scheduler = (HesitantScheduler) cluster.scheduler();
      scheduler.hesitates = true;
      app.ask(10, GB);
      wait(cluster, "executors are proposed", () -> scheduler.proposed.contains(app.attemptId()));
      int proposals = scheduler.commit();
      letSchedulingGoOn(cluster, startMarker(cluster));
      assertThat(app.containers()).as("one proposal may have been pending")
          .isBetween(2, 1 + proposals + 1);
      assertThat(cluster.offered()).as("it gets no more").isEmpty();
    }
  }

  /** An application of the stock queue. It shows that the scheduler has visited all queues. */
  private static MockApp startMarker(MockCluster cluster) throws Exception {
    MockApp marker = cluster.submit(cluster.submission(GB / 2).withQueue(OTHER));
    wait(cluster, "the marker's driver", () -> marker.containers() > 0);
    return marker.register();
  }

  /** Waits for three rounds of scheduling. Each allocates a container to the marker. */
  private static void letSchedulingGoOn(MockCluster cluster, MockApp marker) throws Exception {
    for (int round = 0; round < 3; round++) {
      int before = marker.containers();
      marker.ask(1, GB / 2);
      wait(cluster, "a round of scheduling", () -> marker.containers() > before);
    }
    marker.heartbeat();
    marker.release(marker.executors());
  }

  private static void wait(MockCluster cluster, String what,
      Callable<Boolean> condition) throws Exception {
    Eventually.is(what, () -> {
      cluster.heartbeat();
      return condition.call();
    });
  }

  private static MockCluster hesitantCluster() {
    Map<String, String> properties = asynchronous(1);
    properties.put(YarnConfiguration.RM_SCHEDULER, HesitantScheduler.class.getName());
    properties.put(CapacitySchedulerConfiguration.SCHEDULE_ASYNCHRONOUSLY_PREFIX
        + ".scheduling-interval-ms", "20");
    return cluster(properties);
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
