// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import com.sun.management.ThreadMXBean;
import io.github.dripfeed.ReclaimPolicy;
import io.github.dripfeed.StateAwareFairOrderingPolicy;
import io.github.dripfeed.StateAwareOrderingPolicy;
import io.github.dripfeed.fixture.Submission;
import io.github.dripfeed.simulator.VirtualResourceManager;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;

/**
 * The cost of a round of reclaim on the real Capacity Scheduler: CPU time of its thread, and
 * allocated memory.
 */
public final class ReclaimCost {

  private static final int EACH = 40;
  private static final int ROUNDS = 7;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final int applications;
  private final Deque<RMAppAttempt> launched = new ArrayDeque<>();
  private final List<RMNode> nodes = new ArrayList<>();
  private final List<ApplicationAttemptId> attempts = new ArrayList<>();
  private VirtualResourceManager rm;

  private ReclaimCost(int applications) {
    this.applications = applications;
  }

  /** @param args the number of applications, each with forty containers, and of nodes */
  public static void main(String[] args) throws Exception {
    int applications = args.length > 0 ? Integer.parseInt(args[0]) : 5000;
    System.out.printf("%d applications, %d containers, %d nodes: CPU and garbage of a round%n",
        applications, applications * EACH, applications);
    new ReclaimCost(applications).even();
    new ReclaimCost(applications).skewed();
  }

  /** All applications hold the same and want more. */
  private void even() throws Exception {
    open(StateAwareOrderingPolicy.class);
    fill(applications);
    measure("by priority, all of one", 1, GB);
    for (int i = 0; i < applications; i++) {
      app(i).setPriority(Priority.newInstance(i % 10));
    }
    refresh(StateAwareOrderingPolicy.class);
    measure("by priority, ten of them", 1, GB);
    measure("by priority, ten of them, all ask for eight times the size", 1, 8 * GB);
    refresh(StateAwareFairOrderingPolicy.class);
    measure("by share, by weights of 1 to 10", 1, GB);
    for (int i = 0; i < applications; i++) {
      app(i).setPriority(Priority.newInstance(0));
    }
    refresh(StateAwareFairOrderingPolicy.class);
    measure("by share, all even", 1, GB);
    rm.stop();
  }

  /** One half of the applications holds nearly everything. */
  private void skewed() throws Exception {
    open(StateAwareFairOrderingPolicy.class);
    fill(applications / 2);
    measure("by share, one half has all", 1, GB);
    measure("by share, one half has all, all ask for eight times the size", 1, 8 * GB);
    rm.stop();
  }

  private static final int GB = 1024;

  private YarnConfiguration configuration(Class<?> policy) {
    YarnConfiguration conf = new YarnConfiguration();
    String queue = "yarn.scheduler.capacity.root.batch.";
    conf.set("yarn.scheduler.capacity.root.queues", "batch");
    // A driver on each node.
    conf.set("yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments", "1");
    // The scheduler checks whether monitors are enabled; this benchmark calls the policy itself.
    conf.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, true);
    conf.set(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES, "");
    conf.set(queue + "capacity", "100");
    conf.set(queue + "maximum-am-resource-percent", "1.0");
    conf.set(queue + "ordering-policy", policy.getName());
    conf.set(queue + "ordering-policy.state-aware.max-starting", "1000000");
    conf.set(queue + "ordering-policy.state-aware.reclaim.enabled", "true");
    return conf;
  }

  private void open(Class<?> policy) throws Exception {
    rm = new VirtualResourceManager(configuration(policy), launched::add, event -> { });
    for (int i = 0; i < applications; i++) {
      MockNM node =
          rm.registerNode("127." + i / 62500 + "." + i / 250 % 250 + "." + (i % 250 + 1) + ":1234",
              EACH * GB);
      rm.drain();
      nodes.add(rm.getRMContext().getRMNodes().get(node.getNodeId()));
    }
    for (int i = 0; i < applications; i++) {
      new Submission("app" + i, "root.batch", GB).submit(rm);
      rm.drain();
    }
  }

  private void refresh(Class<?> policy) throws Exception {
    YarnConfiguration conf = new YarnConfiguration(rm.getConfig());
    configuration(policy).forEach(set -> {
      if (set.getKey().startsWith("yarn.scheduler.capacity.")) {
        conf.set(set.getKey(), set.getValue());
      }
    });
    rm.scheduler().reinitialize(conf, rm.getRMContext());
    rm.drain();
  }

  /**
   * The scheduler places a driver on each node. Then the first applications get all other containers,
   * spread evenly over the nodes. The nodes report these as after a restart, because scheduling each of
   * them would take far longer than the measurement.
   */
  private void fill(int having) throws Exception {
    for (RMNode node : nodes) {
      rm.scheduler().handle(new NodeUpdateSchedulerEvent(node));
      rm.drain();
    }
    while (!launched.isEmpty()) {
      RMAppAttempt attempt = launched.remove();
      new MockAM(rm.getRMContext(), rm.getApplicationMasterService(), attempt.getAppAttemptId())
          .registerAppAttempt(false);
      rm.drain();
      attempts.add(attempt.getAppAttemptId());
    }
    ((RMContextImpl) rm.getRMContext()).setWorkPreservingRecoveryEnabled(true);
    int reported = 0;
    for (RMNode node : nodes) {
      List<NMContainerStatus> containers = new ArrayList<>();
      for (int i = 1; i < EACH; i++) {
        // The driver is the first.
        ContainerId id =
            ContainerId.newContainerId(attempts.get(reported % having), 2 + reported / having);
        containers.add(NMContainerStatus.newInstance(id, 0, ContainerState.RUNNING,
            Resource.newInstance(GB, 1), "", 0, Priority.newInstance(1), 0));
        reported++;
      }
      rm.scheduler().recoverContainersOnNode(containers, node);
      rm.drain();
    }
    long live = rm.scheduler().getRootQueueMetrics().getAllocatedContainers();
    if (live != (long) applications * EACH) {
      throw new IllegalStateException(live + " containers");
    }
  }

  private FiCaSchedulerApp app(int i) {
    return rm.scheduler().getApplicationAttempt(attempts.get(i));
  }

  /** Consecutive rounds; nothing that they request happens. */
  private void measure(String what, int keys, int memory) {
    for (int i = 0; i < applications; i++) {
      app(i).updateResourceRequests(new ArrayList<>(List.of(ResourceRequest.newInstance(
          Priority.newInstance(keys), ResourceRequest.ANY, Resource.newInstance(memory, 1), EACH))));
    }
    double cpu = Double.MAX_VALUE;
    long garbage = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      ReclaimPolicy policy = new ReclaimPolicy();
      policy.init(rm.getConfig(), rm.getRMContext(), rm.scheduler());
      long self = Thread.currentThread().getId();
      long bytes = THREADS.getThreadAllocatedBytes(self);
      long started = THREADS.getCurrentThreadCpuTime();
      policy.editSchedule();
      cpu = Math.min(cpu, (THREADS.getCurrentThreadCpuTime() - started) / 1e6);
      garbage = Math.min(garbage, THREADS.getThreadAllocatedBytes(self) - bytes);
      rm.drain();
    }
    System.out.printf(Locale.ROOT, "%-60s %8.1f ms %8.1f MB%n", what, cpu, garbage / 1e6);
  }
}
