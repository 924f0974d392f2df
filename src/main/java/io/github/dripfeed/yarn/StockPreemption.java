/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.yarn;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingEditPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingMonitor;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/**
 * YARN's own preemption, beside which ours works.
 *
 * <p>It takes containers from others for all that the applications of a queue ask for. A held
 * application asks for its driver and may not have it yet: what is taken for it goes back to whom it
 * was taken from, to be taken again in the next round, as long as the application is held. So
 * preemption must not see those held. Nothing in YARN's interface tells who asks; the thread does.
 */
public final class StockPreemption {

  /** The name of the policy, which YARN puts into the name of the thread that runs it. */
  private static final String POLICY = "ProportionalCapacityPreemptionPolicy";

  private StockPreemption() {
  }

  /** Whether it is YARN's preemption that asks, in this thread. */
  public static boolean isAsking() {
    return Thread.currentThread().getName().contains(POLICY);
  }

  /** What YARN's preemption has chosen, and will take unless its application gives it back. */
  public static Set<ContainerId> chosen(CapacityScheduler scheduler) {
    SchedulingMonitor monitor = scheduler.getSchedulingMonitorManager() == null ? null
        : scheduler.getSchedulingMonitorManager().getAvailableSchedulingMonitor();
    SchedulingEditPolicy policy = monitor == null ? null : monitor.getSchedulingEditPolicy();
    if (!(policy instanceof ProportionalCapacityPreemptionPolicy)) {
      return Collections.emptySet();
    }
    Set<ContainerId> chosen = new HashSet<>();
    // Its own lock, under which it fills the map that it hands out.
    synchronized (policy) {
      ((ProportionalCapacityPreemptionPolicy) policy).getToPreemptContainers().keySet()
          .forEach(container -> chosen.add(container.getContainerId()));
    }
    return chosen;
  }

  /** Whether YARN takes containers for applications of the queue from others of the same queue. */
  public static boolean isWithin(CSQueue queue, CapacityScheduler scheduler) {
    return scheduler.getSchedulingMonitorManager().getAvailableSchedulingMonitor() != null
        && !queue.getIntraQueuePreemptionDisabledInHierarchy()
        && scheduler.getConfiguration().getBoolean(
            CapacitySchedulerConfiguration.INTRAQUEUE_PREEMPTION_ENABLED,
            CapacitySchedulerConfiguration.DEFAULT_INTRAQUEUE_PREEMPTION_ENABLED);
  }
}
