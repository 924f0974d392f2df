// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.takeback.Standstill;
import io.github.dripfeed.yarn.LeavingContainer;
import java.util.HashMap;
import java.util.Map;

/** What is remembered of one partition between two rounds; keeps nothing of YARN alive. */
public final class PartitionMemory {

  final Standstill standstill = new Standstill();
  /** The drivers that were taken back and whose room is still to come, by attempt. */
  final Map<Object, LeavingContainer> leaving = new HashMap<>();

  /** Whether there is nothing to remember. */
  boolean isOver() {
    return standstill.isOver() && leaving.isEmpty();
  }
}
