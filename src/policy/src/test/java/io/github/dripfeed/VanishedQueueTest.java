// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.key;
import static io.github.dripfeed.fixture.TenantQueues.CONFIGURED;
import static io.github.dripfeed.fixture.TenantQueues.PARENT;
import static io.github.dripfeed.fixture.TenantQueues.tenant;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.plan.QueueMemory;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.junit.jupiter.api.Test;

/** What is left of a queue that is deleted: what was learned, and nothing that is shown. */
class VanishedQueueTest {

  private static final String METRICS = "DripfeedQueue,q0=root,q1=tenants,q2=t1";

  @Test
  void whatWasLearnedOfAQueueIsThereWhenItComesAgain() throws Exception {
    try (MockCluster cluster = CONFIGURED.cluster(2)) {
      run(cluster);
      QueueMemory learned = DripfeedRuntime.current().queueMemory(cluster.queue(tenant(1)));
      int starts = starts(cluster);
      assertThat(starts).isPositive();
      deleteFirstQueue(cluster);
      System.gc();
      cluster.refresh(Map.of(key(PARENT, "queues"), "t1,t2", key(tenant(1), "capacity"), "50.0",
          key(tenant(2), "capacity"), "50.0", key(tenant(1), "state"), QueueState.RUNNING.name()));
      assertThat(DripfeedRuntime.current().queueMemory(cluster.queue(tenant(1)))).isSameAs(learned);
      assertThat(starts(cluster)).isEqualTo(starts);
    }
  }

  @Test
  void whatIsShownOfAQueueGoesWithinTwoRoundsThoughNoQueueHasAnApplication() throws Exception {
    try (MockCluster cluster = CONFIGURED.cluster(2)) {
      run(cluster);
      cluster.runFor(10);
      assertThat(DefaultMetricsSystem.instance().getSource(METRICS)).isNotNull();
      deleteFirstQueue(cluster);
      cluster.tick();
      cluster.tick();
      assertThat(DefaultMetricsSystem.instance().getSource(METRICS)).isNull();
    }
  }

  private static int starts(MockCluster cluster) {
    DripfeedRuntime runtime = DripfeedRuntime.current();
    return runtime.queueMemory(cluster.queue(tenant(1))).starts("")
        .forecast(0, runtime.clock().monotonicMillis()).intervals();
  }

  private static void run(MockCluster cluster) throws Exception {
    cluster.addNode(4 * GB);
    List<MockApp> apps = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      apps.add(CONFIGURED.submit(1, GB, cluster));
    }
    for (MockApp app : apps) {
      cluster.runFor(5);
      app.kill();
    }
    cluster.runFor(2);
  }

  private static void deleteFirstQueue(MockCluster cluster) throws Exception {
    cluster.refresh(key(tenant(1), "state"), QueueState.STOPPED.name());
    cluster.refresh(Map.of(key(PARENT, "queues"), "t2", key(tenant(2), "capacity"), "100"));
    assertThat(cluster.queue(tenant(1))).isNull();
  }
}
