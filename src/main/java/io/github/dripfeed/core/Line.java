/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The attempts of one queue whose drivers compete for one node partition, and the rule which of them
 * gets its driver next (contract, section 1, rule 3):
 *
 * <p><em>Only while fewer than {@code max-starting} are starting, the first accepted one that has an
 * outstanding request is offered. One whose driver is reserved keeps the offer. One that has been
 * offered for {@code accepted-timeout} in vain no longer holds back the next.</em>
 *
 * <p>Safe for use by any thread; {@link #offer} takes no lock unless the offer changes.
 *
 * @param <T> what stands for an application attempt
 */
final class Line<T> {

  private final String partition;
  private final Lifecycle<T> lifecycle;
  private final Ledger ledger;
  private final ConcurrentNavigableMap<Place, Entry<T>> waiting = new ConcurrentSkipListMap<>();
  private final ConcurrentNavigableMap<Place, Entry<T>> stalled = new ConcurrentSkipListMap<>();
  /** Few, and looked at for every decision of the scheduler; it changes once for an application. */
  private final CopyOnWriteArrayList<Entry<T>> starting = new CopyOnWriteArrayList<>();
  /** Those waiting that were seen with a reserved driver; it may become live without any callback. */
  private final ConcurrentNavigableMap<Place, Entry<T>> reserved = new ConcurrentSkipListMap<>();
  private volatile Entry<T> offered;
  /** Why the first one that has no claim may not start beside those that are starting; may be null. */
  private volatile Shortage shortage;

  Line(String partition, Lifecycle<T> lifecycle, Ledger ledger) {
    this.partition = partition;
    this.lifecycle = lifecycle;
    this.ledger = ledger;
  }

  String partition() {
    return partition;
  }

  /** In no particular order. */
  Collection<Entry<T>> starting() {
    return starting;
  }

  /** Whether all that are in line are past their early stage. */
  boolean isEmpty() {
    return starting.isEmpty() && waiting.isEmpty() && stalled.isEmpty();
  }

  /** Whether a starting slot is free. Looks at no more starting attempts than there are slots. */
  boolean hasFreeSlot(long now) {
    if (!reserved.isEmpty()) {
      for (Entry<T> entry : reserved.values()) {
        lifecycle.advance(entry, 0, now);
      }
    }
    int taken = 0;
    for (Entry<T> entry : starting) {
      if (lifecycle.advance(entry, 0, now) == State.STARTING
          && ++taken >= lifecycle.settings().maxStarting()) {
        return false;
      }
    }
    return true;
  }

  /** The one attempt that may get its driver now, or null: nobody asks, or may start. */
  Entry<T> offer(long now) {
    Entry<T> next = null;
    boolean slot = hasFreeSlot(now);
    if (slot || ledger.isOpen(now)) {
      next = first(now);
      // Looked at again after the head: an attempt that meanwhile left those waiting is starting by
      // now, and has the slot.
      if (next != null && !(slot && hasFreeSlot(now)) && !isSafe(next, now)) {
        next = null;
      }
    }
    Entry<T> before = setOffered(next, now);
    if (before != next) {
      lifecycle.offered(next, partition);
      if (before != null) {
        // One that loses the offer in the very moment that its time was up has still had its time.
        stall(before, now);
      }
    }
    return next;
  }

  /** The next in line, without regard to slots or reservations; null if nobody waits. */
  Entry<T> firstWaiting() {
    return valueOf(waiting);
  }

  Iterable<Entry<T>> waiting() {
    return waiting.values();
  }

  /** How many wait, stalled or not. Walks them all. */
  int size() {
    return waiting.size() + stalled.size();
  }

  boolean hasStalled() {
    return !stalled.isEmpty();
  }

  Iterable<Entry<T>> stalled() {
    return stalled.values();
  }

  /** Those that come after everything else now: all of them while a slot is free. */
  Iterable<Entry<T>> stalledOffered(long now) {
    if (hasFreeSlot(now)) {
      return stalled.values();
    }
    if (!ledger.isOpen(now)) {
      return Collections.emptyList();
    }
    List<Entry<T>> safe = new ArrayList<>();
    for (Entry<T> entry : stalled.values()) {
      if (isSafe(entry, now)) {
        safe.add(entry);
      }
    }
    return safe;
  }

  /** Whether it may start though no slot is free; if that can't be told, nobody may. */
  private boolean isSafe(Entry<T> entry, long now) {
    try {
      return ledger.isSafe(entry.claim(), now);
    } catch (RuntimeException | LinkageError e) {
      ledger.close();
      lifecycle.failed(e);
      return false;
    }
  }

  void setShortage(Shortage found) {
    shortage = found;
  }

  /** What the next in line waits for; only looks. */
  Wait waitsFor(long now) {
    int taken = 0;
    for (Entry<T> entry : starting) {
      if (entry.history.state() == State.STARTING) {
        taken++;
      }
    }
    Entry<T> next = firstWaiting();
    if (taken < lifecycle.settings().maxStarting()
        || next != null && isSafe(next, now)) {
      return Wait.OFFERED;
    }
    if (!ledger.isOpen(now)) {
      return Wait.FOR_SLOT;
    }
    return Wait.forRoom(shortage == null ? Shortage.QUEUE : shortage);
  }

  Iterable<Entry<T>> waitingNewestFirst() {
    return waiting.descendingMap().values();
  }

  Iterable<Entry<T>> stalledNewestFirst() {
    return stalled.descendingMap().values();
  }

  private Entry<T> first(long now) {
    if (!reserved.isEmpty()) {
      Entry<T> keeper = firstWithReservedDriver(now);
      if (keeper != null) {
        return keeper;
      }
    }
    for (Entry<T> entry : waiting.values()) {
      boolean asks = lifecycle.asks(entry, now);
      if (lifecycle.advance(entry, 0, now) == State.ACCEPTED && asks && !stall(entry, now)) {
        return entry;
      }
    }
    return null;
  }

  /** A reserved driver is allocated without asking again, so offering another as well makes two. */
  private Entry<T> firstWithReservedDriver(long now) {
    for (Entry<T> entry : reserved.values()) {
      if (lifecycle.advance(entry, 0, now) == State.ACCEPTED) {
        if (!lifecycle.reserves(entry, now)) {
          reserved.remove(entry.submitted, entry);
        } else if (!stall(entry, now)) {
          return entry;
        }
      }
    }
    return null;
  }

  private boolean stall(Entry<T> entry, long now) {
    if (!lifecycle.isStalled(entry, now)) {
      return false;
    }
    if (entry.stall()) {
      lifecycle.stalled(entry, now);
    }
    return true;
  }

  /** @return who was offered before */
  private Entry<T> setOffered(Entry<T> next, long now) {
    if (offered == next) {
      return next;
    }
    synchronized (this) {
      Entry<T> before = offered;
      if (before == next) {
        return next;
      }
      if (before != null) {
        before.history.setOffered(false, now);
      }
      if (next != null) {
        next.history.setOffered(true, now);
      }
      offered = next;
      return before;
    }
  }

  // What follows is called by an entry under its own monitor.

  void startWaiting(Entry<T> entry, long now) {
    (lifecycle.isStalled(entry, now) ? stalled : waiting).put(entry.submitted, entry);
  }

  void stopWaiting(Entry<T> entry, long now) {
    waiting.remove(entry.submitted, entry);
    stalled.remove(entry.submitted, entry);
    reserved.remove(entry.submitted, entry);
    if (offered == entry) {
      setOffered(null, now);
    }
  }

  void startStarting(Entry<T> entry) {
    starting.addIfAbsent(entry);
  }

  void stopStarting(Entry<T> entry) {
    starting.remove(entry);
  }

  boolean stall(Entry<T> entry) {
    stalled.put(entry.submitted, entry);
    return waiting.remove(entry.submitted, entry);
  }

  void watchReservation(Entry<T> entry) {
    reserved.put(entry.submitted, entry);
  }

  private static <V> V valueOf(ConcurrentNavigableMap<Place, V> lane) {
    java.util.Map.Entry<Place, V> first = lane.firstEntry();
    return first == null ? null : first.getValue();
  }
}
