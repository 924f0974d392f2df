// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * Decides when stalled attempts return to their positions for a trial: after later attempts have got four
 * drivers, as soon as an executor or a driver of the queue ends, because that frees resources that the next
 * attempt would take; at the latest after the eighth driver, or {@code accepted-timeout} after the last
 * trial. If containers were allocated since something ended, a trial may find no room left; then one more
 * begins when something ends of which nothing is allocated before the next walk.
 *
 * <p>A trial takes a sixteenth of the time since the last one, but at least as long as it takes for every
 * node to send a heartbeat, and at most a sixteenth of {@code accepted-timeout}, which counts as sixteen
 * heartbeats if it is shorter. So attempts that cannot be placed cost their line a sixteenth of the time,
 * or a heartbeat for every four starts. When a stalled attempt gets its driver, the next trial is due at
 * once or, if attempts of other queues wait for the slot, after one of their drivers.
 *
 * <p>It is the memory of all attempts that compete for the same slots. Used with the lock of the group;
 * references no attempt.
 */
final class Trials {

  /** The number of drivers after which a trial is due; it begins once resources are released. */
  static final int STARTS = 4;
  /** The number of drivers after which a trial begins in any case. */
  static final int MOST_STARTS = 8;
  /** Trials may take one part in this many of the time. */
  static final int SHARE = 16;
  private static final long NEVER = Long.MIN_VALUE;

  /** The time in which every node sends a heartbeat, in milliseconds. */
  private final long heartbeat;
  private long until = NEVER;
  private int number;
  /** The end of the last trial; before the first trial, the time at which the first attempt stalled. */
  private long ended = NEVER;
  private int starts;
  private int drivers;
  private boolean allTried;
  /** Whether resources were released since a trial is due. */
  private boolean released;
  /** Whether nothing was allocated since. */
  private boolean roomLeft;
  /** Whether the last trial may have found no room, so that the next one needs some. */
  private boolean needsRoom;

  Trials(long heartbeat) {
    this.heartbeat = heartbeat;
  }

  /** The first attempt has just stalled. */
  void reset(long now) {
    until = NEVER;
    ended = now;
    starts = 0;
    released = false;
    roomLeft = false;
    needsRoom = false;
  }

  /** The time in vain that counts after a driver was allocated beside those that were tried in vain. */
  static long timeKept(long timeout) {
    return timeout - timeout / SHARE;
  }

  private long longestPause(long timeout) {
    return Math.max(timeout, SHARE * heartbeat);
  }

  private boolean isDueByStarts() {
    return starts >= MOST_STARTS || starts >= STARTS && (needsRoom ? roomLeft : released);
  }

  /** An executor or an application of the queue has ended: attempts on trial get its resources first. */
  void released() {
    released |= starts >= STARTS;
    roomLeft |= starts >= STARTS;
  }

  /** A container was allocated to an attempt that is not on trial, perhaps with what was released. */
  void allocated() {
    roomLeft = false;
  }

  /** The number of trials so far. */
  int number() {
    return number;
  }

  boolean isOn(long now) {
    return now < until;
  }

  /** Whether the next walk begins a trial, or a trial is in progress. */
  boolean isDue(long timeout, long now) {
    long last = until == NEVER ? ended : until;
    return isOn(now) || isDueByStarts() || last != NEVER && now - last >= longestPause(timeout);
  }

  /**
   * Begins a trial if one is due.
   *
   * @param timeout {@code accepted-timeout}
   * @return whether a trial is in progress now
   */
  boolean begin(long timeout, long now) {
    if (isOn(now)) {
      return true;
    }
    if (until != NEVER) {
      ended = until;
      until = NEVER;
    } else if (ended == NEVER) {
      reset(now);
    }
    if (!isDue(timeout, now)) {
      return false;
    }
    boolean dueByStarts = isDueByStarts();
    until = now + Math.min(longestPause(timeout) / SHARE, Math.max(heartbeat, (now - ended) / SHARE));
    // Without room the trial is likely to be in vain, and is made up for once.
    needsRoom = dueByStarts && !roomLeft && !needsRoom;
    starts = needsRoom ? STARTS : 0;
    released = false;
    roomLeft = false;
    number++;
    return true;
  }

  /** The number of drivers allocated. */
  int drivers() {
    return drivers;
  }

  /** A driver that no trial counts: only an attempt with an exhausted starting time could use it. */
  void driverAllocated() {
    drivers++;
    allTried = false;
  }

  /**
   * @param ofStalled whether the driver belongs to a stalled attempt on trial
   * @param othersWait whether attempts of other queues, which have not stalled, wait for a slot
   */
  void driverAllocated(boolean ofStalled, boolean othersWait, long now) {
    driverAllocated();
    if (ofStalled) {
      until = NEVER;
      ended = now;
      starts = othersWait ? STARTS - 1 : MOST_STARTS;
      needsRoom = false;
    } else if (!isOn(now)) {
      starts++;
    }
  }

  /**
   * Whether the attempts with a reserved node have released it once for those that stalled before them.
   * After that they keep it, until an attempt arrives that has not been tried.
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
