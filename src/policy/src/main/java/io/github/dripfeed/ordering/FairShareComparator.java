// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.ordering;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.nodelabels.CommonNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceUsage;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.YarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoComparator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;

/**
 * Compares applications by their usage divided by their weight, and equal ones by submission. Usage is
 * memory or, where the scheduler uses the dominant resource calculator, the dominant share of the
 * cluster.
 *
 * <p>Like the stock policy, it reads the usage that YARN has cached, which changes only when the policy
 * reorders. Safe for use by any thread.
 */
public final class FairShareComparator implements Comparator<SchedulableEntity> {

  private static final double EXACT = 1e-9;

  private final Comparator<SchedulableEntity> bySubmission = new FifoComparator();
  private final boolean byPriority;
  private final boolean bySize;
  private volatile Map<SchedulableEntity, Double> owed = Collections.emptyMap();
  /** The scheduler of these applications, and the cluster size with which shares were last computed. */
  private volatile YarnScheduler scheduler;
  private volatile Resource cluster;

  /**
   * @param byPriority whether the weight of an application is its priority plus one
   * @param bySize whether its demand increases its weight, as in YARN's fair policy
   */
  public FairShareComparator(boolean byPriority, boolean bySize) {
    this.byPriority = byPriority;
    this.bySize = bySize;
  }

  /** The sort key; the smallest goes first. */
  public double of(SchedulableEntity entity) {
    ResourceUsage usage = entity.getSchedulingResourceUsage();
    double size = size(entity, usage.getCachedUsed(CommonNodeLabelsManager.ANY));
    Double due = owed.get(entity);
    double share = size == 0 ? 0
        : size / weight(entity, usage.getCachedDemand(CommonNodeLabelsManager.ANY));
    // Before all others, and by share among each other.
    return due != null && size < due * (1 - EXACT) ? -1 / (1 + share) : share;
  }

  /**
   * The weight of the application; its fair share is proportional to it.
   *
   * @param demand its demand: used plus pending resources
   */
  public double weight(SchedulableEntity entity, Resource demand) {
    double weight = byPriority ? weightOf(entity.getPriority()) : 1;
    double bySizeOfDemand = bySize ? Math.log1p(demand.getMemorySize()) / Math.log(2) : 0;
    return bySizeOfDemand == 0 ? weight : weight * bySizeOfDemand;
  }

  /** Whether demand increases the weight of an application. */
  public boolean isBySize() {
    return bySize;
  }

  /** Whether reclaimed resources are owed to the application; it may have received them by now. */
  public boolean isOwed(SchedulableEntity entity) {
    return owed.containsKey(entity);
  }

  /** Each of these applications comes before all others until its {@link #size} reaches its amount. */
  public void setOwed(Map<? extends SchedulableEntity, Double> owed) {
    this.owed = new HashMap<>(owed);
  }

  /** The weight of an application of this priority, which may be null. */
  static double weightOf(Priority priority) {
    return priority == null ? 1 : Math.max(0, priority.getPriority()) + 1.0;
  }

  /**
   * Whether the size of the cluster has changed since the last call. Dominant shares computed before and
   * after a change cannot be compared.
   */
  public boolean isClusterChanged() {
    if (scheduler == null || !isDominant(scheduler)) {
      return false;
    }
    Resource now = scheduler.getClusterResource();
    if (now == cluster || now.equals(cluster)) {
      return false;
    }
    cluster = now;
    return true;
  }

  /** The amount as one number: memory, or the dominant share of the cluster. */
  public double size(SchedulableEntity entity, Resource used) {
    YarnScheduler ofEntity =
        ((SchedulerApplicationAttempt) entity).getAppSchedulingInfo().getRMContext().getScheduler();
    scheduler = ofEntity;
    if (ofEntity == null || !isDominant(ofEntity)) {
      return used.getMemorySize();
    }
    return dominant(used, ofEntity.getClusterResource());
  }

  /**
   * The dominant share: the largest fraction of the cluster over all resource types that the cluster has.
   */
  public static double dominant(Resource used, Resource cluster) {
    ResourceInformation[] amounts = used.getResources();
    ResourceInformation[] all = cluster.getResources();
    double largest = 0;
    for (int type = 0; type < amounts.length; type++) {
      if (all[type].getValue() > 0) {
        largest = Math.max(largest, (double) amounts[type].getValue() / all[type].getValue());
      }
    }
    return largest;
  }

  private static boolean isDominant(YarnScheduler scheduler) {
    return scheduler.getResourceCalculator() instanceof DominantResourceCalculator;
  }

  @Override
  public int compare(SchedulableEntity one, SchedulableEntity other) {
    int order = Double.compare(of(one), of(other));
    return order == 0 ? bySubmission.compare(one, other) : order;
  }
}
