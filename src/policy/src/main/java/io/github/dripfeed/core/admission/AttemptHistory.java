// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.takeback.TakeBackMemory;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What cannot be derived from the scheduler's current state of an attempt: that it was running before, and
 * how long it has been starting or offered. It outlives the ordering of one queue: refreshes, moves and
 * priority changes pass it on (docs/design.md#a-refresh-replaces-the-policy,
 * #priority-changes-and-moves-re-add-the-attempt).
 *
 * <p>Safe for use by any thread. Times are milliseconds on the caller's clock, which never goes backwards.
 */
public final class AttemptHistory {

  /** Read together, so that a state is never combined with the start time of another one. */
  private static final class Stay {

    final State state;
    final long since;

    Stay(State state, long since) {
      this.state = state;
      this.since = since;
    }
  }

  private static final long NEVER = Long.MIN_VALUE;

  private final AttemptNotes notes = new AttemptNotes();
  private volatile Object orderingToken;
  /** In the ordering that has the attempt; weak, because a history must keep nothing else alive. */
  private volatile WeakReference<Object> queued = new WeakReference<>(null);

  // The state.

  private final AtomicReference<Stay> stay;
  private final long seenSince;
  private volatile boolean acceptedObserved;
  private volatile boolean driverReported;
  private volatile long startingSince;
  private volatile long startedFor;
  /** The total time that earlier attempts of its application were starting, in milliseconds. */
  volatile long startedBefore;
  private volatile long idleSince = NEVER;
  /** Whether it takes no slot while it is starting, because it has requested nothing for long. */
  volatile boolean silent;
  /** Whether it was observed to have an executor at any time. */
  volatile boolean hadExecutor;
  /** Whether its driver is preempted, because its start leads nowhere. */
  volatile boolean takenBack;
  /** When and why its application was taken back. */
  volatile TakeBackMemory takeBacks = new TakeBackMemory();

  // The wait.

  /**
   * The time for which the scheduler has tried in vain to place its driver while it was the head; used with
   * the lock of its group.
   */
  final VainTime vain = new VainTime();
  /** Whether it was tried in vain for too long, or was overtaken while it could not be placed. */
  volatile boolean stalled;
  /**
   * How many attempts that were submitted later have started in other queues of its group while it was the
   * head of its own; used with the lock of the group.
   */
  int overtaken;
  private volatile LineMemory line;
  /** Null unless it was set aside in its line, after so many drivers and trials. */
  private volatile Trials asideIn;
  private volatile int startsSeen;
  private volatile int trialsSeen;

  /** @param now the time at which the attempt was first observed */
  public AttemptHistory(long now) {
    seenSince = now;
    stay = new AtomicReference<>(new Stay(State.ACCEPTED, now));
  }

  public State state() {
    return stay.get().state;
  }

  /** The time that the attempt has been in its state. */
  public long millisInState(long now) {
    return now - stay.get().since;
  }

  /** @return whether this call changed the state; another thread may have been faster */
  boolean take(State from, State to, long now) {
    Stay before = stay.get();
    return before.state == from && stay.compareAndSet(before, new Stay(to, now));
  }

  /**
   * Sets whether the attempt is in a state-aware queue and has no driver yet, so that the allocation of
   * its driver will be observed. False while it is under another policy, which reports nothing.
   */
  void setAcceptedObserved(boolean observed) {
    acceptedObserved = observed;
  }

  /** Whether its driver, if allocated, was allocated before a restart, or under another policy. */
  boolean isDriverDiscovered() {
    return !acceptedObserved;
  }

  /**
   * The time that the attempt has been starting. If its driver was discovered, its age counts, which is
   * read once, and again only until the driver's node has reported it
   * (docs/design.md#a-driver-keeps-its-age-over-a-restart).
   */
  long millisStarting(Attempt attempt, long now) {
    if (acceptedObserved) {
      return millisInState(now);
    }
    if (!driverReported) {
      // In this order: an age that is read after the driver was live is the age of the driver's container.
      boolean live = attempt.isDriverLive();
      long age = attempt.millisSinceDriverAllocated();
      // Before, it is a lower bound, and the time in the state may be longer.
      startingSince = now - (live ? age : Math.max(age, millisInState(now)));
      driverReported = live;
    }
    return now - startingSince;
  }

  /** The time that the attempt has been observed to be starting; reads no facts. */
  long millisSeenStarting(long now) {
    return acceptedObserved || !driverReported ? millisInState(now) : now - startingSince;
  }

  /** The age of a driver that was discovered, when the attempt was first observed. */
  long ageWhenDiscovered() {
    return acceptedObserved ? 0 : seenSince - startingSince;
  }

  /**
   * Sets the total time that the attempt was starting, once it is running or removed. It is ignored if the
   * driver was discovered, because the attempt may have been running for most of its driver's age.
   */
  void setStartedFor(long millis) {
    startedFor = isDriverDiscovered() ? 0 : millis;
  }

  long startedFor() {
    return startedFor;
  }

  /**
   * The attempt was observed to have a pending request, or to have none.
   *
   * @return for how long it had none
   */
  long millisIdle(boolean pending, long now) {
    if (pending) {
      idleSince = NEVER;
    } else if (idleSince == NEVER) {
      idleSince = now;
    }
    return millisIdle(now);
  }

  /** The time that the attempt has been observed without a pending request; 0 if it has one. */
  long millisIdle(long now) {
    long since = idleSince;
    return since == NEVER ? 0 : now - since;
  }

  /** The notes that other components keep on the attempt. */
  public AttemptNotes notes() {
    return notes;
  }

  /**
   * Its driver stays, because it has got an executor.
   *
   * @return whether it was to be taken back
   */
  synchronized boolean cancelTakeBack() {
    boolean before = takenBack;
    hadExecutor = true;
    takenBack = false;
    if (before) {
      takeBacks.cancelLast();
    }
    return before;
  }

  /** Its reservation is released; it is not offered again until something has changed. */
  void setAside(Trials trials) {
    startsSeen = trials.drivers();
    trialsSeen = trials.number();
    asideIn = trials;
  }

  /** Whether, since it was set aside, no trial began if it is late, and no driver was allocated if not. */
  boolean isAside(Trials trials, boolean late) {
    return asideIn == trials && (late ? trialsSeen == trials.number() : startsSeen == trials.drivers());
  }

  /** The memory of the line in which it waits; null if it does not wait. */
  LineMemory line() {
    return line;
  }

  void setLine(LineMemory memory) {
    if (line != memory) {
      asideIn = null;
    }
    line = memory;
  }

  /**
   * Sets the ordering that manages the attempt from now on.
   *
   * @param token identifies it, and references nothing, because a history lives as long as its attempt
   * @param keepsOffers whether the time that the attempt was offered still counts: not in another queue
   */
  synchronized void setOrdering(Object token, boolean keepsOffers) {
    if (orderingToken != token && !keepsOffers) {
      vain.restart(0);
      stalled = false;
      overtaken = 0;
      setLine(null);
    }
    orderingToken = token;
  }

  /** @return the same attempt in the ordering that had it until now; null if none had */
  synchronized Object setQueued(Object inAnother) {
    Object before = queued.get();
    queued = new WeakReference<>(inAnother);
    return before;
  }
}
