// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;

/**
 * The application master of one attempt: it speaks YARN's protocol for a {@link Driver}. It has a heartbeat
 * every second, but skips those in which neither side has news.
 */
final class SimulatedMaster {

  private static final int HEARTBEAT_MILLIS = 1000;
  /** From the allocation of a container until its process works. */
  private static final int LAUNCH_MILLIS = 3000;

  private final Simulation simulation;
  private final RMAppAttempt attempt;
  private final MockAM protocol;
  private final String label;
  private final Map<Integer, ResourceRequest> asks = new TreeMap<>();
  private final Map<Integer, Integer> wanted = new HashMap<>();
  private final List<ContainerId> releases = new ArrayList<>();
  private final Map<ContainerId, Container> containers = new HashMap<>();
  /** Whom YARN takes it for; made once, unlike what {@link MockAM} does. */
  private UserGroupInformation user;
  private Driver driver;
  private long registeredAt;
  private boolean heartbeatPlanned;
  private boolean over;

  /** @param label of the nodes for its containers; empty for none */
  SimulatedMaster(Simulation simulation, RMAppAttempt attempt, String label) {
    this.simulation = simulation;
    this.attempt = attempt;
    this.label = label;
    this.protocol = new MockAM(simulation.rm().getRMContext(),
        simulation.rm().getApplicationMasterService(), attempt.getAppAttemptId());
  }

  RMAppAttempt attempt() {
    return attempt;
  }

  VirtualSchedule agenda() {
    return simulation.agenda();
  }

  Simulation simulation() {
    return simulation;
  }

  void register() {
    try {
      protocol.registerAppAttempt(false);
    } catch (Exception e) {
      throw new IllegalStateException("Registering " + attempt.getAppAttemptId(), e);
    }
    simulation.rm().drain();
    registeredAt = agenda().now();
  }

  void run(Driver program) {
    driver = program;
    driver.start(this);
  }

  /** Runs the action at that time, if the attempt is still live. */
  void after(long millis, Runnable action) {
    agenda().after(millis, () -> {
      if (!over) {
        action.run();
      }
    });
  }

  /**
   * Requests containers in addition to those it was given.
   *
   * @param priority of the request; all requests of one priority have one size
   * @param more may be negative
   */
  void ask(int priority, Resource size, int more) {
    int now = wanted.merge(priority, more, Integer::sum);
    asks.put(priority, ResourceRequest.newBuilder().priority(Priority.newInstance(priority))
        .resourceName(ResourceRequest.ANY).capability(size).numContainers(Math.max(0, now))
        .nodeLabelExpression(label).build());
    heartbeatSoon();
  }

  /** How many containers of a priority it still waits for. */
  int open(int priority) {
    return wanted.getOrDefault(priority, 0);
  }

  void release(ContainerId container) {
    containers.remove(container);
    releases.add(container);
    heartbeatSoon();
  }

  /** The process of a container ends normally. */
  void exit(ContainerId id) {
    Container container = containers.get(id);
    SimulatedNode node = container == null ? null : simulation.cluster().node(container.getNodeId());
    if (node != null) {
      node.exited(id, ContainerExitStatus.SUCCESS);
    }
  }

  /** The master or the ResourceManager has news. */
  void heartbeatSoon() {
    if (driver != null && !over && !heartbeatPlanned) {
      heartbeatPlanned = true;
      long past = (agenda().now() - registeredAt) % HEARTBEAT_MILLIS;
      after(HEARTBEAT_MILLIS - past, this::heartbeat);
    }
  }

  private void heartbeat() {
    heartbeatPlanned = false;
    // First takes what it got, so that it requests no more than it still wants.
    List<ContainerId> released = new ArrayList<>(releases);
    releases.clear();
    AllocateResponse news = allocate(new ArrayList<>(), released);
    for (Container container : news.getAllocatedContainers()) {
      take(container);
    }
    for (ContainerStatus status : news.getCompletedContainersStatuses()) {
      Container gone = containers.remove(status.getContainerId());
      if (gone != null && !over) {
        driver.lost(gone);
      }
    }
    if (!over && !asks.isEmpty()) {
      List<ResourceRequest> open = new ArrayList<>(asks.values());
      asks.clear();
      open.forEach(ask -> ask.setNumContainers(
          Math.max(0, wanted.get(ask.getPriority().getPriority()))));
      allocate(open, new ArrayList<>());
    }
  }

  private void take(Container container) {
    int priority = container.getPriority().getPriority();
    SimulatedNode node = simulation.cluster().node(container.getNodeId());
    if (wanted.getOrDefault(priority, 0) <= 0) {
      // The container is no longer wanted.
      releases.add(container.getId());
      heartbeatSoon();
    } else if (node == null) {
      // Its node was lost before the handover.
      ask(priority, container.getResource(), 0);
    } else {
      wanted.merge(priority, -1, Integer::sum);
      containers.put(container.getId(), container);
      node.started(container.getId());
      after(LAUNCH_MILLIS, () -> {
        if (containers.containsKey(container.getId())) {
          driver.works(container);
        }
      });
    }
  }

  private AllocateResponse allocate(List<ResourceRequest> requests, List<ContainerId> released) {
    try {
      if (user == null) {
        user = UserGroupInformation.createRemoteUser(attempt.getAppAttemptId().toString());
        user.addTokenIdentifier(attempt.getAMRMToken().decodeIdentifier());
      }
      return protocol.doAllocateAs(user, AllocateRequest.newInstance(0, 0, requests, released, null));
    } catch (Exception e) {
      throw new IllegalStateException("A heartbeat of " + attempt.getAppAttemptId(), e);
    } finally {
      simulation.rm().drain();
    }
  }

  /** The application has finished its work. */
  void finish() {
    try {
      protocol.unregisterAppAttempt(FinishApplicationMasterRequest.newInstance(
          FinalApplicationStatus.SUCCEEDED, "", ""), false);
    } catch (Exception e) {
      throw new IllegalStateException("The end of " + attempt.getAppAttemptId(), e);
    }
    simulation.rm().drain();
    exitDriver(ContainerExitStatus.SUCCESS);
  }

  /** The driver's process ends; its node will report that. */
  void exitDriver(int exitStatus) {
    end();
    SimulatedNode node = simulation.cluster().node(attempt.getMasterContainer().getNodeId());
    if (node != null) {
      node.exited(attempt.getMasterContainer().getId(), exitStatus);
    }
  }

  /** Nothing more happens for this attempt. */
  void end() {
    over = true;
  }
}
