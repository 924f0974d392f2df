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

import static java.util.stream.Collectors.toList;

import io.github.dripfeed.core.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.UpdateApplicationPriorityRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/** An application of a {@link MockCluster}, whose application master does what the test says. */
final class MockApp {

  private final MockCluster cluster;
  private final ApplicationId id;
  private final String name;
  private MockAM master;

  MockApp(MockCluster cluster, ApplicationId id, String name) {
    this.cluster = cluster;
    this.id = id;
    this.name = name;
  }

  ApplicationId id() {
    return id;
  }

  String name() {
    return name;
  }

  RMApp rmApp() {
    return cluster.rm().getRMContext().getRMApps().get(id);
  }

  /** The scheduler's view of the current attempt. */
  FiCaSchedulerApp attempt() {
    return cluster.scheduler().getApplicationAttempt(attemptId());
  }

  ApplicationAttemptId attemptId() {
    return rmApp().getCurrentAppAttempt().getAppAttemptId();
  }

  State state() {
    return cluster.stateOf(attempt());
  }

  /** Live containers, the driver included. */
  int containers() {
    return attempt().getLiveContainersMap().size();
  }

  int reservations() {
    return attempt().getReservedContainers().size();
  }

  /** The allocated driver's process starts. */
  void launch() throws Exception {
    master = cluster.rm().sendAMLaunched(attemptId());
    cluster.rm().waitForState(attemptId(), RMAppAttemptState.LAUNCHED);
  }

  /** A driver whose process has been started registers, maybe with another ResourceManager. */
  void registerLaunched() throws Exception {
    master.setAMRMProtocol(cluster.rm().getApplicationMasterService(), cluster.rm().getRMContext());
    master.registerAppAttempt();
    cluster.rm().drainEvents();
  }

  /** The allocated driver starts and registers. */
  MockApp register() throws Exception {
    launch();
    master.registerAppAttempt();
    cluster.rm().waitForState(id, RMAppState.RUNNING);
    return this;
  }

  boolean isRegistered() {
    return rmApp().getState() == RMAppState.RUNNING;
  }

  /** The driver asks for so many executors in all. */
  MockApp ask(int executors, int memory) throws Exception {
    master.allocate("*", memory, executors, new ArrayList<>());
    cluster.rm().drainEvents();
    return this;
  }

  MockApp ask(List<ResourceRequest> executors) throws Exception {
    master.allocate(executors, Collections.emptyList());
    cluster.rm().drainEvents();
    return this;
  }

  /** The driver takes over what was allocated, as its heartbeat does. */
  void heartbeat() throws Exception {
    master.allocate(Collections.emptyList(), Collections.emptyList());
    cluster.rm().drainEvents();
  }

  /** The executors' processes start. */
  void launchExecutors() throws Exception {
    for (ContainerId executor : executors()) {
      MockNM node = cluster.nodeOn(
          attempt().getRMContainer(executor).getContainer().getNodeId().getHost());
      node.nodeHeartbeat(attemptId(), executor.getContainerId(), ContainerState.RUNNING);
      cluster.rm().waitForState(node, executor, RMContainerState.RUNNING);
    }
  }

  /** The driver asks for another size of one of its containers. */
  void update(UpdateContainerRequest request) throws Exception {
    master.sendContainerUpdateRequest(Collections.singletonList(request));
    cluster.rm().drainEvents();
  }

  /** What the scheduler wants back, as the driver's heartbeat tells it. */
  List<ContainerId> askedBack() throws Exception {
    PreemptionMessage message = master.allocate(Collections.emptyList(), Collections.emptyList())
        .getPreemptionMessage();
    cluster.rm().drainEvents();
    List<ContainerId> asked = new ArrayList<>();
    if (message != null && message.getStrictContract() != null) {
      message.getStrictContract().getContainers().forEach(container -> asked.add(container.getId()));
    }
    if (message != null && message.getContract() != null) {
      message.getContract().getContainers().forEach(container -> asked.add(container.getId()));
    }
    return asked;
  }

  /** Live containers other than the driver's. */
  List<ContainerId> executors() {
    ContainerId driver = rmApp().getCurrentAppAttempt().getMasterContainer().getId();
    return attempt().getLiveContainersMap().keySet().stream()
        .filter(id -> !id.equals(driver)).sorted().collect(toList());
  }

  /** The driver finds the ResourceManager that has taken over. */
  MockApp registerAgain() throws Exception {
    master.setAMRMProtocol(cluster.rm().getApplicationMasterService(), cluster.rm().getRMContext());
    master.registerAppAttempt(false);
    cluster.rm().drainEvents();
    return this;
  }

  /** The driver gives back its executors. */
  void release(List<ContainerId> executors) throws Exception {
    master.allocate(Collections.emptyList(), executors);
    cluster.rm().drainEvents();
  }

  /** The driver unregisters and ends. */
  void finish() throws Exception {
    ApplicationAttemptId finishing = attemptId();
    master.unregisterAppAttempt(FinishApplicationMasterRequest.newInstance(
        FinalApplicationStatus.SUCCEEDED, "", ""), true);
    cluster.rm().waitForState(finishing, RMAppAttemptState.FINISHING);
    driverEnds(finishing);
    cluster.rm().waitForState(id, RMAppState.FINISHED);
    cluster.rm().drainEvents();
  }

  /** The driver's process dies; the next attempt asks for its driver when this returns. */
  void failDriver() throws Exception {
    ApplicationAttemptId failing = attemptId();
    driverEnds(failing);
    cluster.rm().waitForState(failing, RMAppAttemptState.FAILED);
    MockRM.waitForAttemptScheduled(rmApp(), cluster.rm());
  }

  private void driverEnds(ApplicationAttemptId attempt) throws Exception {
    long driver = rmApp().getCurrentAppAttempt().getMasterContainer().getId().getContainerId();
    nodeOfDriver().nodeHeartbeat(attempt, driver, ContainerState.COMPLETE);
  }

  /** An executor's process ends. */
  void completeExecutor(ContainerId executor, MockNM node) throws Exception {
    node.nodeHeartbeat(attemptId(), executor.getContainerId(), ContainerState.COMPLETE);
    cluster.rm().drainEvents();
  }

  void kill() throws Exception {
    cluster.rm().killApp(id);
    cluster.rm().waitForState(id, RMAppState.KILLED);
    cluster.rm().waitForAppRemovedFromScheduler(id);
  }

  void moveTo(String queue) throws Exception {
    cluster.scheduler().moveApplication(id, cluster.queue(queue).getQueueName());
    cluster.rm().drainEvents();
  }

  void setPriority(int priority) throws Exception {
    cluster.rm().getClientRMService().updateApplicationPriority(
        UpdateApplicationPriorityRequest.newInstance(id, Priority.newInstance(priority)));
    cluster.rm().drainEvents();
  }

  private MockNM nodeOfDriver() {
    String host = rmApp().getCurrentAppAttempt().getMasterContainer().getNodeId().getHost();
    return cluster.nodeOn(host);
  }
}
