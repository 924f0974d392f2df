// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * Where the last walk along the waiting attempts of a line stopped. YARN ends a walk at an attempt that
 * exceeds the queue's limit or reserves a node. The attempts behind it whose drivers are as large would
 * fare the same, so only those that request less come before it in the next walk.
 *
 * <p>Used with the lock of the group.
 */
final class WalkPosition {

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
    } else {
      ended = false;
    }
  }

  /**
   * No attempt up to this one is smaller than the last.
   *
   * @param place null if all are scanned: the next walk starts over
   */
  void scanned(OrderKey place) {
    if (place == null) {
      reset();
    } else {
      scannedTo = place;
    }
  }

  /** The next walk begins with the first attempt. */
  void reset() {
    last = null;
    scannedTo = null;
    ended = false;
  }
}
