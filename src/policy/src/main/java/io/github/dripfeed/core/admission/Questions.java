// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes one decision with the lock of a group. If facts are missing, they are read without the lock, and
 * then the decision is made again. For one thread.
 */
final class Questions<T> {

  /** The number of times that a decision is made until it is given up: others change what it rests on. */
  private static final int ROUNDS = 1_000;
  /** The number of attempts that are asked for at once after several rounds; it is one in the first. */
  private static final int MOST = 64;

  final long now;
  /** The thread of the scheduler for which it is; null for others. */
  final Object walker;
  private final GroupLock lock;
  /** Facts that were read for this decision, or for a later one, are known. */
  private long number;
  /** The attempts that are to be looked at, and what else is to be read; null if it is nothing. */
  private List<QueuedAttempt<T>> unknown;
  private List<Runnable> open;
  private int most;
  private List<Runnable> events;
  /** Whether the users of a queue are at their limits, as far as they were asked for in this walk. */
  private Map<QueuedAttempt.Owner<T>, Map<String, Boolean>> users = Collections.emptyMap();

  Questions(GroupLock lock, long now) {
    this(lock, null, now);
  }

  Questions(GroupLock lock, Object walker, long now) {
    this.lock = lock;
    this.walker = walker;
    this.now = now;
    begin();
  }

  /** Begins another decision: what was read before is not known. */
  Questions<T> begin() {
    number = lock.nextDecision();
    users = Collections.emptyMap();
    return this;
  }

  /** Marks what is read for this decision. */
  long number() {
    return number;
  }

  /**
   * Makes the decision.
   *
   * @param rule decides; it may change something only once nothing is {@linkplain #isOpen open}
   * @param otherwise the answer if others never cease to change what the decision rests on
   */
  <V> V decide(Supplier<V> rule, V otherwise) {
    most = 1;
    for (int round = 0; round < ROUNDS; round++) {
      unknown = null;
      open = null;
      V answer;
      synchronized (lock) {
        answer = rule.get();
      }
      if (!isOpen()) {
        tell();
        return answer;
      }
      if (unknown != null) {
        unknown.forEach(attempt -> attempt.owner.look(attempt, number, now));
      }
      if (open != null) {
        open.forEach(Runnable::run);
      }
      most = Math.min(MOST, 2 * most);
    }
    tell();
    return otherwise;
  }

  private void tell() {
    List<Runnable> told = events;
    events = null;
    if (told != null) {
      told.forEach(Runnable::run);
    }
  }

  /**
   * Something is missing.
   *
   * @param reading reads it, without the lock
   * @param note keeps what was read, with the lock
   */
  <V> void ask(Supplier<V> reading, Consumer<V> note) {
    open = open == null ? new ArrayList<>() : open;
    open.add(() -> {
      V read = reading.get();
      synchronized (lock) {
        note.accept(read);
      }
    });
  }

  /** Whether something is missing, so that the answer does not count. */
  boolean isOpen() {
    return open != null || unknown != null;
  }

  /** Whether a search stops here, until what is missing is known. */
  boolean isFull() {
    return (unknown == null ? 0 : unknown.size()) + (open == null ? 0 : open.size()) >= most;
  }

  /** Something has happened of which others are told once the lock is free. */
  void then(Runnable event) {
    if (events == null) {
      events = new ArrayList<>(2);
    }
    events.add(event);
  }

  /** Others come before the attempt from now on. */
  void stall(QueuedAttempt<T> attempt) {
    Runnable event = attempt.owner.stall(attempt, now);
    if (event != null) {
      then(event);
    }
  }

  /** Whether it is known what state the attempt is in, and what it requests; else it is asked for. */
  boolean knows(QueuedAttempt<T> attempt) {
    if (attempt.looked < number) {
      unknown = unknown == null ? new ArrayList<>(1) : unknown;
      unknown.add(attempt);
      return false;
    }
    return true;
  }

  /** Whether the attempt waits for its driver and requests it, as far as that is known. */
  boolean waits(QueuedAttempt<T> attempt) {
    return knows(attempt) && attempt.pending && attempt.lane == State.ACCEPTED;
  }

  /**
   * Whether the user of a waiting attempt is below its limit; false until that is known. The scheduler
   * computes the limit for an answer, so each user is read once.
   */
  boolean isBelowLimit(QueuedAttempt<T> attempt) {
    // One with a reservation is not skipped, whatever its user has.
    String user = attempt.reserved ? null : attempt.user();
    Boolean below = user == null
        ? null : users.getOrDefault(attempt.owner, Collections.emptyMap()).get(user);
    if (below == null) {
      Boolean skipped = known(attempt.atLimit, () -> attempt.isSkipped(now));
      if (skipped == null) {
        return false;
      }
      below = !skipped;
      if (user != null) {
        users = users.isEmpty() ? new HashMap<>() : users;
        users.computeIfAbsent(attempt.owner, owner -> new HashMap<>()).put(user, below);
      }
    }
    return below;
  }

  /** Whether a waiting attempt could get its driver now, if a slot were free, as far as that is known. */
  boolean isPending(QueuedAttempt<T> attempt) {
    return !attempt.isExhausted() && !attempt.reserved && waits(attempt)
        && isBelowLimit(attempt);
  }

  /** The first of them that could get its driver now, if a slot were free, as far as that is known. */
  QueuedAttempt<T> firstPending(Collection<QueuedAttempt<T>> attempts) {
    for (QueuedAttempt<T> attempt : attempts) {
      if (isFull()) {
        return null;
      }
      if (isPending(attempt)) {
        return attempt;
      }
    }
    return null;
  }

  /** What a waiting attempt requests; until that is read, what it requested before. Null if nothing. */
  ResourceVector requested(QueuedAttempt<T> attempt) {
    known(attempt.requested, () -> attempt.read(Attempt::requested, null, now));
    return attempt.requested.value;
  }

  /** The highest queue that is too full for the request of a waiting attempt; null until it is known. */
  String fullQueue(QueuedAttempt<T> attempt) {
    return known(attempt.fullFor, () -> attempt.readFullQueue(now));
  }

  /** What was read of an attempt for this decision; null if it is asked for. */
  private <V> V known(QueuedAttempt.Known<V> fact, Supplier<V> reading) {
    if (fact.decision >= number) {
      return fact.value;
    }
    ask(reading, value -> {
      fact.value = value;
      fact.decision = number;
    });
    return null;
  }
}
