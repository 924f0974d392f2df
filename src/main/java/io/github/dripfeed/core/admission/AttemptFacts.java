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

import java.util.function.Predicate;

/**
 * Reads the facts of attempts. Where those of one cannot be had, the answer is the one that holds nobody
 * back, and the failure is reported.
 *
 * @param <T> what stands for an application attempt
 */
final class AttemptFacts<T> {

  /** Hears of facts that cannot be had. */
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

  /** Whether the attempt asks for a container now. */
  boolean asks(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::hasOutstandingRequest, true, now);
  }

  /** Whether a container is reserved for the attempt now. */
  boolean reserves(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::hasReservation, false, now);
  }

  /** Whether the scheduler passes over the attempt, for its user's limit, and serves the next one. */
  boolean isPassedOver(QueuedAttempt<T> attempt, long now) {
    return read(attempt, Attempt::isPassedOver, true, now);
  }

  /**
   * Whether the attempt holds as many containers as it may. One without its driver never does: what it
   * kept of an earlier attempt must not keep the driver from coming.
   */
  boolean isFull(QueuedAttempt<T> attempt, long now) {
    int most = settings.maxContainers();
    return read(attempt, facts -> facts.containers() >= most && facts.isDriverAllocated(), false, now);
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

  /** Whether both belong to the same user: what holds for the limit of one holds for the other's. */
  boolean isSameUser(QueuedAttempt<T> attempt, QueuedAttempt<T> other) {
    try {
      return attempt.attempt.user().equals(other.attempt.user());
    } catch (RuntimeException | LinkageError e) {
      return false;
    }
  }

  /** For how long the attempt had waited when the scheduler was restarted, and since; 0 if it was not. */
  long millisSinceBeforeRestart(QueuedAttempt<T> attempt, long now) {
    try {
      return attempt.attempt.millisSinceBeforeRestart();
    } catch (RuntimeException | LinkageError e) {
      failures.undetermined(attempt, e, now);
      return 0;
    }
  }

  /** For how long the attempt has been starting, as far as that can be told. */
  long millisStarting(QueuedAttempt<T> attempt, long now) {
    try {
      return attempt.history.millisStarting(attempt.attempt, now);
    } catch (RuntimeException | LinkageError e) {
      long seen = attempt.history.millisSeenStarting(now);
      failures.undetermined(attempt, e, now);
      return seen;
    }
  }

  /** Executors that came back after a restart. Who counts events wants it: it changes no state. */
  int recoveredExecutors(QueuedAttempt<T> attempt) {
    try {
      return attempt.attempt.recoveredExecutors();
    } catch (RuntimeException | LinkageError e) {
      return 0;
    }
  }

  /** The partition that the attempt's driver is in, or requested in; if it cannot be told, the other. */
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
