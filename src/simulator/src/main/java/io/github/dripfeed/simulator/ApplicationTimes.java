// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.Serializable;

/**
 * The times of an application's events, in milliseconds of virtual time; -1 for events that never happened.
 *
 * @param driverAt when its first driver was allocated
 * @param executorAt when its first container beside a driver was
 * @param endedAt never if YARN refused it, or if it failed though it was meant to succeed
 */
record ApplicationTimes(String name, boolean wantsExecutors, long submittedAt, long driverAt,
    long executorAt, long endedAt, int attempts) implements Serializable {

  /** One that has not been handed to the scheduler. */
  static ApplicationTimes waiting(Job job, long submittedAt) {
    return new ApplicationTimes(job.name(), job.wantsExecutors(), submittedAt, Application.NEVER,
        Application.NEVER, Application.NEVER, 0);
  }

  boolean isEnded() {
    return endedAt != Application.NEVER;
  }

  boolean hadExecutor() {
    return executorAt != Application.NEVER;
  }
}
