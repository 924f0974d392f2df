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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The starting attempts of one line. A decision needs to know how many there are, which is kept; whether
 * they still are is looked at no more often than time can have changed it, since a thousand may be starting
 * while the scheduler decides a thousand times a second.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> what stands for an application attempt
 */
final class StartingLane<T> {

  /** So few are looked at for every decision; of more, so many in turn. */
  private static final int LOOKS = 4;
  /** How often all are looked at even if no time limit is due, in milliseconds: the monitor may be late. */
  private static final long ALL = 1000;

  private final Lifecycle<T> lifecycle;
  /** Replaced as a whole: an entry comes and goes once for each application. */
  private volatile List<QueuedAttempt<T>> entries = Collections.emptyList();
  /** How many of them take no slot from those whose time is not used up. */
  private volatile int exhausted;
  private volatile boolean changed;
  private volatile long nextLook;
  private volatile int turn;

  StartingLane(Lifecycle<T> lifecycle) {
    this.lifecycle = lifecycle;
  }

  /** In no particular order; does not change. */
  List<QueuedAttempt<T>> entries() {
    return entries;
  }

  /** How many there are. */
  int size() {
    return entries.size();
  }

  /** How many take a slot that another needs. */
  int taken() {
    return entries.size() - exhausted;
  }

  synchronized void add(QueuedAttempt<T> entry) {
    if (!entries.contains(entry)) {
      List<QueuedAttempt<T>> more = new ArrayList<>(entries);
      more.add(entry);
      replace(more);
    }
  }

  synchronized void remove(QueuedAttempt<T> entry) {
    if (entries.contains(entry)) {
      List<QueuedAttempt<T>> fewer = new ArrayList<>(entries);
      fewer.remove(entry);
      replace(fewer);
    }
  }

  private void replace(List<QueuedAttempt<T>> next) {
    int used = 0;
    for (QueuedAttempt<T> entry : next) {
      used += entry.isExhausted() ? 1 : 0;
    }
    entries = next;
    exhausted = used;
    changed = true;
  }

  /** Brings up to date those whose time may be up, and a few others. */
  void look(AdmissionLine<T> line, long now) {
    List<QueuedAttempt<T>> present = entries;
    int size = present.size();
    if (size <= LOOKS) {
      for (int i = 0; i < size; i++) {
        look(present.get(i), line, now);
      }
    } else if (changed || now - nextLook >= 0) {
      changed = false;
      long next = now + ALL;
      for (QueuedAttempt<T> entry : present) {
        look(entry, line, now);
        next = Math.min(next, now + lifecycle.millisToLimit(entry, now));
      }
      nextLook = next;
    } else {
      int first = turn;
      turn = (first + LOOKS) % size;
      for (int i = 0; i < LOOKS; i++) {
        look(present.get((first + i) % size), line, now);
      }
    }
  }

  private void look(QueuedAttempt<T> entry, AdmissionLine<T> line, long now) {
    line.sendHome(entry, now);
    lifecycle.advance(entry, 0, now);
  }
}
