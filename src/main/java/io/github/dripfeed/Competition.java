/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import java.util.Iterator;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.policy.PriorityUtilizationQueueOrderingPolicy;

/**
 * Whether what a queue gives up comes back to it, or goes to another queue: YARN serves the queue
 * first that uses least of its capacity.
 */
final class Competition {

  private static final String BY_PRIORITY = "priority-utilization";
  private static final float EXACT = 1e-6f;

  private final String partition;

  Competition(String partition) {
    this.partition = partition;
  }

  /** @param part how much of what it uses the queue gives up, from 0 to 1 */
  boolean isWonBy(CSQueue leaf, double part) {
    for (CSQueue queue = leaf; queue.getParent() != null; queue = queue.getParent()) {
      boolean byPriority = BY_PRIORITY.equals(LeafQueues.orderOfChildren(queue.getParent()));
      for (CSQueue sibling : queue.getParent().getChildQueues()) {
        if (sibling != queue && comesFirst(sibling, queue, part, byPriority)
            && isBelowMaximum(sibling) && asks(sibling)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean comesFirst(CSQueue sibling, CSQueue queue, double part, boolean byPriority) {
    boolean guaranteed = queue.getQueueCapacities().getAbsoluteCapacity(partition) > 0;
    boolean siblingGuaranteed = sibling.getQueueCapacities().getAbsoluteCapacity(partition) > 0;
    if (guaranteed != siblingGuaranteed) {
      return siblingGuaranteed;
    }
    double left = used(queue, guaranteed) * (1 - part);
    return PriorityUtilizationQueueOrderingPolicy.compare(used(sibling, guaranteed), left,
        byPriority ? sibling.getPriority().getPriority() : 0,
        byPriority ? queue.getPriority().getPriority() : 0) < 0;
  }

  private float used(CSQueue queue, boolean guaranteed) {
    return guaranteed ? queue.getQueueCapacities().getUsedCapacity(partition)
        : queue.getQueueCapacities().getAbsoluteUsedCapacity(partition);
  }

  private boolean isBelowMaximum(CSQueue queue) {
    return queue.getQueueCapacities().getAbsoluteUsedCapacity(partition)
        < queue.getQueueCapacities().getAbsoluteMaximumCapacity(partition) - EXACT;
  }

  /** Whether something is asked for there that may be placed: those held ask in vain. */
  private boolean asks(CSQueue queue) {
    Resource pending = queue.getQueueResourceUsage().getPending(partition);
    if (pending.getMemorySize() <= 0 && pending.getVirtualCores() <= 0) {
      return false;
    }
    if (queue.getChildQueues() != null && !queue.getChildQueues().isEmpty()) {
      return queue.getChildQueues().stream().anyMatch(this::asks);
    }
    StateAwareOrdering<?> ordering = StateAwareOrdering.of(LeafQueues.orderingPolicy(queue));
    if (ordering == null) {
      return true;
    }
    for (Iterator<?> offered = ordering.assignmentIterator(); offered.hasNext();) {
      SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) offered.next();
      Resource asked = app.getAppAttemptResourceUsage().getPending(partition);
      if (asked.getMemorySize() > 0 || asked.getVirtualCores() > 0) {
        return true;
      }
    }
    return false;
  }
}
