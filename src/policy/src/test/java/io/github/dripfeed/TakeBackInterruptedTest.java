// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.TakeBackTest.attemptOf;
import static io.github.dripfeed.TakeBackTest.blocked;
import static io.github.dripfeed.TakeBackTest.takenBack;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.DripMetrics.figures;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNodes;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.junit.jupiter.api.Test;

/**
 * What happens between the decision to take back an application and the moment at which the scheduler
 * preempts its driver: the event waits in the scheduler's queue.
 */
class TakeBackInterruptedTest {

  /** A step of a test. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  /** Handles an event of the scheduler's queue that came before a preemption. */
  public static final class BusyScheduler extends CapacityScheduler {

    private Step before;

    @Override
    public void handle(SchedulerEvent event) {
      if (before != null && event.getClass().getSimpleName().equals("DriverPreemption")) {
        Step step = before;
        before = null;
        try {
          step.run();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
      super.handle(event);
    }

    void serve(RMNode node) {
      super.handle(new NodeUpdateSchedulerEvent(node));
    }

    void lose(RMNode node) {
      super.handle(new NodeRemovedSchedulerEvent(node));
    }
  }

  private static MockCluster cluster(int memory, String... more) throws Exception {
    Map<String, String> properties = TakeBackTest.properties(more);
    properties.put(YarnConfiguration.RM_SCHEDULER, BusyScheduler.class.getName());
    return autoCluster(properties, memory);
  }

  private static BusyScheduler scheduler(MockCluster cluster) {
    return (BusyScheduler) cluster.scheduler();
  }

  private static RMNode node(MockCluster cluster) {
    return cluster.rm().getRMContext().getRMNodes().get(cluster.node(0).getNodeId());
  }

  /** The driver's heartbeat with a request, on the scheduler's thread. */
  private static void request(MockApp app, int memory) {
    app.attempt().updateResourceRequests(List.of(ResourceRequest.newInstance(
        Priority.newInstance(0), ResourceRequest.ANY, Resource.newInstance(memory, 1), 1)));
  }

  @Test
  void driverStaysIfAnExecutorComesFirst() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      MockApp chosen = apps.get(7);
      RMNode large = MockNodes.newNodeInfo(1, Resource.newInstance(64 * GB, 64), 1, "127.9.0.1");
      scheduler(cluster).before = () -> {
        cluster.scheduler().handle(new NodeAddedSchedulerEvent(large));
        scheduler(cluster).serve(large);
      };
      cluster.runFor(36);
      assertThat(takenBack(apps)).isEmpty();
      assertThat(chosen.containers()).isEqualTo(2);
      assertThat(chosen.state()).isEqualTo(RUNNING);
      assertThat(figures()).as("it does not count").containsEntry("TakenBackTotal", 0L);
      chosen.failDriver();
      assertThat(cluster.offered()).as("without a wait").contains(chosen.name());
    }
  }

  @Test
  void killedByItsUserMeanwhile() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      scheduler(cluster).before = () -> cluster.scheduler().killAllAppsInQueue("drip");
      cluster.runFor(36);
      assertThat(apps).allMatch(MockApp::hasEnded);
      MockApp later = cluster.submit();
      cluster.runFor(2);
      assertThat(later.state()).as("nobody is held").isEqualTo(STARTING);
    }
  }

  @Test
  void nodeIsLostMeanwhile() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      scheduler(cluster).before = () -> scheduler(cluster).lose(node(cluster));
      cluster.runFor(36);
      cluster.addNode(12 * GB);
      cluster.runFor(20);
      assertThat(apps).as("they start again").anyMatch(app -> app.state() == STARTING);
    }
  }

  @Test
  void movedToAQueueWithoutTakeBackMeanwhile() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      MockApp moved = apps.get(7);
      scheduler(cluster).before = () -> cluster.scheduler().moveApplication(moved.id(), "other");
      cluster.runFor(36);
      assertThat(attemptOf(moved)).isEqualTo(2);
      assertThat(moved.attempt().getQueueName()).contains("other");
      cluster.runFor(70);
      assertThat(apps.get(0).state()).as("the room that it took anew is made again").isEqualTo(RUNNING);
    }
  }
}
