/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
    String user = lanes.reserved.contains(attempt) ? null : facts.user(attempt);
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
