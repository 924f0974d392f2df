// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.dripfeed.fixture.MockCluster;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;

/** The cost of the monitor grows in proportion to the number of queues, and no faster. */
class MonitorCostTest {

  private static final String PREFIX = CapacitySchedulerConfiguration.PREFIX;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int FEW = 5;
  private static final int MANY = 40;

  @Test
  void costOfARoundPerQueueIsConstant() throws Exception {
    long few = bytesOfRoundsWith(FEW);
    long many = bytesOfRoundsWith(MANY);
    assertThat(few).as("something was done").isGreaterThan(1_000);
    assertThat((double) many / few).as("what they allocate").isLessThan(2.0 * MANY / FEW);
  }

  private static long bytesOfRoundsWith(int queues) throws Exception {
    try (MockCluster cluster = clusterWith(queues)) {
      cluster.runMonitor();
      bytesOfRounds(cluster);
      long bytes = bytesOfRounds(cluster);
      assertThat(cluster.isMonitored()).isTrue();
      return bytes;
    }
  }

  /** Several rounds, since not every round updates metrics and diagnostics. */
  private static long bytesOfRounds(MockCluster cluster) {
    long before = allocated();
    for (int i = 0; i < 12; i++) {
      cluster.tick();
    }
    return allocated() - before;
  }

  private static long allocated() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  /** Adds a running application to each of this number of queues. */
  private static MockCluster clusterWith(int queues) throws Exception {
    List<String> properties = new ArrayList<>(List.of(
        PREFIX + MockCluster.OTHER + ".ordering-policy", StateAwareOrderingPolicy.class.getName(),
        PREFIX + MockCluster.DRIP + ".capacity", String.valueOf(90 - queues)));
    StringBuilder names = new StringBuilder("drip,other");
    for (int i = 0; i < queues; i++) {
      names.append(",q").append(i);
      String queue = PREFIX + "root.q" + i + ".";
      properties.addAll(List.of(queue + "capacity", "1", queue + "maximum-capacity", "100",
          queue + "user-limit-factor", "100", queue + "maximum-am-resource-percent", "1",
          queue + "ordering-policy", StateAwareOrderingPolicy.class.getName()));
    }
    properties.addAll(List.of(PREFIX + "root.queues", names.toString()));
    MockCluster cluster = MockCluster.configured(
        StateAwareOrderingPolicy.class, properties.toArray(new String[0]));
    cluster.addNode(256 * GB);
    for (int i = 0; i < queues; i++) {
      cluster.submit(cluster.submission(GB).withQueue("root.q" + i));
    }
    cluster.heartbeat();
    return cluster;
  }
}
