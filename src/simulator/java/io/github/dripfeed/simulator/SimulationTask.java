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

import java.io.Serializable;

/**
 * A simulation to run: a workload in a queue under a variant.
 *
 * @param askMillis how often waiting applications ask when they start; 0: never
 * @param profiled whether to measure the part of Dripfeed in the time that it takes
 */
record SimulationTask(Workload workload, QueueSetup queue, SchedulerVariant setting, long askMillis,
    boolean profiled) implements Serializable {

  SimulationTask(Workload workload, QueueSetup queue, SchedulerVariant setting) {
    this(workload, queue, setting, 0, false);
  }

  /** For people. */
  String title() {
    return workload.name() + ", " + setting.name();
  }

  /** How much of all work it is, roughly. */
  int applications() {
    return workload.jobs().size();
  }
}
