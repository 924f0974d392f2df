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
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.dripfeed.fixture.HeadroomSteps;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.hadoop.yarn.nodelabels.CommonNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a plan for many headroom queues costs the monitor, and what headroom costs scheduling threads. */
class HeadroomCostTest {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int FEW = 6;
  private static final int TIMES = 6;
  private static final int CALLS = 5_000;
  /** The iterator, and what it asks YARN about the next application: 680 without headroom, 744 with. */
  private static final int BYTES_PER_WALK = 1_000;

  /** Nodes, queues and applications all grow; a plan that compared each with each would grow by 36. */
  @Test
  void costOfAPlanIsProportionalToTheCluster() throws Exception {
    long ofFew = bytesOfAPlan(FEW);
    long ofMany = bytesOfAPlan(FEW * TIMES);
    assertThat(ofFew).as("a plan was made").isGreaterThan(10_000);
    assertThat((double) ofMany / ofFew).isLessThan(2 * TIMES);
  }

  /** What the monitor allocates in a round, YARN's part of the reading included. */
  private static long bytesOfAPlan(int queues) throws Exception {
    try (MockCluster cluster = clusterWith(queues, "headroom")) {
      cluster.tick();
      long least = Long.MAX_VALUE;
      for (int i = 0; i < 5; i++) {
        cluster.advance(Duration.ofSeconds(1));
        long before = allocated();
        cluster.runMonitor();
        least = Math.min(least, allocated() - before);
      }
      assertThat(DripfeedRuntime.current().metrics().failures()).isZero();
      return least;
    }
  }

  private static long allocated() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  /** Five nodes and ten waiting applications for each queue; the nodes have sent no heartbeat. */
  private static MockCluster clusterWith(int queues, String parallelStart) throws Exception {
    Map<String, String> properties = new HashMap<>();
    StringBuilder names = new StringBuilder("drip,other");
    properties.put(MockCluster.queueKey("capacity"), String.valueOf(90 - queues));
    for (int i = 0; i < queues; i++) {
      names.append(",q").append(i);
      String queue = CapacitySchedulerConfiguration.PREFIX + "root.q" + i + ".";
      properties.put(queue + "capacity", "1");
      properties.put(queue + "maximum-capacity", "100");
      properties.put(queue + "user-limit-factor", "100");
      properties.put(queue + "maximum-am-resource-percent", "100");
      properties.put(queue + "ordering-policy", StateAwareOrderingPolicy.class.getName());
      properties.put(queue + "ordering-policy.state-aware.parallel-start", parallelStart);
    }
    properties.put(CapacitySchedulerConfiguration.PREFIX + "root.queues", names.toString());
    MockCluster cluster = HeadroomSteps.headroomCluster(properties);
    for (int i = 0; i < 5 * queues; i++) {
      cluster.addNode(64 * GB);
    }
    for (int i = 0; i < 10 * queues; i++) {
      cluster.submit(cluster.submission(GB).withQueue("root.q" + i % queues));
    }
    return cluster;
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "headroom"})
  void walkAllocatesASmallConstantAmount(String parallelStart) throws Exception {
    assertThat(bytesPerWalk(parallelStart)).isLessThan(BYTES_PER_WALK);
  }

  private static long bytesPerWalk(String parallelStart) throws Exception {
    try (MockCluster cluster =
        MockCluster.of(StateAwareOrderingPolicy.class, "parallel-start", parallelStart)) {
      for (int i = 0; i < 5; i++) {
        cluster.addNode(64 * GB);
      }
      HeadroomSteps.submitMany(cluster, 10);
      cluster.tick();
      OrderingPolicy<FiCaSchedulerApp> policy = cluster.policy();
      assertThat(walk(policy)).as("the next one, until it has its driver").isOne();
      for (int i = 0; i < CALLS; i++) {
        walk(policy);
      }
      long before = allocated();
      for (int i = 0; i < CALLS; i++) {
        walk(policy);
      }
      return (allocated() - before) / CALLS;
    }
  }

  private static int walk(OrderingPolicy<FiCaSchedulerApp> policy) {
    IteratorSelector selector = new IteratorSelector();
    selector.setPartition(CommonNodeLabelsManager.NO_LABEL);
    int offered = 0;
    for (Iterator<FiCaSchedulerApp> all = policy.getAssignmentIterator(selector); all.hasNext();) {
      all.next();
      offered++;
    }
    return offered;
  }
}
