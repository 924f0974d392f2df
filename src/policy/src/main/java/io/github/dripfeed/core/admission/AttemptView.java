// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.takeback.TakeBackMemory;

/**
 * A read-only view of one attempt in the order of a queue. Each method returns the current value. Safe
 * for use by any thread.
 */
public abstract class AttemptView<T> {

  final T item;
  final Attempt attempt;
  final AttemptHistory history;
  final AttemptSettings settings;
  /** Whether it is starting, and the scheduler passed over it at the last look. */
  volatile boolean passedOver;

  AttemptView(T item, Attempt attempt, Arrival arrival) {
    this.item = item;
    this.attempt = attempt;
    this.history = arrival.history;
    this.settings = arrival.settings;
  }

  public final T item() {
    return item;
  }

  /** The facts that were passed when it was added. */
  public final Attempt facts() {
    return attempt;
  }

  /** The settings of the rule for it: those of the queue, unless its application overrides them. */
  public final AttemptSettings settings() {
    return settings;
  }

  /** The notes that other components keep on it. */
  public final AttemptNotes notes() {
    return history.notes();
  }

  /** Its place in the order; that of a waiting attempt takes effect once it has its driver. */
  public abstract OrderKey place();

  public final State state() {
    return history.state();
  }

  /** How long it has been in its state, as far as it was observed, in milliseconds; reads no facts. */
  public final long millisInState(long now) {
    return history.state() == State.STARTING ? history.millisSeenStarting(now) : history.millisInState(now);
  }

  /** How long earlier attempts of its application were starting, as far as that counts, in milliseconds. */
  public final long startedBefore() {
    return history.startedBefore;
  }

  /**
   * Whether earlier attempts of its application have used up the starting time of the application. It
   * then takes no slot that another attempt could use.
   */
  public final boolean isExhausted() {
    return history.startedBefore >= settings.startingTimeout();
  }

  /** Whether other attempts come before it while it waits: it has stalled, or is exhausted. */
  final boolean isLate() {
    return history.stalled || isExhausted();
  }

  /** Whether it waits for its driver, and other attempts come before it. */
  public final boolean comesLast() {
    return history.state() == State.ACCEPTED && isLate();
  }

  /**
   * Whether it takes a slot from others if it is starting, or has a reserved driver: not if its starting
   * time is exhausted, the scheduler passes over it because of its user limit, or it is silent.
   */
  public final boolean takesSlot() {
    return !isExhausted() && !passedOver && !history.silent;
  }

  /** Whether it was observed to have an executor at any time. */
  public final boolean hadExecutor() {
    return history.hadExecutor;
  }

  /** Whether its driver was allocated before the policy observed it: it may have had executors before. */
  public final boolean isDriverDiscovered() {
    return history.isDriverDiscovered();
  }

  /** How old its driver was when it was discovered, in milliseconds; 0 if it was not. */
  public final long ageWhenDiscovered() {
    return history.ageWhenDiscovered();
  }

  /** When and why its application was taken back. */
  public final TakeBackMemory takeBacks() {
    return history.takeBacks;
  }

  /** Whether it waits after it was taken back; it is not offered, and holds back no other attempt. */
  public final boolean isBackingOff(long now) {
    return history.takeBacks.isBackingOff(now) && history.state() == State.ACCEPTED;
  }

  /** Whether its driver is to be preempted, or was, because its start led nowhere. */
  public final boolean isTakenBack() {
    return history.takenBack;
  }

  /** It keeps its driver, because it has got an executor; whether it was to lose it until now. */
  public final boolean cancelTakeBack() {
    return history.cancelTakeBack();
  }
}
