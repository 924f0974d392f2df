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
 * Where the attempts of one line stand, by their state, and what is remembered of the line. An entry that
 * changes its lane does so under its own lock; readers take none.
 *
 * @param <T> what stands for an application attempt
 */
final class AdmissionLanes<T> {

  final ConcurrentNavigableMap<OrderKey, QueuedAttempt<T>> waiting = new ConcurrentSkipListMap<>();
  final ConcurrentNavigableMap<OrderKey, QueuedAttempt<T>> stalled = new ConcurrentSkipListMap<>();
  /** Those waiting that were seen with a reserved driver; it may become live without any callback. */
  final ConcurrentNavigableMap<OrderKey, QueuedAttempt<T>> reserved = new ConcurrentSkipListMap<>();
  final StartingLane<T> starting;
  private volatile LineMemory memory = new LineMemory();
  private volatile boolean adopted;

  AdmissionLanes(Lifecycle<T> lifecycle) {
    this.starting = new StartingLane<>(lifecycle);
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

  /** Whether the entry had to give back a node for those that wait and have not been tried. */
  boolean isAside(QueuedAttempt<T> entry) {
    return !waiting.isEmpty() && entry.history.isAside(memory, entry.isLate());
  }

  void startWaiting(QueuedAttempt<T> entry, long now) {
    LineMemory known = entry.history.line();
    if (known != null && !adopted) {
      // From the ordering that this one replaces.
      adopted = true;
      memory = known;
    }
    if (entry.isLate()) {
      if (known == null && stalled.isEmpty()) {
        memory.trials().reset(now);
      }
      stalled.put(entry.submitted, entry);
    } else {
      waiting.put(entry.submitted, entry);
    }
    entry.history.setLine(memory);
  }

  void stopWaiting(QueuedAttempt<T> entry) {
    waiting.remove(entry.submitted, entry);
    stalled.remove(entry.submitted, entry);
    reserved.remove(entry.submitted, entry);
    if (waiting.isEmpty() && stalled.isEmpty()) {
      memory.vain().reset();
    }
  }

  /** @return whether it waited, and had not stalled */
  boolean moveToStalled(QueuedAttempt<T> entry, long now) {
    if (stalled.isEmpty()) {
      memory.trials().reset(now);
    }
    stalled.put(entry.submitted, entry);
    return waiting.remove(entry.submitted, entry);
  }
}
