// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * What the queues of a group share for one node partition: the attempts that hold its slots, and the
 * trials. A queue without a group has one of its own. It needs no turns and no order of executors and
 * drivers, because YARN serves the attempts of one queue in the order of the policy.
 *
 * <p>A slot belongs to an attempt, whichever ordering manages it. When an ordering takes over an attempt,
 * its entry replaces that of the previous ordering; {@link #verify} removes the entries of orderings that
 * were replaced without notice. Only these entries, those that may lack executors, and the proposals
 * reference orderings, and it verifies all of them, so a queue that is deleted leaves nothing.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class GroupLane<T> implements AttemptHistory.SharedSlots {

  /**
   * How long an attempt must be out of its ordering's hands before it loses its slot, in milliseconds:
   * longer than any refresh or move takes. Also the time between two verifications.
   */
  static final long SURELY = 1000;
  /** The number of starting, and of reserved, attempts of a group that a decision looks at in turn. */
  private static final int FEW = 4;

  /** Null if one queue has the slots alone. */
  private final String name;
  private final StartingLane<T> starting = new StartingLane<>();
  /** The attempts with a reserved driver, in the order of their reservations. */
  private final StartingLane<T> reserved = new StartingLane<>();
  private final StartingCheck<T> check = new StartingCheck<>(starting);
  private volatile SlotMemory memory;
  private final long heartbeat;
  /** Null if drivers are allocated when they are chosen, or for one queue. */
  private final GroupTurn<T> turn;
  private final Proposals<T> proposals;
  /** The time for which reserved drivers have held slots in vain since the last driver was allocated. */
  private final VainTime reservedInVain = new VainTime();

  private final GroupIndex<T> waiting = new GroupIndex<>();
  private final GroupIndex<T> stalled = new GroupIndex<>();
  private final OverdueAttempts<T> overdue;
  private final OvertakenHeads<T> overtaken;
  private final PendingSearch<T> pendingWaiting = new PendingSearch<>(waiting, false);
  private final PendingSearch<T> pendingStalled = new PendingSearch<>(stalled, true);

  /** The index of the reserved attempt that is checked next. */
  private volatile int reservedChecked;
  /** The starting attempts that may lack executors. Every one that does is here. */
  private final Map<AttemptHistory, QueuedAttempt<T>> lacking = new ConcurrentHashMap<>();
  /** The one that lacked some at the last look, which is asked first; null before one did. */
  private volatile AttemptHistory lacked;
  /** The index of the starting attempt that is asked next. */
  private volatile int asked;

  private final AtomicBoolean verifying = new AtomicBoolean();
  /** Used by the thread that verifies. */
  private Map<QueuedAttempt<T>, Long> suspects = Collections.emptyMap();
  private volatile long verified = Long.MIN_VALUE;

  /**
   * @param asynchronous whether the scheduler allocates a driver some time after it has chosen it
   * @param heartbeat the time in which every node sends a heartbeat, in milliseconds
   */
  GroupLane(String name, String partition, boolean asynchronous, long heartbeat) {
    this.name = name;
    this.heartbeat = heartbeat;
    memory = new SlotMemory(heartbeat);
    overdue = new OverdueAttempts<>(heartbeat);
    overtaken = new OvertakenHeads<>(waiting, heartbeat);
    turn = asynchronous && isShared() ? new GroupTurn<>() : null;
    proposals = Proposals.of(partition, asynchronous);
  }

  /** The name of the group; null if one queue has the slots alone. */
  String name() {
    return name;
  }

  /** Whether several queues may share the slots. */
  boolean isShared() {
    return name != null;
  }

  /** Whose turn it is; null if the queues need none. */
  GroupTurn<T> turn() {
    return turn;
  }

  /** The drivers of all queues that may have been proposed; null if the scheduler does not tell. */
  Proposals<T> proposals() {
    return proposals;
  }

  private void endTurn() {
    if (turn != null) {
      turn.end();
    }
  }

  // The holders of slots.

  /** The starting attempts of all queues. */
  StartingLane<T> starting() {
    return starting;
  }

  /** The attempts of all queues with a reserved driver. */
  List<QueuedAttempt<T>> reserved() {
    return reserved.attempts();
  }

  /** The number of attempts whose reserved drivers take slots from others. */
  int reservedTaken() {
    return reserved.taken();
  }

  /** Keeps the starting attempts of all queues up to date. */
  StartingCheck<T> check() {
    return check;
  }

  /** The time in which every node sends a heartbeat, in milliseconds. */
  long heartbeat() {
    return heartbeat;
  }

  SlotMemory memory() {
    return memory;
  }

  /** A queue alone has the memory of its line, which survives a refresh with the waiting attempts. */
  void inherit(SlotMemory ofLine) {
    if (!isShared()) {
      memory = ofLine;
    }
  }

  /** The attempts whose starting time ended before they had their executors. */
  OverdueAttempts<T> overdue() {
    return overdue;
  }

  /** The heads that others overtake; none for a queue alone. */
  OvertakenHeads<T> overtaken() {
    return overtaken;
  }

  /**
   * Whether executors come before further drivers: a starting attempt of any queue lacks some, or overdue
   * ones come first. Within a queue those of an earlier attempt do anyway; of several queues the scheduler
   * may serve the one with the driver first.
   *
   * @param next the attempt whose driver would come next; null for one of any queue
   * @param holds whether a starting attempt that lacks executors would hold it back
   */
  boolean doExecutorsComeFirst(QueuedAttempt<T> next, Predicate<QueuedAttempt<T>> holds, long now) {
    return isShared() && (isAnyLackingExecutors(holds, now) || overdue.comeFirst(next, now));
  }

  /** The same, and begins nothing. */
  boolean areExecutorsFirst(QueuedAttempt<T> next, long now) {
    return isShared()
        && (isAnyLackingExecutors(attempt -> attempt.holds(next), now) || overdue.isOn(next, now));
  }

  /**
   * The number of attempts whose reserved drivers take slots, after a check: of those of many queues, which
   * may be many, a few are checked in turn.
   */
  int reservedTaken(long now) {
    List<QueuedAttempt<T>> present = reserved.attempts();
    int size = present.size();
    int first = reservedChecked;
    int checked = isShared() ? Math.min(size, FEW) : size;
    for (int i = 0; i < checked; i++) {
      QueuedAttempt<T> attempt = present.get((first + i) % size);
      // Removes it if it is not.
      attempt.owner().isReserved(attempt, now);
    }
    if (size > checked) {
      reservedChecked = (first + checked) % size;
    }
    return isShared() ? reserved.taken() : reserved.takenNow();
  }

  /**
   * The attempt may lack executors from now on: it has got its driver, has changed its requests or has lost
   * an executor. The monitor calls this for all, because YARN does not tell when a user is below its limit
   * again.
   */
  void mayLackExecutors(QueuedAttempt<T> attempt) {
    if (isShared() && starting.attempts().contains(attempt)) {
      lacking.put(attempt.history, attempt);
      if (!starting.attempts().contains(attempt)) {
        // It was removed meanwhile.
        lacking.remove(attempt.history, attempt);
      }
    }
  }

  /** Reads few facts: one attempt that lacks executors suffices, and those that do not are forgotten. */
  private boolean isAnyLackingExecutors(Predicate<QueuedAttempt<T>> holds, long now) {
    if (!lacking.isEmpty()) {
      QueuedAttempt<T> last = lacked == null ? null : lacking.get(lacked);
      if (last != null && holds.test(last) && lacksExecutors(last, now)) {
        return true;
      }
      for (QueuedAttempt<T> attempt : lacking.values()) {
        if (!holds.test(attempt)) {
          continue;
        }
        if (lacksExecutors(attempt, now)) {
          lacked = attempt.history;
          return true;
        }
        lacking.remove(attempt.history, attempt);
        // It may have begun to lack some after the look at it, and have been here already.
        if (lacksExecutors(attempt, now)) {
          mayLackExecutors(attempt);
          return true;
        }
      }
    }
    return isOneOfAFewLackingExecutors(holds, now);
  }

  /** Looks at a few in turn, which finds sooner than the monitor what has changed without a call-back. */
  private boolean isOneOfAFewLackingExecutors(Predicate<QueuedAttempt<T>> holds, long now) {
    List<QueuedAttempt<T>> present = starting.attempts();
    int size = present.size();
    int first = asked;
    for (int i = 0; i < Math.min(size, FEW); i++) {
      QueuedAttempt<T> attempt = present.get((first + i) % size);
      if (holds.test(attempt) && lacksExecutors(attempt, now)) {
        mayLackExecutors(attempt);
        return true;
      }
    }
    if (size > FEW) {
      asked = (first + FEW) % size;
    }
    return false;
  }

  private static <T> boolean lacksExecutors(QueuedAttempt<T> attempt, long now) {
    return attempt.history.state() == State.STARTING && attempt.owner().lacksExecutors(attempt, now);
  }

  void addStarting(QueuedAttempt<T> attempt) {
    enter(starting, attempt);
    mayLackExecutors(attempt);
  }

  void removeStarting(QueuedAttempt<T> attempt) {
    remove(starting, attempt);
    if (!lacking.isEmpty() && attempt.isManaged()) {
      lacking.remove(attempt.history);
    }
  }

  /** The attempt is removed for good. */
  void withdraw(QueuedAttempt<T> attempt) {
    if (overdue.size() > 0) {
      overdue.withdraw(attempt);
    }
  }

  void addReserved(QueuedAttempt<T> attempt) {
    enter(reserved, attempt);
  }

  void removeReserved(QueuedAttempt<T> attempt) {
    if (reserved.size() > 0) {
      remove(reserved, attempt);
      pauseIfNoneIsReserved();
    }
  }

  /** The slots of a queue alone end with its ordering, so nothing has to be left there. */
  private void enter(StartingLane<T> lane, QueuedAttempt<T> attempt) {
    if (isShared()) {
      attempt.history.enter(this, attempt.owner().token(), () -> lane.add(attempt));
      endTurn();
    } else {
      lane.add(attempt);
    }
  }

  /** An ordering removes its own entry, or any entry of an attempt that it manages. */
  private void remove(StartingLane<T> lane, QueuedAttempt<T> attempt) {
    boolean manages = attempt.isManaged();
    lane.removeIf(entry -> entry == attempt || manages && entry.history == attempt.history);
  }

  @Override
  public void leave(AttemptHistory history) {
    starting.removeIf(entry -> entry.history == history);
    lacking.remove(history);
    reserved.removeIf(entry -> entry.history == history);
    overdue.leave(history);
    pauseIfNoneIsReserved();
  }

  /** The number of attempts of other queues that took slots, with reserved drivers, before this one. */
  int reservedBefore(QueuedAttempt<T> attempt) {
    int before = 0;
    for (QueuedAttempt<T> other : reserved.attempts()) {
      if (other.history == attempt.history) {
        return before;
      }
      before += other.owner() == attempt.owner() || other.isExhausted() ? 0 : 1;
    }
    return before;
  }

  // The clock of reserved drivers.

  /** A reserved driver waits for its node. In a queue alone, the time of its line counts this. */
  void reservedInVain(long now) {
    if (isShared()) {
      reservedInVain.tried(memory, now);
    }
  }

  private void pauseIfNoneIsReserved() {
    if (reserved.taken() == 0) {
      reservedInVain.pause();
    }
  }

  /** Whether reserved drivers, of whatever queue, have held slots in vain for this time. */
  boolean isReservedInVain(long timeout) {
    return timeout > 0 && reservedInVain.millis() >= timeout;
  }

  /** @param timeout {@code accepted-timeout} of the queue in which the driver was allocated */
  void driverAllocated(QueuedAttempt<T> attempt, long timeout, long now) {
    if (isShared()) {
      overtaken.driverAllocated(attempt, now);
    }
    boolean inVain = isReservedInVain(timeout);
    reservedInVain.reset();
    // It does not prove that the others can be placed.
    reservedInVain.add(inVain ? timeout - timeout / Trials.SHARE : 0);
  }

  // Who waits.

  /** The lanes of attempts that wait for their turn. */
  GroupIndex<T> waiting() {
    return waiting;
  }

  /** The lanes of stalled attempts. */
  GroupIndex<T> stalled() {
    return stalled;
  }

  PendingSearch<T> pendingWaiting() {
    return pendingWaiting;
  }

  PendingSearch<T> pendingStalled() {
    return pendingStalled;
  }

  /** Whether an attempt of any queue has stalled and has trials. */
  boolean isAnyStalled() {
    return stalled.find(attempt -> !attempt.isExhausted()) != null;
  }

  // Verification.

  /**
   * Removes the holders, the overdue and the proposed attempts that no ordering manages any more: they
   * ended, or their queues got a policy that is not state-aware, and nobody gave notice. When in doubt, the
   * slot is free. At most once per second, whatever the number of queues that call it.
   */
  void verify(long now) {
    if (!isShared() || verified != Long.MIN_VALUE && now - verified < SURELY
        || !verifying.compareAndSet(false, true)) {
      return;
    }
    try {
      verified = now;
      Map<QueuedAttempt<T>, Long> before = suspects;
      Map<QueuedAttempt<T>, Long> found = new IdentityHashMap<>();
      verify(starting.attempts(), before, found, now);
      verify(reserved.attempts(), before, found, now);
      verify(overdue.attempts(), before, found, now);
      suspects = found.isEmpty() ? Collections.emptyMap() : found;
      List<QueuedAttempt<T>> present = starting.attempts();
      lacking.values().removeIf(attempt -> !present.contains(attempt));
      if (proposals != null) {
        proposals.verify(now);
      }
    } finally {
      verifying.set(false);
    }
  }

  private void verify(List<QueuedAttempt<T>> holders, Map<QueuedAttempt<T>, Long> before,
      Map<QueuedAttempt<T>, Long> found, long now) {
    List<QueuedAttempt<T>> dropped = new ArrayList<>();
    for (QueuedAttempt<T> holder : holders) {
      if (holder.gone || !holder.isManaged()) {
        dropped.add(holder);
      } else if (!holder.isOrdered()) {
        long since = before.getOrDefault(holder, now);
        if (now - since >= SURELY) {
          dropped.add(holder);
        } else {
          found.put(holder, since);
        }
      }
    }
    if (!dropped.isEmpty()) {
      starting.removeIf(dropped::contains);
      reserved.removeIf(dropped::contains);
      overdue.removeAll(dropped);
      pauseIfNoneIsReserved();
    }
  }
}
