// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * The state of a line that must survive when a refresh replaces the ordering of its queue: how long heads
 * have held it in vain, and the trials of stalled attempts. The histories of the waiting attempts pass it
 * on.
 *
 * <p>Used with the lock of the group. References no attempt.
 */
final class LineMemory {

  private final VainTime vain = new VainTime();
  private final SlotMemory slots;
  private boolean fresh;
  private long lastDriver = Long.MIN_VALUE;
  private final WalkPosition trialPosition = new WalkPosition();
  private final WalkPosition lastPosition = new WalkPosition();

  /**
   * @param fresh whether the line may have been held before a restart, so that the time before it counts
   * @param heartbeat the time in which every node sends a heartbeat, in milliseconds
   */
  LineMemory(boolean fresh, long heartbeat) {
    this.fresh = fresh;
    this.slots = new SlotMemory(heartbeat);
  }

  /** The time for which heads have held the line in vain since the last driver was allocated. */
  VainTime vain() {
    return vain;
  }

  /** The memory of the slots, unless the line shares them with other queues. */
  SlotMemory slots() {
    return slots;
  }

  /**
   * Whether no head was tried here since the scheduler started, and no driver allocated, as far as it is
   * known.
   */
  boolean isFresh() {
    return fresh;
  }

  /**
   * Called when a head is tried for the first time here. After a restart, the time before it counts as
   * far as it is known.
   *
   * @param waited the longest time that an attempt has waited, if it waited before the restart already; 0
   *     without a restart
   * @param atMost the upper limit of the time that counts
   */
  void countBefore(long waited, long atMost, long now) {
    if (fresh) {
      fresh = false;
      long sinceDriver = lastDriver == Long.MIN_VALUE ? waited : now - lastDriver;
      vain.add(Math.max(0, Math.min(Math.min(waited, sinceDriver), atMost)));
    }
  }

  /**
   * A driver was allocated, or every slot was taken, at that time, before this ordering observed the line.
   */
  void foundDriver(long at) {
    lastDriver = Math.max(lastDriver, at);
  }

  /**
   * A driver was allocated to an attempt whose starting time is not exhausted.
   *
   * @param ofStalled whether the driver belongs to a stalled attempt
   * @param inVain the time in vain that still counts afterwards. A driver that was allocated while the
   *     line was open does not prove that the next head can be placed, so that head gets only the
   *     remaining time
   */
  void driverAllocated(boolean ofStalled, long inVain, long now) {
    fresh = false;
    lastDriver = now;
    vain.reset();
    vain.add(inVain);
    if (ofStalled) {
      // Else the next trial continues behind the attempts that this one has tried in vain.
      resetPositions();
    }
  }

  /** Where the last walk of a trial stopped. */
  WalkPosition trialPosition() {
    return trialPosition;
  }

  /** Where the last walk along the attempts that are offered after all others stopped. */
  WalkPosition lastPosition() {
    return lastPosition;
  }

  /** The next walks begin with the first attempt. */
  void resetPositions() {
    trialPosition.reset();
    lastPosition.reset();
  }
}
