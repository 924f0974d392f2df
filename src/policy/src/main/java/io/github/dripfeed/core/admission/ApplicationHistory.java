// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.takeback.TakeBackMemory;

/**
 * What the attempts of one application have in common. It adds up the time that they have been starting,
 * so that an application whose driver fails repeatedly does not get a new time limit with each attempt. An
 * attempt that was taken back does not count: it could not help that others had the room. Safe for use by
 * any thread.
 */
public final class ApplicationHistory {

  private final TakeBackMemory takeBacks = new TakeBackMemory();
  private long before;
  private AttemptHistory latest;

  /** Adds an attempt of the application; adding the latest one again has no effect. */
  public synchronized void add(AttemptHistory attempt) {
    if (latest == attempt) {
      return;
    }
    if (latest != null && !latest.isTakenBack()) {
      before += latest.startedFor();
    }
    latest = attempt;
    attempt.setStartedBefore(before);
    attempt.setTakeBacks(takeBacks);
  }
}
