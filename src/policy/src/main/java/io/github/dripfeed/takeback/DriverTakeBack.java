// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.observe.AttemptLabel;
import io.github.dripfeed.observe.StateChangeRecorder;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.snapshot.AttemptSnapshot;
import io.github.dripfeed.yarn.StockPreemption;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back one application: it preempts the driver by an event of YARN. The attempt ends with the
 * exit status of a preempted container and does not count towards the maximum of attempts
 * (docs/design.md#a-preempted-driver-does-not-count).
 */
final class DriverTakeBack {

  /**
   * Preempts a driver when the scheduler comes to this event, unless the application has got an executor by
   * then: its executors may be allocated by events that wait before this one.
   */
  private static final class DriverPreemption extends ContainerPreemptEvent {

    private final BooleanSupplier lapses;
    private volatile boolean lapsed;

    /** @param lapses whether the driver is kept after all; asked by several threads */
    DriverPreemption(RMContainer driver, BooleanSupplier lapses) {
      super(driver.getApplicationAttemptId(), driver, SchedulerEventType.MARK_CONTAINER_FOR_KILLABLE);
      this.lapses = lapses;
    }

    /**
     * The scheduler asks for the type when it handles the event. Without lazy preemption,
     * {@code MARK_CONTAINER_FOR_NONKILLABLE} has no effect.
     */
    @Override
    public SchedulerEventType getType() {
      lapsed = lapsed || lapses.getAsBoolean();
      return lapsed ? SchedulerEventType.MARK_CONTAINER_FOR_NONKILLABLE : super.getType();
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(StateChangeRecorder.LOGGER);

  private final CapacityScheduler scheduler;
  private final DripfeedRuntime runtime;

  DriverTakeBack(CapacityScheduler scheduler, DripfeedRuntime runtime) {
    this.scheduler = scheduler;
    this.runtime = runtime;
  }

  /**
   * Preempts the driver, unless the application has got an executor or ended since it was read.
   *
   * @param why the reason, as the second half of a sentence
   * @return whether the driver is preempted
   */
  <S extends SchedulableEntity> boolean run(AttemptSnapshot<S> taken, String why, long now) {
    AttemptView<S> view = taken.queue.order().view(taken.item);
    // Read anew: the decision took its time. If the node is gone, so is the container, and YARN would
    // dereference the missing node. The mark comes before the event: the next attempt may arrive at once.
    if (view == null || scheduler.getNode(taken.driver.getAllocatedNode()) == null
        || !isPossible(new AttemptSnapshot<>(taken.queue, taken.yarnQueue, taken.item, view))
        || !taken.facts.isOrdered()
        || !taken.queue.order().takenBack(taken.item, why, runtime.clock().wallMillis(), now)) {
      return false;
    }
    boolean lazy = scheduler.getConfiguration().getLazyPreemptionEnabled();
    LOG.info("{}: take-back in {}: its AM {} on {} is {}, because {}. Its next attempt"
        + " is offered in {} s at the earliest", AttemptLabel.of(taken.app), taken.state,
        taken.driver.getContainerId(), taken.driver.getAllocatedNode(),
        lazy ? "marked for YARN's lazy preemption" : "preempted", why,
        (view.takeBacks().millisLeft(now) + 999) / 1000);
    scheduler.getRMContext().getDispatcher().getEventHandler().handle(
        new DriverPreemption(taken.driver, () -> !lazy && hasGotExecutor(taken)));
    return true;
  }

  /** Whether it may lose its driver, apart from whether that helps. */
  boolean isPossible(AttemptSnapshot<?> read) {
    return read.isBlocked() && !read.hadExecutor() && read.facts.hasAttemptLeft()
        && !(read.facts.isDriverRecovered()
            && read.view.ageWhenDiscovered() >= read.view.settings().startingTimeout())
        && !StockPreemption.isDisabled(read.yarnQueue, scheduler);
  }

  /** Called by YARN's threads. */
  private boolean hasGotExecutor(AttemptSnapshot<?> taken) {
    try {
      if (taken.facts.liveExecutors() == 0) {
        return false;
      }
      if (taken.view.cancelTakeBack()) {
        LOG.info("{}: keeps its AM, because it got an executor before the preemption",
            AttemptLabel.of(taken.app));
      }
    } catch (RuntimeException | LinkageError e) {
      // In doubt it keeps its driver.
      taken.view.cancelTakeBack();
      runtime.metrics().countFailureOf(taken.app);
      LOG.error("The executors of {} cannot be read. The application keeps its AM", taken.id(), e);
    }
    return true;
  }
}
