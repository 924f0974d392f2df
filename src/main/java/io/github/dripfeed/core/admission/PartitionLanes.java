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

/**
 * The attempts of one queue whose drivers request the same node partition, by state, and the memory of
 * their line. {@link AdmissionLanes} moves attempts between lanes. Readers take no lock and may meet an
 * attempt slightly too early or too late, so they check its state.
 *
 * @param <T> the type that represents an application attempt
 */
final class PartitionLanes<T> {

  final AttemptLane<T> waiting = new AttemptLane<>();
  final AttemptLane<T> stalled = new AttemptLane<>();
  /**
   * The waiting attempts that had a reserved driver; a reserved driver may become live without a
   * callback.
   */
  final AttemptLane<T> reserved = new AttemptLane<>();
  final StartingLane<T> starting = new StartingLane<>();

  private final String partition;
  private volatile LineMemory memory = new LineMemory();
  private volatile boolean adopted;
  private volatile QueuedAttempt<T> offered;
  /** Identifies the period of the current head. */
  private volatile Object headPeriod = new Object();

  PartitionLanes(String partition) {
    this.partition = partition;
  }

  String partition() {
    return partition;
  }

  LineMemory memory() {
    return memory;
  }

  /** Whether no attempt is starting, waiting or stalled. */
  boolean isEmpty() {
    return starting.size() == 0 && waiting.isEmpty() && stalled.isEmpty();
  }

  /** The number of waiting attempts, stalled or not. */
  int size() {
    return waiting.size() + stalled.size();
  }

  /** The next attempt in line, regardless of slots and reservations; null if none waits. */
  QueuedAttempt<T> firstWaiting() {
    return waiting.first();
  }

  /**
   * Sets the head of the line.
   *
   * @param next null if none is offered any more
   * @return whether the head has changed
   */
  boolean setOffered(QueuedAttempt<T> next) {
    if (next == null) {
      memory.vain().pause();
    }
    if (offered == next) {
      return false;
    }
    synchronized (this) {
      if (offered == next) {
        return false;
      }
      headPeriod = new Object();
      offered = next;
    }
    return true;
  }

  /** Identifies the period in which any attempt is offered. */
  Object offerPeriod() {
    return memory;
  }

  /** Identifies the period of the current head. */
  Object headPeriod() {
    return headPeriod;
  }

  void startWaiting(QueuedAttempt<T> attempt, long now) {
    LineMemory known = attempt.history.line();
    if (known != null && !adopted) {
      // Passed on from the ordering that this one replaces.
      adopted = true;
      memory = known;
    }
    if (attempt.isLate()) {
      if (known == null && stalled.isEmpty()) {
        memory.trials().reset(now);
      }
      stalled.add(attempt);
    } else {
      waiting.add(attempt);
    }
    attempt.history.setLine(memory);
  }

  void stopWaiting(QueuedAttempt<T> attempt) {
    waiting.remove(attempt);
    stalled.remove(attempt);
    reserved.remove(attempt);
    if (waiting.isEmpty() && stalled.isEmpty()) {
      memory.vain().reset();
    }
    if (offered == attempt) {
      forgetOffered(attempt);
    }
  }

  /** No attempt is offered until the next decision. */
  private synchronized void forgetOffered(QueuedAttempt<T> attempt) {
    if (offered == attempt) {
      offered = null;
    }
  }

  /** @return whether it was waiting and not stalled before */
  boolean moveToStalled(QueuedAttempt<T> attempt, long now) {
    if (stalled.isEmpty()) {
      memory.trials().reset(now);
    }
    stalled.add(attempt);
    return waiting.remove(attempt);
  }
}
