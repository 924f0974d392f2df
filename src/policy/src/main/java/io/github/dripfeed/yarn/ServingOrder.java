// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.policy.PriorityUtilizationQueueOrderingPolicy;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/** Which of several queues YARN serves first, by the queue ordering policy of their parent. */
public final class ServingOrder {

  private static final String BY_PRIORITY = "priority-utilization";

  private final CapacityScheduler scheduler;
  private final ResourceCalculator calculator;

  public ServingOrder(CapacityScheduler scheduler) {
    this.scheduler = scheduler;
    this.calculator = scheduler.getResourceCalculator();
  }

  /**
   * Whether any leaf queue that YARN serves before this one passes a test.
   *
   * @param released what the queue at each level has released by then
   * @param wanted the test; called with the other leaf queue and the parent that both have in common
   */
  public boolean isAnyBefore(CSQueue leaf, String partition, Function<CSQueue, Resource> released,
      BiPredicate<CSQueue, CSQueue> wanted) {
    boolean[] found = new boolean[1];
    for (CSQueue queue = leaf; queue.getParent() != null; queue = queue.getParent()) {
      CSQueue parent = queue.getParent();
      for (CSQueue sibling : before(queue, partition, released.apply(queue))) {
        QueueCompat.visitLeaves(sibling, other -> found[0] = found[0] || wanted.test(other, parent));
      }
    }
    return found[0];
  }

  /** The siblings of a queue that YARN serves before it once it has released these resources. */
  private List<CSQueue> before(CSQueue queue, String partition, Resource released) {
    List<CSQueue> before = new ArrayList<>();
    boolean byPriority = BY_PRIORITY.equals(QueueCompat.orderOfChildren(queue.getParent()));
    boolean listedBefore = true;
    for (CSQueue sibling : queue.getParent().getChildQueues()) {
      if (sibling == queue) {
        listedBefore = false;
      } else {
        int order = compare(sibling, queue, partition, released, byPriority);
        if (order < 0 || order == 0 && listedBefore) {
          before.add(sibling);
        }
      }
    }
    return before;
  }

  /**
   * Compares the queues as {@link PriorityUtilizationQueueOrderingPolicy} does, after the second one has
   * released resources.
   *
   * @return negative if YARN serves the sibling first; 0 if it serves them in the order of configuration
   */
  private int compare(
      CSQueue sibling, CSQueue queue, String partition, Resource released, boolean byPriority) {
    float capacity = queue.getQueueCapacities().getAbsoluteCapacity(partition);
    float ofSibling = sibling.getQueueCapacities().getAbsoluteCapacity(partition);
    if (capacity > 0 != ofSibling > 0) {
      return ofSibling > 0 ? -1 : 1;
    }
    int order = PriorityUtilizationQueueOrderingPolicy.compare(
        used(sibling, partition, capacity > 0, Resources.none()),
        used(queue, partition, capacity > 0, released),
        byPriority ? sibling.getPriority().getPriority() : 0,
        byPriority ? queue.getPriority().getPriority() : 0);
    return order == 0 ? compareConfigured(sibling, queue, partition) : order;
  }

  /** Of two queues with the same used capacity, the one with the larger capacity is served first. */
  private static int compareConfigured(CSQueue one, CSQueue other, String partition) {
    Resource min = one.getQueueResourceQuotas().getConfiguredMinResource(partition);
    Resource ofOther = other.getQueueResourceQuotas().getConfiguredMinResource(partition);
    if (!Resources.isNone(min) || !Resources.isNone(ofOther)) {
      return ofOther.compareTo(min);
    }
    return Float.compare(other.getQueueCapacities().getAbsoluteCapacity(partition),
        one.getQueueCapacities().getAbsoluteCapacity(partition));
  }

  /** The used capacity of the queue after it has released resources. */
  private float used(CSQueue queue, String partition, boolean guaranteed, Resource released) {
    float used = guaranteed ? queue.getQueueCapacities().getUsedCapacity(partition)
        : queue.getQueueCapacities().getAbsoluteUsedCapacity(partition);
    Resource all = queue.getQueueResourceUsage().getUsed(partition);
    if (Resources.isNone(released) || Resources.isNone(all)) {
      return used;
    }
    Resource cluster = scheduler.getClusterResource();
    return used * Resources.divide(calculator, cluster, Resources.subtract(all, released), cluster)
        / Resources.divide(calculator, cluster, all, cluster);
  }
}
