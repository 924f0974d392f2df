// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The attempts of a line, or of all lines of a group, that were given to the scheduler, and whose drivers
 * may have been proposed. Where scheduling is asynchronous, a proposal is committed some time later; until
 * then it counts like a driver, or another attempt would start beside it
 * (docs/design.md#a-policy-cannot-veto-a-commit).
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class Proposals<T> {

  /** Longer than a walk takes until it proposes the attempt that it was given; in milliseconds. */
  static final long WALK = 500;
  /** After this time, in milliseconds, the scheduler has lost the proposal. */
  static final long LOST = 10_000;

  private static final long NEVER = Long.MIN_VALUE;

  private static final class Given {
    private volatile long at;
    private volatile long proposedSince = NEVER;
  }

  private final Map<QueuedAttempt<T>, Given> given = new ConcurrentHashMap<>();

  private Proposals() {
  }

  /**
   * @param asynchronous whether the scheduler allocates a driver some time after it has chosen it
   * @return null if it does not, or does not tell what it has proposed: it tells of the default partition
   *     alone
   */
  static <T> Proposals<T> of(String partition, boolean asynchronous) {
    return asynchronous && partition.isEmpty() ? new Proposals<>() : null;
  }

  /** The scheduler is about to be given the attempt, or has proposed it before this line had it. */
  void add(QueuedAttempt<T> attempt, long now) {
    given.computeIfAbsent(attempt, a -> new Given()).at = now;
  }

  /** The scheduler has not placed the attempt that it was given. */
  void cameBack(QueuedAttempt<T> attempt, long now) {
    if (!attempt.owner().isProposed(attempt, now)) {
      given.remove(attempt);
    }
  }

  /** The attempt waits no more. */
  void remove(QueuedAttempt<T> attempt) {
    given.remove(attempt);
  }

  /**
   * The number of other attempts whose drivers are proposed, and take slots from the attempt. Those with an
   * exhausted starting time do so only from each other.
   */
  int beside(QueuedAttempt<T> attempt, long now) {
    int proposed = 0;
    Iterator<Map.Entry<QueuedAttempt<T>, Given>> entries = given.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<QueuedAttempt<T>, Given> entry = entries.next();
      QueuedAttempt<T> other = entry.getKey();
      Given known = entry.getValue();
      if (other == attempt) {
        continue;
      }
      // This also brings an attempt up to date that has just got its driver.
      boolean isProposed = !other.gone && other.owner().isProposed(other, now);
      boolean isWalkOver = isWalkOver(other, known, now);
      if (!isProposed || isWalkOver && !other.isManaged()) {
        known.proposedSince = NEVER;
        if (isWalkOver) {
          entries.remove();
        }
      } else if (!isLost(known, now) && (!other.isExhausted() || attempt.isExhausted())) {
        proposed++;
      }
    }
    return proposed;
  }

  /**
   * Removes the attempts that are no longer in the hands of the orderings that gave them: another one knows
   * of their proposals, or their queues have a policy that is not state-aware. To know the latter, the
   * scheduler has to be asked, which a decision ({@link #beside}) does not do.
   */
  void verify(long now) {
    given.entrySet().removeIf(entry -> isWalkOver(entry.getKey(), entry.getValue(), now)
        && !(entry.getKey().isManaged() && entry.getKey().isOrdered()));
  }

  /** Whether no walk, of whatever thread, can still be about to propose it. */
  private static boolean isWalkOver(QueuedAttempt<?> attempt, Given known, long now) {
    return attempt.gone || now - known.at >= WALK;
  }

  private static boolean isLost(Given proposed, long now) {
    if (proposed.proposedSince == NEVER) {
      proposed.proposedSince = now;
    }
    return now - proposed.proposedSince >= LOST;
  }
}
