// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.observe.AttemptLabel;
import io.github.dripfeed.observe.StateChangeRecorder;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.yarn.YarnAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back one application: it preempts the driver by an event of YARN. The attempt ends with the
 * exit status of a preempted container and does not count towards the maximum of attempts
 * (docs/design.md#a-preempted-driver-does-not-count).
 */
final class DriverTakeBack {

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
  <S extends SchedulableEntity> boolean run(Application<S> read, String why, long now) {
    AttemptView<S> view = read.queue.order().view(read.item);
    // Read anew: the decision took its time.
    if (view == null
        || !new Application<>(read.queue, read.yarnQueue, view, read.place).mayLoseDriver(scheduler)
        || !((YarnAttempt) view.facts()).isOrdered()) {
      return false;
    }
    // If its node is gone, so is the container, and YARN would dereference the missing node.
    if (scheduler.getNode(read.driver.getAllocatedNode()) == null) {
      return false;
    }
    // Before the event: the next attempt may arrive at once. A change of priority may be under way.
    if (!read.queue.order().takenBack(read.item, why, runtime.clock().wallMillis(), now)) {
      return false;
    }
    send(read, why, now);
    return true;
  }

  private <S extends SchedulableEntity> void send(Application<S> application, String why, long now) {
    RMContainer driver = application.driver;
    boolean lazy = scheduler.getConfiguration().getLazyPreemptionEnabled();
    LOG.info("{}: is taken back in {}: its driver {} on {} is {}, because {}. Its next attempt"
        + " is offered in {} s at the earliest", AttemptLabel.of(application.app),
        application.state, driver.getContainerId(), driver.getAllocatedNode(),
        lazy ? "marked for YARN's lazy preemption" : "preempted", why,
        (application.view.takeBacks().millisLeft(now) + 999) / 1000);
    scheduler.getRMContext().getDispatcher().getEventHandler().handle(
        new DriverPreemption(driver, () -> !lazy && hasGotExecutor(application)));
  }

  /** Called by YARN's threads. */
  private <S extends SchedulableEntity> boolean hasGotExecutor(Application<S> application) {
    try {
      if (application.facts.liveExecutors() == 0) {
        return false;
      }
      if (application.view.cancelTakeBack()) {
        LOG.info("{}: keeps its driver {}, because it got an executor before the preemption",
            AttemptLabel.of(application.app), application.driver.getContainerId());
      }
    } catch (RuntimeException | LinkageError e) {
      // In doubt it keeps its driver.
      application.view.cancelTakeBack();
      runtime.metrics().countFailureOf(application.app);
      LOG.error("The executors of {} cannot be read; it keeps its driver", application.id(), e);
    }
    return true;
  }
}
