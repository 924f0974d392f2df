// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import io.github.dripfeed.reclaim.ReclaimRounds;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingEditPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * Reclaims resources within state-aware queues. An application of higher priority reclaims containers
 * from applications of lower priority. Under the fair policy, an application below its share reclaims
 * containers from applications above theirs. Reclaim is active only in queues with {@code
 * reclaim.enabled}, and never preempts a driver.
 *
 * <p>List it in {@code yarn.resourcemanager.scheduler.monitor.policies} in {@code yarn-site.xml}, next
 * to or instead of YARN's own policy, and set {@code yarn.resourcemanager.scheduler.monitor.enable}.
 *
 * <p>YARN creates one instance and calls {@link #init} once. A YARN thread then calls {@link
 * #editSchedule} every {@link #getMonitoringInterval} milliseconds.
 */
public class ReclaimPolicy implements SchedulingEditPolicy {

  private ReclaimRounds rounds;

  /**
   * @throws IllegalArgumentException if the scheduler of the ResourceManager is not the Capacity
   *     Scheduler
   */
  @Override
  public void init(Configuration config, RMContext context, ResourceScheduler sched) {
    if (!(sched instanceof CapacityScheduler)) {
      throw new IllegalArgumentException(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES
          + " has " + ReclaimPolicy.class.getName() + ", and " + YarnConfiguration.RM_SCHEDULER
          + " = '" + sched.getClass().getName() + "': allowed is only "
          + CapacityScheduler.class.getName());
    }
    rounds = new ReclaimRounds((CapacityScheduler) sched);
  }

  @Override
  public void editSchedule() {
    rounds.run();
  }

  @Override
  public long getMonitoringInterval() {
    return rounds.intervalMillis();
  }

  @Override
  public String getPolicyName() {
    return "ReclaimPolicy";
  }
}
