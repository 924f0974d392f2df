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
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.function.Predicate;

/**
 * Merges those admitted, but for those that hold as much as they may, with the few that are offered
 * besides, by place, and ends with those offered last.
 *
 * <p>Of those admitted it looks at nothing but who they are: on a full queue a scheduler walks
 * thousands of them, again and again. It looks no further than it is asked: that the scheduler asks for
 * another says that it has not placed the one before.
 *
 * @param <T> what stands for an application attempt
 */
final class OfferIterator<T> implements Iterator<T> {

  private final NavigableMap<OrderKey, T> admitted;
  private final Iterator<T> admittedInOrder;
  private final Predicate<T> isFull;
  private final AdmissionLines<T> all;
  private final List<AdmissionLine<T>> lines;
  private final long now;
  private List<QueuedAttempt<T>> offered;
  private T nextAdmitted;
  private int nextOffered;
  /** Whom the next one offered comes before; null if it comes after all that are admitted. */
  private T behindOffered;
  /** Returned just now; what comes beside it is asked for only if the scheduler comes back. */
  private QueuedAttempt<T> given;
  private int nextLine;
  private AdmissionLine<T> lineOfLast;
  private int offeredLast;
  private Iterator<QueuedAttempt<T>> last = Collections.emptyIterator();
  private T next;

  /**
   * @param isFull whether one that is admitted is left out; null if none is
   * @param all the lines whose offers are merged
   */
  OfferIterator(NavigableMap<OrderKey, T> admitted, Predicate<T> isFull, AdmissionLines<T> all, long now) {
    this.admitted = admitted;
    this.isFull = isFull;
    this.all = all;
    this.lines = all.upToDate(now);
    this.now = now;
    // First: it may find that one of those waiting is to be admitted.
    this.offered = lines.size() == 1 ? lines.get(0).offer(true, now) : offers();
    this.admittedInOrder = admitted.values().iterator();
    this.nextAdmitted = admittedInOrder.hasNext() ? admittedInOrder.next() : null;
    findPlaceOfOffered();
  }

  private List<QueuedAttempt<T>> offers() {
    List<QueuedAttempt<T>> offers = new ArrayList<>(lines.size());
    for (AdmissionLine<T> line : lines) {
      offers.addAll(line.offer(true, now));
    }
    offers.sort(AdmissionLine.IN_ORDER);
    return offers;
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      next = merge();
    }
    return next != null;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    T item = next;
    next = null;
    return item;
  }

  private T merge() {
    if (given != null) {
      QueuedAttempt<T> beside = all.of(given).beside(given, now);
      given = null;
      if (beside != null) {
        insert(beside);
      }
    }
    while (true) {
      if (nextOffered < offered.size()
          && (nextAdmitted == null || nextAdmitted == behindOffered)) {
        return give(offered.get(nextOffered++));
      }
      if (nextAdmitted == null) {
        return nextOfLast();
      }
      T item = nextAdmitted;
      nextAdmitted = admittedInOrder.hasNext() ? admittedInOrder.next() : null;
      if (!isOffered(item) && (isFull == null || !isFull.test(item))) {
        return item;
      }
    }
  }

  private T give(QueuedAttempt<T> entry) {
    findPlaceOfOffered();
    given = entry;
    all.of(entry).tried(entry, now);
    return entry.item;
  }

  private void insert(QueuedAttempt<T> entry) {
    List<QueuedAttempt<T>> more = new ArrayList<>(offered);
    int at = nextOffered;
    while (at < more.size() && more.get(at).submitted.compareTo(entry.submitted) < 0) {
      at++;
    }
    more.add(at, entry);
    offered = more;
    findPlaceOfOffered();
  }

  private void findPlaceOfOffered() {
    if (nextOffered < offered.size() && nextAdmitted != null) {
      Map.Entry<OrderKey, T> behind = admitted.ceilingEntry(offered.get(nextOffered).submitted);
      behindOffered = behind == null ? null : behind.getValue();
    }
  }

  /** Whether it was accepted when the offer was made: it has its driver by now, and comes but once. */
  private boolean isOffered(T item) {
    for (int i = 0; i < offered.size(); i++) {
      if (offered.get(i).item == item) {
        return true;
      }
    }
    return false;
  }

  private T nextOfLast() {
    while (true) {
      while (last.hasNext()) {
        QueuedAttempt<T> entry = last.next();
        // One that got its driver since then stands among those admitted.
        if (entry.history.state() == State.ACCEPTED && !isOffered(entry.item)) {
          all.of(entry).reached(entry);
          return entry.item;
        }
      }
      if (lineOfLast != null) {
        lineOfLast.passedAll(Math.max(offeredLast, offered.size()));
        lineOfLast = null;
      }
      if (nextLine == lines.size()) {
        return null;
      }
      AdmissionLine<T> line = lines.get(nextLine++);
      if (line.hasLast()) {
        lineOfLast = line;
        List<QueuedAttempt<T>> offer = line.last(now);
        offeredLast = offer.size();
        last = offer.iterator();
      }
    }
  }
}
