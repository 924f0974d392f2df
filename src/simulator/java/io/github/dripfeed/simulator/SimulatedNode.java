/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;

/** A NodeManager: its heartbeats tell the ResourceManager the states of its containers. */
final class SimulatedNode {

  private final MockNM manager;
  private final Map<ContainerId, ContainerStatus> news = new LinkedHashMap<>();

  SimulatedNode(MockNM manager) {
    this.manager = manager;
  }

  MockNM manager() {
    return manager;
  }

  void started(ContainerId container) {
    tell(container, ContainerState.RUNNING, ContainerExitStatus.INVALID);
  }

  void exited(ContainerId container, int exitStatus) {
    tell(container, ContainerState.COMPLETE, exitStatus);
  }

  private void tell(ContainerId container, ContainerState state, int exitStatus) {
    news.put(container, ContainerStatus.newInstance(container, state, "", exitStatus));
  }

  void heartbeat() throws Exception {
    List<ContainerStatus> told = new ArrayList<>(news.values());
    news.clear();
    for (ContainerId unwanted : manager.nodeHeartbeat(told, true).getContainersToCleanup()) {
      exited(unwanted, ContainerExitStatus.KILLED_BY_RESOURCEMANAGER);
    }
  }
}
