// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * The state of a line that must survive when a refresh replaces the ordering of its queue. The histories of
 * the waiting attempts pass it on. Used with the lock of the group. References no attempt.
 */
final class LineMemory {

  /** The time for which heads have held the line in vain since the last driver was allocated. */
  final VainTime vain = new VainTime();
  /** The trials of the line, unless it shares its slots with other queues. */
  final Trials trials;
  /** Where the last walk of a trial stopped. */
  final Position trialPosition = new Position();
  /** Where the last walk along the attempts that are offered after all others stopped. */
  final Position lastPosition = new Position();
  /** When a driver was last allocated without a pass of the plan. */
  long startedInSlot = VainTime.NEVER;

  LineMemory(long heartbeat) {
    this.trials = new Trials(heartbeat);
  }

  /**
   * A driver was allocated to an attempt whose starting time is not exhausted.
   *
   * @param ofStalled whether the driver belongs to a stalled attempt
   * @param inVain the time in vain that still counts. A driver that was allocated while the line was open
   *     does not prove that the next head can be placed, so that head gets only the remaining time
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

  /**
   * Where the last walk along the waiting attempts stopped. YARN ends a walk at an attempt that exceeds the
   * queue's limit or reserves a node. The attempts behind it whose drivers are as large would fare the
   * same, so only those that request less come before it in the next walk.
   */
  static final class Position {

    /** The attempt that the last walk reached last; null if it passed all attempts. */
    private OrderKey last;
    /** Whether the walk ended there. */
    private boolean ended;
    private OrderKey scannedTo;

    /** The attempt at which the last walk ended, as far as is known; null if it ended at none. */
    OrderKey end() {
      return ended ? last : null;
    }

    /** The position behind which smaller attempts are sought next; null if there is none. */
    OrderKey scannedTo() {
      return scannedTo;
    }

    /** A walk has reached this attempt. */
    void reached(OrderKey place) {
      if (last != place) {
        last = place;
        scannedTo = place;
      }
      ended = true;
    }

    /** @param all whether the walk has passed all attempts; if not, the next one continues there */
    void passedAll(boolean all) {
      if (all) {
        reset();
      }
      ended = false;
    }

    /** No attempt up to this one is smaller than the last; null if all are scanned. */
    void scanned(OrderKey place) {
      if (place == null) {
        reset();
      }
      scannedTo = place;
    }

    void reset() {
      last = null;
      scannedTo = null;
      ended = false;
    }
  }
}
