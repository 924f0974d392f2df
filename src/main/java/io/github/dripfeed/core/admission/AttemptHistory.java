/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.admission;

import java.util.concurrent.atomic.AtomicReference;

/**
 * What has to be remembered of an application attempt because it cannot be derived from the
 * scheduler's present: that it once ran, and how long it has been starting or offered. It outlives
 * the ordering of one queue: refreshes, moves and priority changes hand it on
 * (docs/design.md#a-refresh-replaces-the-policy, #priority-changes-and-moves-re-add-the-attempt).
 *
 * <p>Safe for use by any thread. All times are milliseconds on one clock of the caller's, which never
 * goes backwards.
 */
public final class AttemptHistory {

  /** A state and since when, together: nobody may measure a state by the time of the one before. */
  private static final class Stay {
    final State state;
    final long since;

    Stay(State state, long since) {
      this.state = state;
      this.since = since;
    }
  }

  private static final long NEVER = Long.MIN_VALUE;
  private static final int NOTHING = -1;

  private final AtomicReference<Stay> stay;
  private volatile long startingSince;
  private volatile boolean driverSeen;
  private volatile boolean metAccepted;
  private volatile Object owner;
  private volatile long idleSince = NEVER;
  private final AttemptNotes notes = new AttemptNotes();

  private final VainTime vain = new VainTime();
  private volatile boolean stalled;
  private volatile int startsSeen = NOTHING;
  private volatile int trialsSeen = NOTHING;
  private volatile LineMemory line;

  private volatile long startedFor;
  private volatile long startedBefore;

  /** @param now when the attempt was first met */
  public AttemptHistory(long now) {
    stay = new AtomicReference<>(new Stay(State.ACCEPTED, now));
  }

  public State state() {
    return stay.get().state;
  }

  /** How long the attempt has been in its state. */
  public long millisInState(long now) {
    return now - stay.get().since;
  }

  /**
   * Goes from one state to another, unless another thread was faster.
   *
   * @return whether this call did it
   */
  boolean take(State from, State to, long now) {
    Stay before = stay.get();
    return before.state == from && stay.compareAndSet(before, new Stay(to, now));
  }

  /**
   * Whether the attempt is here and has no driver yet: whoever allocates one does it under our eyes. Not
   * while it is under another policy, which tells nobody.
   */
  void setMetAccepted(boolean met) {
    metAccepted = met;
  }

  /** Whether its driver was allocated, if it is, before anybody looked: a restart, another policy. */
  boolean isDriverDiscovered() {
    return !metAccepted;
  }

  /**
   * How long the attempt has been starting: since its driver was seen to be allocated. Where that was
   * before anybody looked (a restart, another policy), the clock is the driver's own age, anchored
   * once; only while the driver's node has not reported it is it asked for again
   * (docs/design.md#a-driver-keeps-its-age-over-a-restart).
   */
  long millisStarting(Attempt attempt, long now) {
    if (metAccepted) {
      return millisInState(now);
    }
    if (!driverSeen) {
      // Read in this order: the age asked for after the driver was seen live is the driver's own.
      boolean live = attempt.isDriverLive();
      long age = attempt.millisSinceDriverAllocated();
      // Until its node is back the age is a lower bound, and the clock goes on meanwhile.
      startingSince = now - (live ? age : Math.max(age, millisInState(now)));
      driverSeen = live;
    }
    return now - startingSince;
  }

  /** How long the attempt has been starting, as far as anybody has seen; asks nobody. */
  long millisSeenStarting(long now) {
    return metAccepted || !driverSeen ? millisInState(now) : now - startingSince;
  }

  /** For how long the attempt has been seen to ask for nothing. */
  long millisIdle(boolean asks, long now) {
    if (asks) {
      idleSince = NEVER;
      return 0;
    }
    long since = idleSince;
    if (since == NEVER) {
      idleSince = now;
      return 0;
    }
    return now - since;
  }

  /** For how long the attempt has been seen to ask for nothing; 0 if it asks. */
  long millisIdle(long now) {
    long since = idleSince;
    return since == NEVER ? 0 : now - since;
  }

  /** What others remember of the attempt. */
  public AttemptNotes notes() {
    return notes;
  }

  /** For how long the scheduler has tried in vain to place its driver while it was the one offered. */
  VainTime vain() {
    return vain;
  }

  /** Whether it was offered in vain for too long, or a later one got its driver when it could not. */
  boolean isStalled() {
    return stalled;
  }

  void setStalled() {
    stalled = true;
  }

  /** Its reservation is taken back: it is not offered again before something has changed. */
  void setAside(LineMemory memory) {
    startsSeen = memory.starts();
    trialsSeen = memory.trials().number();
  }

  /**
   * Whether nothing has changed since: no trial, if it is late; no driver allocated, if it is not.
   *
   * @param late whether others go before it
   */
  boolean isAside(LineMemory memory, boolean late) {
    return late ? trialsSeen == memory.trials().number() : startsSeen == memory.starts();
  }

  /** What is remembered of the line that it waits in; null if it waits in none. */
  LineMemory line() {
    return line;
  }

  void setLine(LineMemory memory) {
    if (line != memory) {
      startsSeen = NOTHING;
      trialsSeen = NOTHING;
    }
    line = memory;
  }

  /** The attempt is past its early stage, or gone: for so long it has been in it. */
  void setStartedFor(long millis) {
    startedFor = millis;
  }

  long startedFor() {
    return startedFor;
  }

  /** @param millis for how long earlier attempts of its application were starting, all together */
  void setStartedBefore(long millis) {
    startedBefore = millis;
  }

  /** For how long earlier attempts of its application were starting, all together. */
  long startedBefore() {
    return startedBefore;
  }

  /**
   * Names the ordering that answers for the attempt from now on.
   *
   * @param newOwner a token without any reference of its own: histories are held for as long as the
   *     attempt lives, and must keep nothing else alive
   * @param keepsOffers whether the time that the attempt has been offered still counts: it does in
   *     the same queue, and not in another
   */
  synchronized void setOwner(Object newOwner, boolean keepsOffers) {
    if (owner != newOwner && !keepsOffers) {
      vain.reset();
      stalled = false;
      setLine(null);
      notes.forgetLearned();
    }
    owner = newOwner;
  }

  boolean isOwnedBy(Object token) {
    return owner == token;
  }
}
