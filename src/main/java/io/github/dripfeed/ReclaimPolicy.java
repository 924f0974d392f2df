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

import io.github.dripfeed.reclaim.ReclaimRounds;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingEditPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * Takes resources back within state-aware queues, for those who deserve them: an application of higher
 * priority takes from those of lower ones, and, where the queue is shared fairly, who has less than its
 * share from who has more. Only where the queue's {@code reclaim.enabled} says so, and never a driver.
 *
 * <p>Set it in {@code yarn-site.xml} in {@code yarn.resourcemanager.scheduler.monitor.policies}, beside
 * or instead of YARN's own, with {@code yarn.resourcemanager.scheduler.monitor.enable}.
 *
 * <p>YARN makes one, calls {@link #init} once and then {@link #editSchedule} in a thread of its own,
 * every {@link #getMonitoringInterval} milliseconds.
 */
public class ReclaimPolicy implements SchedulingEditPolicy {

  private ReclaimRounds rounds;

  /** @throws IllegalArgumentException if the ResourceManager has another scheduler than the Capacity one */
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
