// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** The containers that YARN's own preemption has selected. Immutable. */
final class SelectedContainers {

  private final Set<ContainerId> ids;
  private final boolean isWithinQueue;

  /**
   * @param isWithinQueue whether YARN preempts within the queue, so that the resources go to applications
   *     of the queue
   */
  SelectedContainers(Set<ContainerId> ids, boolean isWithinQueue) {
    this.ids = ids;
    this.isWithinQueue = isWithinQueue;
  }

  boolean isEmpty() {
    return ids.isEmpty();
  }

  boolean contains(ContainerId id) {
    return ids.contains(id);
  }

  /** Whether the resources of these containers go to applications of the queue, and so count as free. */
  boolean isFree() {
    return isWithinQueue;
  }
}
