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

import io.github.dripfeed.core.State;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

/** At most as many drivers are reserved or starting as there are slots, whoever loses the offer. */
class ReservedDriversTest {

  @Test
  void headsThatReserveNodesOneAfterTheOtherNeverHaveMoreThanTheSlots() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        MockCluster.queueKey("maximum-am-resource-percent"), "100")) {
      MockApp filler = cluster.addFilledNodes(10);
      List<MockApp> apps = cluster.submitMany(10, 2 * GB, "user");
      for (int second = 0; second < 1800; second += 5) {
        cluster.pass(Duration.ofSeconds(5));
        heartbeat(apps, cluster);
      }
      assertThat(apps.get(0).reservations()).as("all were tried, and the first waits on").isEqualTo(1);
      filler.release(filler.executors());
      for (int second = 0; second < 5; second++) {
        cluster.pass(Duration.ofSeconds(1));
        heartbeat(apps, cluster);
      }
      assertThat(apps.get(0).state()).isEqualTo(State.STARTING);
    }
  }

  @Test
  void oneThatHasLostTheOfferGivesBackItsNodeToThoseBehind() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      cluster.addFilledNodes(1);
      MockApp big = cluster.submit(2 * GB, 0);
      MockApp small = cluster.submit();
      cluster.heartbeat();
      assertThat(big.reservations()).isEqualTo(1);
      for (int second = 0; second < 305 && small.containers() == 0; second++) {
        cluster.lookAgain();
        cluster.heartbeat();
      }
      assertThat(small.containers()).as("on the node that was reserved").isEqualTo(1);
      assertThat(big.reservations()).isZero();
    }
  }

  @Test
  void oneThatStandsAloneKeepsItsNodeForAsLongAsItTakes() throws Exception {
    try (MockCluster cluster = MockCluster.of(StateAwareOrderingPolicy.class)) {
      MockApp filler = cluster.addFilledNodes(1);
      MockApp big = cluster.submit(2 * GB, 0);
      for (int second = 0; second < 1000; second++) {
        cluster.heartbeat();
        cluster.lookAgain();
      }
      assertThat(big.reservations()).isEqualTo(1);
      filler.release(filler.executors());
      cluster.heartbeat();
      assertThat(big.containers()).isEqualTo(1);
    }
  }

  @Test
  void nobodyThatStalledStartsWhileTheHeadHasAReservedDriver() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        MockCluster.queueKey("maximum-am-resource-percent"), "100")) {
      cluster.addFilledNodes(4);
      MockNM large = cluster.addNode(8 * GB);
      MockApp stalled = cluster.submit(6 * GB, 0);
      cluster.loseNode(large);
      MockApp first = cluster.submit();
      for (int second = 0; second < 330 && first.containers() == 0; second++) {
        cluster.heartbeat();
        cluster.lookAgain();
      }
      first.register().ask(1, GB);
      cluster.heartbeat();
      assertThat(first.state()).isEqualTo(State.RUNNING);
      MockApp head = cluster.submit(2 * GB, 0);
      cluster.heartbeat();
      assertThat(head.reservations()).isEqualTo(1);
      cluster.addNode(8 * GB);
      cluster.heartbeat();
      assertThat(startingOrReserved(List.of(stalled, head))).isEqualTo(1);
      assertThat(stalled.containers()).isZero();
    }
  }

  /** In which never more than one has, or waits for, what the one slot is for. */
  private static void heartbeat(List<MockApp> apps, MockCluster cluster) throws Exception {
    for (MockNM node : cluster.nodes()) {
      cluster.heartbeat(node);
      assertThat(startingOrReserved(apps)).isLessThanOrEqualTo(1);
    }
    cluster.look();
    cluster.rm().drainEvents();
  }

  private static int startingOrReserved(List<MockApp> apps) {
    int count = 0;
    for (MockApp app : apps) {
      if (app.state() == State.STARTING || app.reservations() > 0) {
        count++;
      }
    }
    return count;
  }
}
