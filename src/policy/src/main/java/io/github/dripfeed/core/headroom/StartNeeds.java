// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import java.util.List;

/** What a waiting application needs to start beside others. Immutable. */
public final class StartNeeds {

  final Demand driver;
  final List<Demand> firstStage;
  final List<Demand> expected;
  final boolean keepsReserve;

  /**
   * @param driver the request for its driver
   * @param firstStage the executors that make it running, of the expected sizes
   * @param expected all executors that it is expected to come to want
   * @param keepsReserve whether the reserve has to stay beside its driver in any case; if the driver can
   *     be taken back, it has to stay only while there is one that cannot
   */
  public StartNeeds(Demand driver, List<Demand> firstStage, List<Demand> expected, boolean keepsReserve) {
    this.driver = driver;
    this.firstStage = firstStage;
    this.expected = expected;
    this.keepsReserve = keepsReserve;
  }
}
