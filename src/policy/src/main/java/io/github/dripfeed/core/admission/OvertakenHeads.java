// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.lang.ref.WeakReference;
import java.util.List;

/**
 * The heads of a group's queues that other queues overtake. YARN decides which queue comes first, and may
 * never come to one that uses more than others while a slot is free. So a head before which other queues
 * have started {@link #MOST} attempts that were submitted later is next: until it has its driver, no queue
 * but its own offers another one. Of several such heads the one submitted first is next. It has stalled if
 * every node has sent a heartbeat meanwhile, and none had room for it.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class OvertakenHeads<T> {

  /** How many attempts of other queues, submitted later, start before a head. */
  static final int MOST = Trials.MOST_STARTS;

  private static final long NEVER = Long.MIN_VALUE;

  private static final class Turn<T> {
    /** Weak: its ordering may be replaced without notice. */
    private final WeakReference<QueuedAttempt<T>> next;
    /** When the scheduler first came to a queue of the group and the head could use a slot. */
    private volatile long since = NEVER;

    Turn(QueuedAttempt<T> next) {
      this.next = new WeakReference<>(next);
    }
  }

  private final GroupIndex<T> waiting;
  private final long heartbeat;
  /** Null if no head was overtaken so often. */
  private volatile Turn<T> turn;

  /**
   * @param waiting the attempts that wait in the queues of the group
   * @param heartbeat the time in which every node sends a heartbeat, in milliseconds
   */
  OvertakenHeads(GroupIndex<T> waiting, long heartbeat) {
    this.waiting = waiting;
    this.heartbeat = heartbeat;
  }

  /** An attempt of the group has got its driver. */
  synchronized void driverAllocated(QueuedAttempt<T> started, long now) {
    List<QueuedAttempt<T>> heads = waiting.heads(now);
    for (QueuedAttempt<T> head : heads) {
      if (head.owner() != started.owner() && head.submitted.isSubmittedBefore(started.submitted)) {
        head.history.setOvertaken(head.history.overtaken() + 1);
      }
    }
    choose(heads);
  }

  private void choose(List<QueuedAttempt<T>> heads) {
    QueuedAttempt<T> first = null;
    for (QueuedAttempt<T> head : heads) {
      if (head.history.overtaken() >= MOST
          && (first == null || head.submitted.isSubmittedBefore(first.submitted))) {
        first = head;
      }
    }
    turn = first == null ? null : new Turn<>(first);
  }

  /** Whether no trial may begin, because a head is next for a moment. */
  boolean isOn() {
    Turn<T> current = turn;
    return current != null && current.since != NEVER;
  }

  /**
   * Whether a queue may offer its head: no other one is next, or that one could not use the slot.
   *
   * @param head any attempt that waits in the queue
   * @param walk whether the scheduler is about to place the head; else nothing changes
   */
  boolean mayOffer(QueuedAttempt<T> head, boolean walk, long now) {
    Turn<T> current = turn;
    if (current == null || head == null) {
      return true;
    }
    QueuedAttempt<T> next = current.next.get();
    boolean isOver = current.since != NEVER && now - current.since >= heartbeat;
    String full = next == null ? "" : next.owner().fullQueue(next, now);
    if (next == null || isOver || !canUseSlot(next, now) || !QueuedAttempt.isWithin(full, head)) {
      if (walk) {
        end(current, next, isOver, now);
      }
      return true;
    }
    if (walk && current.since == NEVER && full.isEmpty() && next.owner().hasSlot(next, now)) {
      current.since = now;
    }
    return next.owner() == head.owner();
  }

  private boolean canUseSlot(QueuedAttempt<T> next, long now) {
    return !next.gone && next.isManaged() && !next.isLate() && next.owner().isPending(next, now);
  }

  private void end(Turn<T> ended, QueuedAttempt<T> next, boolean inVain, long now) {
    if (next != null && inVain) {
      next.owner().overtakenInVain(next, now);
    }
    synchronized (this) {
      if (turn == ended) {
        if (next != null) {
          next.history.setOvertaken(0);
        }
        choose(waiting.heads(now));
      }
    }
  }
}
