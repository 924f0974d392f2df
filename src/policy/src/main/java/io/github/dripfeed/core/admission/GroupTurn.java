// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.Set;

/**
 * Lets one queue of a group at a time give its waiting attempts to the scheduler, where scheduling threads
 * propose drivers that are allocated later (docs/design.md#a-policy-cannot-veto-a-commit). Otherwise each
 * queue's head could be proposed before the first of them is allocated.
 *
 * <p>A queue has its turn until a driver is allocated, until the scheduler has skipped all that it was
 * given, or for a short time. A walk that does not come back for the next attempt may have led to a
 * proposal; it has not if the same thread goes on to another queue in the same round along the queues.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class GroupTurn<T> {

  /** The longest turn in milliseconds: longer than it mostly takes to commit a proposal. */
  static final long LONGEST = 100;

  /** What the scheduling thread does that has this object. */
  private static final class Walker {
    /** The lines that it has visited in this round. */
    private final Set<Object> visited = new HashSet<>();
    private int round;
    /** The line of the attempt that was given to it last. */
    private Object line;
    private int givenInRound;
    private int givenInTurn;
    private boolean open;
  }

  private final ThreadLocal<Walker> walkers = ThreadLocal.withInitial(Walker::new);
  private Object holder;
  private long since;
  private int turn;
  /** The number of times that an attempt was given in this turn, and may have been proposed. */
  private int open;
  private Reference<QueuedAttempt<T>> given = new WeakReference<>(null);
  /** The attempt that was given last before this turn; null if there was none. */
  private volatile Reference<QueuedAttempt<T>> givenBefore = given;

  /**
   * The calling thread begins to walk along the offer of a line.
   *
   * @param line identifies the line; must not reference it
   */
  void visited(Object line) {
    Walker walker = walkers.get();
    if (!walker.visited.add(line)) {
      walker.round++;
      walker.visited.clear();
      walker.visited.add(line);
    }
  }

  /**
   * The calling thread is about to give an attempt to the scheduler.
   *
   * @return whether it is the turn of the line
   */
  boolean take(Object line, QueuedAttempt<T> attempt, long now) {
    Walker walker = walkers.get();
    synchronized (this) {
      if (walker.line != line && walker.givenInRound == walker.round) {
        close(walker);
      }
      if (holder != null && now - since >= LONGEST) {
        boolean own = holder == line;
        end();
        if (own) {
          return false;
        }
      }
      if (holder != null && holder != line) {
        return false;
      }
      if (holder == null) {
        givenBefore = given;
        holder = line;
        since = now;
        turn++;
        open = 0;
      }
      open++;
      given = new WeakReference<>(attempt);
      walker.line = line;
      walker.givenInRound = walker.round;
      walker.givenInTurn = turn;
      walker.open = true;
      return true;
    }
  }

  /** The attempt that was given last before this turn; null if there was none. */
  QueuedAttempt<T> givenBefore() {
    return givenBefore.get();
  }

  /** The scheduler has not placed the attempt that the calling thread gave it last. */
  void cameBack() {
    Walker walker = walkers.get();
    if (walker.open) {
      synchronized (this) {
        close(walker);
      }
    }
  }

  /** The turn is over: a driver was allocated or reserved. */
  synchronized void end() {
    holder = null;
    turn++;
  }

  private void close(Walker walker) {
    if (walker.open) {
      walker.open = false;
      if (walker.givenInTurn == turn && --open == 0) {
        end();
      }
    }
  }
}
