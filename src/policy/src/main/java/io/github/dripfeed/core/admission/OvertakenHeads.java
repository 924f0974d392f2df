// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.List;

/**
 * The heads of a group's queues that other queues overtake. YARN decides which queue comes first, and may
 * never come to one that uses more than others while a slot is free. So a head before which other queues
 * have started {@link #MOST} attempts that were submitted later is next: until it has its driver, no queue
 * but its own offers another one. Of several such heads the one submitted first is next. It has stalled if
 * every node has sent a heartbeat meanwhile, and none had room for it. Used with the lock of the group.
 */
final class OvertakenHeads<T> {

  /** How many attempts of other queues, submitted later, start before a head. */
  static final int MOST = Trials.MOST_STARTS;

  private static final long NOT_YET = Long.MAX_VALUE;

  private final GroupLines<T> lines;
  private final long heartbeat;
  /** Null if no head was overtaken so often. */
  private QueuedAttempt<T> next;
  /** The end of its time, which begins when the scheduler first comes and it could use a slot. */
  private long until = NOT_YET;

  OvertakenHeads(GroupLines<T> lines, long heartbeat) {
    this.lines = lines;
    this.heartbeat = heartbeat;
  }

  /** An attempt of the group has got its driver. */
  void driverAllocated(QueuedAttempt<T> started, long now) {
    List<QueuedAttempt<T>> heads = heads(now);
    for (QueuedAttempt<T> head : heads) {
      if (head.owner != started.owner && head.submitted.isSubmittedBefore(started.submitted)) {
        head.history.overtaken++;
      }
    }
    choose(heads);
  }

  private List<QueuedAttempt<T>> heads(long now) {
    List<QueuedAttempt<T>> heads = new ArrayList<>();
    for (WaitingAttempts<T> line : lines.all()) {
      QueuedAttempt<T> head = line.next(now);
      if (head != null) {
        heads.add(head);
      }
    }
    return heads;
  }

  private void choose(List<QueuedAttempt<T>> heads) {
    next = null;
    until = NOT_YET;
    for (QueuedAttempt<T> head : heads) {
      if (head.history.overtaken >= MOST
          && (next == null || head.submitted.isSubmittedBefore(next.submitted))) {
        next = head;
      }
    }
  }

  void remove(QueuedAttempt<T> attempt) {
    if (next == attempt) {
      next = null;
    }
  }

  /** Whether no trial may begin, because a head is next for a moment. */
  boolean isOn() {
    return next != null && until != NOT_YET;
  }

  /**
   * Whether a queue may offer its head: no overtaken head of another queue is next, or it could not use the
   * slot.
   *
   * @param head any attempt that waits in the queue
   * @param walk whether the scheduler is about to place the head; else nothing changes
   */
  boolean mayOffer(QueuedAttempt<T> head, boolean walk, Questions<T> questions) {
    QueuedAttempt<T> current = next;
    if (current == null || head == null) {
      return true;
    }
    boolean waits = !current.gone && !current.isLate()
        && current.owner.mayStart(current, questions.now) && questions.isPending(current);
    String full = waits ? questions.fullQueue(current) : "";
    if (questions.isOpen() || !full.isEmpty() && !questions.knows(head)) {
      return false;
    }
    boolean isOver = questions.now >= until;
    if (isOver || !waits || !QueuedAttempt.isWithin(full, head)) {
      if (walk) {
        end(current, isOver, questions);
      }
      return true;
    }
    if (walk && until == NOT_YET && full.isEmpty()
        && current.owner.hasSlot(current, questions.now)) {
      until = questions.now + heartbeat;
    }
    return current.owner == head.owner;
  }

  private void end(QueuedAttempt<T> ended, boolean inVain, Questions<T> questions) {
    if (inVain) {
      questions.stall(ended);
    }
    ended.history.overtaken = 0;
    choose(heads(questions.now));
  }
}
