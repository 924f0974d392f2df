// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What the queues of a group share for one node partition: the attempts that hold its slots, and the
 * trials. A queue without a group has one of its own. It needs no order of executors and drivers, because
 * YARN serves the attempts of one queue in the order of the policy.
 *
 * <p>It references an ordering only for an attempt that holds a slot, or that the scheduler was given, and
 * {@link #verify} ends that, so a queue that is deleted leaves nothing. Used with the lock of its group.
 */
final class SlotPool<T> {

  /**
   * How long an attempt must belong to no policy before it loses its slot, in milliseconds: longer than a
   * refresh or move takes. Also the time between two verifications.
   */
  static final long SURELY = 1000;

  /** Null if one queue has the slots alone. */
  final String name;
  /** The time in which every node sends a heartbeat, in milliseconds. */
  final long heartbeat;
  final StartingAttempts<T> starting;
  /** The waiting attempts that had a reserved driver at the last look, in the order of reservation. */
  final Set<QueuedAttempt<T>> reserved = new LinkedHashSet<>();
  final Leases<T> leases;
  final OverdueAttempts<T> overdue;
  final GroupLines<T> lines = new GroupLines<>();
  final OvertakenHeads<T> overtaken;

  /** Every decision asks, without the lock. */
  private volatile boolean isAnyReserved;
  private int reservedTurn;
  /** The time for which reserved drivers have held slots in vain since the last driver was allocated. */
  private final VainTime reservedInVain = new VainTime();
  private Trials trials;
  private Map<QueuedAttempt<T>, Long> suspects = Collections.emptyMap();
  private long verified = VainTime.NEVER;

  /** @param asynchronous whether the scheduler allocates a driver some time after it has chosen it */
  SlotPool(String name, String partition, boolean asynchronous, long heartbeat) {
    this.name = name;
    this.heartbeat = heartbeat;
    trials = new Trials(heartbeat);
    overdue = new OverdueAttempts<>(heartbeat);
    overtaken = new OvertakenHeads<>(lines, heartbeat);
    leases = new Leases<>(asynchronous && (isShared() || partition.isEmpty()), partition.isEmpty());
    starting = new StartingAttempts<>(isShared());
  }

  /** Whether several queues may share the slots. */
  boolean isShared() {
    return name != null;
  }

  Trials trials() {
    return trials;
  }

  /** A queue alone has the trials of its line, which survive a refresh with the waiting attempts. */
  void inherit(Trials ofLine) {
    if (!isShared()) {
      trials = ofLine;
    }
  }

  /**
   * Whether executors come before further drivers in a group: a starting attempt lacks some, or an overdue
   * one does. Within a queue those of an earlier attempt come first anyway.
   *
   * @param next the attempt whose driver would come next; null for one of any queue
   * @param urgent whether less urgent ones of its queue do not hold it back
   */
  boolean doExecutorsComeFirst(QueuedAttempt<T> next, boolean urgent, Questions<T> questions) {
    return starting.isAnyLacking(next, urgent, questions) || overdue.comeFirst(next, questions);
  }

  /** The same for a reader: no overdue attempt begins to wait, and a more urgent one is not told apart. */
  boolean areExecutorsFirst(QueuedAttempt<T> next, Questions<T> questions) {
    return starting.isAnyLacking(next, false, questions) || overdue.isOn(next, questions.now);
  }

  // The reserved drivers.

  boolean isAnyReserved() {
    return isAnyReserved;
  }

  void addReserved(QueuedAttempt<T> attempt) {
    attempt.reserved = true;
    reserved.add(attempt);
    isAnyReserved = true;
  }

  void removeReserved(QueuedAttempt<T> attempt) {
    attempt.reserved = false;
    if (reserved.remove(attempt)) {
      isAnyReserved = !reserved.isEmpty();
      if (reservedTaken() == 0) {
        reservedInVain.pause();
      }
    }
  }

  /** The number of attempts whose reserved drivers take slots from others. */
  int reservedTaken() {
    int count = 0;
    if (reserved.isEmpty()) {
      // Asked in every decision, and an iterator is an object.
      return count;
    }
    for (QueuedAttempt<T> attempt : reserved) {
      count += attempt.isExhausted() ? 0 : 1;
    }
    return count;
  }

  /** The attempts with reserved drivers that are looked at now: of many in a group a few in turn. */
  List<QueuedAttempt<T>> reservedForLook() {
    List<QueuedAttempt<T>> all = new ArrayList<>(reserved);
    if (!isShared() || all.size() <= StartingAttempts.FEW) {
      return all;
    }
    reservedTurn = (reservedTurn + StartingAttempts.FEW) % all.size();
    return StartingAttempts.inTurn(all, reservedTurn);
  }

  /** The number of attempts of other queues that took slots, with reserved drivers, before this one. */
  int reservedBefore(QueuedAttempt<T> attempt) {
    int before = 0;
    for (QueuedAttempt<T> other : reserved) {
      if (other == attempt) {
        return before;
      }
      before += other.owner == attempt.owner || other.isExhausted() ? 0 : 1;
    }
    return before;
  }

  /** A reserved driver waits for its node. In a queue alone, the time of its line counts this. */
  void reservedInVain(long now) {
    if (isShared()) {
      reservedInVain.tried(trials, now);
    }
  }

  /** Whether reserved drivers, of whatever queue, have held slots in vain for this time. */
  boolean isReservedInVain(long timeout) {
    return timeout > 0 && reservedInVain.millis() >= timeout;
  }

  /** @param timeout {@code accepted-timeout} of the queue in which the driver was allocated */
  void driverAllocated(QueuedAttempt<T> attempt, long timeout, long now) {
    overtaken.driverAllocated(attempt, now);
    // A driver that came after that time does not prove that the others can be placed.
    reservedInVain.restart(isReservedInVain(timeout) ? Trials.timeKept(timeout) : 0);
  }

  /** The attempt waits no more. */
  void forget(QueuedAttempt<T> attempt) {
    leases.remove(attempt);
    lines.remove(attempt);
    overtaken.remove(attempt);
    removeReserved(attempt);
  }

  // Verification.

  /** The attempts whose ordering has to be asked whether it still has them; at most once per second. */
  List<QueuedAttempt<T>> toVerify(long now) {
    if (now - verified < SURELY) {
      return Collections.emptyList();
    }
    verified = now;
    lines.forgetPending();
    Set<QueuedAttempt<T>> all = new LinkedHashSet<>(starting.all());
    all.addAll(reserved);
    all.addAll(overdue.attempts);
    lines.all().stream().map(WaitingAttempts::first).filter(Objects::nonNull).forEach(all::add);
    leases.addTo(all, now);
    return new ArrayList<>(all);
  }

  /**
   * Removes the attempts, and their lines, that no ordering has any more: they ended, or their queues got
   * a policy that is not state-aware, and nobody gave notice. When in doubt, the slot is free.
   *
   * @param lost those that are, by now, in no ordering's hands
   */
  void verify(Collection<QueuedAttempt<T>> lost, long now) {
    Map<QueuedAttempt<T>, Long> before = suspects;
    suspects = lost.isEmpty() ? Collections.emptyMap() : new IdentityHashMap<>();
    for (QueuedAttempt<T> attempt : lost) {
      long since = before.getOrDefault(attempt, now);
      leases.remove(attempt);
      if (now - since >= SURELY || attempt.gone) {
        starting.remove(attempt);
        removeReserved(attempt);
        overdue.attempts.remove(attempt);
        if (!attempt.gone) {
          lines.all().stream().filter(line -> line.first() == attempt).forEach(lines::leave);
        }
      } else {
        suspects.put(attempt, since);
      }
    }
    if (!lost.isEmpty()) {
      starting.recount();
    }
  }
}
