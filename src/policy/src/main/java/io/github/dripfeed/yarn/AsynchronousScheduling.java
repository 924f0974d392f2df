// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** Whether a scheduler allocates a container some time after it has chosen its application. */
public final class AsynchronousScheduling {

  private AsynchronousScheduling() {
  }

  /**
   * Asks a scheduler. The answer stays the same as long as the scheduler runs: YARN decides it when it
   * starts, and a refresh of {@code schedule-asynchronously.enable} changes nothing but the property.
   *
   * <p>Hadoop before 3.3 does not tell what was decided, and the answer is the value of the property then.
   */
  public static boolean isOf(ResourceScheduler scheduler) {
    if (!(scheduler instanceof CapacityScheduler)) {
      return false;
    }
    Object threads = QueueCompat.invokeGetter(scheduler, "getNumAsyncSchedulerThreads");
    // Not getConf(), which lacks the properties of capacity-scheduler.xml.
    return threads instanceof Number ? ((Number) threads).intValue() > 0
        : ((CapacityScheduler) scheduler).getConfiguration().getScheduleAynschronously();
  }
}
