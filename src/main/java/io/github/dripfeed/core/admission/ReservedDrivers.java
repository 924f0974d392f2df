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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The drivers of one line for which a node is reserved. The scheduler allocates them there without asking
 * the policy again, so each takes a slot, and who has lost the offer gives back its node.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> what stands for an application attempt
 */
final class ReservedDrivers<T> {

  private final PartitionLanes<T> lanes;
  private final Lifecycle<T> lifecycle;
  private final AttemptFacts<T> facts;
  private final LineClock<T> clock;

  ReservedDrivers(PartitionLanes<T> lanes, Lifecycle<T> lifecycle) {
    this.lanes = lanes;
    this.lifecycle = lifecycle;
    this.facts = lifecycle.facts();
    this.clock = lifecycle.clock();
  }

  boolean isEmpty() {
    return lanes.reserved.isEmpty();
  }

  /** How many have a reserved driver now. */
  int held(long now) {
    int count = 0;
    for (QueuedAttempt<T> attempt : lanes.reserved.values()) {
      boolean reserves = facts.reserves(attempt, now);
      if (lifecycle.advance(attempt, 0, now) == State.ACCEPTED) {
        if (reserves) {
          count++;
        } else {
          lanes.reserved.remove(attempt.submitted, attempt);
        }
      }
    }
    return count;
  }

  /** A reserved driver is allocated without asking again, so whoever has one stays offered. */
  List<QueuedAttempt<T>> keepers(long now) {
    if (lanes.reserved.isEmpty()) {
      return Collections.emptyList();
    }
    List<QueuedAttempt<T>> keepers = new ArrayList<>();
    for (QueuedAttempt<T> attempt : lanes.reserved.values()) {
      // In this order: one whose reservation is gone has its driver, or has lost it.
      boolean reserves = facts.reserves(attempt, now);
      if (lifecycle.advance(attempt, 0, now) == State.ACCEPTED && reserves) {
        boolean late = clock.stall(attempt, now);
        if (!lanes.isAside(attempt) && (!late || lanes.memory().trials().isOn(now))) {
          keepers.add(attempt);
        }
      }
    }
    return keepers;
  }

  /** Whether one that others go before has a reserved driver: it gives it back before a trial begins. */
  boolean isAnyLate() {
    for (QueuedAttempt<T> attempt : lanes.reserved.values()) {
      if (attempt.isLate()) {
        return true;
      }
    }
    return false;
  }

  /** All that have a reserved driver now. */
  List<QueuedAttempt<T>> all(long now) {
    return lanes.reserved.isEmpty() || held(now) == 0
        ? Collections.<QueuedAttempt<T>>emptyList() : new ArrayList<>(lanes.reserved.values());
  }

  /** Those that keep a node though others go before them: they stay offered, after everything else. */
  List<QueuedAttempt<T>> late(long now) {
    List<QueuedAttempt<T>> late = new ArrayList<>();
    for (QueuedAttempt<T> attempt : lanes.reserved.values()) {
      if (attempt.isLate() && lifecycle.advance(attempt, 0, now) == State.ACCEPTED
          && !lanes.isAside(attempt)) {
        late.add(attempt);
      }
    }
    return late;
  }

  /**
   * Those that have a reserved driver and have lost the offer; from now on they are not offered until
   * something has changed.
   *
   * <p>In its turn each keeps its node, as far as there are slots. Out of its turn it gives it back: to
   * those that wait and have not been tried; to a trial; and, once, to those that stalled before it. After
   * that everybody has been tried, and whoever reserves a node keeps it until somebody new comes.
   *
   * @param started who may start beside others by a plan: it keeps its node whatever the slots
   */
  List<QueuedAttempt<T>> losers(Predicate<QueuedAttempt<T>> started, long now) {
    if (lanes.reserved.isEmpty() || held(now) == 0) {
      return Collections.emptyList();
    }
    int free = lifecycle.settings().maxStarting() - lanes.starting.taken();
    LineMemory memory = lanes.memory();
    // Those that have stalled were tried in vain.
    boolean wanted = isAnyAsking(lanes.waiting, now);
    if (wanted) {
      memory.setEverybodyTried(false);
    }
    boolean everybodyTried = memory.isEverybodyTried();
    boolean makesWay = false;
    boolean trialDue = !memory.trials().isOn(now) && isTrialDue(now);
    List<QueuedAttempt<T>> losers = new ArrayList<>();
    for (QueuedAttempt<T> attempt : lanes.reserved.values()) {
      if (lifecycle.advance(attempt, 0, now) == State.ACCEPTED && !started.test(attempt)) {
        clock.tried(attempt, now);
        clock.stall(attempt, now);
        if (free > 0 && isInTurn(attempt, now)) {
          free--;
        } else if (free > 0 && trialDue && isAnyAsking(lanes.stalled, now)) {
          // It is on trial with the others.
          losers.add(attempt);
        } else if (free > 0 && !wanted && (everybodyTried
            || !isAnyAsking(lanes.stalled.headMap(attempt.submitted), now))) {
          free--;
        } else {
          makesWay |= free > 0 && !wanted;
          attempt.history.setAside(memory);
          losers.add(attempt);
        }
      }
    }
    if (makesWay) {
      memory.setEverybodyTried(true);
    }
    return losers;
  }

  /** Whether a trial is due that those who keep a node are in the way of. */
  private boolean isTrialDue(long now) {
    return (!lanes.stalled.isEmpty() || clock.isOpen(lanes))
        && lanes.memory().trials().isDue(clock.timeBetweenTrials(), now);
  }

  private boolean isInTurn(QueuedAttempt<T> attempt, long now) {
    return attempt.isLate() || clock.isOpen(lanes) ? lanes.memory().trials().isOn(now) : true;
  }

  private boolean isAnyAsking(Map<OrderKey, QueuedAttempt<T>> lane, long now) {
    for (QueuedAttempt<T> attempt : lane.values()) {
      if (!lanes.reserved.containsKey(attempt.submitted) && facts.asks(attempt, now)
          && !facts.isPassedOver(attempt, now)) {
        return true;
      }
    }
    return false;
  }
}
