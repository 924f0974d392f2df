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

import io.github.dripfeed.core.headroom.HeadroomClaim;
import io.github.dripfeed.core.headroom.HeadroomLedger;
import java.util.concurrent.ConcurrentNavigableMap;

/**
 * One attempt in the order of one queue: it keeps itself in the lanes that its state belongs to.
 *
 * <p>Its own monitor guards that membership, and nothing of the scheduler's is called under it.
 * Readers of the lanes take no lock: they may meet an entry a moment too early or too late, and ask
 * it for its state.
 *
 * @param <T> what stands for an application attempt
 */
final class QueuedAttempt<T> {

  final T item;
  final Attempt attempt;
  final AttemptHistory history;
  /** The numbers of the rule for it: those of the queue, unless it has its own. */
  final AdmissionSettings settings;
  /** The place that its submission gives it. Waiting entries, which hold nothing, stand there. */
  final OrderKey submitted;

  private final ConcurrentNavigableMap<OrderKey, T> all;
  private final ConcurrentNavigableMap<OrderKey, T> admitted;
  private final HeadroomLedger ledger;
  private volatile AdmissionLine<T> line;
  private volatile OrderKey admittedAt;
  private volatile State lane;
  /** What it is expected to need, if a plan says so. */
  private volatile HeadroomClaim claim;
  private boolean gone;

  QueuedAttempt(T item, Attempt attempt, AttemptHistory history, AdmissionSettings settings, OrderKey place,
      AdmissionLine<T> line,
      ConcurrentNavigableMap<OrderKey, T> all, ConcurrentNavigableMap<OrderKey, T> admitted,
      HeadroomLedger ledger) {
    this.item = item;
    this.attempt = attempt;
    this.history = history;
    this.settings = settings;
    this.submitted = place.withShare(0);
    this.admittedAt = place;
    this.line = line;
    this.all = all;
    this.admitted = admitted;
    this.ledger = ledger;
  }

  /** Is seen among all from now on, if it has not left yet. */
  synchronized void appear() {
    if (!gone) {
      all.put(admittedAt, item);
    }
  }

  /**
   * Takes its place in the lanes of its state.
   *
   * @return the state in whose lanes it stands now; whoever acts on a newer one that it is not seen in
   *     yet could count it nowhere
   */
  State settle(long now) {
    State seen = history.state();
    if (lane == seen) {
      return seen;
    }
    synchronized (this) {
      State state = history.state();
      if (gone || lane == state) {
        return state;
      }
      // In this order: whoever finds its slot taken finds it admitted, and whoever no longer finds it
      // waiting finds its slot taken.
      if (state == State.ACCEPTED) {
        line.startWaiting(this, now);
      } else {
        admitted.put(admittedAt, item);
        if (state == State.STARTING) {
          line.lanes().starting.add(this);
          ledger.started(claim);
        } else {
          line.lanes().starting.remove(this);
          ledger.ended(claim, lane == State.STARTING);
        }
        line.stopWaiting(this);
      }
      lane = state;
      return state;
    }
  }

  /** What it is expected to need, or null if no plan says so. */
  HeadroomClaim claim() {
    return claim;
  }

  void setClaim(HeadroomClaim planned) {
    claim = planned;
  }

  /** Where it competes. */
  AdmissionLine<T> line() {
    return line;
  }

  /** Whether the attempts of its application have been starting for as long as one of them may. */
  boolean isExhausted() {
    return history.startedBefore() >= settings.startingTimeout();
  }

  /** Whether others go before it while it waits. */
  boolean isLate() {
    return history.isStalled() || isExhausted();
  }

  /**
   * Holds back nobody any more, if it is still waiting.
   *
   * @return whether it did until now
   */
  synchronized boolean stall(long now) {
    if (gone || lane != State.ACCEPTED) {
      return false;
    }
    history.setStalled();
    return line.lanes().moveToStalled(this, now);
  }

  /** Is watched from now on for a reserved driver, if it is still waiting. */
  synchronized void watchReservation() {
    if (!gone && lane == State.ACCEPTED) {
      line.lanes().reserved.put(submitted, this);
    }
  }

  /** Takes the place that its share of the queue gives it among all, and among those admitted. */
  synchronized void moveTo(double share) {
    OrderKey place = submitted.withShare(share);
    OrderKey before = admittedAt;
    admittedAt = place;
    if (gone || place.equals(before)) {
      return;
    }
    // Whoever walks meanwhile may meet it twice, and never misses it.
    all.put(place, item);
    all.remove(before);
    if (lane != State.ACCEPTED && lane != null) {
      admitted.put(place, item);
      admitted.remove(before);
    }
  }

  /** Competes for the slots of another partition from now on. */
  synchronized void moveTo(AdmissionLine<T> other, long now) {
    AdmissionLine<T> before = line;
    line = other;
    if (gone || before == other) {
      return;
    }
    // Starts there before it stops here, so that at no moment it is counted nowhere.
    if (lane == State.STARTING) {
      other.lanes().starting.add(this);
      before.lanes().starting.remove(this);
    } else if (lane == State.ACCEPTED) {
      history.setLine(null);
      other.startWaiting(this, now);
      if (before.lanes().reserved.containsKey(submitted)) {
        other.lanes().reserved.put(submitted, this);
      }
      before.stopWaiting(this);
    }
  }

  /** Leaves every lane, for good. */
  synchronized void withdraw() {
    gone = true;
    if (isExhausted()) {
      // Those before its next attempt are tried again with the room that it leaves.
      line.lanes().memory().setStoppedAt(null);
    }
    ledger.ended(claim, lane == State.STARTING);
    line.stopWaiting(this);
    line.lanes().starting.remove(this);
    admitted.remove(admittedAt);
    all.remove(admittedAt);
  }
}
