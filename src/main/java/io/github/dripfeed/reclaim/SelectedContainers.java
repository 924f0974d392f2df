/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
