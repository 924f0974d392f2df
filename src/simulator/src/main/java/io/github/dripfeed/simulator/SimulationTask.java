// SPDX-License-Identifier: Apache-2.0
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
