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

import static io.github.dripfeed.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The fair policy on the real Capacity Scheduler: who uses least comes first, one starts at a time. */
class FairOrderTest {

  @Test
  void whoeverUsesLeastComesFirst() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.addNode(32 * GB);
      MockApp app1 = startWith(cluster, 3);
      MockApp app2 = startWith(cluster, 1);
      assertThat(cluster.offered()).containsExactly("App2", "App1");
      app2.ask(4, GB);
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      app2.heartbeat();
      app2.release(app2.executors());
      assertThat(cluster.offered()).containsExactly("App2", "App1");
      assertThat(app1.executors()).hasSize(3);
    }
  }

  @Test
  void anAcceptedApplicationUsesNothingAndComesFirstWhileASlotIsFree() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.addNode(32 * GB);
      startWith(cluster, 1);
      cluster.submit();
      cluster.submit();
      assertThat(cluster.offered()).containsExactly("App2", "App1");
      cluster.heartbeat();
      assertThat(cluster.offered()).as("App3 is held").containsExactly("App2", "App1");
    }
  }

  @Test
  void theOrderOutlivesARefresh() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.addNode(32 * GB);
      startWith(cluster, 3);
      startWith(cluster, 1);
      cluster.refresh();
      assertThat(cluster.offered()).containsExactly("App2", "App1");
    }
  }

  @Test
  void sizeBasedWeightOfTheStockPolicyWorks() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareFairOrderingPolicy.class)) {
      cluster.refresh(MockCluster.queueKey("ordering-policy.fair.enable-size-based-weight"), "true");
      cluster.addNode(8 * GB);
      MockApp large = startWith(cluster, 2);
      startWith(cluster, 1);
      assertThat(cluster.offered()).containsExactly("App2", "App1");
      // 3 GB by the weight of a demand of 1,000 GB against 2 GB by that of 2 GB.
      large.ask(1000, GB);
      cluster.heartbeat();
      assertThat(cluster.policy().getInfo()).contains("sizeBasedWeight");
    }
  }

  private static MockApp startWith(MockCluster cluster, int executors) throws Exception {
    MockApp app = cluster.submit();
    cluster.heartbeat();
    app.register().ask(executors, GB);
    cluster.heartbeat();
    return app;
  }
}
