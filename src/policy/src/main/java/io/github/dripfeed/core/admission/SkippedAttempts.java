// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.HashSet;
import java.util.Set;

/**
 * Which attempts of a line the scheduler skips because of the user limit, at one moment. Of each user at
 * its limit one attempt is asked: the scheduler answers under a lock of its own. For one thread.
 */
final class SkippedAttempts<T> {

  private final PartitionLanes<T> lanes;
  private final AttemptFacts<T> facts;
  private final long now;
  private final Set<String> usersAtLimit = new HashSet<>();

  SkippedAttempts(PartitionLanes<T> lanes, AttemptFacts<T> facts, long now) {
    this.lanes = lanes;
    this.facts = facts;
    this.now = now;
  }

  /** Whether it waits for its driver and is skipped; it then holds back no other attempt. */
  boolean contains(QueuedAttempt<T> attempt) {
    if (attempt == null || attempt.history.state() != State.ACCEPTED) {
      return false;
    }
    // One with a reservation is not skipped, whatever its user has.
    String user = lanes.reserved.contains(attempt) ? null : facts.user(attempt, now);
    if (user != null && usersAtLimit.contains(user)) {
      return true;
    }
    boolean skipped = facts.isSkipped(attempt, now);
    // Whose facts cannot be read is no longer accepted, and says nothing about its user.
    if (skipped && user != null && attempt.history.state() == State.ACCEPTED) {
      usersAtLimit.add(user);
    }
    return skipped;
  }
}
