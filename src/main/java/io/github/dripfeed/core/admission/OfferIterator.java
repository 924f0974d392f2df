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
 * Iterates over the admitted attempts, except those at {@code max-containers}, merged in order with the
 * few accepted attempts that are offered, and then over those offered last.
 *
 * <p>It reads no facts of admitted attempts, because on a full queue a scheduler walks thousands of them
 * repeatedly. It is lazy: a call for the next attempt means that the scheduler has not placed the
 * previous one.
 *
 * @param <T> the type that represents an application attempt
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
  /** The admitted attempt that comes right after the next offered one; null if none does. */
  private T afterOffered;
  /**
   * The offered attempt returned last. An attempt beside it is determined only if the scheduler continues
   * the walk.
   */
  private QueuedAttempt<T> returned;
  private int nextLine;
  private AdmissionLine<T> lineOfLast;
  private int offeredLast;
  private Iterator<QueuedAttempt<T>> last = Collections.emptyIterator();
  private T next;

  /**
   * @param isFull whether an admitted attempt is skipped; null if none is
   * @param all the lines whose offers are merged
   */
  OfferIterator(NavigableMap<OrderKey, T> admitted, Predicate<T> isFull, AdmissionLines<T> all, long now) {
    this.admitted = admitted;
    this.isFull = isFull;
    this.all = all;
    this.lines = all.upToDate(now);
    this.now = now;
    // Before the admitted attempts are read, because the offer may admit a waiting attempt.
    this.offered = lines.size() == 1 ? lines.get(0).offer(true, now) : offers();
    this.admittedInOrder = admitted.values().iterator();
    this.nextAdmitted = admittedInOrder.hasNext() ? admittedInOrder.next() : null;
    findAfterOffered();
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
    if (returned != null) {
      QueuedAttempt<T> beside = all.of(returned).beside(returned, now);
      returned = null;
      if (beside != null) {
        insert(beside);
      }
    }
    while (true) {
      if (nextOffered < offered.size()
          && (nextAdmitted == null || nextAdmitted == afterOffered)) {
        return offer(offered.get(nextOffered++));
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

  private T offer(QueuedAttempt<T> attempt) {
    findAfterOffered();
    returned = attempt;
    all.of(attempt).tried(attempt, now);
    return attempt.item;
  }

  private void insert(QueuedAttempt<T> attempt) {
    List<QueuedAttempt<T>> more = new ArrayList<>(offered);
    int at = nextOffered;
    while (at < more.size() && more.get(at).submitted.compareTo(attempt.submitted) < 0) {
      at++;
    }
    more.add(at, attempt);
    offered = more;
    findAfterOffered();
  }

  private void findAfterOffered() {
    if (nextOffered < offered.size() && nextAdmitted != null) {
      Map.Entry<OrderKey, T> behind = admitted.ceilingEntry(offered.get(nextOffered).submitted);
      afterOffered = behind == null ? null : behind.getValue();
    }
  }

  /**
   * Whether the attempt is part of the offer. If it got its driver since then, it must still appear only
   * once.
   */
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
        QueuedAttempt<T> attempt = last.next();
        // An attempt that got its driver since then is among the admitted ones.
        if (attempt.history.state() == State.ACCEPTED && !isOffered(attempt.item)) {
          all.of(attempt).reached(attempt);
          return attempt.item;
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
