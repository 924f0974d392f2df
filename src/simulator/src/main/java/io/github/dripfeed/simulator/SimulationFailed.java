// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

/** A simulation did not come to its end. */
final class SimulationFailed extends Exception {

  private final String details;

  /** @param details a stack trace, or what the process printed last */
  SimulationFailed(SimulationTask task, String reason, String details) {
    super("The simulation of " + task.title() + " failed: " + reason);
    this.details = details;
  }

  String details() {
    return details;
  }
}
