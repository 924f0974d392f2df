/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.benchmark;

import io.github.dripfeed.simulator.Submission;
import io.github.dripfeed.simulator.VirtualResourceManager;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The real Capacity Scheduler with 1,000 nodes and 1,000 applications of one user that all want more than
 * there is. The user may use half of the cluster, so the queue is full while the nodes have room.
 */
@State(Scope.Benchmark)
public class SchedulerState {

  private static final int NODES = 1000;
  private static final int APPLICATIONS = 1000;
  private static final int NODE_MEMORY = 8 * 1024;
  private static final int PER_APPLICATION = 50;

  @Param({"fifo", "state-aware", "fair", "state-aware-fair"})
  public String policy;

  VirtualResourceManager rm;
  private final List<RMNode> nodes = new ArrayList<>();
  private final Deque<RMAppAttempt> launched = new ArrayDeque<>();
  private int turn;

  @Setup(Level.Trial)
  public void setUp() throws Exception {
    YarnConfiguration conf = new YarnConfiguration();
    String queue = "yarn.scheduler.capacity.root.batch.";
    conf.set("yarn.scheduler.capacity.root.queues", "batch");
    conf.set(queue + "capacity", "100");
    conf.set(queue + "user-limit-factor", "0.5");
    conf.set(queue + "maximum-am-resource-percent", "1.0");
    conf.set(queue + "ordering-policy",
        PolicyState.make(policy).getClass().getName().startsWith("io.github.dripfeed.")
            ? PolicyState.make(policy).getClass().getName() : policy);
    rm = new VirtualResourceManager(conf, launched::add, event -> { });
    for (int i = 0; i < NODES; i++) {
      MockNM node = rm.registerNode(
          "127.0." + i / 250 + "." + (i % 250 + 1) + ":1234", NODE_MEMORY);
      rm.drain();
      nodes.add(rm.getRMContext().getRMNodes().get(node.getNodeId()));
    }
    for (int i = 0; i < APPLICATIONS; i++) {
      new Submission("app" + i, "root.batch", 1024).submit(rm);
      rm.drain();
    }
    fill();
  }

  /** Sends heartbeats and requests until nothing changes any more. */
  private void fill() throws Exception {
    int quiet = 0;
    while (quiet < 3) {
      long before = rm.scheduler().getRootQueueMetrics().getAllocatedContainers();
      for (int i = 0; i < NODES; i++) {
        heartbeat();
        rm.drain();
        while (!launched.isEmpty()) {
          register(launched.remove());
        }
      }
      quiet = rm.scheduler().getRootQueueMetrics().getAllocatedContainers() == before ? quiet + 1 : 0;
    }
  }

  private void register(RMAppAttempt attempt) throws Exception {
    MockAM master = new MockAM(rm.getRMContext(), rm.getApplicationMasterService(),
        attempt.getAppAttemptId());
    master.registerAppAttempt(false);
    rm.drain();
    List<ResourceRequest> requests =
        master.createReq(new String[] {ResourceRequest.ANY}, 1024, 1, PER_APPLICATION, -1);
    master.allocate(requests, new ArrayList<>());
    rm.drain();
  }

  /** The scheduler handles the next node's heartbeat. */
  void heartbeat() {
    turn = turn + 1 < NODES ? turn + 1 : 0;
    rm.scheduler().handle(new NodeUpdateSchedulerEvent(nodes.get(turn)));
  }

  /** An executor ends and is requested again. Its node's heartbeat allocates the room again. */
  boolean replaceOne() {
    while (true) {
      turn = turn + 1 < NODES ? turn + 1 : 0;
      for (RMContainer live : rm.scheduler().getNode(nodes.get(turn).getNodeID())
          .getCopiedListOfRunningContainers()) {
        if (!live.isAMContainer()) {
          replace(live);
          return true;
        }
      }
    }
  }

  private void replace(RMContainer executor) {
    rm.scheduler().completedContainer(executor, ContainerStatus.newInstance(
        executor.getContainerId(), ContainerState.COMPLETE, "", ContainerExitStatus.SUCCESS),
        RMContainerEventType.FINISHED);
    FiCaSchedulerApp app = rm.scheduler().getApplicationAttempt(executor.getApplicationAttemptId());
    int pending =
        app.getPendingAsk(executor.getAllocatedSchedulerKey(), ResourceRequest.ANY).getCount();
    app.updateResourceRequests(new ArrayList<>(List.of(ResourceRequest.newInstance(
        executor.getAllocatedPriority(), ResourceRequest.ANY, executor.getAllocatedResource(),
        pending + 1))));
    rm.scheduler().handle(new NodeUpdateSchedulerEvent(nodes.get(turn)));
    rm.drain();
  }

  @TearDown(Level.Trial)
  public void tearDown() {
    rm.stop();
  }
}
