// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.takeback.Standstill;
import io.github.dripfeed.yarn.LeavingContainer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What is remembered of one partition between two rounds; keeps nothing of YARN alive. */
final class PartitionMemory {

  final Standstill standstill = new Standstill();
  /** The paths of the queues in which nobody starts beside another. */
  final Set<String> held = new HashSet<>();
  /** The drivers that were taken back and whose room is still to come, by attempt. */
  final Map<Object, LeavingContainer> leaving = new HashMap<>();

  /** Whether there is nothing to remember. */
  boolean isOver() {
    return standstill.isOver() && leaving.isEmpty();
  }
}
