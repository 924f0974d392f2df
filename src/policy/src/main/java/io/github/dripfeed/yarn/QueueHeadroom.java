// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import io.github.dripfeed.core.cluster.UserLimits;
import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.UsersManager;

/**
 * The headroom of a queue: how much more it may allocate below its own maximum and, for a leaf queue, the
 * maximum of every ancestor. The maximum of the root is the whole partition. Reservations count as used.
 * Safe for use by any thread.
 */
public final class QueueHeadroom {

  private final CSQueue queue;
  private final CountedResources types;

  public QueueHeadroom(CSQueue queue, CountedResources types) {
    this.queue = queue;
    this.types = types;
  }

  /** Whether the amounts fit below its own maximum alone. */
  public boolean has(String partition, ResourceVector amounts) {
    return types.fits(
        amounts, maximum(partition), queue.getQueueResourceUsage().getUsed(partition));
  }

  /** The headroom below its own maximum alone, by type; negative where more than that is used. */
  public ResourceVector freeOfItsOwn(String partition) {
    return types.amounts(maximum(partition)).minus(used(partition));
  }

  /** The headroom by resource type; negative where a queue uses more than its maximum. */
  public ResourceVector free(String partition) {
    ResourceVector free = freeOfItsOwn(partition);
    for (CSQueue level = queue.getParent(); level != null; level = level.getParent()) {
      free = free.componentwiseMin(new QueueHeadroom(level, types).freeOfItsOwn(partition));
    }
    return free;
  }

  /** The maximum of the queue in the partition. */
  public Resource maximum(String partition) {
    return queue.getQueueResourceQuotas().getEffectiveMaxResource(partition);
  }

  /** The limit of a user in the partition, as YARN computes it for active users. */
  public Resource userLimit(String user, Resource cluster, String partition) {
    return ((UsersManager) queue.getAbstractUsersManager()).getComputedResourceLimitForActiveUsers(
        user, cluster, partition, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY);
  }

  /**
   * The upper bound of every user limit in the partition, by resource type. As the queue grows beyond its
   * capacity, user limits grow up to this bound.
   */
  public ResourceVector userCeiling(String partition) {
    ResourceVector ceiling = types.amounts(maximum(partition));
    double factor = QueueCompat.number(queue, "getUserLimitFactor");
    ResourceVector capacity = guaranteed(partition);
    if (factor >= 0 && !capacity.isZero()) {
      return ceiling.componentwiseMin(capacity.each(amount -> (long) (amount * factor)));
    }
    return ceiling;
  }

  /** The fraction of the queue's usage that each user may hold; 0 if it cannot be determined. */
  public double userFraction() {
    double percent = QueueCompat.number(queue, "getUserLimit");
    return percent >= 0 ? percent / 100 : 0;
  }

  /** The user limits in the partition while a plan is made; the users are still to be added. */
  public UserLimits userLimits(CapacityScheduler scheduler, String partition) {
    double factor = QueueCompat.number(queue, "getUserLimitFactor");
    double percent = QueueCompat.number(queue, "getUserLimit");
    Resource cluster = scheduler.getClusterResource();
    UserLimits.QueueResources resources = new UserLimits.QueueResources(types.amounts(
        scheduler.getRMContext().getNodeLabelManager().getResourceByLabel(partition, cluster)),
        guaranteed(partition), types.amounts(maximum(partition)));
    return new UserLimits(types.measure(cluster), resources,
        types.amounts(scheduler.getMinimumResourceCapability()),
        Double.isNaN(percent) ? 100 : percent, Double.isNaN(factor) ? -1 : factor);
  }

  /** What the user uses in the partition. */
  public ResourceVector usedBy(String user, String partition) {
    UsersManager.User known = user(user);
    return known == null ? ResourceVector.zero(types.count())
        : types.amounts(known.getResourceUsage().getUsed(partition));
  }

  /**
   * Whether the user will be above the user limit, as YARN compares, once so much is released. Limit and
   * usage are read now.
   */
  public Predicate<ResourceAmounts> isAboveUserLimit(
      String user, CapacityScheduler scheduler, String partition) {
    UsersManager.User known = user(user);
    if (known == null) {
      return released -> false;
    }
    Resource cluster = scheduler.getClusterResource();
    return types.isAbove(scheduler.getResourceCalculator(), cluster,
        types.amounts(known.getResourceUsage().getUsed(partition)), userLimit(user, cluster, partition));
  }

  /** The weight of a user. */
  public double userWeight(String name) {
    UsersManager.User user = user(name);
    return user == null ? 1 : user.getWeight();
  }

  private UsersManager.User user(String name) {
    return ((UsersManager) queue.getAbstractUsersManager()).getUser(name);
  }

  /** The guaranteed capacity of the queue, by resource type. */
  public ResourceVector guaranteed(String partition) {
    return types.amounts(queue.getQueueResourceQuotas().getEffectiveMinResource(partition));
  }

  /** The usage of the queue, by resource type. */
  public ResourceVector used(String partition) {
    return types.amounts(queue.getQueueResourceUsage().getUsed(partition));
  }
}
