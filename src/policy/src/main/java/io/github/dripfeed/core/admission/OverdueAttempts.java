// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The attempts of a group whose starting time ended before they had their executors. Within a queue they
 * still come before later drivers; between queues the scheduler serves drivers of queues that hold nothing
 * first, and drivers alone could use up all room (docs/design.md#groups-of-queues). So when something ends
 * in the group, no driver starts for a second, while one of them lacks executors. If that second was in
 * vain, the next one comes fifteen seconds later at the earliest.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class OverdueAttempts<T> {

  /**
   * How long drivers wait, in milliseconds: time for a heartbeat of every node, which nodes send once a
   * second by default.
   */
  static final long WAIT = 1000;
  private static final long PAUSE = (Trials.SHARE - 1) * WAIT;
  private static final long NEVER = Long.MIN_VALUE;

  private final StartingLane<T> attempts = new StartingLane<>();
  /** Whether something has ended since drivers last waited. */
  private volatile boolean released;
  private volatile long until = NEVER;
  /** The number of executors of each attempt when drivers began to wait. */
  private Map<AttemptHistory, Integer> executors = Collections.emptyMap();

  void add(QueuedAttempt<T> attempt) {
    attempts.add(attempt);
  }

  /** Nothing else may look for it any more, if the group has become empty. */
  void withdraw(QueuedAttempt<T> attempt) {
    attempts.remove(attempt);
  }

  void leave(AttemptHistory history) {
    attempts.removeIf(attempt -> attempt.history == history);
  }

  void removeAll(Collection<QueuedAttempt<T>> dropped) {
    attempts.removeIf(dropped::contains);
  }

  List<QueuedAttempt<T>> attempts() {
    return attempts.attempts();
  }

  int size() {
    return attempts.size();
  }

  /** A container or an application of the group has ended. */
  void released() {
    if (!released && attempts.size() > 0) {
      released = true;
    }
  }

  /** Whether drivers wait now. */
  boolean comeFirst(long now) {
    return attempts.size() > 0 && (isOn(now) || released && begin(now));
  }

  /** Whether drivers wait, as far as it is decided. */
  boolean isOn(long now) {
    long end = until;
    return end != NEVER && now - end < 0;
  }

  private boolean isPauseOver(long now) {
    long end = until;
    return end == NEVER || now - end >= PAUSE;
  }

  /** Whether none has got an executor since drivers began to wait. One that came later proves nothing. */
  private boolean isNoneFurther(Map<AttemptHistory, Integer> found) {
    return executors.entrySet().stream()
        .noneMatch(before -> found.getOrDefault(before.getKey(), 0) > before.getValue());
  }

  private boolean begin(long now) {
    List<QueuedAttempt<T>> done = new ArrayList<>();
    Map<AttemptHistory, Integer> found = new IdentityHashMap<>();
    boolean lacking = false;
    for (QueuedAttempt<T> attempt : attempts.attempts()) {
      int live = attempt.owner().executors(attempt, now);
      found.put(attempt.history, live);
      if (attempt.gone || !attempt.isManaged() || live >= attempt.settings.minExecutors()) {
        done.add(attempt);
      } else {
        lacking |= attempt.owner().lacksExecutors(attempt, now);
      }
    }
    synchronized (this) {
      released = false;
      attempts.removeIf(done::contains);
      if (!lacking || isNoneFurther(found) && !isPauseOver(now)) {
        return isOn(now);
      }
      executors = found;
      until = now + WAIT;
      return true;
    }
  }
}
