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

  /** The time for which heads have held the line in vain since the last driver was allocated. */
  final VainTime vain = new VainTime();
  /** The trials of the line, unless it shares its slots with other queues. */
  final Trials trials;
  /** Where the last walk of a trial stopped. */
  final WalkPosition trialPosition = new WalkPosition();
  /** Where the last walk along the attempts that are offered after all others stopped. */
  final WalkPosition lastPosition = new WalkPosition();

  /** @param heartbeat the time in which every node sends a heartbeat, in milliseconds */
  LineMemory(long heartbeat) {
    this.trials = new Trials(heartbeat);
  }

  /** @param ofTrial whether that of a trial, or that of the attempts after all others */
  WalkPosition position(boolean ofTrial) {
    return ofTrial ? trialPosition : lastPosition;
  }

  /**
   * A driver was allocated to an attempt whose starting time is not exhausted.
   *
   * @param ofStalled whether the driver belongs to a stalled attempt
   * @param inVain the time in vain that still counts afterwards. A driver that was allocated while the
   *     line was open does not prove that the next head can be placed, so that head gets only the
   *     remaining time
   */
  void driverAllocated(boolean ofStalled, long inVain) {
    vain.restart(inVain);
    if (ofStalled) {
      // Else the next trial continues behind the attempts that this one has tried in vain.
      resetPositions();
    }
  }

  /** The next walks begin with the first attempt. */
  void resetPositions() {
    trialPosition.reset();
    lastPosition.reset();
  }
}
