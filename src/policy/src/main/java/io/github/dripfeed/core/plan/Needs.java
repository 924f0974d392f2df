// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import java.util.List;

/** What an accepted application needs to start, and what it is expected to request later. */
public final class Needs {

  final Demand driver;
  final List<Demand> firstStage;
  final List<Demand> further;
  final boolean keepsReserve;
  final boolean isGuess;
  /** The level at which preemption or reclaim makes room for it; null if none does. */
  private Object urgent;

  /**
   * @param driver the request for its driver
   * @param firstStage its first executors
   * @param further the executors that it is expected to request beyond those
   * @param keepsReserve whether its driver could not be taken back
   * @param isGuess whether nothing is known of executors yet
   */
  public Needs(Demand driver, List<Demand> firstStage, List<Demand> further, boolean keepsReserve,
      boolean isGuess) {
    this.driver = driver;
    this.firstStage = firstStage;
    this.further = further;
    this.keepsReserve = keepsReserve;
    this.isGuess = isGuess;
  }

  /** The same application, for which preemption within the queue, or reclaim, makes room: once a level. */
  public Needs urgentAt(Object level) {
    urgent = level;
    return this;
  }

  Object urgent() {
    return urgent;
  }
}
