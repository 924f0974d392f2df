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
import static io.github.dripfeed.MockCluster.queueKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

/** What the monitor watches through the life of a queue on the real Capacity Scheduler (fact 4). */
class MonitorOnSchedulerTest {

  @Test
  void watchesNothingBeforeTheFirstApplicationAndAfterTheLast() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      assertThat(cluster.watched()).isZero();
      MockApp app1 = cluster.submit();
      assertThat(cluster.watched()).isEqualTo(1);
      app1.kill();
      cluster.lookAgain();
      assertThat(cluster.watched()).isZero();
      cluster.submit();
      assertThat(cluster.watched()).isEqualTo(1);
    }
  }

  @Test
  void watchesOnlyTheNewestPolicyOfAQueueAfterRefreshes() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      for (int i = 0; i < 20; i++) {
        cluster.refresh();
      }
      cluster.lookAgain();
      assertThat(cluster.watched()).isEqualTo(1);
    }
  }

  @Test
  void stopsActingForAPolicyThatAStockOneReplaced() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      Object replaced = cluster.policy();
      cluster.refresh(queueKey("ordering-policy"), "fifo");
      cluster.lookAgain();
      cluster.lookAgain();
      assertThat(cluster.watched()).isZero();
      assertThat(replaced).as("though it is still there").isNotNull();
    }
  }

  @Test
  void stopsActingForAResourceManagerThatAnotherReplaced() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app = cluster.submit();
      cluster.heartbeat();
      app.register();
      Object gone = app.attempt();
      Map<MockNM, List<NMContainerStatus>> reports = cluster.restart();
      cluster.comeBack(cluster.node(0), reports.get(cluster.node(0)));
      cluster.lookAgain();
      cluster.lookAgain();
      assertThat(cluster.watched()).as("the policy of the new one only").isEqualTo(1);
      assertThat(gone).as("though the other's application is still there").isNotNull();
    }
  }

  @Test
  void anApplicationThatLeavesIsForgotten() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      for (int i = 0; i < 5; i++) {
        MockApp app = cluster.submit();
        cluster.heartbeat();
        app.kill();
      }
      assertThat(cluster.policy().getNumSchedulableEntities()).isZero();
    }
  }
}
