// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.AutoSteps.request;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.TenantQueues.CONFIGURED;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.ClusterRestart;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.TenantQueues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups beside failovers, refreshes, labels and the other limits. */
class StartingGroupNeighboursTest {

  /**
   * The second queue waits for an hour, while applications of the first one hold the only slot, one after
   * the other. Its first application, which fits no node at present, was never tried in vain. In one
   * queue, that time does not count after a failover (waitForASlotDoesNotCount).
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void waitForSlotsOfOtherQueuesDoesNotCountAfterAFailover(int queues) throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of(
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB))) {
      cluster.addNode(8 * GB);
      cluster.addTooSmallNodes(40);
      MockApp running = CONFIGURED.submit(1, GB, cluster);
      cluster.heartbeat();
      running.register();
      cluster.runFor(5);
      MockNM large = cluster.addNode(16 * GB);
      CONFIGURED.submit(queues, 12 * GB, cluster);
      cluster.loseNode(large);
      MockApp behind = CONFIGURED.submit(queues, GB, cluster);
      cluster.runFor(270);
      MockApp next = cluster.submit(cluster.submission(GB).withQueue(TenantQueues.tenant(1))
          .withUser("t1").withPriority(5));
      running.finish();
      cluster.heartbeat();
      assertThat(next.containers()).isEqualTo(1);
      // YARN stores this at the launch; its test helper does not set the time.
      cluster.rm().getRMContext().getDispatcher().getEventHandler().handle(new RMAppEvent(
          next.id(), RMAppEventType.ATTEMPT_LAUNCHED, System.currentTimeMillis() + 275_000));
      next.register().ask(1, GB);
      cluster.heartbeat();
      next.heartbeat();
      assertThat(next.state()).isEqualTo(State.RUNNING);
      // YARN stamps containers with the real time.
      for (RMContainer container : next.attempt().getLiveContainers()) {
        FieldUtils.writeField(container, "creationTime", System.currentTimeMillis() + 275_000, true);
      }
      assertThat(behind.containers()).isZero();
      cluster.restart().reconnectNodes();
      cluster.addTooSmallNodes(40);
      assertThat(cluster.runUntilStarted(behind, 400)).isGreaterThan(100);
    }
  }

  /** A stalled application of the second queue; the first has three slots, and always one starting. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "3"})
  void stalledApplicationOfAQueueWithFewerSlotsGetsItsTrials(String slots) throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of(
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB,
        TenantQueues.stateAwareKey(1, "max-starting"), slots))) {
      cluster.addTooSmallNodes(40);
      for (int i = 0; i < 10; i++) {
        cluster.addNode(4 * GB);
      }
      MockNM large = cluster.addNode(16 * GB);
      MockApp stalled = CONFIGURED.submit(2, 12 * GB, cluster);
      cluster.loseNode(large);
      cluster.runFor(310);
      cluster.addNode(16 * GB);
      int started = 0;
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        if (i % 5 == 0) {
          apps.add(CONFIGURED.submit(1, GB, cluster));
        }
        cluster.runFor(1);
        for (MockApp app : apps) {
          if (!app.hasEnded() && app.containers() == 1 && !app.isRegistered()) {
            app.register();
            started++;
          } else if (i % 5 == 3 && app.isRegistered() && !app.hasEnded()) {
            app.finish();
            break;
          }
        }
        if (stalled.containers() > 0) {
          break;
        }
      }
      assertThat(stalled.containers()).isEqualTo(1);
    }
  }

  /** A queue leaves for a stock policy while its application lacks executors; another one is deleted. */
  @Test
  void queueThatLeavesWhileItLacksExecutorsHoldsNobody() throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(3, Map.of(), "max-starting", "2")) {
      cluster.addNode(2 * GB);
      MockApp first = CONFIGURED.submit(1, GB, cluster);
      cluster.runFor(1);
      MockApp second = CONFIGURED.submit(2, GB, cluster);
      first.register().ask(1, 2 * GB);
      cluster.runFor(5);
      assertThat(second.containers()).isZero();
      cluster.refresh(MockCluster.key(TenantQueues.tenant(1), "ordering-policy"), "fifo");
      cluster.runFor(4);
      assertThat(second.containers()).isEqualTo(1);
      cluster.refresh(MockCluster.key(TenantQueues.tenant(1), "ordering-policy"),
          StateAwareOrderingPolicy.class.getName());
      MockApp third = CONFIGURED.submit(3, GB, cluster);
      cluster.addNode(GB);
      cluster.runFor(5);
      assertThat(third.containers()).as("its queue is back").isZero();
      first.moveTo(MockCluster.OTHER);
      cluster.runFor(2);
      assertThat(third.containers()).as("moved away").isEqualTo(1);
    }
  }

  /** One lacks executors, one is stalled and one is reserved. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void boundsHoldAfterAFailoverInTheMiddle(boolean failover) throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(4, Map.of(
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB), "max-starting", "2")) {
      cluster.addFilledNodes(3);
      MockNM large = cluster.addNode(16 * GB);
      MockApp nowhere = CONFIGURED.submit(1, 12 * GB, cluster);
      cluster.loseNode(large);
      MockApp reserved = CONFIGURED.submit(2, 2 * GB, cluster);
      MockApp lacking = CONFIGURED.submit(3, GB, cluster);
      cluster.runFor(3);
      lacking.register().ask(Requests.thatFitNowhere());
      MockApp small = CONFIGURED.submit(4, GB, cluster);
      cluster.runFor(100);
      if (failover) {
        ClusterRestart restart = cluster.restart();
        cluster.runFor(2);
        restart.reconnectNodes();
        cluster.addTooSmallNodes(24);
        lacking.registerAgain();
        lacking.ask(Requests.thatFitNowhere());
      }
      assertThat(cluster.runUntilStarted(small, 2000)).isLessThanOrEqualTo(320);
    }
  }

  /** What ends in other queues leaves room for the stalled application, before others take it. */
  @ParameterizedTest
  @CsvSource({"1, 2", "4, 2", "4, 4"})
  void containersThatEndInOtherQueuesBeginTrials(int queues, int slots) throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(queues, Map.of(), "max-starting", "" + slots)) {
      cluster.addTooSmallNodes(40);
      cluster.addNode(10 * GB);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        apps.add(CONFIGURED.submit(1 + (i + 1) % queues, GB, cluster));
        cluster.runFor(1);
        apps.get(i).register().ask(2, GB);
        cluster.runFor(3);
        apps.get(i).heartbeat();
      }
      MockApp stalled = CONFIGURED.submit(1, 3 * GB, cluster);
      int second = 0;
      int later = 0;
      while (stalled.containers() == 0 && second < 2000) {
        if (second >= 310) {
          if (apps.stream().filter(app -> !app.hasEnded()).count() < 9) {
            apps.add(CONFIGURED.submit(1 + apps.size() % queues, GB, cluster));
          }
          boolean ended = second % 3 != 0;
          for (MockApp app : apps) {
            if (app.hasEnded() || app.containers() == 0) {
              continue;
            }
            if (!app.isRegistered()) {
              later++;
              app.register().ask(2, GB);
            } else if (!ended && app.containers() == 3) {
              app.heartbeat();
              app.finish();
              ended = true;
            }
          }
        }
        cluster.runFor(1);
        second++;
      }
      assertThat(later).isLessThanOrEqualTo(8 + slots + 8);
    }
  }

  /** The first one may hold no more containers, so it waits for none. */
  @Test
  void applicationAtItsCapLacksNoExecutors() throws Exception {
    Map<String, String> capped = Map.of(TenantQueues.stateAwareKey(1, "max-containers"), "2",
        TenantQueues.stateAwareKey(1, "min-executors"), "3");
    try (MockCluster cluster = CONFIGURED.grouped(2, capped, "max-starting", "2")) {
      cluster.addNode(16 * GB);
      MockApp first = CONFIGURED.submit(1, GB, cluster);
      cluster.runFor(1);
      first.register().ask(5, GB);
      cluster.runFor(3);
      MockApp second = CONFIGURED.submit(2, GB, cluster);
      cluster.runFor(5);
      assertThat(first.containers()).isEqualTo(2);
      assertThat(second.containers()).isEqualTo(1);
    }
  }

  /** What ends elsewhere is of no use to it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void applicationOfAQueueAtItsMaximumHoldsNoOtherQueue(int slots) throws Exception {
    Map<String, String> limited = Map.of(MockCluster.key(TenantQueues.tenant(1), "capacity"), "20",
        MockCluster.key(TenantQueues.tenant(2), "capacity"), "80",
        MockCluster.key(TenantQueues.tenant(1), "maximum-capacity"), "25");
    try (MockCluster cluster = CONFIGURED.grouped(2, limited, "max-starting", "" + slots)) {
      cluster.addNode(16 * GB);
      MockApp lacking = startInAFullQueue(cluster);
      MockApp other = CONFIGURED.submit(2, GB, cluster);
      MockApp own = CONFIGURED.submit(1, GB, cluster);
      cluster.runFor(3);
      assertThat(lacking.state()).isEqualTo(State.STARTING);
      assertThat(other.containers()).isEqualTo(1);
      assertThat(own.containers()).isZero();
      lacking.kill();
      cluster.runFor(2);
      other.register().ask(1, GB);
      cluster.runFor(2);
      assertThat(own.containers()).as("there is room in its queue").isEqualTo(1);
    }
  }

  /** What ends in the other queue is of use to it: both fill their parent. */
  @Test
  void applicationOfAFullParentHoldsTheOtherQueuesBelowIt() throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2,
        Map.of(MockCluster.key(TenantQueues.PARENT, "capacity"), "20",
            MockCluster.key(MockCluster.DRIP, "capacity"), "75",
            MockCluster.key(TenantQueues.PARENT, "maximum-capacity"), "25"))) {
      cluster.addNode(16 * GB);
      MockApp lacking = startInAFullQueue(cluster);
      MockApp other = CONFIGURED.submit(2, GB, cluster);
      cluster.runFor(3);
      assertThat(lacking.state()).isEqualTo(State.STARTING);
      assertThat(cluster.offeredIn(TenantQueues.tenant(2))).doesNotContain(other.name());
    }
  }

  /** The queue uses 4 GB, its driver included, and it requests an executor. */
  private static MockApp startInAFullQueue(MockCluster cluster) throws Exception {
    MockApp running = CONFIGURED.submit(1, GB, cluster);
    cluster.runFor(1);
    running.register().ask(2, GB);
    cluster.runFor(2);
    running.heartbeat();
    MockApp lacking = CONFIGURED.submit(1, GB, cluster);
    cluster.runFor(2);
    lacking.register().ask(1, GB);
    return lacking;
  }

  /** Its executors are for nodes with a label, for which the drivers do not compete. */
  @Test
  void executorsForAnotherPartitionHoldNobody() throws Exception {
    try (MockCluster cluster = groupWithLabel(true)) {
      cluster.addNode(8 * GB);
      cluster.label(cluster.addNode(GB), "gpu");
      MockApp first = CONFIGURED.submit(1, GB, cluster);
      cluster.runFor(1);
      first.register().ask(request(1, Resource.newInstance(2 * GB, 1), "gpu"));
      MockApp second = CONFIGURED.submit(2, GB, cluster);
      cluster.runFor(5);
      assertThat(second.containers()).isEqualTo(1);
    }
  }

  /** EMR: YARN lends the nodes of the drivers' label to executors, unless the label is exclusive. */
  @ParameterizedTest(name = "exclusive: {0}, user above its limit for the label: {1}")
  @CsvSource({"false, false", "false, true", "true, false"})
  void executorsWithoutALabelThatDriversCompeteForHoldThem(boolean exclusive, boolean above)
      throws Exception {
    try (MockCluster cluster = groupWithLabel(exclusive)) {
      cluster.label(cluster.addNode(6 * GB), "gpu");
      MockApp running = submitForGpu(1, cluster);
      cluster.runFor(2);
      running.register().ask(request(1, Resource.newInstance(2 * GB, 1), "gpu"));
      cluster.runFor(3);
      running.heartbeat();
      assertThat(running.state()).isEqualTo(State.RUNNING);
      MockApp lacking = submitForGpu(above ? 1 : 2, cluster);
      cluster.runFor(3);
      assertThat(lacking.state()).isEqualTo(State.STARTING);
      if (above) {
        cluster.refresh(Map.of(MockCluster.key(TenantQueues.tenant(1), "user-limit-factor"), "0.3"));
      }
      lacking.register().ask(request(1, Resource.newInstance(3 * GB, 1), ""));
      MockApp other = submitForGpu(2, cluster);
      cluster.runFor(5);
      assertThat(other.containers()).as("2 GB are free").isEqualTo(exclusive ? 1 : 0);
      running.finish();
      cluster.runFor(10);
      assertThat(lacking.state()).isEqualTo(exclusive ? State.STARTING : State.RUNNING);
      assertThat(other.containers()).isEqualTo(1);
    }
  }

  private static MockApp submitForGpu(int number, MockCluster cluster) throws Exception {
    return cluster.submit(cluster.submission(GB).withQueue(TenantQueues.tenant(number))
        .withUser("t" + number).withDriverLabel("gpu"));
  }

  private static MockCluster groupWithLabel(boolean exclusive) throws Exception {
    Map<String, String> labels = new HashMap<>();
    labels.put(YarnConfiguration.NODE_LABELS_ENABLED, "true");
    labels.put(MockCluster.key("root", "accessible-node-labels.gpu.capacity"), "100");
    labels.put(MockCluster.key(TenantQueues.PARENT, "accessible-node-labels"), "gpu");
    labels.put(MockCluster.key(TenantQueues.PARENT, "accessible-node-labels.gpu.capacity"), "100");
    for (int number = 1; number <= 2; number++) {
      String label = MockCluster.key(TenantQueues.tenant(number), "accessible-node-labels");
      labels.put(label, "gpu");
      labels.put(label + ".gpu.capacity", "50");
      labels.put(label + ".gpu.maximum-am-resource-percent", "100");
    }
    MockCluster cluster = CONFIGURED.grouped(2, Map.of(YarnConfiguration.NODE_LABELS_ENABLED, "true"),
        "max-starting", "2");
    cluster.rm().getRMContext().getNodeLabelManager()
        .addToCluserNodeLabels(Set.of(NodeLabel.newInstance("gpu", exclusive)));
    cluster.refresh(labels);
    return cluster;
  }
}
