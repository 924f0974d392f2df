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

import io.github.dripfeed.core.headroom.HeadroomLedger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The drivers of one line for which a node is reserved. The scheduler allocates them there without asking
 * the policy again, so each takes a slot, and who has lost the offer gives back its node.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> what stands for an application attempt
 */
final class ReservedDrivers<T> {

  private final AdmissionLine<T> line;
  private final AdmissionLanes<T> lanes;
  private final Lifecycle<T> lifecycle;
  private final HeadroomLedger ledger;

  ReservedDrivers(AdmissionLine<T> line, AdmissionLanes<T> lanes, Lifecycle<T> lifecycle,
      HeadroomLedger ledger) {
    this.line = line;
    this.lanes = lanes;
    this.lifecycle = lifecycle;
    this.ledger = ledger;
  }

  /** How many have a reserved driver now. */
  int held(long now) {
    int count = 0;
    for (QueuedAttempt<T> entry : lanes.reserved.values()) {
      boolean reserves = lifecycle.reserves(entry, now);
      if (lifecycle.advance(entry, 0, now) == State.ACCEPTED) {
        if (reserves) {
          count++;
        } else {
          lanes.reserved.remove(entry.submitted, entry);
        }
      }
    }
    return count;
  }

  /** A reserved driver is allocated without asking again, so whoever has one stays offered. */
  List<QueuedAttempt<T>> keepers(long now) {
    List<QueuedAttempt<T>> keepers = new ArrayList<>();
    for (QueuedAttempt<T> entry : lanes.reserved.values()) {
      // In this order: one whose reservation is gone has its driver, or has lost it.
      boolean reserves = lifecycle.reserves(entry, now);
      if (lifecycle.advance(entry, 0, now) == State.ACCEPTED && reserves) {
        boolean late = line.stall(entry, now);
        if (!lanes.isAside(entry) && (!late || lanes.memory().trials().isOn(now))) {
          keepers.add(entry);
        }
      }
    }
    return keepers;
  }

  /** Whether one that others go before has a reserved driver: it gives it back before a trial begins. */
  boolean isAnyLate() {
    for (QueuedAttempt<T> entry : lanes.reserved.values()) {
      if (entry.isLate()) {
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
    for (QueuedAttempt<T> entry : lanes.reserved.values()) {
      if (entry.isLate() && lifecycle.advance(entry, 0, now) == State.ACCEPTED
          && !lanes.isAside(entry)) {
        late.add(entry);
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
   */
  List<QueuedAttempt<T>> losers(long now) {
    if (lanes.reserved.isEmpty() || held(now) == 0) {
      return Collections.emptyList();
    }
    int free = lifecycle.settings().maxStarting() - lanes.starting.taken();
    // Those that have stalled were tried in vain.
    boolean wanted = isAnyAsking(lanes.waiting, now);
    if (wanted) {
      lanes.memory().setEverybodyTried(false);
    }
    boolean everybodyTried = lanes.memory().isEverybodyTried();
    boolean makesWay = false;
    boolean trialDue = !lanes.memory().trials().isOn(now) && line.isTrialDue(now);
    List<QueuedAttempt<T>> losers = new ArrayList<>();
    for (QueuedAttempt<T> entry : lanes.reserved.values()) {
      if (lifecycle.advance(entry, 0, now) == State.ACCEPTED && !ledger.hasPass(entry.claim())) {
        line.countTry(entry, now);
        line.stall(entry, now);
        if (free > 0 && isInTurn(entry, now)) {
          free--;
        } else if (free > 0 && trialDue && isAnyAsking(lanes.stalled, now)) {
          // It is on trial with the others.
          losers.add(entry);
        } else if (free > 0 && !wanted && (everybodyTried
            || !isAnyAsking(lanes.stalled.headMap(entry.submitted), now))) {
          free--;
        } else {
          makesWay |= free > 0 && !wanted;
          entry.history.setAside(lanes.memory());
          losers.add(entry);
        }
      }
    }
    if (makesWay) {
      lanes.memory().setEverybodyTried(true);
    }
    return losers;
  }

  private boolean isInTurn(QueuedAttempt<T> entry, long now) {
    return entry.isLate() || line.isOpen() ? lanes.memory().trials().isOn(now) : true;
  }

  private boolean isAnyAsking(Map<OrderKey, QueuedAttempt<T>> lane, long now) {
    for (QueuedAttempt<T> entry : lane.values()) {
      if (!lanes.reserved.containsKey(entry.submitted) && lifecycle.asks(entry, now)
          && !lifecycle.isPassedOver(entry, now)) {
        return true;
      }
    }
    return false;
  }
}
