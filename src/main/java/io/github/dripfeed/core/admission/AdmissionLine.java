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
import io.github.dripfeed.core.headroom.Shortage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Predicate;

/**
 * The attempts of one queue whose drivers compete for one node partition, and the rule which of them
 * gets its driver next (contract, section 1, rule 3):
 *
 * <ul>
 *   <li>Only while fewer than {@code max-starting} are starting or have a reserved driver, the first
 *       accepted one that has an outstanding request is offered, in its place.
 *   <li>If the scheduler passes over it for its user's limit, the next one is offered too.
 *   <li>One that the scheduler has tried to place for {@code accepted-timeout} in vain has
 *       <em>stalled</em>. Stalled ones are offered after everything else, and, when a {@linkplain
 *       Trials trial} is on, they alone, each in its place.
 *   <li>Once the line has been held in vain for {@code accepted-timeout}, by however many, it is
 *       <em>open</em> until a driver is allocated: each is offered once in its place, and everyone
 *       after everything else. Whoever is tried so in vain, or is overtaken by a later one, has stalled.
 *   <li>One that loses the offer gives back the node that is reserved for its driver, unless nobody else
 *       could use the slot.
 * </ul>
 *
 * <p>Safe for use by any thread; {@link #offer} takes no lock unless the offer changes.
 *
 * @param <T> what stands for an application attempt
 */
final class AdmissionLine<T> {

  /** How many are offered in a walk at most after everything else, or on trial. */
  static final int MOST = 100;
  static final Comparator<QueuedAttempt<?>> IN_ORDER =
      (one, other) -> one.submitted.compareTo(other.submitted);

  private final String partition;
  private final AdmissionLines<T> lines;
  private final Lifecycle<T> lifecycle;
  private final HeadroomLedger ledger;
  private final AdmissionLanes<T> lanes;
  private final ReservedDrivers<T> reserved;
  private volatile QueuedAttempt<T> offered;
  /** Stands for the time with one head. */
  private volatile Object headPeriod = new Object();
  /** Stands for the time in which somebody is offered. */
  private final Object offerPeriod = new Object();
  /** Why the first one that has no claim may not start beside those that are starting; may be null. */
  private volatile Shortage shortage;

  AdmissionLine(String partition, AdmissionLines<T> lines, Lifecycle<T> lifecycle, HeadroomLedger ledger) {
    this.partition = partition;
    this.lines = lines;
    this.lifecycle = lifecycle;
    this.ledger = ledger;
    this.lanes = new AdmissionLanes<>(lifecycle);
    this.reserved = new ReservedDrivers<>(this, lanes, lifecycle, ledger);
  }

  // The rule.

  /**
   * Those that may get their drivers now, in their places and in order: mostly one.
   *
   * @param walk whether the scheduler is about to try them
   */
  List<QueuedAttempt<T>> offer(boolean walk, long now) {
    try {
      List<QueuedAttempt<T>> offer = decide(walk, now);
      setOffered(offer.isEmpty() ? null : offer.get(0));
      return offer;
    } catch (RuntimeException | LinkageError e) {
      // A mistake of ours must not stop the scheduler.
      lifecycle.failed(e);
      QueuedAttempt<T> next = lanes.firstWaiting();
      return next == null ? Collections.<QueuedAttempt<T>>emptyList() : Collections.singletonList(next);
    }
  }

  private List<QueuedAttempt<T>> decide(boolean walk, long now) {
    boolean slot = hasFreeSlot(now);
    List<QueuedAttempt<T>> keepers =
        lanes.reserved.isEmpty() ? Collections.<QueuedAttempt<T>>emptyList() : reserved.keepers(now);
    List<QueuedAttempt<T>> others = Collections.emptyList();
    if (slot && isTrial(walk, now)) {
      others = onTrial(now);
      slot = hasFreeSlot(now);
      if (!slot) {
        others = Collections.emptyList();
      }
    }
    if (others.isEmpty() && (slot || ledger.isOpen(now))) {
      QueuedAttempt<T> head = first(null, now);
      // Looked at again after the head: an attempt that meanwhile left those waiting is starting by
      // now, and has the slot.
      if (head != null && (slot && hasFreeSlot(now) || isSafe(head, now))) {
        others = Collections.singletonList(head);
      }
    }
    return keepers.isEmpty() ? others : together(keepers, others);
  }

  /**
   * The one to be offered beside one that the scheduler could not place in this walk, or null: there is
   * one only if the scheduler passed over that for its user's limit.
   */
  QueuedAttempt<T> beside(QueuedAttempt<T> passed, long now) {
    try {
      return decideBeside(passed, now);
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return null;
    }
  }

  private QueuedAttempt<T> decideBeside(QueuedAttempt<T> passed, long now) {
    if (passed.history.state() != State.ACCEPTED || !lifecycle.isPassedOver(passed, now)) {
      return null;
    }
    boolean slot = hasFreeSlot(now);
    QueuedAttempt<T> next = null;
    if (!passed.isLate()) {
      next = slot || ledger.isOpen(now) ? first(passed, now) : null;
    } else if (slot && !isAnyOnTrialBeside(passed, now)) {
      next = first(null, now);
    }
    return next != null && (slot || isSafe(next, now)) ? next : null;
  }

  /** Whether anybody is offered after everything else. */
  boolean hasLast() {
    return !lanes.stalled.isEmpty() || isOpen();
  }

  /** Those offered after everything else, in order; among them may be one that is offered in its place. */
  List<QueuedAttempt<T>> last(long now) {
    try {
      return decideLast(now);
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return Collections.emptyList();
    }
  }

  private List<QueuedAttempt<T>> decideLast(long now) {
    boolean slot = hasFreeSlot(now);
    if (slot && isTrial(false, now)) {
      return Collections.emptyList();
    }
    if (!slot && !ledger.isOpen(now)) {
      // It may get its driver on another node.
      return reserved.late(now);
    }
    return collectLast(slot, now);
  }

  /**
   * Those of an open line, those that stalled, and those whose time is used up. From where the last walk
   * stopped: the queue looks no further at one that hits its limit, so those behind that one come first
   * next time.
   */
  private List<QueuedAttempt<T>> collectLast(boolean slot, long now) {
    List<NavigableMap<OrderKey, QueuedAttempt<T>>> groups = Arrays.asList(
        isOpen() ? lanes.waiting : Collections.<OrderKey, QueuedAttempt<T>>emptyNavigableMap(),
        lanes.stalled, lanes.stalled);
    List<Predicate<QueuedAttempt<T>>> isOffered = Arrays.asList(entry -> mayBeLast(entry, slot, now),
        entry -> !entry.isExhausted() && mayBeLast(entry, slot, now),
        entry -> entry.isExhausted() && mayBeLast(entry, slot, now));
    List<QueuedAttempt<T>> last = new ArrayList<>();
    OrderKey stop = lanes.memory().stoppedAt();
    QueuedAttempt<T> stopped = stop == null ? null : lanes.stalled.get(stop);
    int first = stopped == null ? 0 : stopped.isExhausted() ? 2 : 1;
    boolean goesOn = stop != null && groups.get(first).containsKey(stop);
    collect(goesOn ? groups.get(first).tailMap(stop, false) : groups.get(first),
        isOffered.get(first), last);
    for (int i = 1; i < groups.size(); i++) {
      int next = (first + i) % groups.size();
      collect(groups.get(next), isOffered.get(next), last);
    }
    if (goesOn) {
      collect(groups.get(first).headMap(stop, true), isOffered.get(first), last);
    }
    return last;
  }

  private static <T> void collect(
      Map<OrderKey, QueuedAttempt<T>> lane, Predicate<QueuedAttempt<T>> isOffered,
          List<QueuedAttempt<T>> offer) {
    for (QueuedAttempt<T> entry : lane.values()) {
      if (offer.size() >= MOST) {
        return;
      }
      if (isOffered.test(entry)) {
        offer.add(entry);
      }
    }
  }

  private boolean mayBeLast(QueuedAttempt<T> entry, boolean slot, long now) {
    return (slot ? !entry.isExhausted() || hasSlotForExhausted() : isSafe(entry, now))
        && !lanes.isAside(entry) && (entry.isLate() || lifecycle.asks(entry, now));
  }

  /** Whether fewer are starting, or have a reserved driver, than there are slots. */
  boolean hasFreeSlot(long now) {
    // In this order: whoever no longer has a reserved driver is seen to be starting.
    int held = lanes.reserved.isEmpty() ? 0 : reserved.held(now);
    return held + lanes.starting.taken() < lifecycle.settings().maxStarting();
  }

  /** Those whose time is used up do not take a slot from others, but from each other. */
  private boolean hasSlotForExhausted() {
    return lanes.starting.size() + lanes.reserved.size() < lifecycle.settings().maxStarting();
  }

  /** The first one waiting that asks for its driver, and does not stall just now. */
  private QueuedAttempt<T> first(QueuedAttempt<T> after, long now) {
    Collection<QueuedAttempt<T>> candidates =
        (after == null ? lanes.waiting : lanes.waiting.tailMap(after.submitted, false)).values();
    for (QueuedAttempt<T> entry : candidates) {
      boolean asks = lifecycle.asks(entry, now);
      if (lifecycle.advance(entry, 0, now) == State.ACCEPTED && asks && !sendHome(entry, now)
          && !stall(entry, now) && (after == null || !lifecycle.isSameUser(after, entry))
          && (lanes.reserved.isEmpty() || !lanes.reserved.containsKey(entry.submitted))) {
        return entry;
      }
    }
    return null;
  }

  private List<QueuedAttempt<T>> onTrial(long now) {
    OrderKey stop = lanes.memory().stoppedAt();
    List<QueuedAttempt<T>> offer = onTrial(stop, now);
    return offer.isEmpty() && stop != null ? onTrial(null, now) : offer;
  }

  private List<QueuedAttempt<T>> onTrial(OrderKey after, long now) {
    List<QueuedAttempt<T>> offer = new ArrayList<>();
    Predicate<QueuedAttempt<T>> isOffered = entry -> mayBeOnTrial(entry, now);
    collect(after == null ? lanes.stalled : lanes.stalled.tailMap(after, false), isOffered, offer);
    if (isOpen()) {
      List<QueuedAttempt<T>> others = new ArrayList<>();
      collect(after == null ? lanes.waiting : lanes.waiting.tailMap(after, false), isOffered, others);
      offer = together(offer, others);
    }
    return offer.size() > MOST ? offer.subList(0, MOST) : offer;
  }

  private boolean mayBeOnTrial(QueuedAttempt<T> entry, long now) {
    boolean asks = lifecycle.asks(entry, now);
    return lifecycle.advance(entry, 0, now) == State.ACCEPTED && asks && !sendHome(entry, now)
        && !entry.isExhausted();
  }

  private boolean isAnyOnTrialBeside(QueuedAttempt<T> passed, long now) {
    for (QueuedAttempt<T> entry : onTrial(null, now)) {
      if (entry.submitted.compareTo(passed.submitted) > 0 || !lifecycle.isPassedOver(entry, now)) {
        return true;
      }
    }
    return false;
  }

  private boolean isTrial(boolean walk, long now) {
    if (!hasLast()) {
      return false;
    }
    Trials trials = lanes.memory().trials();
    return trials.isOn(now)
        || walk && !reserved.isAnyLate() && trials.begin(timeBetweenTrials(), now);
  }

  /** Whether a trial is due that those who keep a node are in the way of. */
  boolean isTrialDue(long now) {
    return hasLast() && lanes.memory().trials().isDue(timeBetweenTrials(), now);
  }

  private long timeBetweenTrials() {
    long timeout = lifecycle.settings().acceptedTimeout();
    return timeout > 0 ? timeout : AdmissionSettings.DEFAULTS.acceptedTimeout();
  }

  /** Whether everybody is offered, since heads have held the line in vain for long enough. */
  boolean isOpen() {
    long timeout = lifecycle.settings().acceptedTimeout();
    return timeout > 0 && lanes.memory().vain().millis() >= timeout;
  }

  private static <T> List<QueuedAttempt<T>> together(List<QueuedAttempt<T>> some,
      List<QueuedAttempt<T>> others) {
    List<QueuedAttempt<T>> all = new ArrayList<>(some);
    for (QueuedAttempt<T> entry : others) {
      if (!some.contains(entry)) {
        all.add(entry);
      }
    }
    all.sort(IN_ORDER);
    return all;
  }

  // What happened.

  /** The scheduler tries to place the driver of one that is offered in its place. */
  void tried(QueuedAttempt<T> entry, long now) {
    if (!lanes.stalled.isEmpty() && lanes.memory().trials().isOn(now)) {
      reached(entry);
    }
    countTry(entry, now);
  }

  /** Its time in vain goes on: the scheduler tries to place it, or has a node reserved for it. */
  void countTry(QueuedAttempt<T> entry, long now) {
    Object head = headPeriod;
    if (lanes.memory().vain().isCurrent(offerPeriod, now) && entry.history.vain().isCurrent(head, now)
        || lifecycle.isPassedOver(entry, now)) {
      return;
    }
    long timeout = lifecycle.settings().acceptedTimeout();
    lanes.memory().countBefore(lifecycle.millisSinceBeforeRestart(entry, now), timeout, now);
    lanes.memory().vain().tried(offerPeriod, now);
    entry.history.vain().tried(head, now);
    if (isOpen() && !entry.isLate()) {
      moveToStalled(entry, now);
    }
  }

  /** A walk along those offered last, or on trial, has come to this one. */
  void reached(QueuedAttempt<T> entry) {
    lanes.memory().setStoppedAt(entry.submitted);
  }

  /**
   * A walk along those offered last, or on trial, has come to its end.
   *
   * @param offered how many they were: if as many as there can be, the next walk goes on from there
   */
  void passedAll(int offered) {
    if (offered < MOST) {
      lanes.memory().setStoppedAt(null);
    }
  }

  /** A driver was allocated at that time, before anybody here looked. */
  void foundDriver(long at) {
    lanes.memory().foundDriver(at);
  }

  /** A driver has just been allocated: whoever it overtook in an open line has stalled. */
  void driverAllocated(QueuedAttempt<T> entry, long now) {
    boolean open = isOpen();
    if (open && !entry.isLate()) {
      for (QueuedAttempt<T> overtaken : lanes.waiting.headMap(entry.submitted).values()) {
        if (overtaken != entry && lifecycle.asks(overtaken, now)
            && !lifecycle.isPassedOver(overtaken, now)) {
          moveToStalled(overtaken, now);
        }
      }
    }
    long timeout = lifecycle.settings().acceptedTimeout();
    boolean onTrial = entry.history.isStalled() && lanes.memory().trials().isOn(now);
    lanes.memory().driverAllocated(onTrial && !entry.isExhausted(),
        open ? timeout - timeout / Trials.SHARE : 0, now);
  }

  /** Brings those that are starting up to date, as far as time or other threads can have changed them. */
  void lookAtStarting(long now) {
    lanes.starting.look(this, now);
  }

  /**
   * Sends an entry to the line that it belongs to: the partition of a driver's node may change, and that
   * of a driver's request may come to be known later than the attempt (fact 9).
   *
   * @return whether that is another one
   */
  boolean sendHome(QueuedAttempt<T> entry, long now) {
    String home = lines.partitionOf(entry.attempt, partition);
    if (home.equals(partition)) {
      return false;
    }
    entry.moveTo(lines.of(home), now);
    return true;
  }

  /** @return whether it is late by now */
  boolean stall(QueuedAttempt<T> entry, long now) {
    if (entry.isLate() || !lifecycle.hasBeenTriedInVain(entry)) {
      return entry.isLate();
    }
    moveToStalled(entry, now);
    return true;
  }

  private void moveToStalled(QueuedAttempt<T> entry, long now) {
    if (entry.stall(now)) {
      lifecycle.stalled(entry);
    }
  }

  private void setOffered(QueuedAttempt<T> next) {
    if (next == null) {
      lanes.memory().vain().pause();
    }
    if (offered == next) {
      return;
    }
    synchronized (this) {
      if (offered == next) {
        return;
      }
      headPeriod = new Object();
      offered = next;
    }
    lifecycle.offered(next, partition);
  }

  /** Whether it may start though no slot is free; if that can't be told, nobody may. */
  private boolean isSafe(QueuedAttempt<T> entry, long now) {
    try {
      return ledger.isSafe(entry.claim(), now);
    } catch (RuntimeException | LinkageError e) {
      ledger.close();
      lifecycle.failed(e);
      return false;
    }
  }

  void setShortage(Shortage found) {
    shortage = found;
  }

  /** What the next in line waits for; only looks. */
  WaitReason waitsFor(long now) {
    int taken = 0;
    for (QueuedAttempt<T> entry : lanes.starting.entries()) {
      if (entry.history.state() == State.STARTING && !entry.isExhausted()) {
        taken++;
      }
    }
    QueuedAttempt<T> next = lanes.firstWaiting();
    if (taken < lifecycle.settings().maxStarting()
        || next != null && isSafe(next, now)) {
      return WaitReason.OFFERED;
    }
    if (!ledger.isOpen(now)) {
      return WaitReason.FOR_SLOT;
    }
    return WaitReason.forRoom(shortage == null ? Shortage.QUEUE : shortage);
  }

  // For those who look at it.

  String partition() {
    return partition;
  }

  AdmissionLanes<T> lanes() {
    return lanes;
  }

  /** Those that have a reserved driver. */
  List<QueuedAttempt<T>> reserved(long now) {
    return reserved.all(now);
  }

  /** Those that have a reserved driver and have lost the offer. */
  List<QueuedAttempt<T>> losers(long now) {
    return reserved.losers(now);
  }

  /** Whether as many as may be are starting already. */
  boolean isBeyondSlots() {
    return lanes.starting.taken() >= lifecycle.settings().maxStarting();
  }

  // What follows is called by an entry under its own lock.

  void startWaiting(QueuedAttempt<T> entry, long now) {
    lanes.startWaiting(entry, now);
  }

  void stopWaiting(QueuedAttempt<T> entry) {
    lanes.stopWaiting(entry);
    if (offered == entry) {
      forgetOffered(entry);
    }
  }

  /** Nobody is offered until somebody looks. */
  private synchronized void forgetOffered(QueuedAttempt<T> entry) {
    if (offered == entry) {
      offered = null;
    }
  }
}
