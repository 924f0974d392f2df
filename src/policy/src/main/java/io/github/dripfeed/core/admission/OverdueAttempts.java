// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The attempts of a group whose starting time ended before they had their executors. Within a queue they
 * still come before later drivers; between queues the scheduler serves drivers of queues that hold nothing
 * first, and drivers alone could use up all room (docs/design.md#groups-of-queues). So when something ends
 * in the group, no driver starts until every node has sent a heartbeat, while one of them lacks executors.
 * If that time was in vain, the next one comes fifteen times as long afterwards at the earliest. Used with
 * the lock of the group.
 */
final class OverdueAttempts<T> {

  /** What is read of overdue attempts, without the lock. */
  private static final class Found {
    /** The number of executors of each. */
    private final Map<AttemptHistory, Integer> executors = new IdentityHashMap<>();
    /** The highest full queue of each that lacks some. */
    private final Set<String> lacking = new HashSet<>();

    Found(List<? extends QueuedAttempt<?>> all, long now) {
      for (QueuedAttempt<?> attempt : all) {
        // Read before the executors, because an allocation changes the requests last.
        boolean pending = attempt.isPendingInLine(now);
        executors.put(attempt.history, attempt.executors(now));
        if (pending && !attempt.gone && !attempt.isSkipped(now) && attempt.lacksExecutors(now)) {
          lacking.add(attempt.readFullQueue(now));
        }
      }
    }
  }

  /** How long drivers wait: a heartbeat, in milliseconds. */
  private final long wait;
  final Set<QueuedAttempt<T>> attempts = new LinkedHashSet<>();
  /** Whether something has ended since drivers last waited. */
  private boolean released;
  private long until = VainTime.NEVER;
  /** The number of executors of each attempt when drivers began to wait. */
  private Map<AttemptHistory, Integer> executors = Collections.emptyMap();
  /** The queues in which drivers wait, with those below them: for each that lacks some, where it may. */
  private Set<String> within = Collections.emptySet();

  OverdueAttempts(long heartbeat) {
    this.wait = heartbeat;
  }

  /** A container or an application of the group has ended. */
  void released() {
    released |= !attempts.isEmpty();
  }

  /** Whether the driver of this attempt waits now. */
  boolean comeFirst(QueuedAttempt<T> next, Questions<T> questions) {
    if (attempts.isEmpty()) {
      return false;
    }
    if (released && questions.now >= until) {
      List<QueuedAttempt<T>> all = new ArrayList<>(attempts);
      questions.ask(() -> new Found(all, questions.now), found -> {
        released = false;
        attempts.removeIf(attempt -> attempt.gone
            || found.executors.getOrDefault(attempt.history, 0) >= attempt.settings.minExecutors());
        begin(found, questions.now);
      });
      return true;
    }
    return isOn(next, questions.now);
  }

  /** Whether the driver of this attempt waits, as far as it is decided. */
  boolean isOn(QueuedAttempt<T> next, long now) {
    return now < until && within.stream().anyMatch(queue -> QueuedAttempt.isWithin(queue, next));
  }

  /** Drivers wait from now on, if that is not in vain once more. */
  private void begin(Found found, long now) {
    // One that came later proves nothing.
    boolean further = executors.entrySet().stream()
        .anyMatch(before -> found.executors.getOrDefault(before.getKey(), 0) > before.getValue());
    if (!found.lacking.isEmpty() && (further || now - until >= (Trials.SHARE - 1) * wait)) {
      executors = found.executors;
      within = found.lacking;
      until = now + wait;
    }
  }
}
