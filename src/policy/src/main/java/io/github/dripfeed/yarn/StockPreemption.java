// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingEditPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingMonitor;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingMonitorManager;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/**
 * YARN's own preemption, which may run together with Dripfeed's reclaim.
 *
 * <p>It preempts containers for all pending requests of a queue's applications. A held application has a
 * pending request for its driver, but it is not offered. The containers preempted for it would go back to
 * their former applications and would be preempted again in each round. So preemption must not see held
 * applications. YARN's interface does not tell the caller, so the caller is recognized by the name of its
 * thread.
 */
public final class StockPreemption {

  /** The class name of the policy, which YARN includes in the name of the thread that runs it. */
  private static final String POLICY = "ProportionalCapacityPreemptionPolicy";

  private StockPreemption() {
  }

  /** Whether the current thread, by its name, runs YARN's preemption. */
  public static boolean isPreemptionThread() {
    return Thread.currentThread().getName().contains(POLICY);
  }

  /**
   * The containers that YARN's preemption has selected and will kill unless their applications release
   * them.
   */
  public static Set<ContainerId> chosen(CapacityScheduler scheduler) {
    SchedulingMonitor monitor = isOn(scheduler)
        ? scheduler.getSchedulingMonitorManager().getAvailableSchedulingMonitor() : null;
    SchedulingEditPolicy policy = monitor == null ? null : monitor.getSchedulingEditPolicy();
    if (!(policy instanceof ProportionalCapacityPreemptionPolicy)) {
      return Collections.emptySet();
    }
    Set<ContainerId> chosen = new HashSet<>();
    // The policy fills the map that it returns under its own lock.
    synchronized (policy) {
      ((ProportionalCapacityPreemptionPolicy) policy).getToPreemptContainers().keySet()
          .forEach(container -> chosen.add(container.getContainerId()));
    }
    return chosen;
  }

  /**
   * Whether the operator has disabled preemption in the queue or above it. YARN's own answer is that of a
   * queue without preemption as long as no scheduling monitor runs; the property counts then.
   */
  public static boolean isDisabled(CSQueue queue, CapacityScheduler scheduler) {
    Configuration conf = scheduler.getConfiguration();
    if (conf.getBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS,
        YarnConfiguration.DEFAULT_RM_SCHEDULER_ENABLE_MONITORS)) {
      return queue.getPreemptionDisabled();
    }
    for (CSQueue level = queue; level != null; level = level.getParent()) {
      String value = conf.getTrimmed(CapacitySchedulerConfiguration.PREFIX + level.getQueuePath()
          + CapacitySchedulerConfiguration.DOT + CapacitySchedulerConfiguration.QUEUE_PREEMPTION_DISABLED);
      if (value != null) {
        return Boolean.parseBoolean(value);
      }
    }
    return false;
  }

  /**
   * Whether drivers of the queue can be preempted so that their room becomes free: preemption is not
   * disabled there, and does not only mark containers.
   */
  public static boolean freesRoom(CSQueue queue, CapacityScheduler scheduler) {
    return !isDisabled(queue, scheduler) && !scheduler.getConfiguration().getLazyPreemptionEnabled();
  }

  /** Whether YARN preempts containers of one queue for another. The monitor is that of its own policy. */
  public static boolean isOn(CapacityScheduler scheduler) {
    SchedulingMonitorManager monitors = scheduler.getSchedulingMonitorManager();
    return monitors != null && monitors.getAvailableSchedulingMonitor() != null
        && !scheduler.getConfiguration().getBoolean(CapacitySchedulerConfiguration.PREEMPTION_OBSERVE_ONLY,
            CapacitySchedulerConfiguration.DEFAULT_PREEMPTION_OBSERVE_ONLY);
  }

  /** Whether YARN preempts containers within the queue. */
  public static boolean isWithin(CSQueue queue, CapacityScheduler scheduler) {
    return isOn(scheduler) && !queue.getIntraQueuePreemptionDisabledInHierarchy()
        && scheduler.getConfiguration().getBoolean(
            CapacitySchedulerConfiguration.INTRAQUEUE_PREEMPTION_ENABLED,
            CapacitySchedulerConfiguration.DEFAULT_INTRAQUEUE_PREEMPTION_ENABLED);
  }
}
