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

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.ReclaimCluster;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What once was taken where YARN made the application wait for a near host again, and came back. */
class ReclaimLocalityTest {

  private static final String RACK = "/default-rack";

  @ParameterizedTest
  @CsvSource({"true, 1", "false, 4"})
  void theOpportunityThatYarnCountsAsItPlacesMayEndTheDelayOfTheRackAndStartItAnew(
      boolean fullReset, int placed) throws Exception {
    try (ReclaimCluster queue = delayed(2, fullReset)) {
      MockApp low = queue.start(0, 22);
      MockApp urgent = queue.start(5, 0);
      low.ask(10, GB);
      queue.heartbeats();
      miss(queue, urgent, low, 5, 4);
      // More than 4 * 2 / 6 were missed, but not more than 2 until the first is placed.
      ask(urgent, 4);
      queue.rounds(40);
      assertThat(queue.lost() - 2).as("one for each").isEqualTo(placed);
      assertThat(urgent.containers()).isEqualTo(1 + placed);
    }
  }

  @Test
  void whatWaitsNoLongerIsNotTakenTogetherWithWhatIsTakenOnAHostThatStartsTheDelayAnew() throws Exception {
    try (ReclaimCluster queue = delayed(9, false)) {
      MockApp low = queue.start(0, 22);
      MockApp urgent = queue.start(5, 0);
      low.ask(10, GB);
      queue.heartbeats();
      String host = queue.cluster.node(1).getNodeId().getHost();
      // The newest is elsewhere, and the next one on the host, which reports first.
      miss(queue, urgent, low, 3, 1, 5);
      urgent.ask(List.of(Requests.at(host, 1), Requests.at(RACK, 4), Requests.at("*", 4)));
      queue.rounds(40);
      assertThat(queue.lost() - 3).as("one for each").isEqualTo(urgent.executors().size());
      assertThat(urgent.containers()).isEqualTo(5);
    }
  }

  private static ReclaimCluster delayed(int delay, boolean fullReset) throws Exception {
    ReclaimCluster queue = ReclaimCluster.byPriority(
        CapacitySchedulerConfiguration.PREFIX + "node-locality-delay", String.valueOf(delay),
        CapacitySchedulerConfiguration.PREFIX + "rack-locality-full-reset", String.valueOf(fullReset));
    for (int node = 0; node < 6; node++) {
      queue.cluster.addNode(4 * GB);
    }
    return queue;
  }

  /** One of the other's ends on each of these nodes, and the other has the place as this one waits. */
  private static void miss(ReclaimCluster queue, MockApp app, MockApp other, int... nodes)
      throws Exception {
    ask(app, 15);
    for (int node : nodes) {
      other.release(List.of(other.executors().stream().filter(executor -> other.attempt()
          .getRMContainer(executor).getAllocatedNode().equals(queue.cluster.node(node).getNodeId()))
          .findFirst().orElseThrow()));
      queue.heartbeats();
      queue.heartbeats();
    }
    assertThat(app.containers()).isEqualTo(1);
    assertThat(other.containers()).isEqualTo(23);
    assertThat(queue.lost()).isEqualTo(nodes.length);
  }

  /** It asks for a host that is not there. */
  private static void ask(MockApp app, int containers) throws Exception {
    app.ask(List.of(Requests.at("127.0.0.250", containers), Requests.at(RACK, containers),
        Requests.at("*", containers)));
  }
}
