// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.Serializable;

/**
 * What a simulation returns.
 *
 * @param seconds of real time that it took
 * @param cpuSeconds of a processor that its thread took
 * @param heapMb an upper bound of what its heap held, garbage included, in MB: its parts need not have had
 *     their peaks at the same time
 * @param dripfeedShare the fraction of its thread's time in Dripfeed's code and in what that calls, from 0
 *     to 1; not a number if it was not measured
 */
record SimulationResult(Outcome outcome, double seconds, double cpuSeconds, long heapMb,
    double dripfeedShare) implements Serializable {

  /** The time of Dripfeed's code for each second of virtual time, in milliseconds of a processor. */
  double dripfeedMillisPerSecond() {
    return dripfeedShare * cpuSeconds * 1e6 / outcome.endMillis();
  }
}
