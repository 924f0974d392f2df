// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Reads the facts of attempts. If a fact cannot be read, it reports the failure and returns the value
 * that holds back no other attempt.
 *
 * @param <T> the type that represents an application attempt
 */
final class AttemptFacts<T> {

  /** Handles facts that cannot be read. */
  interface Failures<T> {

    void undetermined(QueuedAttempt<T> attempt, Throwable failure, long now);

    void failed(Throwable failure);
  }

  private final QueueSettings settings;
  private final Failures<T> failures;

  AttemptFacts(QueueSettings settings, Failures<T> failures) {
    this.settings = settings;
    this.failures = failures;
  }

  /**
   * Whether the attempt has a pending request. One that waits after it was taken back has none for the
   * time being.
   */
  boolean hasOutstandingRequest(QueuedAttempt<T> attempt, long now) {
    return !attempt.isBackingOff(now) && read(attempt, Attempt::hasOutstandingRequest, true, now);
  }

  /** Whether a pending request of the attempt is for nodes of the partition of its line. */
  boolean hasOutstandingRequestInLine(QueuedAttempt<T> attempt, long now) {
    return read(attempt, facts -> facts.hasOutstandingRequest(attempt.partition()), false, now);
  }

  /** The number of live executors of the attempt; 0 if it cannot be read. */
  int executors(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::liveExecutors, 0, now);
  }

  /** Whether a container is reserved for the attempt. */
  boolean hasReservation(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::hasReservation, false, now);
  }

  /** Whether the scheduler has proposed a container for the attempt and not allocated it yet. */
  boolean isProposed(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::isProposed, false, now);
  }

  /** Whether the scheduler skips the attempt because of its user limit and serves the next one. */
  boolean isSkipped(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::isSkipped, true, now);
  }

  /**
   * Whether the attempt holds {@code max-containers} containers, and requests more of them. Never true
   * before its driver is allocated: executors kept from an earlier attempt must not block the driver.
   */
  boolean isFull(QueuedAttempt<T> attempt, long now) {
    int limit = settings.maxContainers();
    return read(attempt, facts -> facts.containers() >= limit && facts.isDriverAllocated()
        && !facts.requestsOnlyUpdates(), false, now);
  }

  /** Whether it requests more resources for containers that it has, and no further containers. */
  boolean requestsOnlyUpdates(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::requestsOnlyUpdates, false, now);
  }

  /** Whether the attempt is never held; true if it cannot be read. */
  boolean isExempt(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::isExempt, true, now);
  }

  /** Reads a fact; an attempt of which one cannot be read counts as running. */
  <V> V read(QueuedAttempt<T> attempt, Function<Attempt, V> fact, V otherwise, long now) {
    try {
      return fact.apply(attempt.attempt);
    } catch (RuntimeException | LinkageError e) {
      failures.undetermined(attempt, e, now);
      return otherwise;
    }
  }

  /** The resources of the attempt's pending request; null if it has none or they cannot be read. */
  ResourceVector requested(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::requested, null, now);
  }

  /**
   * Whether an attempt may be placed although YARN ended the last walk at another one: its driver is not as
   * large as that one's.
   *
   * @param end the attempt where the walk ended; if null, any attempt may be placed
   */
  Predicate<QueuedAttempt<T>> isSmaller(QueuedAttempt<T> end, long now) {
    ResourceVector limit = end == null ? null : requested(end, now);
    return attempt -> {
      ResourceVector requested = limit == null ? null : requested(attempt, now);
      return requested == null || !limit.fitsIn(requested);
    };
  }

  /** The highest queue that is too full for the attempt; see {@link Attempt#fullQueue}. */
  String fullQueue(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::fullQueue, "", now);
  }

  /** The user of the application; null if it cannot be read. */
  String user(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::user, null, now);
  }

  /** Whether the user of the application is one of these; false if it cannot be read. */
  boolean isOfAny(Set<String> users, QueuedAttempt<T> attempt, long now) {
    return users.contains(user(attempt, now));
  }

  /**
   * Adds the user of the application, unless it cannot be read.
   *
   * @return whether it was not known yet
   */
  boolean addUser(QueuedAttempt<T> attempt, Set<String> users, long now) {
    String user = user(attempt, now);
    // One that cannot be read counts as if it had no other application.
    return user == null || users.add(user);
  }

  /**
   * The time that the attempt has waited, if it already waited before the last restart of the scheduler;
   * else 0.
   */
  long millisSinceBeforeRestart(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::millisSinceBeforeRestart, 0L, now);
  }

  /** The time that the attempt has been starting, as far as it is known. */
  long millisStarting(QueuedAttempt<T> attempt, long now) {
    return read(attempt, facts -> attempt.history.millisStarting(facts, now),
        attempt.history.millisSeenStarting(now), now);
  }

  /** The number of executors recovered after a restart. Only for reporting. */
  int recoveredExecutors(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::recoveredExecutors, 0, now);
  }

  /**
   * The partition of the attempt's driver or of its request, or {@code otherwise} if it cannot be read.
   */
  String partition(QueuedAttempt<T> attempt, String otherwise) {
    try {
      String partition = attempt.attempt.partition();
      return partition == null ? "" : partition;
    } catch (RuntimeException | LinkageError e) {
      failures.failed(e);
      return otherwise;
    }
  }
}
