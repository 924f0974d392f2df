// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;

/**
 * Preempts a driver when the scheduler comes to this event, unless the application has got an executor by
 * then: its executors may be allocated by events that wait before this one.
 */
final class DriverPreemption extends ContainerPreemptEvent {

  private final BooleanSupplier lapses;
  private volatile boolean lapsed;

  /** @param lapses whether the driver is not preempted any more; asked by several threads */
  DriverPreemption(RMContainer driver, BooleanSupplier lapses) {
    super(driver.getApplicationAttemptId(), driver, SchedulerEventType.MARK_CONTAINER_FOR_KILLABLE);
    this.lapses = lapses;
  }

  /**
   * Called by the dispatchers, and by the scheduler to choose what to do. Without lazy preemption, it does
   * nothing for a container that is marked as non-killable.
   */
  @Override
  public SchedulerEventType getType() {
    lapsed = lapsed || lapses.getAsBoolean();
    return lapsed ? SchedulerEventType.MARK_CONTAINER_FOR_NONKILLABLE : super.getType();
  }
}
