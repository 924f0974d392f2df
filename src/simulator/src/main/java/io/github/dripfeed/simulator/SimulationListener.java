// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

/** Is told how far a simulation is. */
interface SimulationListener {

  /**
   * Called for every second of virtual time, by the thread that simulates.
   *
   * @param virtualMillis the time in the simulation
   * @param ended how many applications have ended
   */
  void reached(long virtualMillis, int ended);
}
