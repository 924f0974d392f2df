// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.takeback.TakeBackMemory;

/**
 * A read-only view of one attempt in the order of a queue. Each method returns the current value. Safe
 * for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
public interface AttemptView<T> {

  /** The attempt itself. */
  T item();

  /** The facts that were passed when it was added. */
  Attempt facts();

  State state();

  /** How long it has been in its state, as far as it was observed, in milliseconds; reads no facts. */
  long millisInState(long now);

  /** The settings of the rule for it: those of the queue, unless its application overrides them. */
  AttemptSettings settings();

  /** Whether it waits for its driver, and other attempts come before it. */
  boolean comesLast();

  /**
   * Whether earlier attempts of its application have used up the starting time of the application. It
   * then takes no slot that another attempt could use.
   */
  boolean isExhausted();

  /** How long earlier attempts of its application were starting, as far as that counts, in milliseconds. */
  long startedBefore();

  /** Whether it waits after it was taken back; it is not offered, and holds back no other attempt. */
  boolean isBackingOff(long now);

  /** When and why its application was taken back. */
  TakeBackMemory takeBacks();

  /** Whether its driver was preempted because its start led nowhere. */
  boolean isTakenBack();

  /**
   * The attempt was to lose its driver and keeps it, because it has got an executor.
   *
   * @return whether it was to lose its driver until now
   */
  boolean cancelTakeBack();

  /** Whether it was observed to have an executor at any time. */
  boolean hadExecutor();

  /**
   * Whether its driver was allocated before the policy observed it, so that it may have had executors
   * before.
   */
  boolean isDriverDiscovered();

  /** The notes that other components keep on it. */
  AttemptNotes notes();
}
