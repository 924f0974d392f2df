// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order in which stalled applications get their drivers in a queue that is close to its maximum. */
class TrialOrderTest {

  /** A walk of YARN's ends at a driver that exceeds the queue's limit. */
  @ParameterizedTest
  @CsvSource({"StateAwareOrderingPolicy, 12, 3", "StateAwareOrderingPolicy, 12, 7",
      "StateAwareOrderingPolicy, 12, 30", "StateAwareOrderingPolicy, 40, 5",
      "StateAwareFairOrderingPolicy, 12, 7", "StateAwareFairOrderingPolicy, 12, 12"})
  void oldestOfEqualDriversIsFirst(String policy, int waiting, int seconds) throws Exception {
    try (MockCluster cluster = closeToItsMaximum(policy)) {
      List<MockApp> running = new ArrayList<>(List.of(run(cluster.submit(), cluster),
          run(cluster.submit(), cluster)));
      List<MockApp> line = cluster.submitMany(waiting, GB, "user");
      cluster.runFor(330);
      int[] overtaken = new int[waiting + 100];
      for (int round = 0; round < 2 * waiting; round++) {
        cluster.runFor(seconds);
        for (MockApp app : new ArrayList<>(line)) {
          if (app.containers() > 0) {
            for (int before = 0; before < line.indexOf(app); before++) {
              int number = number(line.get(before));
              assertThat(++overtaken[number]).as("later ones that started before %s", number)
                  .isLessThanOrEqualTo(8);
            }
            line.remove(app);
            running.add(run(app, cluster));
            line.add(cluster.submit());
          }
        }
        if (running.size() > 1) {
          MockApp first = running.remove(0);
          first.heartbeat();
          first.finish();
        }
      }
      assertThat(line).extracting(TrialOrderTest::number)
          .as("those that waited at first have started").allMatch(number -> number > waiting + 2);
    }
  }

  private static int number(MockApp app) {
    return Integer.parseInt(app.name().substring("App".length()));
  }

  /** It registers, and gets an executor if there is room. */
  private static MockApp run(MockApp app, MockCluster cluster) throws Exception {
    if (app.containers() == 0) {
      cluster.heartbeat();
    }
    app.register().ask(1, GB);
    cluster.heartbeat();
    app.heartbeat();
    return app;
  }

  /** Room for four containers of 1 GB, and for half of one. */
  private static MockCluster closeToItsMaximum(String policy) throws Exception {
    MockCluster cluster = MockCluster.configured(
        Class.forName("io.github.dripfeed." + policy).asSubclass(OrderingPolicy.class),
        YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, "512",
        MockCluster.queueKey("capacity"), "50", MockCluster.queueKey("maximum-capacity"), "50",
        CapacitySchedulerConfiguration.PREFIX + MockCluster.OTHER + ".capacity", "50");
    cluster.addNode(9 * GB);
    return cluster;
  }
}
