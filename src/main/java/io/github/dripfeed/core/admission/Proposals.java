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

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The attempts of a line that were given to the scheduler, and whose drivers may have been proposed. Where
 * scheduling is asynchronous, a proposal is committed some time later; until then it counts like a driver,
 * or another attempt would start beside it (docs/design.md#a-policy-cannot-veto-a-commit).
 *
 * <p>Safe for use by any thread. References attempts weakly.
 *
 * @param <T> the type that represents an application attempt
 */
final class Proposals<T> {

  /**
   * The time for which an attempt counts if nobody knows whether its driver was proposed: longer than it
   * mostly takes to commit a proposal; in milliseconds.
   */
  static final long UNDER_WAY = 500;
  /** After this time, in milliseconds, the scheduler has lost the proposal. */
  static final long LOST = 10_000;

  private static final long NEVER = Long.MIN_VALUE;
  /** Identifies the calling thread. */
  private static final ThreadLocal<Object> CALLER = ThreadLocal.withInitial(Object::new);

  /** An attempt that a thread was given. */
  private static final class Given<T> {
    private final Reference<QueuedAttempt<T>> attempt;
    /** Null if no thread was given it here. */
    private final Object thread;
    private volatile long at;
    /** Whether the walk that was given it has not come back: it goes on, or has ended with the attempt. */
    private volatile boolean open;
    private volatile long proposedSince = NEVER;

    private Given(QueuedAttempt<T> attempt, Object thread) {
      this.attempt = new WeakReference<>(attempt);
      this.thread = thread;
    }
  }

  private final boolean known;
  /** What each thread was given last. */
  private final Map<Object, Given<T>> last = new ConcurrentHashMap<>();
  /** What they were given before, and may have been proposed. */
  private final List<Given<T>> before = new CopyOnWriteArrayList<>();

  /** @param known whether the scheduler tells which drivers it has proposed */
  Proposals(boolean known) {
    this.known = known;
  }

  /** The calling thread is about to give the attempt to the scheduler. */
  void give(QueuedAttempt<T> attempt, long now) {
    Object thread = CALLER.get();
    Given<T> present = last.get(thread);
    if (present == null || present.attempt.get() != attempt) {
      Given<T> next = takeBefore(attempt, thread);
      last.put(thread, next);
      if (present != null) {
        before.add(present);
      }
      present = next;
    }
    present.at = now;
    present.open = true;
  }

  private Given<T> takeBefore(QueuedAttempt<T> attempt, Object thread) {
    for (Given<T> given : before) {
      if (given.thread == thread && given.attempt.get() == attempt) {
        before.remove(given);
        return given;
      }
    }
    return new Given<>(attempt, thread);
  }

  /** The attempt was proposed before this line had it. */
  void found(QueuedAttempt<T> attempt) {
    before.add(new Given<>(attempt, null));
  }

  /** The scheduler has not placed the attempt that it was given last in the calling thread. */
  void cameBack() {
    Given<T> given = last.get(CALLER.get());
    if (given != null) {
      given.open = false;
    }
  }

  /** Whether any other attempt was given, so that it may be under way. */
  boolean isAnyBeside(QueuedAttempt<T> attempt) {
    if (!before.isEmpty()) {
      return true;
    }
    for (Given<T> given : last.values()) {
      if (given.attempt.get() != attempt) {
        return true;
      }
    }
    return false;
  }

  /**
   * The number of other attempts whose drivers may be under way, and take slots from the attempt. Those
   * with an exhausted starting time do so only from each other.
   */
  int beside(QueuedAttempt<T> attempt, long now) {
    Set<QueuedAttempt<T>> underWay = new HashSet<>();
    for (Given<T> given : before) {
      if (!isKept(given, attempt, underWay, now)) {
        before.remove(given);
      }
    }
    for (Given<T> given : last.values()) {
      isKept(given, attempt, underWay, now);
    }
    return underWay.size();
  }

  /**
   * Adds the attempt to those under way if it is.
   *
   * @return whether it has to be looked at again
   */
  private boolean isKept(
      Given<T> given, QueuedAttempt<T> next, Set<QueuedAttempt<T>> underWay, long now) {
    QueuedAttempt<T> attempt = given.attempt.get();
    if (attempt == null || attempt.isGone()) {
      return false;
    }
    if (attempt == next) {
      return true;
    }
    // Brings an attempt up to date that has just got its driver.
    boolean proposed = attempt.owner().isProposed(attempt, now);
    if (!proposed) {
      given.proposedSince = NEVER;
    } else if (given.proposedSince == NEVER) {
      given.proposedSince = now;
    }
    if (proposed ? now - given.proposedSince < LOST
        : mayBeProposed(given, now) && attempt.history.state() == State.ACCEPTED) {
      if (!attempt.isExhausted() || next.isExhausted()) {
        underWay.add(attempt);
      }
      return true;
    }
    return proposed;
  }

  /** Whether a proposal may be made that the scheduler does not tell of, or not yet. */
  private boolean mayBeProposed(Given<T> given, long now) {
    boolean own = given.thread == CALLER.get();
    return given.open && (!known || !own) && now - given.at < UNDER_WAY;
  }
}
