// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Set;
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
    try {
      return attempt.attempt.liveExecutors();
    } catch (RuntimeException | LinkageError e) {
      failures.undetermined(attempt, e, now);
      return 0;
    }
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

  private boolean read(
      QueuedAttempt<T> attempt, Predicate<Attempt> fact, boolean otherwise, long now) {
    try {
      return fact.test(attempt.attempt);
    } catch (RuntimeException | LinkageError e) {
      failures.undetermined(attempt, e, now);
      return otherwise;
    }
  }

  /** The resources of the attempt's pending request; null if it has none or they cannot be read. */
  ResourceVector requested(QueuedAttempt<T> attempt, long now) {
    try {
      return attempt.attempt.requested();
    } catch (RuntimeException | LinkageError e) {
      failures.undetermined(attempt, e, now);
      return null;
    }
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

  /** The user of the application; null if it cannot be read. */
  String user(QueuedAttempt<T> attempt) {
    try {
      return attempt.attempt.user();
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }

  /** Whether the user of the application is one of these; false if it cannot be read. */
  boolean isOfAny(Set<String> users, QueuedAttempt<T> attempt) {
    return users.contains(user(attempt));
  }

  /**
   * Adds the user of the application, unless it cannot be read.
   *
   * @return whether it was not known yet
   */
  boolean addUser(QueuedAttempt<T> attempt, Set<String> users) {
    String user = user(attempt);
    // One that cannot be read counts as if it had no other application.
    return user == null || users.add(user);
  }

  /**
   * The time that the attempt has waited, if it already waited before the last restart of the scheduler;
   * else 0.
   */
  long millisSinceBeforeRestart(QueuedAttempt<T> attempt, long now) {
    try {
      return attempt.attempt.millisSinceBeforeRestart();
    } catch (RuntimeException | LinkageError e) {
      failures.undetermined(attempt, e, now);
      return 0;
    }
  }

  /** The time that the attempt has been starting, as far as it is known. */
  long millisStarting(QueuedAttempt<T> attempt, long now) {
    try {
      return attempt.history.millisStarting(attempt.attempt, now);
    } catch (RuntimeException | LinkageError e) {
      long seen = attempt.history.millisSeenStarting(now);
      failures.undetermined(attempt, e, now);
      return seen;
    }
  }

  /** The number of executors recovered after a restart. Only for reporting; it changes no state. */
  int recoveredExecutors(QueuedAttempt<T> attempt) {
    try {
      return attempt.attempt.recoveredExecutors();
    } catch (RuntimeException | LinkageError e) {
      return 0;
    }
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
