// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import io.github.dripfeed.fixture.Submission;
import io.github.dripfeed.simulator.VirtualResourceManager;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceLimits;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.LeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The real Capacity Scheduler with many nodes, and applications of one user that all want more than
 * there is. The user may use half of the cluster, so the queue is full while the nodes have room. That is
 * room for four containers of each application.
 */
@State(Scope.Benchmark)
public class SchedulerState {

  private static final String QUEUE = "yarn.scheduler.capacity.root.batch.";
  private static final int CONTAINER_MEMORY = 1024;
  private static final int HELD_BY_EACH = 4;
  private static final int PER_APPLICATION = 50;

  /**
   * Or the name of a class. Or two, as in {@code fair+state-aware-fair}: iterations take turns with them.
   * Then both decide for the same applications on the same nodes in the same process.
   */
  @Param({"fifo", "state-aware", "fair", "state-aware-fair"})
  public String policy;

  @Param("1000")
  public int nodes;

  /** The number of applications. */
  @Param("1000")
  public int n;

  VirtualResourceManager rm;
  private final List<RMNode> cluster = new ArrayList<>();
  private final Deque<RMAppAttempt> launched = new ArrayDeque<>();
  private final List<FiCaSchedulerApp> applications = new ArrayList<>();
  private YarnConfiguration conf;
  private String inUse = "";
  private int iteration;
  private int turn;

  @Setup(Level.Trial)
  public void setUp() throws Exception {
    conf = new YarnConfiguration();
    conf.set("yarn.scheduler.capacity.root.queues", "batch");
    conf.set(QUEUE + "capacity", "100");
    conf.set(QUEUE + "user-limit-factor", "0.5");
    conf.set(QUEUE + "maximum-am-resource-percent", "1.0");
    // Of which a user may have as much as of the resources.
    conf.setInt(QUEUE + "maximum-applications", 2 * n);
    conf.set(QUEUE + "ordering-policy",
        policy.toLowerCase(Locale.ROOT).contains("fair") ? "fair" : "fifo");
    rm = new VirtualResourceManager(conf, launched::add, event -> { });
    // Half of it is for the user.
    int nodeMemory = 2 * HELD_BY_EACH * CONTAINER_MEMORY * n / nodes;
    for (int i = 0; i < nodes; i++) {
      MockNM node = rm.registerNode(
          "127.0." + i / 250 + "." + (i % 250 + 1) + ":1234", nodeMemory);
      rm.drain();
      cluster.add(rm.getRMContext().getRMNodes().get(node.getNodeId()));
    }
    for (int i = 0; i < n; i++) {
      new Submission("app" + i, "root.batch", CONTAINER_MEMORY).submit(rm);
      rm.drain();
    }
    if (rm.scheduler().getSchedulerApplications().size() != n) {
      throw new IllegalStateException(
          "The scheduler has " + rm.scheduler().getSchedulerApplications().size() + " applications");
    }
    fill();
    applications.addAll(queue().getApplications());
  }

  /**
   * Lets the queue use the policy that is measured. The queue was filled under a stock policy: where each
   * object lies in memory is a tenth of the time of a walk, and that must not depend on the policy.
   */
  @Setup(Level.Iteration)
  public void usePolicy() throws Exception {
    String[] policies = policy.split("\\+");
    String next = policies[iteration++ % policies.length];
    if (next.equals(inUse)) {
      return;
    }
    boolean first = inUse.isEmpty();
    inUse = next;
    conf.set(QUEUE + "ordering-policy",
        next.startsWith("state-aware") ? PolicyState.make(next).getClass().getName() : next);
    rm.scheduler().reinitialize(conf, rm.getRMContext());
    rm.drain();
    if (first) {
      System.gc();
    }
  }

  /** Sends heartbeats and requests until the user has all that it may use. */
  private void fill() throws Exception {
    int quiet = 0;
    while (allocated() < HELD_BY_EACH * n) {
      long before = allocated();
      heartbeat();
      rm.drain();
      while (!launched.isEmpty()) {
        register(launched.remove());
      }
      quiet = allocated() == before ? quiet + 1 : 0;
      if (quiet > 2 * nodes) {
        throw new IllegalStateException("The queue does not get full: " + allocated());
      }
    }
  }

  private int allocated() {
    return rm.scheduler().getRootQueueMetrics().getAllocatedContainers();
  }

  private void register(RMAppAttempt attempt) throws Exception {
    MockAM master = new MockAM(rm.getRMContext(), rm.getApplicationMasterService(),
        attempt.getAppAttemptId());
    master.registerAppAttempt(false);
    rm.drain();
    List<ResourceRequest> requests =
        master.createReq(new String[] {ResourceRequest.ANY}, CONTAINER_MEMORY, 1, PER_APPLICATION, -1);
    master.allocate(requests, new ArrayList<>());
    rm.drain();
  }

  /** The scheduler handles the next node's heartbeat. */
  void heartbeat() {
    turn = turn + 1 < nodes ? turn + 1 : 0;
    rm.scheduler().handle(new NodeUpdateSchedulerEvent(cluster.get(turn)));
  }

  /** An application leaves the policy of the queue and comes back, and YARN updates the queue. */
  void resize() {
    OrderingPolicy<FiCaSchedulerApp> ordering = queue().getOrderingPolicy();
    turn = turn + 1 < n ? turn + 1 : 0;
    FiCaSchedulerApp app = applications.get(turn);
    ordering.removeSchedulableEntity(app);
    ordering.addSchedulableEntity(app);
    Resource size = rm.scheduler().getClusterResource();
    queue().updateClusterResource(size, new ResourceLimits(size));
  }

  private LeafQueue queue() {
    return (LeafQueue) rm.scheduler().getQueue("root.batch");
  }

  /** An executor ends and is requested again. Its node's heartbeat allocates the room again. */
  boolean replaceOne() {
    while (true) {
      turn = turn + 1 < nodes ? turn + 1 : 0;
      for (RMContainer live : rm.scheduler().getNode(cluster.get(turn).getNodeID())
          .getCopiedListOfRunningContainers()) {
        if (!live.isAMContainer()) {
          replace(live);
          return true;
        }
      }
    }
  }

  /** Its driver never took it over, so it cannot finish, but it can be killed. */
  private void replace(RMContainer executor) {
    rm.scheduler().completedContainer(executor, ContainerStatus.newInstance(
        executor.getContainerId(), ContainerState.COMPLETE, "",
        ContainerExitStatus.KILLED_BY_RESOURCEMANAGER), RMContainerEventType.KILL);
    FiCaSchedulerApp app = rm.scheduler().getApplicationAttempt(executor.getApplicationAttemptId());
    int pending =
        app.getPendingAsk(executor.getAllocatedSchedulerKey(), ResourceRequest.ANY).getCount();
    app.updateResourceRequests(new ArrayList<>(List.of(ResourceRequest.newInstance(
        executor.getAllocatedPriority(), ResourceRequest.ANY, executor.getAllocatedResource(),
        pending + 1))));
    rm.scheduler().handle(new NodeUpdateSchedulerEvent(cluster.get(turn)));
    rm.drain();
  }

  @TearDown(Level.Trial)
  public void tearDown() {
    rm.stop();
  }
}
