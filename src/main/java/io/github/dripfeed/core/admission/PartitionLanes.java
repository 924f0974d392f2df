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

import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Where the attempts of one queue stand whose drivers compete for one node partition, by their state, and
 * what is remembered of their line. {@link AdmissionLanes} moves them; readers take no lock, and may meet
 * an
 * attempt a moment too early or too late: they ask it for its state.
 *
 * @param <T> what stands for an application attempt
 */
final class PartitionLanes<T> {

  final ConcurrentNavigableMap<OrderKey, QueuedAttempt<T>> waiting = new ConcurrentSkipListMap<>();
  final ConcurrentNavigableMap<OrderKey, QueuedAttempt<T>> stalled = new ConcurrentSkipListMap<>();
  /** Those waiting that were seen with a reserved driver; it may become live without any callback. */
  final ConcurrentNavigableMap<OrderKey, QueuedAttempt<T>> reserved = new ConcurrentSkipListMap<>();
  final StartingLane<T> starting = new StartingLane<>();

  private final String partition;
  private volatile LineMemory memory = new LineMemory();
  private volatile boolean adopted;
  private volatile QueuedAttempt<T> offered;
  /** Stands for the time with one head. */
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

  /** Whether all that are in line are past their early stage. */
  boolean isEmpty() {
    return starting.size() == 0 && waiting.isEmpty() && stalled.isEmpty();
  }

  /** How many wait, stalled or not. Walks them all. */
  int size() {
    return waiting.size() + stalled.size();
  }

  /** The next in line, without regard to slots or reservations; null if nobody waits. */
  QueuedAttempt<T> firstWaiting() {
    Map.Entry<OrderKey, QueuedAttempt<T>> first = waiting.firstEntry();
    return first == null ? null : first.getValue();
  }

  /** Whether the attempt had to give back a node for those that wait and have not been tried. */
  boolean isAside(QueuedAttempt<T> attempt) {
    return !waiting.isEmpty() && attempt.history.isAside(memory, attempt.isLate());
  }

  /**
   * Another one is at the head, or nobody.
   *
   * @param next null if nobody is offered any more
   * @return whether it is another one than before
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

  /** Stands for the time in which somebody is offered. */
  Object offerPeriod() {
    return this;
  }

  /** Stands for the time with the head that is offered now. */
  Object headPeriod() {
    return headPeriod;
  }

  void startWaiting(QueuedAttempt<T> attempt, long now) {
    LineMemory known = attempt.history.line();
    if (known != null && !adopted) {
      // From the ordering that this one replaces.
      adopted = true;
      memory = known;
    }
    if (attempt.isLate()) {
      if (known == null && stalled.isEmpty()) {
        memory.trials().reset(now);
      }
      stalled.put(attempt.submitted, attempt);
    } else {
      waiting.put(attempt.submitted, attempt);
    }
    attempt.history.setLine(memory);
  }

  void stopWaiting(QueuedAttempt<T> attempt) {
    waiting.remove(attempt.submitted, attempt);
    stalled.remove(attempt.submitted, attempt);
    reserved.remove(attempt.submitted, attempt);
    if (waiting.isEmpty() && stalled.isEmpty()) {
      memory.vain().reset();
    }
    if (offered == attempt) {
      forgetOffered(attempt);
    }
  }

  /** Nobody is offered until somebody looks. */
  private synchronized void forgetOffered(QueuedAttempt<T> attempt) {
    if (offered == attempt) {
      offered = null;
    }
  }

  /** @return whether it waited, and had not stalled */
  boolean moveToStalled(QueuedAttempt<T> attempt, long now) {
    if (stalled.isEmpty()) {
      memory.trials().reset(now);
    }
    stalled.put(attempt.submitted, attempt);
    return waiting.remove(attempt.submitted, attempt);
  }
}
