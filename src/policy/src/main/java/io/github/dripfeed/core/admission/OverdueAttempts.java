// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The attempts of a group whose starting time ended before they had their executors. Within a queue they
 * still come before later drivers; between queues the scheduler serves drivers of queues that hold nothing
 * first, and drivers alone could use up all room (docs/design.md#groups-of-queues). So when something ends
 * in the group, no driver starts until every node has sent a heartbeat, while one of them lacks executors.
 * If that time was in vain, the next one comes fifteen times as long afterwards at the earliest.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class OverdueAttempts<T> {

  private static final long NEVER = Long.MIN_VALUE;

  /** How long drivers wait, in milliseconds. */
  private final long wait;
  private final StartingLane<T> attempts = new StartingLane<>();
  /** Whether something has ended since drivers last waited. */
  private volatile boolean released;
  private volatile long until = NEVER;
  /** The number of executors of each attempt when drivers began to wait. */
  private Map<AttemptHistory, Integer> executors = Collections.emptyMap();
  /** The queues in which drivers wait, with those below them: for each that lacks some, where it may. */
  private volatile Set<String> within = Collections.emptySet();

  /** @param heartbeat the time in which every node sends a heartbeat, in milliseconds */
  OverdueAttempts(long heartbeat) {
    this.wait = heartbeat;
  }

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

  /** Whether the driver of this attempt waits now. */
  boolean comeFirst(QueuedAttempt<T> next, long now) {
    return attempts.size() > 0 && (isOn(now) || released && begin(now)) && isHeld(next);
  }

  /** Whether the driver of this attempt waits, as far as it is decided. */
  boolean isOn(QueuedAttempt<T> next, long now) {
    return isOn(now) && isHeld(next);
  }

  private boolean isOn(long now) {
    long end = until;
    return end != NEVER && now - end < 0;
  }

  private boolean isHeld(QueuedAttempt<T> next) {
    return within.stream().anyMatch(queue -> QueuedAttempt.isWithin(queue, next));
  }

  private boolean isPauseOver(long now) {
    long end = until;
    return end == NEVER || now - end >= (Trials.SHARE - 1) * wait;
  }

  /** Whether none has got an executor since drivers began to wait. One that came later proves nothing. */
  private boolean isNoneFurther(Map<AttemptHistory, Integer> found) {
    return executors.entrySet().stream()
        .noneMatch(before -> found.getOrDefault(before.getKey(), 0) > before.getValue());
  }

  private boolean begin(long now) {
    List<QueuedAttempt<T>> done = new ArrayList<>();
    Map<AttemptHistory, Integer> found = new IdentityHashMap<>();
    Set<String> lacking = new HashSet<>();
    for (QueuedAttempt<T> attempt : attempts.attempts()) {
      int live = attempt.owner().executors(attempt, now);
      found.put(attempt.history, live);
      if (attempt.gone || !attempt.isManaged() || live >= attempt.settings.minExecutors()) {
        done.add(attempt);
      } else if (attempt.owner().lacksExecutors(attempt, now)) {
        lacking.add(attempt.owner().fullQueue(attempt, now));
      }
    }
    synchronized (this) {
      released = false;
      attempts.removeIf(done::contains);
      if (lacking.isEmpty() || isNoneFurther(found) && !isPauseOver(now)) {
        return isOn(now);
      }
      executors = found;
      within = lacking;
      until = now + wait;
      return true;
    }
  }
}
