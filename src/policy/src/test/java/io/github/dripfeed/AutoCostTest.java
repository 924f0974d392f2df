// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.dripfeed.fixture.AutoSteps;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;

/** What a plan for many queues costs the monitor. */
class AutoCostTest {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int FEW = 6;
  private static final int TIMES = 6;

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
    try (MockCluster cluster = clusterWith(queues)) {
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
  private static MockCluster clusterWith(int queues) throws Exception {
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
      properties.put(queue + "ordering-policy.state-aware.max-starting", "auto");
      properties.put(queue + "ordering-policy.state-aware.take-back", "off");
    }
    properties.put(CapacitySchedulerConfiguration.PREFIX + "root.queues", names.toString());
    MockCluster cluster = AutoSteps.autoCluster(properties);
    for (int i = 0; i < 5 * queues; i++) {
      cluster.addNode(64 * GB);
    }
    for (int i = 0; i < 10 * queues; i++) {
      cluster.submit(cluster.submission(GB).withQueue("root.q" + i % queues));
    }
    return cluster;
  }
}
