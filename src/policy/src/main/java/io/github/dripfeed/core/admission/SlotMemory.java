// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * What is remembered for all attempts that compete for the same slots: those of one line or, in a group
 * of queues, those of a line of each queue.
 *
 * <p>Used with the lock of the group. References no attempt.
 */
final class SlotMemory {

  private final Trials trials;
  private int starts;
  private boolean allTried;

  /** @param heartbeat the time in which every node sends a heartbeat, in milliseconds */
  SlotMemory(long heartbeat) {
    trials = new Trials(heartbeat);
  }

  Trials trials() {
    return trials;
  }

  /** The number of drivers allocated. */
  int starts() {
    return starts;
  }

  /**
   * @param onTrial whether the driver belongs to a stalled attempt on trial
   * @param othersWait whether attempts of other queues, which have not stalled, wait for a slot
   */
  void driverAllocated(boolean onTrial, boolean othersWait, long now) {
    driverAllocated();
    trials.driverAllocated(onTrial, othersWait, now);
  }

  /** A driver that no trial counts: only an attempt with an exhausted starting time could use it. */
  void driverAllocated() {
    starts++;
    allTried = false;
  }

  /**
   * Whether the attempts with a reserved node have released it once for the attempts that stalled before
   * them. After that, an attempt with a reservation keeps it, until an attempt arrives that has not been
   * tried.
   */
  boolean areAllTried() {
    return allTried;
  }

  /** @return whether the value has changed */
  boolean setAllTried(boolean tried) {
    boolean changes = allTried != tried;
    allTried = tried;
    return changes;
  }
}
