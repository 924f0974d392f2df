// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The starting attempts of all queues that compete for the same slots: how many slots they take, which of
 * them a decision looks at, and which lack executors. Used with the lock of their group.
 */
final class StartingAttempts<T> {

  /** The number of attempts that a decision looks at; of more in turn. */
  static final int FEW = 4;
  /** The longest time between two looks at all of them, in milliseconds. */
  private static final long ALL = 1000;

  private final boolean executorsFirst;
  private final Set<QueuedAttempt<T>> attempts = new LinkedHashSet<>();
  /** The number of those that take a slot, and whether any takes it from some queues only. */
  private int taken;
  private boolean limited;
  /** All of them in order, for looks in turn; null after a change. */
  private List<QueuedAttempt<T>> inTurn;
  private int turn;
  private long lastLook = Long.MIN_VALUE;
  private long nextLookAtAll = Long.MIN_VALUE;
  /** Those that may lack executors. Every one that does is here. */
  private final Set<QueuedAttempt<T>> lacking = new LinkedHashSet<>();
  /** The one that lacked some at the last look, which is asked first; null before one did. */
  private QueuedAttempt<T> lacked;

  /** @param executorsFirst whether those that lack executors come before further drivers */
  StartingAttempts(boolean executorsFirst) {
    this.executorsFirst = executorsFirst;
  }

  void add(QueuedAttempt<T> attempt) {
    attempts.add(attempt);
    mayLackExecutors(attempt);
  }

  /** @return whether it was one of them */
  boolean remove(QueuedAttempt<T> attempt) {
    lacking.remove(attempt);
    lacked = lacked == attempt ? null : lacked;
    return attempts.remove(attempt);
  }

  /** Some take a slot from now on, or do not any more. */
  void recount() {
    inTurn = null;
    taken = 0;
    limited = false;
    for (QueuedAttempt<T> attempt : attempts) {
      taken += attempt.takesSlot() ? 1 : 0;
      limited |= !attempt.fullQueue.isEmpty();
    }
  }

  int size() {
    return attempts.size();
  }

  /** All of them; a live view. */
  Set<QueuedAttempt<T>> all() {
    return attempts;
  }

  /** The number of those that take a slot from this one; null for one of any queue. */
  int takenFrom(QueuedAttempt<T> next) {
    if (!limited) {
      return taken;
    }
    int from = 0;
    for (QueuedAttempt<T> attempt : attempts) {
      from += attempt.takesSlot() && attempt.holds(next) ? 1 : 0;
    }
    return from;
  }

  /**
   * Those that a decision looks at: a few in turn, because a thousand may be starting, and once a
   * millisecond, because YARN may walk many queues in one; all of them after one has come or gone, when a
   * time limit may be over, and once in {@link #ALL}.
   */
  List<QueuedAttempt<T>> dueForLook(long now) {
    if (attempts.isEmpty()) {
      return Collections.emptyList();
    }
    boolean changed = inTurn == null;
    if (changed) {
      inTurn = new ArrayList<>(attempts);
    }
    if (inTurn.size() <= FEW || changed || now - nextLookAtAll >= 0) {
      nextLookAtAll = now + ALL;
      return inTurn;
    }
    if (now == lastLook) {
      return Collections.emptyList();
    }
    lastLook = now;
    List<QueuedAttempt<T>> few = inTurn(inTurn, turn);
    turn = (turn + FEW) % inTurn.size();
    return few;
  }

  /** As many as are looked at, from this one on. */
  static <T> List<QueuedAttempt<T>> inTurn(List<QueuedAttempt<T>> all, int first) {
    List<QueuedAttempt<T>> few = new ArrayList<>(FEW);
    for (int i = 0; i < Math.min(all.size(), FEW); i++) {
      few.add(all.get((first + i) % all.size()));
    }
    return few;
  }

  /** A time limit of a starting attempt may be over in so many milliseconds. */
  void lookAgain(long left, long now) {
    if (left < nextLookAtAll - now) {
      nextLookAtAll = now + left;
    }
  }

  /**
   * The attempt may lack executors from now on. The monitor calls this for all, because YARN does not tell
   * when a user is below its limit again.
   */
  void mayLackExecutors(QueuedAttempt<T> attempt) {
    if (executorsFirst && attempts.contains(attempt)) {
      lacking.add(attempt);
      attempt.looked = 0;
    }
  }

  /** What was seen of its executors. */
  void lacksExecutors(QueuedAttempt<T> attempt, boolean lacks) {
    if (lacks && attempts.contains(attempt)) {
      lacking.add(attempt);
      lacked = attempt;
    } else {
      lacking.remove(attempt);
    }
  }

  /**
   * Whether any lacks executors, and comes before further drivers.
   *
   * @param next the attempt whose driver would come next; null for one of any queue
   * @param urgent whether less urgent ones of its queue do not hold it back
   */
  boolean isAnyLacking(QueuedAttempt<T> next, boolean urgent, Questions<T> questions) {
    if (lacking.isEmpty()) {
      return false;
    }
    if (lacked != null && lacking.contains(lacked) && holds(lacked, next, urgent)) {
      return questions.knows(lacked);
    }
    int asked = 0;
    for (QueuedAttempt<T> attempt : lacking) {
      // One that lacks none is here no more once that is known.
      if (holds(attempt, next, urgent)
          && (questions.knows(attempt) || ++asked == FEW)) {
        return true;
      }
    }
    return false;
  }

  private static <T> boolean holds(QueuedAttempt<T> attempt, QueuedAttempt<T> next, boolean urgent) {
    return attempt.holds(next) && !(urgent && attempt.yieldsTo(next));
  }
}
