// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import java.util.Collections;
import java.util.Set;

/** What a plan says about the queues as a whole. Immutable. */
public final class PlannedStarts {

  /** Nobody waits, and nobody starts beyond the slots. */
  public static final PlannedStarts NONE =
      new PlannedStarts(Collections.emptySet(), Collections.<String>emptySet(), false);

  private final Set<?> crowded;
  private final Set<String> tight;
  private final boolean anyShort;

  /**
   * @param crowded the queues in which more applications are starting, or may start, than there are slots
   * @param tight the partitions in which another driver could use up the room for the largest container
   * @param anyShort whether an application may not start for lack of headroom
   */
  public PlannedStarts(Set<?> crowded, Set<String> tight, boolean anyShort) {
    this.crowded = crowded;
    this.tight = tight;
    this.anyShort = anyShort;
  }

  boolean isAnyShort() {
    return anyShort;
  }

  boolean isCrowdedBeside(Object owner) {
    return crowded.size() > 1 || !crowded.isEmpty() && !crowded.contains(owner);
  }

  boolean isTight(String partition) {
    return tight.contains(partition);
  }
}
